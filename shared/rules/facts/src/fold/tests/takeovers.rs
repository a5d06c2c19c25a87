use domain::statements::Statement;

use super::*;
use crate::takeovers;

#[test]
fn merged_company_names_its_successor() {
    let entry = registration(1, "2020-01-06", "");
    let text = "Aktiven und Passiven gehen infolge Fusion auf die Probe AG, in Bern \
                (CHE-600.000.029), über. Die Gesellschaft wird gelöscht.";
    let facts = gazette_facts([entry, deletion(2, "2026-03-02", text)]);
    let company = fold(&facts).expect("company record");
    assert_eq!(company.status, Some(Status::Cancelled));
    assert_eq!(company.superseded_by, "CHE-600.000.029".parse().ok());
    let before = as_of(&facts, "2026-03-01").expect("company record").company;
    assert_eq!((before.status, before.superseded_by), (Some(Status::Active), None));
    let after = as_of(&facts, "2026-03-02").expect("company record");
    assert_eq!(after.company.superseded_by, company.superseded_by);
    assert_eq!(proof(&after, "supersededBy").as_deref(), Some("2026-03-02"));
}

/// A takeover published by the acquirer, and the company's own registration and deletion.
fn taken_over() -> Vec<Fact> {
    takeover(false)
}

/// The same, but the takeover is withdrawn.
fn withdrawn() -> Vec<Fact> {
    takeover(true)
}

fn takeover(is_withdrawn: bool) -> Vec<Fact> {
    let text = "Übernahme der Aktiven und Passiven der Muster AG, in Luzern (CHE-107.251.578), \
                gemäss Fusionsvertrag vom 19.12.2025.";
    let acquirer = Publication::mutation("CHE-600.000.029", "Probe AG");
    let published = acquirer.number(3).on("2026-02-27").text(text);
    let merger = if is_withdrawn { published.cancelled() } else { published };
    let takeovers = takeovers(&gazette_facts([merger]));
    assert!(takeovers.iter().all(|it| it.uid == UID.parse().expect("valid UID")));
    let end = deletion(2, "2026-03-02", "Die Gesellschaft wird gelöscht.");
    let facts = [takeovers, gazette_facts([registration(1, "2020-01-06", ""), end])].concat();
    assert_eq!(facts.len(), 3);
    facts
}

#[test]
fn takeover_published_only_by_the_acquirer_counts() {
    let facts = taken_over();
    let company = fold(&facts).expect("company record");
    assert_eq!(company.superseded_by, "CHE-600.000.029".parse().ok());
    let reversed: Vec<Fact> = facts.iter().rev().cloned().collect();
    assert_eq!(fold(&reversed), Some(company));
    let then = as_of(&facts, "2026-03-02").expect("company record");
    assert_eq!(proof(&then, "supersededBy").as_deref(), Some("2026-02-27"));
    assert_eq!(fold(&facts[..1]), None, "a takeover alone does not prove that the company exists");
}

/// The events about mergers and cancelled publications.
fn mergers(facts: &[Fact]) -> Vec<domain::Event> {
    let (_, history) = fold_with_history(facts).expect("company record");
    let kinds = [ChangeKind::Merger, ChangeKind::PublicationCancelled];
    let events = history.events.into_iter().map(|it| it.event);
    events.filter(|it| kinds.contains(&it.kind)).collect()
}

#[test]
fn acquirers_publication_is_an_event_of_the_acquired_company() {
    let facts = taken_over();
    let [event] = mergers(&facts).try_into().expect("one event");
    assert_eq!(
        (event.uid.to_string().as_str(), event.date.to_string().as_str()),
        (UID, "2026-02-27")
    );
    assert_eq!(event.field.as_deref(), Some("wasTakenOverBy"));
    assert_eq!(event.summary, "Muster AG is taken over by Probe AG");
    assert_eq!(event.subject.as_ref().and_then(|it| it.uid), "CHE-600.000.029".parse().ok());
    assert!(event.source.reference.as_ref().is_some_and(|it| it.ends_with("000000000003")));
    let days: Vec<String> = fold_with_history(&facts)
        .map(|(_, it)| it.events.iter().map(|it| it.event.date.to_string()).collect())
        .expect("company record");
    assert_eq!(days, ["2020-01-06", "2026-02-27", "2026-03-02"]);
    let reversed: Vec<Fact> = facts.iter().rev().cloned().collect();
    assert_eq!(fold_with_history(&reversed), fold_with_history(&facts));
    let before = as_of(&facts, "2026-02-26").expect("company record").history;
    assert!(before.events.iter().all(|it| it.event.kind != ChangeKind::Merger));
    // The event of the acquirer has the same source and another id.
    let Statement::Takeover(publication) = &facts[0].statement else {
        panic!("expected a takeover")
    };
    let own = Fact {
        uid: "CHE-600.000.029".parse().expect("valid UID"),
        statement: Statement::Shab(publication.clone()),
        ..facts[0].clone()
    };
    let [other] = mergers(&[own]).try_into().expect("one event");
    assert_eq!((other.field.as_deref(), &other.source), (Some("hasTakenOver"), &event.source));
    assert_ne!(other.id, event.id);
}

#[test]
fn takeover_published_by_both_companies_is_one_event() {
    let text = "Aktiven und Passiven gehen infolge Fusion auf die Probe AG, in Bern \
                (CHE-600.000.029), über. Die Gesellschaft wird gelöscht.";
    let own = deletion(4, "2026-03-03", text);
    let facts = [taken_over(), gazette_facts([own.clone()])].concat();
    let days = |facts: &[Fact]| -> Vec<String> {
        mergers(facts).into_iter().map(|it| it.date.to_string()).collect()
    };
    assert_eq!(days(&facts), ["2026-03-03"]);
    // A withdrawn publication of the company covers nothing.
    let facts = [facts, gazette_facts([own.cancelled()])].concat();
    assert_eq!(days(&facts), ["2026-02-27", "2026-03-03"]);
    assert_eq!(mergers(&facts)[0].kind, ChangeKind::Merger);
}

#[test]
fn withdrawn_takeover_is_a_cancellation_event() {
    let facts = [taken_over(), withdrawn()].concat();
    let [event] = mergers(&facts).try_into().expect("one event");
    assert_eq!(event.kind, ChangeKind::PublicationCancelled);
    let reversed: Vec<Fact> = facts.into_iter().rev().collect();
    assert_eq!(mergers(&reversed), [event]);
}

#[test]
fn withdrawn_takeover_does_not_count_regardless_of_order() {
    let withdrawn = withdrawn();
    for facts in [
        withdrawn.clone(),
        [withdrawn.clone(), taken_over()].concat(),
        [taken_over(), withdrawn].concat(),
    ] {
        assert_eq!(fold(&facts).expect("company record").superseded_by, None);
    }
}

#[test]
fn merger_whose_direction_the_text_does_not_state_is_an_event() {
    let text =
        "Fusion: gemäss Fusionsvertrag vom 19.12.2025 mit der Probe AG, in Bern (CHE-600.000.029).";
    let facts = gazette_facts([registration(1, "2020-01-06", ""), mutation(2, "2026-03-02", text)]);
    let [event] = mergers(&facts).try_into().expect("one event");
    assert_eq!(event.field.as_deref(), Some("merger"));
    assert_eq!(event.summary, "Merger between Muster AG and Probe AG");
    assert_eq!(event.legal_event, None);
}
