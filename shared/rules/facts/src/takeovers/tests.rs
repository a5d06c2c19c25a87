use domain::{
    Uid,
    statements::{Statement, gazette::Publication},
};
use gazette_notice::{Change, EntryKind, Subject};
use jiff::civil::date;

use crate::{Fact, MAX_TAKEOVERS, facts, fold, takeovers};

const MUTATION: &str = include_str!("../../../sources/fixtures/shab/publication.json");

fn read(text: &str) -> Vec<Fact> {
    let batch = sources::gazette::read(text.as_bytes()).expect("valid JSON");
    assert_eq!(batch.rejected, []);
    facts(batch.statements)
}

fn publication(fact: Fact) -> Publication {
    match fact.statement {
        Statement::Shab(publication) => *publication,
        other => unreachable!("not a publication: {other:?}"),
    }
}

#[test]
fn publication_becomes_a_fact_of_its_company() {
    let fact = read(MUTATION).remove(0);
    assert_eq!(fact.uid.to_string(), "CHE-600.000.012");
    assert_eq!((fact.published, fact.publication), (Some(date(2026, 3, 2)), Some(1_000_000_002)));
    let provenance = fact.provenance();
    assert_eq!(provenance.source, "shab");
    assert_eq!(
        provenance.reference.as_deref(),
        Some(
            "https://www.shab.ch/#!/search/publications/detail/00000000-0000-4000-8000-000000000001"
        )
    );
    assert_eq!(publication(fact.clone()).printed_number(), "HR02-1000000002");
    // A publication proves that the company is in the register.
    let company = fold(std::slice::from_ref(&fact)).expect("company record");
    assert_eq!((company.uid, company.sources.len()), (fact.uid, 1));
    let json = serde_json::to_string(&fact).expect("JSON");
    assert_eq!(serde_json::from_str::<Fact>(&json).expect("a fact"), fact);
}

#[test]
fn text_names_the_auditors_who_leave_and_enter() {
    let notice = gazette_notice::read(&publication(read(MUTATION).remove(0)).text);
    let entries: Vec<(EntryKind, &str)> = notice
        .entries
        .iter()
        .map(|it| match &it.subject {
            Subject::Entity { name, .. } => (it.kind, name.as_str()),
            Subject::Person { last_name, .. } => (it.kind, last_name.as_str()),
        })
        .collect();
    assert_eq!(
        entries,
        [(EntryKind::Left, "Alt Treuhand AG"), (EntryKind::Entered, "Neu Treuhand AG")]
    );
    assert_eq!(notice.changes, [Change::Seat { to: Some("Thun".into()), from: None }]);
}

/// The number of facts about other companies from a merger that names `count` parties with these numbers.
fn takeover_count(count: u32, number: impl Fn(u32) -> u32) -> usize {
    let uids = (0..count).filter_map(|it| Uid::from_number(100_000_000 + number(it)));
    let parties: String = uids.map(|it| format!(" A, in Bern ({it}),")).collect();
    let merger = format!("Fusion: Übernahme der Aktiven und Passiven der{parties}.");
    let text = MUTATION.replace("Sitz neu: Thun.", &merger);
    takeovers(&read(&text)).len()
}

#[test]
fn number_of_takeovers_per_publication_is_limited() {
    assert_eq!(takeover_count(3, |it| it + 1), 3);
    assert_eq!(takeover_count(5_000, |_| 7), 1);
    assert_eq!(takeover_count(5_000, |it| it + 1), MAX_TAKEOVERS);
}
