use domain::Source;

use super::*;

/// A publication whose blocks change the company's name and its translation.
fn renaming(number: u64, day: &str, from: [&str; 2], to: [&str; 2]) -> Publication {
    let ([name, translation], [new_name, new_translation]) = (from, to);
    in_luzern(Publication::mutation(UID, name), number, day, "")
        .translations(translation)
        .new_name(new_name)
        .new_translations(new_translation)
}

#[test]
fn former_names_are_collected() {
    let old_names =
        |facts: &[Fact]| fold(facts).expect("company record").old_names.unwrap_or_default();
    let first = renaming(1, "2022-03-01", ["Alt AG", "(Alt SA)"], ["Muster AG", "(Muster SA)"]);
    let second = renaming(2, "2024-03-01", ["Muster AG", "(Muster SA)"], ["Neu AG", "(Neu SA)"]);
    let facts = gazette_facts([second, first.clone()]);
    assert_eq!(old_names(&facts), ["Alt AG", "Alt SA", "Muster AG", "Muster SA"]);
    let then = as_of(&facts, "2023-01-01").expect("company record");
    assert_eq!(then.company.old_names, Some(vec!["Alt AG".into(), "Alt SA".into()]));
    assert_eq!(proof(&then, "oldNames").as_deref(), Some("2022-03-01"));
    // The name in the linked data does not make the previous one a former name.
    let facts = [gazette_facts([first.clone()]), vec![lindas_fact("2022-06-01")]].concat();
    assert_eq!(old_names(&facts), ["Alt AG", "Alt SA"]);
    // The register may already list the former names.
    let known = |day: &str| {
        let json = format!(
            r#"{{"uid": "{UID}", "name": "Muster AG", "canton": "LU", "sogcDate": "{day}",
                "oldNames": [{{"name": "Alt AG", "translation": ["Alt SA"]}}]}}"#
        );
        facts_from(zefix::read(json.as_bytes()).expect("valid JSON").statements)
    };
    for day in ["2022-02-27", "2022-03-01"] {
        let facts = [gazette_facts([first.clone()]), known(day)].concat();
        assert_eq!(old_names(&facts), ["Alt AG", "Alt SA"], "{day}");
    }
    // The addition "in Liquidation" does not make another name.
    let ended = renaming(1, "2022-03-01", ["Alt AG", ""], ["Alt AG in Liquidation", ""]);
    assert_eq!(old_names(&gazette_facts([ended])), [""; 0]);
}

#[test]
fn former_name_from_the_text_alone_is_collected() {
    let text = "<FT TYPE=\"F\">Alt AG</FT>, in <FT TYPE=\"S\">Luzern</FT>, CHE-107.251.578, \
                Aktiengesellschaft. Firma neu: <FT TYPE=\"N\">Muster AG</FT>.";
    let renamed = mutation(1, "2022-03-01", "").whole_text(text).without_block_before();
    let company = fold(&gazette_facts([renamed])).expect("company record");
    assert_eq!(
        (company.name.as_str(), company.old_names),
        ("Muster AG", Some(vec!["Alt AG".into()]))
    );
}

#[test]
fn founding_date_is_the_date_of_the_first_statutes() {
    let entry = |text: &str| registration(1, "2020-03-02", text);
    let founded =
        |text: &str| fold(&gazette_facts([entry(text)])).expect("company record").founding_date;
    assert_eq!(founded("Statutendatum: 24.02.2020."), "2020-02-24".parse().ok());
    assert_eq!(founded("Statuts du 24.02.2020."), "2020-02-24".parse().ok());
    // A company that comes from another register states several dates.
    assert_eq!(founded("Statutendatum: 24.02.2020, 05.06.1998."), "1998-06-05".parse().ok());
    assert_eq!(founded("Statutendatum: 24.02.2050."), None, "later than the entry");
    // Statutes of a mutation are not the first ones.
    let changed = mutation(2, "2022-03-01", "Statutenänderung: 24.02.2022.");
    assert_eq!(
        fold(&gazette_facts([changed.clone()])).expect("company record").founding_date,
        None
    );
    let facts = gazette_facts([entry("Statutendatum: 24.02.2020."), changed]);
    let then = as_of(&facts, "2022-03-01").expect("company record");
    assert_eq!(then.company.founding_date, "2020-02-24".parse().ok());
    assert_eq!(proof(&then, "foundingDate").as_deref(), Some("2020-03-02"));
}

#[test]
fn date_of_creation_in_gleif_counts_only_if_no_notice_states_the_first_statutes() {
    let file = include_bytes!("../../../../sources/fixtures/gleif/response.json");
    let batch = sources::read(Source::Gleif, file).expect("a file of the source");
    let uid = UID.parse().expect("a UID");
    let entities = facts_from(batch.statements).into_iter().map(|it| Fact { uid, ..it });
    let entity =
        entities.take(1).chain([zefix_fact("Muster AG", "2024-01-01")]).collect::<Vec<_>>();
    let alone = as_of(&entity, "2030-01-01").expect("company record");
    assert_eq!(alone.company.founding_date, "1990-05-01".parse().ok());
    let notice = registration(1, "2020-03-02", "Statutendatum: 24.02.2020.");
    let facts: Vec<Fact> = gazette_facts([notice]).into_iter().chain(entity).collect();
    let both = as_of(&facts, "2030-01-01").expect("company record");
    assert_eq!(both.company.founding_date, "2020-02-24".parse().ok());
    assert_eq!(proof(&both, "foundingDate").as_deref(), Some("2020-03-02"));
}

/// The changes of capital in a publication: member, old value and new value.
fn capital_changes(notice: Publication) -> Vec<(String, Option<String>, Option<String>)> {
    let (_, history) = fold_with_history(&gazette_facts([notice])).expect("company record");
    let events = history.events.into_iter().map(|it| it.event);
    let changes = events.map(|it| {
        assert_eq!(it.kind, ChangeKind::CapitalChange, "{it:?}");
        (it.field.expect("member of the event"), it.old_value, it.new_value)
    });
    changes.collect()
}

fn change_of(what: &str, from: &str, to: &str) -> (String, Option<String>, Option<String>) {
    let value = |text: &str| Some(text.to_owned()).filter(|it| !it.is_empty());
    (what.to_owned(), value(from), value(to))
}

#[test]
fn paid_in_and_participation_capital_change_according_to_the_text() {
    let changes = |text: &str| capital_changes(mutation(1, "2026-03-02", text));
    let paid = "Liberierung Aktienkapital neu: CHF 100'000.00 [bisher: CHF 50'000.00].";
    assert_eq!(changes(paid), [change_of("paidInCapital", "50000", "100000")]);
    let paid = "Liberierung Aktienkapital neu: CHF 100'000.00.";
    assert_eq!(changes(paid), [change_of("paidInCapital", "", "100000")]);
    // A new kind of capital that is fully paid in is one change.
    let whole = "Partizipationskapital neu: CHF 12'000.00. \
                 Liberierung Partizipationskapital neu: CHF 12'000.00.";
    assert_eq!(changes(whole), [change_of("participationCapital", "", "12000")]);
    let part = whole.replace("neu: CHF 12'000.00.", "neu: CHF 6'000.00.");
    let part = part.replacen("CHF 6'000", "CHF 12'000", 1);
    assert_eq!(
        changes(&part),
        [
            change_of("participationCapital", "", "12000"),
            change_of("paidInParticipationCapital", "", "6000"),
        ]
    );
}

#[test]
fn paid_in_capital_changes_according_to_the_blocks_unless_nominal_capital_changes_equally() {
    let changes = |[nominal, paid]: [&str; 2], [new_nominal, new_paid]: [&str; 2], text: &str| {
        let notice = mutation(1, "2026-03-02", text).capital(nominal).paid_in_capital(paid);
        capital_changes(notice.new_capital(new_nominal).new_paid_in_capital(new_paid))
    };
    let text = "Liberierung Aktienkapital neu: CHF 100'000.00 [bisher: CHF 50'000.00].";
    let paid = [change_of("paidInCapital", "50000", "100000")];
    let whole = ["100000", "100000"];
    assert_eq!(changes(["100000", "50000"], whole, text), paid, "one event");
    assert_eq!(changes(["100000", "50000"], whole, ""), paid);
    let raised = "Aktienkapital neu: CHF 200'000.00 [bisher: CHF 100'000.00]. \
                  Liberierung Aktienkapital neu: CHF 200'000.00 [bisher: CHF 100'000.00].";
    let nominal = [change_of("shareCapital", "100000", "200000")];
    assert_eq!(changes(whole, ["200000", "200000"], raised), nominal);
    // Half of the new shares are paid in: a separate change.
    let half = change_of("paidInCapital", "100000", "150000");
    assert_eq!(
        changes(whole, ["200000", "150000"], raised),
        [nominal.as_slice(), &[half]].concat()
    );
    // If only one block states the paid-in capital, the text counts.
    assert_eq!(changes(["100000", ""], ["200000", "200000"], raised), nominal);
    assert_eq!(changes(["100000", ""], whole, text), paid);
}

#[test]
fn summaries_name_the_kind_of_capital_and_the_waiver() {
    for (text, expected) in [
        (
            "Liberierung Aktienkapital neu: CHF 80'000.00 [bisher: CHF 50'000.00].",
            "Change of the paid-in capital of Muster AG: CHF 50,000 → CHF 80,000",
        ),
        (
            "Nouveau capital-participation: CHF 20'000.00 [précédemment: CHF 10'000.00].",
            "Change of the participation capital of Muster AG: CHF 10,000 → CHF 20,000",
        ),
        (
            "Nuovo capitale azionario liberato: CHF 80'000.00 [finora: CHF 50'000.00].",
            "Change of the paid-in capital of Muster AG: CHF 50,000 → CHF 80,000",
        ),
        ("La société a renoncé au contrôle restreint.", "Muster AG waives the limited audit"),
        (
            "Der Verzicht auf die eingeschränkte Revision ist widerrufen worden.",
            "Muster AG no longer waives the limited audit",
        ),
    ] {
        let notice = mutation(1, "2024-03-01", text).without_block_after();
        let (_, history) = fold_with_history(&gazette_facts([notice])).expect("a record");
        let summaries: Vec<&str> =
            history.events.iter().map(|it| it.event.summary.as_str()).collect();
        assert_eq!(summaries, [expected], "{text}");
    }
}

#[test]
fn summaries_of_long_texts_show_what_differs() {
    let purpose = |end: &str| {
        format!(
            "Die Gesellschaft bezweckt die Führung eines Treuhandbüros sowie die Beratung von Unternehmen in der Schweiz und {end}"
        )
    };
    let summary = |old: &str, new: &str| {
        let notice = mutation(1, "2024-03-01", "").new_purpose(old, new);
        let (_, history) = fold_with_history(&gazette_facts([notice])).expect("a record");
        let events = history.events.into_iter().map(|it| it.event);
        let purpose = events.filter(|it| it.kind == ChangeKind::PurposeChange);
        purpose.map(|it| it.summary).next().expect("a change of the purpose")
    };
    assert_eq!(
        summary(&purpose("im Ausland."), &purpose("in Österreich.")),
        "Change of purpose of Muster AG: …Schweiz und im Ausland. → …Schweiz und in Österreich."
    );
    let long = summary(&purpose("im Ausland."), "Handel mit Waren.");
    assert!(long.ends_with("… → Handel mit Waren."), "{long}");
    assert_eq!(
        summary("Handel mit Holz.", "Handel mit Waren."),
        "Change of purpose of Muster AG: Handel mit Holz. → Handel mit Waren."
    );
}
