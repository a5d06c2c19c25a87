use domain::{ChangeKind, Status};
use publications::Publication;
use sources::{lindas, zefix};

use super::*;
use crate::facts as facts_from;

mod as_of;
mod auditors;
mod blocks;
mod control;
mod corrections;
mod formalities;
mod life;
mod linked_data;
mod names_and_capital;
mod owners;
mod persons;
mod record;
mod takeovers;

const LINDAS_PAGE: &str = r#"{"results": {"bindings": [{"entity": {"value": "https://register.ld.admin.ch/zefix/company/1"},
    "legalName": {"value": "Muster AG (verbunden)"}, "uid": {"value": "CHE107251578"},
    "purpose": {"value": "Betrieb einer Bäckerei. Die Gesellschaft kann Immobilien erwerben."}}]}}"#;

const UID: &str = "CHE-107.251.578";

const BANKRUPT: &str = "Über die Gesellschaft ist der Konkurs eröffnet worden.";
const AUDITOR: &str = "Erste Revision AG, in Luzern, Revisionsstelle";

fn zefix_fact(name: &str, published: &str) -> Fact {
    let json = format!(
        r#"{{"uid": "CHE107251578", "name": "{name}", "canton": "LU", "sogcDate": "{published}"}}"#
    );
    facts_from(zefix::read(json.as_bytes()).expect("valid JSON").statements).remove(0)
}

/// A registration of an invented company in Luzern.
fn registration(number: u64, day: &str, text: &str) -> Publication {
    in_luzern(Publication::registration(UID, "Muster AG"), number, day, text)
}

/// A mutation of that company.
fn mutation(number: u64, day: &str, text: &str) -> Publication {
    in_luzern(Publication::mutation(UID, "Muster AG"), number, day, text)
}

/// The deletion of that company.
fn deletion(number: u64, day: &str, text: &str) -> Publication {
    in_luzern(Publication::deletion(UID, "Muster AG"), number, day, text)
}

fn in_luzern(publication: Publication, number: u64, day: &str, text: &str) -> Publication {
    publication.number(number).on(day).in_canton("LU").seat("Luzern").text(text)
}

fn gazette_facts(publications: impl IntoIterator<Item = Publication>) -> Vec<Fact> {
    let file: serde_json::Value = publications.into_iter().map(|it| it.json()).collect();
    let batch = sources::gazette::read(file.to_string().as_bytes()).expect("valid JSON");
    assert_eq!(batch.rejected, []);
    facts_from(batch.statements)
}

fn lindas_fact(day: &str) -> Fact {
    let batch = lindas::read(LINDAS_PAGE.as_bytes()).expect("valid JSON");
    facts_from(batch.dated(day.parse().ok()).statements).remove(0)
}

fn persons(heading: &str, persons: &str) -> String {
    format!("{heading}: {persons}.")
}

fn entered(entries: &str) -> String {
    persons("Eingetragene Personen neu oder mutierend", entries)
}

fn left(entries: &str) -> String {
    persons("Ausgeschiedene Personen und erloschene Unterschriften", entries)
}

fn as_of(facts: &[Fact], day: &str) -> Option<CompanyAsOf> {
    ParsedFacts::new(facts.to_vec()).as_of(day.parse().expect("valid date"))
}

/// The date of the proof of a member.
fn proof(past: &CompanyAsOf, member: &str) -> Option<String> {
    past.proofs.get(member).and_then(|it| it.date).map(|it| it.to_string())
}

/// The publications of a company from its registration on.
fn lifetime() -> Vec<Fact> {
    let first = registration(1, "2020-03-02", &entered(AUDITOR))
        .purpose("Betrieb einer Bäckerei.")
        .capital("100000");
    let moved = mutation(2, "2022-05-02", "").previous_on("2020-03-02").new_seat("Sursee");
    let ended = mutation(3, "2024-02-06", BANKRUPT).previous_on("2022-05-02");
    gazette_facts([first, moved, ended])
}
