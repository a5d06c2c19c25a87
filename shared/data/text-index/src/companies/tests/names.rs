use domain::{
    Amount, Canton, Company, Status,
    search::{CompanyQuery, SortBy},
};
use proptest::prelude::*;
use serde::Deserialize;

use super::{Register, company, uid};

#[test]
fn whole_name_ranks_before_prefix_before_words() {
    let register =
        Register::named(&["Holding der ABB AG", "ABB Immobilien AG", "Abba Musik GmbH", "ABB SA"]);
    let found = register.searched("abb");
    assert_eq!(found, ["ABB SA", "ABB Immobilien AG", "Abba Musik GmbH", "Holding der ABB AG"]);
}

#[test]
fn larger_company_ranks_first_among_equal_matches() {
    let with = |number, name: &str, capital, employees| Company {
        share_capital: Some(Amount::units(capital)),
        employee_count: employees,
        status: Some(Status::Active),
        ..company(number, name)
    };
    let gone =
        Company { status: Some(Status::Cancelled), ..with(1, "Muster Gone", 9_000_000, None) };
    let going = Company {
        status: Some(Status::BeingCancelled),
        ..with(2, "Muster Going", 9_000_000, None)
    };
    let register = Register::of([
        gone,
        going,
        with(3, "Muster Small", 20_000, None),
        with(4, "Muster Staffed", 20_000, Some(50)),
        with(5, "Muster Rich", 1_000_000, None),
        company(6, "Muster Unknown"),
    ]);
    let expected = [
        "Muster Staffed",
        "Muster Rich",
        "Muster Small",
        "Muster Going",
        "Muster Unknown",
        "Muster Gone",
    ];
    assert_eq!(register.searched("muster"), expected);
    assert_eq!(register.found(CompanyQuery::default()), expected);
}

#[test]
fn legal_form_excludes_no_company_and_ranks_namesakes() {
    let register = Register::named(&["Nestlé AG", "Nestlé S.A.", "Nestlé Suisse S.A."]);
    assert_eq!(
        register.searched("Nestlé S.A."),
        ["Nestlé S.A.", "Nestlé AG", "Nestlé Suisse S.A."]
    );
    assert_eq!(register.searched("nestle ag"), ["Nestlé AG", "Nestlé S.A.", "Nestlé Suisse S.A."]);
    assert_eq!(
        register.searched("Nestlé GmbH"),
        ["Nestlé AG", "Nestlé S.A.", "Nestlé Suisse S.A."]
    );
}

#[test]
fn legal_form_alone_is_searched_as_word() {
    let register = Register::named(&["Muster AG", "Beispiel GmbH", "Agenda Sàrl"]);
    assert_eq!(register.searched("AG"), ["Agenda Sàrl", "Muster AG"]);
    assert_eq!(register.searched("GmbH"), ["Beispiel GmbH"]);
}

#[test]
fn every_word_must_match_and_the_last_may_be_incomplete() {
    let register =
        Register::named(&["Muster Maschinenbau AG", "Muster Metallbau AG", "Maschinenbau Meier"]);
    assert_eq!(register.searched("muster masch"), ["Muster Maschinenbau AG"]);
    assert_eq!(register.searched("muster m"), ["Muster Maschinenbau AG", "Muster Metallbau AG"]);
    assert_eq!(register.searched("maschinenbau muster"), ["Muster Maschinenbau AG"]);
    assert!(register.searched("mus maschinenbau").is_empty());
}

#[test]
fn words_for_and_are_equal_to_the_signs() {
    let register =
        Register::named(&["A & W Tiefbau GmbH", "Kunst und Bau AG", "B.E.W. Energie AG"]);
    for search in
        ["A und W Tiefbau", "a + w tiefbau", "A et W Tiefbau", "A e W Tiefbau", "A and W Tief"]
    {
        assert_eq!(register.searched(search), ["A & W Tiefbau GmbH"], "{search}");
    }
    for search in ["Kunst & Bau", "Kunst + Bau", "kunst e bau", "Kunst und Bau"] {
        assert_eq!(register.searched(search), ["Kunst und Bau AG"], "{search}");
    }
    // Not a word for "and": an initial.
    assert_eq!(register.searched("BEW Energie"), ["B.E.W. Energie AG"]);
    assert_eq!(register.searched("B E W Energie"), ["B.E.W. Energie AG"]);
}

#[test]
fn words_of_names_are_found_in_other_languages() {
    let register = Register::named(&[
        "Café Michaud & Cie SNC",
        "Comptabilité Jean Michaud",
        "Stiftung Sonnenpfad",
        "Elmer & Co. KmG",
        "Association Lumerga",
        "Lindtal Energie AG",
    ]);
    for search in ["Michaud & Co Kollektivgesellschaft", "Michaud & Cie", "Michaud et Cie SNC"] {
        // `Co` may also be the start of a word.
        assert_eq!(register.searched(search)[0], "Café Michaud & Cie SNC", "{search}");
    }
    for (search, name) in [
        ("Elmer & Cie", "Elmer & Co. KmG"),
        ("Fondation Sonnenpfad", "Stiftung Sonnenpfad"),
        ("fondazione sonnenpfad", "Stiftung Sonnenpfad"),
        ("Sonnenpfad Foundation", "Stiftung Sonnenpfad"),
        ("Verein Lumerga", "Association Lumerga"),
        ("ex Lindtal Energie", "Lindtal Energie AG"),
        ("ehemals Lindtal Energie", "Lindtal Energie AG"),
        ("già Lindtal Energie AG", "Lindtal Energie AG"),
    ] {
        assert_eq!(register.searched(search), [name], "{search}");
    }
    assert_eq!(register.searched("Stiftung"), ["Stiftung Sonnenpfad"]);
    assert!(register.searched("Fondazione").is_empty());
}

#[test]
fn names_are_in_alphabetical_order() {
    let names =
        ["Samt AG", "Altname", "Zürich AG", "Aero AG", "Samuel", "Äbi AG", "Adam", "\"Berg\" AG"];
    let query = CompanyQuery { sort_by: SortBy::Name, ..Default::default() };
    assert_eq!(
        Register::named(&names).found(query),
        ["Äbi AG", "Adam", "Aero AG", "Altname", "\"Berg\" AG", "Samt AG", "Samuel", "Zürich AG"]
    );
}

#[test]
fn accents_and_umlauts_match_either_spelling() {
    let register = Register::named(&["Müller & Söhne", "Zürcher Bäckerei", "Crédit Genève"]);
    for search in ["Müller Söhne", "mueller soehne", "MULLER SOHNE", "muller,sohne"] {
        assert_eq!(register.searched(search), ["Müller & Söhne"], "{search}");
    }
    assert_eq!(register.searched("zuercher backerei"), ["Zürcher Bäckerei"]);
    assert_eq!(register.searched("credit geneve"), ["Crédit Genève"]);
}

#[test]
fn former_names_and_translations_rank_after_current_names() {
    let renamed = Company {
        old_names: Some(vec!["Helvetia Treuhand AG".into()]),
        share_capital: Some(Amount::units(5_000_000)),
        ..company(1, "Zenith Advisory AG")
    };
    let translated = Company {
        translations: Some(vec!["Helvetia Bank".into(), "Banque Helvétie".into()]),
        share_capital: Some(Amount::units(9_000_000)),
        ..company(2, "Banca Elvezia")
    };
    let register =
        Register::of([renamed, translated, company(3, "Helvetia Treuhand und Revision")]);
    assert_eq!(
        register.searched("helvetia treuhand"),
        ["Zenith Advisory AG", "Helvetia Treuhand und Revision"],
        "a whole old name is better than a beginning"
    );
    assert_eq!(
        register.searched("helvetia"),
        ["Helvetia Treuhand und Revision", "Banca Elvezia", "Zenith Advisory AG"]
    );
    assert_eq!(register.searched("banque helvetie"), ["Banca Elvezia"]);
}

#[test]
fn word_of_four_letters_may_have_one_typo() {
    let register = Register::named(&["Rosa Blumen", "ABB"]);
    for typo in ["rsoa", "rossa", "ros", "rota", "orsa", "xrosa"] {
        assert_eq!(register.searched(typo), ["Rosa Blumen"], "{typo}");
    }
    for other in ["rxya", "rosablu x", "soar", "abc"] {
        assert!(register.searched(other).is_empty(), "{other}");
    }
}

#[test]
fn word_of_eight_letters_may_have_two_typos() {
    let register = Register::named(&["Maschinenbau Keller"]);
    for typo in ["mashcinenbua", "maschinnbu", "masshinenbbau", "naschinenbaw"] {
        assert_eq!(register.searched(typo), ["Maschinenbau Keller"], "{typo}");
    }
    assert!(register.searched("nachinenbaw").is_empty(), "three");
    assert!(register.searched("kxllxr").is_empty(), "two in six letters");
    assert_eq!(register.searched("mashcinenbau kelelr"), ["Maschinenbau Keller"]);
}

#[test]
fn matches_with_typos_rank_last_and_need_few_exact_matches() {
    let mut names = vec!["Kellner Bau", "Keller Bau"];
    let register = Register::named(&names);
    assert_eq!(register.searched("keller"), ["Keller Bau", "Kellner Bau"]);
    names.extend(["Keller A", "Keller B", "Keller C", "Keller D"]);
    let register = Register::named(&names);
    assert!(!register.searched("keller").contains(&"Kellner Bau"));
}

#[test]
fn filters_do_not_cause_matches_with_typos() {
    let in_zurich = |number, name| Company { canton: Some(Canton::Zh), ..company(number, name) };
    let elsewhere = ["Keller A", "Keller B", "Keller C", "Keller D", "Keller E"];
    let others = elsewhere.iter().zip(10..).map(|(name, number)| company(number, name));
    let register = Register::of(others.chain([in_zurich(1, "Kellner"), in_zurich(2, "Keller Z")]));
    let query = CompanyQuery {
        search: Some("keller".into()),
        canton: [Canton::Zh].into(),
        ..Default::default()
    };
    assert_eq!(register.found(query), ["Keller Z"]);
}

#[test]
fn company_number_finds_its_company_only() {
    let register =
        Register::of([company(107_787_577, "Muster AG"), company(1, "CHE 107 787 577 Fan AG")]);
    for search in
        ["CHE-107.787.577", "che107787577", "107787577", " 107.787.577 ", "CHE-107.787.577 MWST"]
    {
        assert_eq!(register.searched(search), ["Muster AG"], "{search}");
    }
    assert!(register.searched("CHE-999.999.999").is_empty());
}

#[test]
fn initials_and_compounds_match_joined_or_separate() {
    let register = Register::named(&[
        "A.B.C. Treuhand AG",
        "ABD Treuhand AG",
        "Gotthardbahn AG",
        "F. Hoffmann AG",
    ]);
    for search in ["abc treuhand", "A.B.C. Treuhand", "a b c treuhand", "abc treu"] {
        assert_eq!(register.searched(search), ["A.B.C. Treuhand AG"], "{search}");
    }
    assert_eq!(register.searched("a b d treuhand"), ["ABD Treuhand AG"]);
    assert_eq!(register.searched("gotthard bahn"), ["Gotthardbahn AG"]);
    assert_eq!(register.searched("f hoffmann"), ["F. Hoffmann AG"]);
    let apart = Register::named(&["Gotthard Bahn AG", "Gotthard AG"]);
    assert_eq!(apart.searched("gotthardbahn"), ["Gotthard Bahn AG"]);
}

#[test]
fn blank_search_finds_all_and_search_without_letters_finds_nothing() {
    let register = Register::named(&["Muster AG", "!!!"]);
    assert_eq!(register.searched("").len(), 2);
    assert_eq!(register.searched("  \t\n").len(), 2);
    assert!(register.searched("!?").is_empty());
    assert!(register.searched("-").is_empty());
}

#[test]
fn search_with_many_words_is_truncated() {
    let register = Register::named(&["Muster AG"]);
    let long = "muster ".repeat(100_000);
    assert_eq!(register.searched(&long), ["Muster AG"]);
    assert!(register.searched(&"muster".repeat(100_000)).is_empty());
}

/// Number of typos: letters that are missing, added, replaced or swapped with the next one.
fn typos_between(one: &str, other: &str) -> usize {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut rows = vec![vec![0; other.len() + 1]; one.len() + 1];
    for i in 0..=one.len() {
        for j in 0..=other.len() {
            let mut least = if i == 0 || j == 0 { i + j } else { usize::MAX };
            if i > 0 && j > 0 {
                let mistaken = usize::from(one[i - 1] != other[j - 1]);
                least =
                    (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + mistaken);
            }
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = least;
        }
    }
    rows[one.len()][other.len()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn typos_are_forgiven_as_promised(
        names in proptest::collection::vec("[bc]{1,10}", 1..40),
        searches in proptest::collection::vec("[bc]{1,10}", 20),
    ) {
        let register = Register::named(&names.iter().map(String::as_str).collect::<Vec<_>>());
        for search in searches {
            let begin = names.iter().filter(|it| it.starts_with(&search)).count();
            let forgiven = match search.len() {
                _ if begin >= 5 => 0,
                0..4 => 0,
                4..8 => 1,
                _ => 2,
            };
            let found = names.iter().filter(|it| {
                it.starts_with(&search) || typos_between(it, &search) <= forgiven
            });
            let query = CompanyQuery { search: Some(search.clone()), ..Default::default() };
            prop_assert_eq!(register.hits(&query).total, found.count() as u64, "{}", search);
        }
    }

    #[test]
    fn no_search_makes_the_index_panic(searches in proptest::collection::vec(".{0,60}", 40)) {
        let register = Register::named(&["Müller & Söhne AG", "A.B.C. Treuhand", "Ω 本田 ltd", "", "!"]);
        for search in searches {
            register.searched(&search);
        }
    }

    #[test]
    fn a_name_finds_its_company(
        names in proptest::collection::vec("[A-ZÄa-zé]{1,12}( [a-zü.]{1,9}){0,3}( AG| SA)?", 1..12),
    ) {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let register = Register::named(&names);
        for name in names {
            prop_assert!(register.searched(name).contains(&name), "{name}");
        }
    }
}

fn seated(number: u32, name: &str, seat: &str) -> Company {
    Company { legal_seat: Some(seat.to_owned()), ..company(number, name) }
}

fn in_canton(canton: Canton, company: Company) -> Company {
    Company { canton: Some(canton), ..company }
}

#[test]
fn what_stands_beside_a_name_does_not_hide_the_company() {
    let form = |code: &str, company| Company { legal_form_code: Some(code.to_owned()), ..company };
    let register = Register::of([
        in_canton(Canton::Ag, seated(1, "Kranholm Bau GmbH", "Baden")),
        form("0103", company(2, "Rüegg & Sohn KlG")),
        form("0104", company(3, "Koller & Cie")),
        form("0106", in_canton(Canton::Be, seated(4, "Nerancor Handels AG", "Bern"))),
        form("0151", seated(5, "Nerancor Handels AG, Zweigniederlassung Basel", "Basel")),
        company(6, "Konkurs Beratung AG"),
    ]);
    for (search, expected) in [
        ("Kranholm Bau GmbH i.L.", "Kranholm Bau GmbH"),
        ("Kranholm Bau in Konkurs", "Kranholm Bau GmbH"),
        ("Kranholm Bau GmbH in provisorischer Nachlassstundung", "Kranholm Bau GmbH"),
        ("Kranholm Bau Sàrl en faillite", "Kranholm Bau GmbH"),
        ("Kranholm Bau GmbH (gelöscht)", "Kranholm Bau GmbH"),
        ("Kranholm Bau GmbH, Baden (gelöscht)", "Kranholm Bau GmbH"),
        ("Kranholm Bau GmbH i.L., Baden", "Kranholm Bau GmbH"),
        ("Kranhlom Bau GmbH i.L.", "Kranholm Bau GmbH"),
        ("Kranholm Bau GmbH Baden", "Kranholm Bau GmbH"),
        ("Kranholm Bau GmbH i.L. Baden", "Kranholm Bau GmbH"),
        ("Kranholm Bau GmbH, 5400 Baden", "Kranholm Bau GmbH"),
        ("Kranholm Bau GmbH 5400 Baden", "Kranholm Bau GmbH"),
        ("Kranholm Bau GmbH, Aargau", "Kranholm Bau GmbH"),
        ("Kranholm Bau Argovie", "Kranholm Bau GmbH"),
        ("Kranholm Bau GmbH Kanton Aargau", "Kranholm Bau GmbH"),
        ("Rüegg & Sohn Kollektivgesellschaft", "Rüegg & Sohn KlG"),
        ("Rüegg & Sohn société en nom collectif", "Rüegg & Sohn KlG"),
        ("Koller & Cie Kommanditgesellschaft", "Koller & Cie"),
        ("Koller & Cie società in accomandita", "Koller & Cie"),
        ("Nerancor Handels succursale", "Nerancor Handels AG, Zweigniederlassung Basel"),
        ("Nerancor Handels AG Filiale Basel", "Nerancor Handels AG, Zweigniederlassung Basel"),
        ("Nerancor Handels AG Bern", "Nerancor Handels AG"),
        ("Konkurs Beratung AG", "Konkurs Beratung AG"),
    ] {
        assert_eq!(register.searched(search), [expected], "{search}");
    }
    // No whole name before the place; another place; an addition alone.
    for search in
        ["Kranholm Baden", "Kranholm Bau GmbH Zürich", "Kranholm Bau, 8000 Zürich", "gelöscht"]
    {
        assert!(register.searched(search).is_empty(), "{search}");
    }
}

#[test]
fn a_municipality_that_no_seat_has_is_a_typing_mistake_if_one_is_near() {
    let register = Register::of([
        in_canton(Canton::Ag, seated(1, "Eins", "Lenzburg")),
        seated(2, "Zwei", "Buchs (AG)"),
    ]);
    for (given, expected) in [
        ("Lenzbrug", Some(("lenzbrug", uid(1)))),
        ("Lenzbrug AG", Some(("lenzbrug ag", uid(1)))),
        ("Lenzburg", None),
        ("Lenzburg ZH", None),
        ("Winterthur", None),
        ("Genf", None),
    ] {
        let json = serde_json::json!({ "municipality": ["Buchs", given] });
        let query = CompanyQuery::deserialize(json).expect("a query");
        let found = register.companies.misspelled_municipality(&query).expect("an index");
        assert_eq!(found, expected, "{given}");
    }
}

#[test]
fn a_municipality_is_found_in_every_language_and_with_its_canton() {
    let register = Register::of([
        in_canton(Canton::Ge, seated(1, "Geneva", "Genève")),
        seated(2, "Aargau", "Buchs (AG)"),
        seated(3, "Zurich", "Buchs ZH"),
        in_canton(Canton::Be, seated(4, "Seeland", "Biel/Bienne")),
        in_canton(Canton::Sg, seated(5, "Gallus", "St. Gallen")),
    ]);
    for (given, expected) in [
        ("Genf", &["Geneva"][..]),
        ("ginevra", &["Geneva"]),
        ("Buchs", &["Aargau", "Zurich"]),
        ("Buchs (ZH)", &["Zurich"]),
        ("Buchs AG", &["Aargau"]),
        ("Bienne", &["Seeland"]),
        ("Biel / Bienne", &["Seeland"]),
        ("San Gallo", &["Gallus"]),
        ("Sankt Gallen", &["Gallus"]),
        ("Gallen", &[]),
        ("Genève GE", &["Geneva"]),
        ("Genf (GE)", &["Geneva"]),
        ("San Gallo SG", &["Gallus"]),
        ("Biel BE", &["Seeland"]),
        ("Genf ZH", &[]),
    ] {
        let json = serde_json::json!({ "municipality": [given] });
        let query = CompanyQuery::deserialize(json).expect("a query");
        assert_eq!(register.found(query), expected, "{given}");
    }
}

#[test]
fn a_place_in_a_name_and_an_identifier_find_the_company() {
    let lei = "506700GE1G29325QX363".parse().ok();
    let register = Register::of([
        Company {
            lei,
            chid: Some("CH-660.3.000.001-4".into()),
            ..company(1, "Banque Privée de Genève SA")
        },
        company(2, "Genfer Bank AG"),
        company(3, "Tipografia di San Gallo SA"),
        company(4, "Buchdruck St. Gallen AG"),
        company(5, "Kloster Disentis"),
        company(6, "Eva Muster"),
    ]);
    assert_eq!(register.searched("banque genf"), ["Banque Privée de Genève SA"]);
    assert_eq!(register.searched("tipografia saint-gall"), ["Tipografia di San Gallo SA"]);
    assert_eq!(register.searched("San Gallo Buchdruck"), ["Buchdruck St. Gallen AG"]);
    assert_eq!(register.searched("San Gallo").len(), 2);
    // The place Mustér is Disentis, but `Muster` is a surname too.
    assert_eq!(register.searched("muster"), ["Eva Muster"]);
    // A name in the form of a LEI.
    assert_eq!(register.searched("549300MLUDYVRQOOXS22"), [""; 0]);
    assert_eq!(register.searched("506700-GE1G29325QX363"), ["Banque Privée de Genève SA"]);
    assert_eq!(register.searched("CH-660.3.000.001-4"), ["Banque Privée de Genève SA"]);
    assert_eq!(register.searched("ch66030000014"), ["Banque Privée de Genève SA"]);
}

#[test]
fn the_seat_may_follow_the_name() {
    let register = Register::of([
        seated(1, "Lindtal Energie AG", "Lenzburg"),
        seated(2, "Lindtal Energie AG", "Genève"),
        seated(3, "Energie, Lenzburg GmbH", "Aarau"),
    ]);
    let found = |search: &str| {
        let query = CompanyQuery { search: Some(search.to_owned()), ..Default::default() };
        let uids = register.hits(&query).uids;
        uids.iter().map(|it| it.number()).collect::<Vec<_>>()
    };
    assert_eq!(found("Lindtal Energie AG, Lenzburg"), [1]);
    assert_eq!(found("Lindtal Energie, Genf"), [2]);
    // Names that have all words come first.
    assert_eq!(found("Energie, Lenzburg"), [3, 1]);
    assert_eq!(found(", Lenzburg"), [3]);
    assert_eq!(found("Lindtla Energie, Genf"), [2]);
    assert_eq!(found("Lindtal Energie AG, Nirgendwo"), [0; 0]);
}
