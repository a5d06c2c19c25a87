//! What could not be read or understood is kept, counted, and read again.

use http::StatusCode;
use ingest::{File, aside};
use jiff::{Timestamp, civil::date};
use publications::Publication;
use serde_json::{Value, json};
use sources::Source;
use tests::Service;

const UID: &str = "CHE-600.000.012";
const FIGURES: &str = "company,fiscalYear,employees\nMuster AG,2024,40\nNiemand AG,2024,1\n";

/// Reads a file of figures that lies in the bucket.
async fn figures(service: &Service) -> String {
    let (registry, objects) = (&service.cloud.registry, &service.cloud.objects);
    let key = aside::file_key(Source::Reports, date(2026, 3, 2), FIGURES.as_bytes());
    objects.put(&key, FIGURES.as_bytes().to_vec()).await.expect("put");
    let read = ingest::resolve::read(Source::Reports, FIGURES.as_bytes()).expect("a table");
    let batch = read.resolved_in(&service.generations, registry).await.expect("looked up");
    let file =
        File { source: Source::Reports, batch, key: Some(key.clone()), accept_shrunk: false };
    ingest::take_in(registry, objects, file, Timestamp::UNIX_EPOCH).await.expect("ingested");
    key
}

/// What is told of a source.
async fn freshness(service: &Service, source: &str) -> Value {
    let answer = service.get("/v1/sources/freshness").await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    let sources = answer.body["sources"].as_array().expect("sources");
    sources.iter().find(|it| it["source"] == source).expect("the source").clone()
}

#[tokio::test]
async fn how_fresh_the_sources_are_is_told_before_the_first_generation() {
    let service = Service::over(tests::cloud().await).await;
    let answer = service.get("/v1/sources/freshness").await;
    assert_eq!((answer.status, answer.body.get("generation")), (StatusCode::OK, None));
    assert_eq!(freshness(&service, "shab").await["read"], 0);
}

#[tokio::test]
async fn a_record_whose_company_became_known_is_read_again_and_leaves_the_quarantine() {
    let service = Service::start().await;
    let key = figures(&service).await;
    assert_eq!(freshness(&service, "reports").await["quarantined"], 2);
    service.register([tests::company(UID, "Muster AG")]).await;
    let objects = &service.cloud.objects;
    let files = aside::files(objects, Source::Reports).await.expect("listed");
    let records = &files[&key];
    assert_eq!((files.len(), records.len()), (1, 2));
    for readable in [1, 0] {
        // The second time there is nothing left to do of that record.
        let files = aside::files(objects, Source::Reports).await.expect("listed");
        let (registry, generations) = (&service.cloud.registry, &service.generations);
        let now = Timestamp::UNIX_EPOCH;
        let read = aside::read_again(
            registry,
            objects,
            generations,
            Source::Reports,
            &key,
            &files[&key],
            now,
        );
        assert_eq!(read.await.expect("read"), readable);
    }
    assert_eq!(freshness(&service, "reports").await["quarantined"], 1);
    let facts = service.cloud.registry.facts(UID.parse().expect("a number")).await;
    assert_eq!(facts.expect("read").len(), 1);
}

#[tokio::test]
async fn a_publication_that_is_not_understood_is_counted_once_until_it_is() {
    let service = Service::start().await;
    let mutation = || Publication::mutation(UID, "Muster AG");
    let publications = [
        mutation().number(1_000_000_001).on("2026-03-02").text("Unverständliches steht hier."),
        mutation()
            .number(1_000_000_002)
            .on("2026-03-03")
            .persons_entered("Muster, Anna, von Chur, in Thun, mit Einzelprokura"),
    ];
    let read = || tests::read_publications(&publications);
    for _ in 0..2 {
        service.ingest(Source::Shab, read()).await;
    }
    service.publish().await;
    let shab = freshness(&service, "shab").await;
    assert_eq!((&shab["notUnderstood"], &shab["quarantined"]), (&json!(1), &json!(0)), "{shab}");

    let (registry, objects) = (&service.cloud.registry, &service.cloud.objects);
    let key = "not-understood/shab/HR02-1000000001.json";
    let kept = objects.get(key).await.expect("read").expect("kept");
    let again = async || {
        let now = Timestamp::UNIX_EPOCH;
        aside::understand_again(registry, objects, Source::Shab, now).await.expect("read")
    };
    assert_eq!(again().await, 0);
    assert_eq!(freshness(&service, "shab").await["notUnderstood"], 1);
    // As if the reader had learnt to understand it: what is kept is of one that it does.
    let mut unclear: Value = serde_json::from_slice(&kept).expect("json");
    unclear["fingerprint"] = json!(read().facts[1].fingerprint);
    objects.put(key, unclear.to_string().into_bytes()).await.expect("put");
    assert_eq!(again().await, 1);
    assert_eq!(freshness(&service, "shab").await["notUnderstood"], 0);
    assert_eq!(objects.get(key).await.expect("read"), None);
}
