//! Records that cannot be read and publications that are not understood are saved, counted and read again.

use domain::Source;
use http::StatusCode;
use ingest::{
    File, STORED_PER_JOB, incoming,
    locations::{self, Progress},
    not_understood, quarantine, reprocess_file,
};
use jiff::{Timestamp, civil::date};
use publications::Publication;
use serde_json::{Value, json};
use store::keys;
use tests::Service;

use crate::{
    items::Items,
    two_companies::{self, EINS},
};

const UID: &str = "CHE-600.000.012";
const FIGURES: &str = "company,fiscalYear,employees\nMuster AG,2024,40\nNiemand AG,2024,1\n";

/// Ingests a file of report figures that is in the bucket. Returns its object key.
async fn ingest_figures(service: &Service) -> String {
    let (registry, objects) = (&service.cloud.registry, &service.cloud.objects);
    let key = incoming::key(Source::Reports, date(2026, 3, 2), FIGURES.as_bytes());
    objects.put(&key, FIGURES.as_bytes().to_vec()).await.expect("put");
    let read = ingest::resolve::read(Source::Reports, FIGURES.as_bytes()).expect("a table");
    let batch = read.resolve_in(&service.generations, registry).await.expect("resolved");
    let file =
        File { source: Source::Reports, batch, key: Some(key.clone()), accept_shrunk: false };
    ingest::ingest_file(registry, objects, file, Timestamp::UNIX_EPOCH).await.expect("ingested");
    key
}

/// The entry of a source in `sources/freshness`.
async fn freshness(service: &Service, source: &str) -> Value {
    let answer = service.get("/v1/sources/freshness").await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    let sources = answer.body["sources"].as_array().expect("sources");
    sources.iter().find(|it| it["source"] == source).expect("the source").clone()
}

#[tokio::test]
async fn freshness_is_available_before_the_first_generation() {
    let service = Service::over(tests::cloud().await).await;
    let answer = service.get("/v1/sources/freshness").await;
    assert_eq!((answer.status, answer.body.get("generation")), (StatusCode::OK, None));
    assert_eq!(freshness(&service, "shab").await["read"], 0);
}

#[tokio::test]
async fn dashboard_and_sync_status_count_valid_records() {
    let service = Service::start().await;
    service.register([tests::company(UID, "Muster AG")]).await;
    ingest_figures(&service).await;
    let of_reports = async |path: &str, pointer: &str, name: &str| {
        let answer = service.get(path).await;
        let pipelines = answer.body.pointer(pointer).and_then(Value::as_array).expect("a list");
        pipelines.iter().find(|it| it[name] == "reports").expect("the source").clone()
    };
    let synced = of_reports("/v1/sync/status", "/pipelines", "pipeline").await;
    assert_eq!((&synced["itemsTotal"], &synced["itemsProcessed"]), (&json!(2), &json!(1)));
    let shown = of_reports("/v1/dashboard", "/pipelines", "id").await;
    assert_eq!((&shown["itemsProcessed"], &shown["recordsProcessed"]), (&json!(1), &json!(1)));
}

#[tokio::test]
async fn record_leaves_the_quarantine_after_its_company_is_registered() {
    let service = Service::start().await;
    let key = ingest_figures(&service).await;
    assert_eq!(freshness(&service, "reports").await["quarantined"], 2);
    service.register([tests::company(UID, "Muster AG")]).await;
    let objects = &service.cloud.objects;
    let files = quarantine::files(objects, Source::Reports).await.expect("listed");
    let records = &files[&key];
    assert_eq!((files.len(), records.len()), (1, 2));
    // The second run finds nothing new.
    for readable in [1, 0] {
        let files = quarantine::files(objects, Source::Reports).await.expect("listed");
        let (registry, generations) = (&service.cloud.registry, &service.generations);
        let now = Timestamp::UNIX_EPOCH;
        let reprocessed = reprocess_file(
            registry,
            objects,
            generations,
            Source::Reports,
            &key,
            &files[&key],
            now,
        );
        assert_eq!(reprocessed.await.expect("reprocessed"), readable);
    }
    assert_eq!(freshness(&service, "reports").await["quarantined"], 1);
    let facts = service.cloud.registry.facts(UID.parse().expect("a UID")).await;
    assert_eq!(facts.expect("facts").len(), 1);
}

#[tokio::test]
async fn publication_is_counted_once_as_not_understood_until_it_is_understood() {
    let service = Service::start().await;
    let mutation = || Publication::mutation(UID, "Muster AG");
    let publications = [
        mutation().number(1_000_000_001).on("2026-03-02").text("Unverständliches steht hier."),
        mutation()
            .number(1_000_000_002)
            .on("2026-03-03")
            .persons_entered("Muster, Anna, von Chur, in Thun, mit Einzelprokura"),
        // The new address is understood; the clause about a person is left out.
        mutation().number(1_000_000_003).on("2026-03-04").text(
            "Nouvelle adresse: Rue du Lac 5, 1260 Nyon. La radiation de Rossi Luca, administrateur, est annulée.",
        ),
    ];
    let read = || tests::read_publications(&publications);
    for _ in 0..2 {
        service.ingest(Source::Shab, read()).await;
    }
    service.publish().await;
    let shab = freshness(&service, "shab").await;
    assert_eq!((&shab["notUnderstood"], &shab["quarantined"]), (&json!(2), &json!(0)), "{shab}");

    let (registry, objects) = (&service.cloud.registry, &service.cloud.objects);
    let key = "not-understood/shab/HR02-1000000001.json";
    let saved = objects.get(key).await.expect("an answer").expect("an object");
    let reprocess = async || {
        let now = Timestamp::UNIX_EPOCH;
        not_understood::reprocess(registry, objects, Source::Shab, now).await.expect("reprocessed")
    };
    assert_eq!(reprocess().await, 0);
    assert_eq!(freshness(&service, "shab").await["notUnderstood"], 2);
    // Simulates an improved reader: the saved object now refers to a publication that is understood.
    let mut saved: Value = serde_json::from_slice(&saved).expect("json");
    saved["fingerprint"] = json!(facts::facts(read().statements)[1].fingerprint);
    objects.put(key, saved.to_string().into_bytes()).await.expect("put");
    assert_eq!(reprocess().await, 1);
    assert_eq!(freshness(&service, "shab").await["notUnderstood"], 1);
    assert_eq!(objects.get(key).await.expect("an answer"), None);
}

#[tokio::test]
async fn facts_about_a_company_that_cannot_be_decoded_are_quarantined_and_the_others_stored() {
    let service = Service::start().await;
    let publications = two_companies::publications();
    service.ingest_publications(publications[..2].to_vec()).await;
    let (registry, objects) = (&service.cloud.registry, &service.cloud.objects);
    let history = keys::history(EINS.parse().expect("a UID"));
    Items::of(&service).damage(&history).await;

    // Two publications about Eins AG and one about Zwei AG.
    let now = Timestamp::UNIX_EPOCH;
    for newly_quarantined in [2, 0] {
        let before = freshness(&service, "shab").await["quarantined"].as_u64();
        let batch = tests::read_publications(&publications[2..]);
        let report = ingest::ingest(registry, objects, Source::Shab, batch, now).await;
        assert_eq!(report.expect("ingested").quarantined, 2);
        let after = freshness(&service, "shab").await["quarantined"].as_u64();
        assert_eq!(after, before.map(|it| it + newly_quarantined));
    }
    let zwei = service.get(&format!("/v1/companies/{}", two_companies::ZWEI)).await;
    assert_eq!(zwei.body["statusCanonical"], "in_liquidation", "{}", zwei.text);
    // An update of all records skips it, too.
    locations::update(registry, objects, Progress::default(), STORED_PER_JOB, now)
        .await
        .expect("updated");
    not_understood::reprocess(registry, objects, Source::Shab, now).await.expect("reprocessed");
}
