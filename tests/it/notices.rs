//! Publications of the gazette, invented, as its portal answers them.

use serde_json::{Value, json};
use sources::{Batch, Source};
use tests::Service;

/// A mutation of a company in Bern, published on this day: the office's words are `text`.
pub(crate) fn notice(number: u64, day: &str, uid: &str, name: &str, text: &str) -> Value {
    publication("HR02", number, day, uid, name, text)
}

/// A company is entered.
pub(crate) fn entry(number: u64, day: &str, uid: &str, name: &str, text: &str) -> Value {
    publication("HR01", number, day, uid, name, text)
}

fn publication(rubric: &str, number: u64, day: &str, uid: &str, name: &str, text: &str) -> Value {
    let block =
        json!({ "company": { "name": name, "uid": uid, "seat": "Bern", "legalForm": "0106" } });
    let before = if rubric == "HR01" { Value::Null } else { block.clone() };
    json!({
        "meta": {
            "id": format!("00000000-0000-4000-8000-{number:012}"), "rubric": "HR", "subRubric": rubric,
            "language": "de", "publicationNumber": format!("{rubric}-{number:010}"),
            "publicationState": "PUBLISHED", "publicationDate": format!("{day}T00:00:00.000Z"),
            "cantons": ["BE"], "title": { "de": name },
        },
        "content": {
            "publicationText": format!("{name}, in Bern, {uid}, Aktiengesellschaft. {text}"),
            "journalNumber": number % 10_000, "journalDate": format!("{day}T00:00:00.000Z"),
            "commonsActual": before, "commonsNew": block,
        },
    })
}

/// The words for those who enter or change.
pub(crate) fn entered(persons: &str) -> String {
    format!("Eingetragene Personen neu oder mutierend: {persons}.")
}

/// The words for those who leave.
pub(crate) fn left(persons: &str) -> String {
    format!("Ausgeschiedene Personen und erloschene Unterschriften: {persons}.")
}

/// Ingests the publications, and publishes a generation that knows them.
pub(crate) async fn published(service: &Service, notices: impl IntoIterator<Item = Value>) {
    let notices: Vec<Value> = notices.into_iter().collect();
    let count = notices.len();
    let batch = sources::read(Source::Shab, Value::from(notices).to_string().as_bytes());
    let batch = batch.expect("json");
    assert_eq!((batch.facts.len(), batch.rejected.len()), (count, 0), "{:?}", batch.rejected);
    ingested(service, Source::Shab, batch).await;
    service.publish().await;
}

/// Ingests what was read of a source.
pub(crate) async fn ingested(service: &Service, source: Source, batch: Batch) {
    let (registry, objects) = (&service.cloud.registry, &service.cloud.objects);
    let done = ingest::ingest(registry, objects, source, batch, service.now()).await;
    done.expect("ingested");
}
