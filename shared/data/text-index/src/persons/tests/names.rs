use proptest::prelude::*;

use super::{named, now, person, persons, role, searched, uid};

#[test]
fn words_match_in_any_order_with_or_without_accents() {
    let persons = named(&["Jürg Müller-Meier", "Regula Muster", "André Crédit"]);
    for q in ["Müller Jürg", "juerg mueller", "MEIER jurg", "muller mei"] {
        assert_eq!(searched(&persons, q), ["Jürg Müller-Meier"], "{q}");
    }
    assert_eq!(searched(&persons, "credit andre"), ["André Crédit"]);
    assert!(searched(&persons, "Müller Regula").is_empty());
    assert!(searched(&persons, "mus regula").is_empty(), "only the last word may be unfinished");
    assert!(searched(&persons, "!?").is_empty());
    assert_eq!(searched(&persons, " ").len(), 3);
}

#[test]
fn whole_name_ranks_before_words_before_prefixes_before_typos() {
    let busy = |name, first| (first..first + 3).map(move |it| role(person(name), it));
    let roles: Vec<_> = busy("Hans Mullerson", 10)
        .chain(busy("Hans Peter Müller", 20))
        .chain(busy("Hans Mullner", 30))
        .chain([role(person("Hans Müller"), 1)])
        .collect();
    let persons = persons(&roles);
    let expected = ["Hans Müller", "Hans Peter Müller", "Hans Mullerson", "Hans Mullner"];
    assert_eq!(searched(&persons, "hans müller"), expected);
    assert_eq!(searched(&persons, "müller hans")[..2], expected[..2]);
}

#[test]
fn typos_are_allowed_only_if_few_persons_match_exactly() {
    let few = ["Hans Keller", "Hans Kellner"];
    assert_eq!(searched(&named(&few), "keller").len(), 2);
    let many: Vec<String> = ["A", "B", "C", "D"].map(|it| format!("{it} Keller")).into();
    let all: Vec<&str> = few.into_iter().chain(many.iter().map(String::as_str)).collect();
    assert!(!searched(&named(&all), "keller").contains(&"Hans Kellner".to_owned()));
}

#[test]
fn firms_are_ignored_unless_requested() {
    let persons = named(&["Hans Kellner", "Keller", "KellerA", "KellerB", "KellerC", "KellerD"]);
    assert_eq!(persons.person_count(), 1);
    assert_eq!(searched(&persons, "keller"), ["Hans Kellner"]);
    let with_firms = super::PersonQuery {
        q: Some("keller".into()),
        include_entities: true,
        ..Default::default()
    };
    let found = super::found(&persons, &with_firms);
    assert_eq!(found, ["Keller", "KellerA", "KellerB", "KellerC", "KellerD"]);
}

#[test]
fn former_name_finds_a_person_under_the_latest_name() {
    let mut before = role(person("Regula Muster"), 1);
    let mut after = role(person("Regula Beispiel"), 2);
    before.mandate.source.date = Some(super::year(2010));
    after.mandate.person_id = before.mandate.person_id;
    let persons = persons(&[after, before]);
    assert_eq!(searched(&persons, "muster"), ["Regula Beispiel"]);
    assert_eq!(searched(&persons, "beispiel"), ["Regula Beispiel"]);
}

#[test]
fn person_filter_finds_companies_with_current_roles() {
    let roles = [
        role(person("Regula Muster"), 1),
        super::former(role(person("Regula Muster"), 2)),
        role(person("Hans Muster"), 3),
        role(person("Hans Mustre"), 4),
        role(person("MusterTreuhand"), 5),
    ];
    let persons = persons(&roles);
    let companies = |name: &str| {
        let found = persons.companies_with_person(name).expect("an answer");
        let mut found: Vec<u32> = found.into_iter().map(|it| it.number()).collect();
        found.sort_unstable();
        found
    };
    assert_eq!(companies("regula muster"), [1]);
    assert_eq!(companies("muster"), [1, 3, 5], "what matches as written hides typos");
    assert_eq!(companies("hans mustrr"), [3, 4]);
    assert!(companies("").is_empty() && companies("nobody").is_empty());
    let officers = now(persons.officers(uid(1))).expect("an answer");
    let of_today: Vec<_> = officers[0].roles.iter().map(|it| it.company).collect();
    assert_eq!(of_today, [uid(1)], "and not where the role has ended");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_search_makes_the_index_panic(searches in proptest::collection::vec(".{0,60}", 40)) {
        let persons = named(&["Jürg Müller", "本 田", "! ?", "Treuhand", ""]);
        for search in searches {
            searched(&persons, &search);
            persons.companies_with_person(&search).expect("an answer");
        }
    }

    #[test]
    fn a_name_finds_its_person(
        names in proptest::collection::vec("[A-ZÄa-zé]{2,9} [A-ZÜa-zè]{2,12}( [A-Z][a-z]{1,9})?", 1..12),
    ) {
        let persons = named(&names.iter().map(String::as_str).collect::<Vec<_>>());
        for name in names {
            prop_assert!(searched(&persons, &name).contains(&name), "{name}");
        }
    }
}
