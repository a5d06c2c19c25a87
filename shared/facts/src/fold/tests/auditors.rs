//! Auditors that only the blocks of a publication name.

use super::*;

/// A publication whose blocks name these auditors.
fn naming(mut publication: Value, before: &[&str], after: &[&str]) -> Value {
    let revision = |names: &[&str]| {
        let named: Vec<Value> = names.iter().map(|it| json!({ "name": it })).collect();
        json!({ "optingOut": false, "revisionCompany": named })
    };
    for (block, names) in [("commonsActual", before), ("commonsNew", after)] {
        if publication["content"][block].is_object() {
            publication["content"][block]["revision"] = revision(names);
        }
    }
    publication
}

fn auditor_after(publications: impl IntoIterator<Item = Value>) -> Option<String> {
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
