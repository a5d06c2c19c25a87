//! Who controls the company, and which organs are missing.

use domain::changes::{LegalEvent, Severity};

use super::*;

const MEIER: &str =
    "Meier, Hans, von Bern, in Zürich, Präsident des Verwaltungsrates, mit Einzelunterschrift";
const KELLER: &str = "Keller, Anna, von Chur, in Chur, Mitglied des Verwaltungsrates, mit Kollektivunterschrift zu zweien";
const HUBER: &str =
    "Huber, Eva, von Thun, in Thun, Mitglied des Verwaltungsrates, mit Einzelunterschrift";

/// The events of the second publication that have a legal event about the board, owners or auditor, with their subjects.
fn control(first: &str, second: &str) -> Vec<(LegalEvent, String)> {
    let second = mutation(2, "2024-03-01", second).previous_on("2020-03-02");
    legal(gazette_facts([registration(1, "2020-03-02", first), second]))
}

fn legal(facts: Vec<Fact>) -> Vec<(LegalEvent, String)> {
    let (_, history) = fold_with_history(&facts).expect("a record");
    let day = "2024-03-01".parse().expect("a date");
    let events = history.events.into_iter().map(|it| it.event).filter(|it| it.date == day);
    let legal = events.filter_map(|it| Some((it.legal_event?, it.subject?.name)));
    legal.collect()
}

fn both(departure: &str, entry: &str) -> String {
    format!("{} {}", left(departure), entered(entry))
}

#[test]
fn change_of_personal_data_is_less_severe_than_a_change_of_rights() {
    let changes = |entry: &str| control(&entered(MEIER), &entered(entry));
    let data = [
        "Meier, Hans, von Bern, in Basel, Präsident des Verwaltungsrates, mit Einzelunterschrift [bisher: in Zürich]",
        "Meier-Keller, Hans, von Bern, in Zürich, Präsident des Verwaltungsrates, mit Einzelunterschrift [bisher: Meier, Hans]",
        "Meier, Hans, von Bern und Köniz, in Zürich, Präsident des Verwaltungsrates, mit Einzelunterschrift [bisher: von Bern]",
    ];
    for entry in data {
        let name = if entry.starts_with("Meier-") { "Hans Meier-Keller" } else { "Hans Meier" };
        assert_eq!(changes(entry), [(LegalEvent::PersonalDataChanged, name.to_owned())], "{entry}");
    }
    assert_eq!(LegalEvent::PersonalDataChanged.severity(), Severity::Low);
    for entry in [
        "Meier, Hans, von Bern, in Zürich, Präsident des Verwaltungsrates, mit Kollektivunterschrift zu zweien [bisher: mit Einzelunterschrift]",
        "Meier, Hans, von Bern, in Zürich, Mitglied des Verwaltungsrates, mit Einzelunterschrift [bisher: Präsident des Verwaltungsrates]",
    ] {
        assert_eq!(changes(entry), [], "{entry}");
    }
}

/// What an entry says of the person decides, whatever is known of the entry before.
#[test]
fn a_move_is_personal_data_also_without_the_entry_before() {
    let moved = "Huber, Eva, von Thun, in Bern, Mitglied des Verwaltungsrates, mit Einzelunterschrift [bisher: in Thun]";
    assert_eq!(
        control(&entered(MEIER), &entered(moved)),
        [(LegalEvent::PersonalDataChanged, "Eva Huber".to_owned())]
    );
    let also =
        moved.replace("[bisher: in Thun]", "[bisher: in Thun, mit Kollektivprokura zu zweien]");
    assert_eq!(control(&entered(MEIER), &entered(&also)), []);
}

#[test]
fn managers_of_a_branch_do_not_control_it() {
    let second = || {
        mutation(2, "2024-03-01", &both(MEIER, HUBER)).previous_on("2020-03-02").legal_form("0151")
    };
    let first = registration(1, "2020-03-02", &entered(MEIER)).legal_form("0151");
    assert_eq!(legal(gazette_facts([first, second()])), []);
}

#[test]
fn board_without_anybody_is_a_defect() {
    let emptied = [(LegalEvent::BoardEmptied, "Hans Meier".to_owned())];
    assert_eq!(control(&entered(MEIER), &left(MEIER)), emptied);
    assert_eq!(LegalEvent::BoardEmptied.severity(), Severity::High);
    // Somebody is left, somebody follows, or the company ends.
    let two = format!("{MEIER}; {HUBER}");
    assert_eq!(control(&entered(&two), &left(HUBER)), []);
    assert_eq!(
        control(&entered(MEIER), &format!("Die Gesellschaft ist aufgelöst. {}", left(MEIER)))
            .into_iter()
            .filter(|it| it.0 == LegalEvent::BoardEmptied)
            .count(),
        0
    );
}

#[test]
fn what_is_not_known_of_the_board_is_not_judged() {
    let departed = |publications: Vec<Publication>| legal(gazette_facts(publications));
    let last = || mutation(3, "2024-03-01", &left(MEIER));
    // The history does not start with the entry.
    assert_eq!(departed(vec![last().previous_on("2020-03-02")]), []);
    // The publication before this one is missing.
    let first = registration(1, "2020-03-02", &entered(MEIER));
    assert_eq!(departed(vec![first.clone(), last().previous_on("2022-05-02")]), []);
    assert_eq!(departed(vec![first.clone(), last()]), []);
    // Somebody leaves whose entry was not read.
    let gone = mutation(2, "2022-05-02", &left(HUBER)).previous_on("2020-03-02");
    assert_eq!(departed(vec![first.clone(), gone, last().previous_on("2022-05-02")]), []);
    // An earlier sentence names a person outside the lists.
    let prose = "Rossi Luca, von Lugano, in Lugano, ist Geschäftsführer mit Einzelunterschrift.";
    let prose = mutation(2, "2022-05-02", prose).previous_on("2020-03-02");
    assert_eq!(departed(vec![first.clone(), prose, last().previous_on("2022-05-02")]), []);
    // Nothing is missing.
    let moved =
        mutation(2, "2022-05-02", "Domizil neu: Gasse 1, 6003 Luzern.").previous_on("2020-03-02");
    let all = departed(vec![first, moved, last().previous_on("2022-05-02")]);
    assert_eq!(all, [(LegalEvent::BoardEmptied, "Hans Meier".to_owned())]);
}

#[test]
fn change_of_all_signatories_passes_control() {
    let passes = |first: &str, second: &str, to: &str| {
        assert_eq!(
            control(first, second),
            [(LegalEvent::ControlPasses, to.to_owned())],
            "{second}"
        );
    };
    passes(&entered(MEIER), &both(MEIER, HUBER), "Eva Huber");
    passes(
        &entered(&format!("{MEIER}; {KELLER}")),
        &both(&format!("{MEIER}; {KELLER}"), HUBER),
        "Eva Huber",
    );
    let abroad = "Smith, John, britischer Staatsangehöriger, in London (GB), Mitglied des Verwaltungsrates, mit Einzelunterschrift";
    passes(&entered(MEIER), &both(MEIER, abroad), "John Smith");
    // One of the former signatories stays.
    assert_eq!(control(&entered(MEIER), &entered(HUBER)), []);
    assert_eq!(control(&entered(&format!("{MEIER}; {KELLER}")), &both(KELLER, HUBER)), []);
    assert_eq!(LegalEvent::ControlPasses.severity(), Severity::High);
}

#[test]
fn last_of_several_signatories_becomes_the_only_one() {
    let two = entered(&format!("{MEIER}; {KELLER}"));
    let alone = "Keller, Anna, von Chur, in Chur, Mitglied des Verwaltungsrates, mit Einzelunterschrift [bisher: mit Kollektivunterschrift zu zweien]";
    assert_eq!(
        control(&two, &both(MEIER, alone)),
        [(LegalEvent::SoleSignatory, "Anna Keller".to_owned())]
    );
    let procuration = "Keller, Anna, von Chur, in Chur, mit Einzelprokura";
    let signature =
        "Keller, Anna, von Chur, in Chur, mit Einzelunterschrift [bisher: mit Einzelprokura]";
    let first = entered(&format!("{MEIER}; {procuration}"));
    assert_eq!(control(&first, &both(MEIER, signature)), [], "she could sign alone before");
    // Hans Meier could sign alone before.
    assert_eq!(control(&two, &left(KELLER)), []);
}

#[test]
fn majority_of_the_shares_passes() {
    let partner = |name: &str, shares: u32, before: &str| {
        format!(
            "{name}, von Bern, in Bern, Gesellschafter und Geschäftsführer, mit Einzelunterschrift, mit {shares} Stammanteilen zu je CHF 1'000.00{before}"
        )
    };
    let control = |second: &str| {
        let limited =
            |it: Publication| it.legal_form("0107").capital("20000").paid_in_capital("20000");
        let first = entered(&format!(
            "{}; {}",
            partner("Meier, Hans", 12, ""),
            partner("Keller, Anna", 8, "")
        ));
        let second = mutation(2, "2024-03-01", second).previous_on("2020-03-02");
        legal(gazette_facts([limited(registration(1, "2020-03-02", &first)), limited(second)]))
    };
    let sold = " [bisher: mit 12 Stammanteilen zu je CHF 1'000.00]";
    let bought = " [bisher: mit 8 Stammanteilen zu je CHF 1'000.00]";
    let swapped =
        format!("{}; {}", partner("Meier, Hans", 8, sold), partner("Keller, Anna", 12, bought));
    assert_eq!(
        control(&entered(&swapped)),
        [(LegalEvent::MajorityPasses, "Anna Keller".to_owned())]
    );
    let small =
        format!("{}; {}", partner("Meier, Hans", 11, sold), partner("Keller, Anna", 9, bought));
    assert_eq!(control(&entered(&small)), []);
    assert_eq!(LegalEvent::MajorityPasses.severity(), Severity::High);
}

#[test]
fn auditor_who_leaves_without_a_successor_is_missing() {
    let first = |form: &str| {
        registration(1, "2020-03-02", &entered(&format!("{MEIER}; {AUDITOR}"))).legal_form(form)
    };
    let control = |form: &str, second: &str| {
        let second = mutation(2, "2024-03-01", second).previous_on("2020-03-02");
        legal(gazette_facts([first(form), second.legal_form(form)]))
    };
    let missing = [(LegalEvent::NoAuditor, "Erste Revision AG".to_owned())];
    for form in ["0106", "0107", "0108"] {
        assert_eq!(control(form, &left(AUDITOR)), missing, "{form}");
    }
    assert_eq!(control("0109", &left(AUDITOR)), []);
    let other = "Zweite Revision AG, in Zug, Revisionsstelle";
    assert_eq!(control("0106", &both(AUDITOR, other)), []);
    let waived = "Gemäss Erklärung vom 01.02.2024 untersteht die Gesellschaft keiner ordentlichen Revision und verzichtet auf eine eingeschränkte Revision.";
    assert_eq!(control("0106", &format!("{waived} {}", left(AUDITOR))), []);
    let dissolved = "Über die Gesellschaft ist der Konkurs eröffnet worden.";
    assert!(!control("0106", &format!("{dissolved} {}", left(AUDITOR))).contains(&missing[0]));
    // The waiver can be in a publication that is missing.
    let later = mutation(2, "2024-03-01", &left(AUDITOR)).previous_on("2022-05-02");
    assert_eq!(legal(gazette_facts([first("0106"), later])), []);
}

#[test]
fn stated_lack_of_an_auditor_is_one_event() {
    for text in [
        "Die Gesellschaft verfügt zurzeit über keine Revisionsstelle.",
        "La société n'a plus d'organe de révision.",
        "La società non dispone più di un ufficio di revisione.",
    ] {
        for text in [text.to_owned(), format!("{text} {}", left(AUDITOR))] {
            let notices = [
                registration(1, "2020-03-02", &entered(AUDITOR)),
                mutation(2, "2024-03-01", &text),
            ];
            let (_, history) = fold_with_history(&gazette_facts(notices)).expect("a record");
            let lacks = |it: &&domain::history::Recorded| {
                it.event.legal_event == Some(LegalEvent::NoAuditor)
            };
            let events: Vec<_> = history.events.iter().filter(lacks).collect();
            assert_eq!(events.len(), 1, "{text}");
            assert_eq!(events[0].event.kind, ChangeKind::AuditorChange);
        }
    }
}
