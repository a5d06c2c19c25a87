//! Auditors that only the blocks of a publication name.

use domain::auditors::Tenure;

use super::*;

/// A publication whose blocks name these auditors.
fn naming(publication: Publication, before: &[&str], after: &[&str]) -> Publication {
    publication.auditors(before).new_auditors(after)
}

fn auditor_after(publications: impl IntoIterator<Item = Publication>) -> Option<String> {
    fold(&gazette_facts(publications)).expect("company record").auditor_name
}

const PURPOSE: &str = "Zweck neu: Betrieb einer Bäckerei.";
const FIRST: &str = "Erste Revision AG";
const SECOND: &str = "Zweite Prüfungs GmbH";

#[test]
fn an_auditor_in_the_blocks_is_known_without_the_day_of_its_appointment() {
    for silent in [PURPOSE, "Nouveau but: boulangerie.", "Nuovo scopo: panetteria."] {
        let publication = naming(mutation(2, "2024-05-06", silent), &[FIRST], &[FIRST]);
        let past = as_of(&gazette_facts([publication]), "2024-05-06").expect("company record");
        assert_eq!(past.company.auditor_name.as_deref(), Some(FIRST), "{silent}");
        assert_eq!(proof(&past, "auditorName").as_deref(), Some("2024-05-06"));
        let [tenure] = &past.history.tenures[..] else { panic!("{:?}", past.history.tenures) };
        assert_eq!((tenure.appointed_at, tenure.resigned_at), (None, None));
        let is_about_auditor = |it: &Recorded| it.event.kind == ChangeKind::AuditorChange;
        assert!(!past.history.events.iter().any(is_about_auditor), "it is no change");
    }
    let entry = naming(registration(1, "2024-05-06", ""), &[], &[FIRST]);
    assert_eq!(auditor_after([entry]).as_deref(), Some(FIRST));
    // The text says when it ends.
    let named = naming(mutation(2, "2024-05-06", PURPOSE), &[FIRST], &[FIRST]);
    let gone = naming(mutation(3, "2025-05-05", &left(AUDITOR)), &[FIRST], &[FIRST]);
    assert_eq!(auditor_after([named, gone]), None);
}

#[test]
fn incomplete_blocks_state_no_auditor_and_change_none() {
    for (before, after) in [
        (&[FIRST][..], &[][..]),
        (&[], &[FIRST]),
        (&[FIRST], &[SECOND]),
        (&[FIRST, SECOND], &[FIRST]),
    ] {
        let publication = naming(mutation(2, "2024-05-06", PURPOSE), before, after);
        assert_eq!(auditor_after([publication]), None, "{before:?} {after:?}");
    }
    let entry = registration(1, "2020-01-06", &entered(AUDITOR));
    let other = naming(mutation(2, "2024-05-06", PURPOSE), &[SECOND], &[SECOND]);
    assert_eq!(auditor_after([entry, other]).as_deref(), Some(FIRST));
    let deleted =
        naming(deletion(3, "2025-05-05", "Die Gesellschaft wird gelöscht."), &[FIRST], &[]);
    assert_eq!(auditor_after([deleted]), None);
}

#[test]
fn a_newer_snapshot_is_stronger_than_an_auditor_in_the_blocks() {
    let named = naming(mutation(2, "2024-05-06", PURPOSE), &[FIRST], &[FIRST]);
    let facts = [gazette_facts([named]), vec![zefix_fact("Muster AG", "2024-05-07")]].concat();
    assert_eq!(fold(&facts).expect("company record").auditor_name, None);
    let named = naming(mutation(2, "2024-05-08", PURPOSE), &[FIRST], &[FIRST]);
    let facts = [gazette_facts([named]), vec![zefix_fact("Muster AG", "2024-05-07")]].concat();
    assert_eq!(fold(&facts).expect("company record").auditor_name.as_deref(), Some(FIRST));
}

fn tenures_after(publications: impl IntoIterator<Item = Publication>) -> Vec<Tenure> {
    fold_with_history(&gazette_facts(publications)).expect("company record").1.tenures
}

#[test]
fn legal_form_written_otherwise_is_the_same_auditor() {
    let tenures = |one: &str, other: &str| {
        let entry = |name: &str| entered(&format!("{name}, in Luzern, Revisionsstelle"));
        let first = registration(1, "2010-01-04", &entry(one));
        tenures_after([first, mutation(2, "2020-01-06", &entry(other))])
    };
    for (one, other) in [
        ("Prüf AG", "Prüf Aktiengesellschaft"),
        ("Prüf AG", "Prüf A.G."),
        ("Prüf GmbH", "Prüf Gesellschaft mit beschränkter Haftung"),
        ("Révision SA", "Révision S.A."),
        ("Révision SA", "Révision Société anonyme"),
        ("Révision Sàrl", "Révision S.à r.l."),
        ("Revisioni SA", "Revisioni Società anonima"),
        ("Revisioni Sagl", "Revisioni Società a garanzia limitata"),
    ] {
        let tenures = tenures(one, other);
        let [tenure] = &tenures[..] else { panic!("{one} {other}: {tenures:?}") };
        assert!(tenure.is_current() && tenure.auditor_name == other);
    }
    assert_eq!(tenures("Prüf AG", "Prüf GmbH").len(), 2);
}

#[test]
fn auditor_with_a_new_number_keeps_its_tenure() {
    let (old, new) = ("CHE-107.787.577", "CHE-106.084.881");
    let first = format!("Erste Revision AG ({old}), in Luzern, Revisionsstelle");
    let first = registration(1, "2010-01-04", &entered(&first));
    for name in ["Erste Revision AG", "Zweite Revision AG"] {
        let next = format!("{name} ({new}), in Luzern, Revisionsstelle [bisher: {old}]");
        let before = tenures_after([first.clone()]);
        let after = tenures_after([first.clone(), mutation(2, "2020-01-06", &entered(&next))]);
        let [tenure] = &after[..] else { panic!("{after:?}") };
        assert_eq!(tenure.auditor_uid, new.parse().ok());
        let company = UID.parse().expect("valid UID");
        assert_eq!(tenure.id(company), before[0].id(company), "the id stays");
    }
}

#[test]
fn new_auditor_takes_the_place_of_one_whose_departure_is_not_published() {
    for text in [
        "Nouvel organe de révision: Beta Fiduciaire SA, à Nyon.",
        "Le nouvel organe de révision est Beta Fiduciaire SA, à Nyon.",
        "Neue Revisionsstelle: Beta Treuhand AG, in Zug.",
        "Revisionsstelle ist neu die Beta Treuhand AG, in Zug.",
        "Nuovo ufficio di revisione: Beta Fiduciaria SA, in Lugano.",
        "Il nuovo ufficio di revisione è Beta Fiduciaria SA, in Lugano.",
    ] {
        let notices =
            [registration(1, "2020-03-02", &entered(AUDITOR)), mutation(2, "2024-03-01", text)];
        let (company, history) = fold_with_history(&gazette_facts(notices)).expect("a record");
        let current: Vec<&str> = history
            .tenures
            .iter()
            .filter(|it| it.is_current())
            .map(|it| it.auditor_name.as_str())
            .collect();
        assert_eq!(current.len(), 1, "{text}: {current:?}");
        assert!(current[0].starts_with("Beta"), "{text}: {current:?}");
        assert!(company.auditor_name.is_some_and(|it| it.starts_with("Beta")), "{text}");
    }
    // Without such a word, both may be auditors.
    let text = entered("Beta Treuhand AG, in Zug, Revisionsstelle");
    let notices =
        [registration(1, "2020-03-02", &entered(AUDITOR)), mutation(2, "2024-03-01", &text)];
    let (_, history) = fold_with_history(&gazette_facts(notices)).expect("a record");
    assert_eq!(history.tenures.iter().filter(|it| it.is_current()).count(), 2);
}
