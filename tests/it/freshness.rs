//! How current the data is: freshness of the sources, status of the pipelines, dashboard.

use access::Tier;
use domain::Source;
use jiff::{SignedDuration, Timestamp};
use jobs::{IngestJob, JobId};
use serde_json::json;
use tests::Service;

use crate::{logs::Log, two_companies};

#[tokio::test]
async fn sources_pipelines_and_dashboard_report_what_was_ingested() {
    let service = Service::start().await;
    service.ingest_publications(two_companies::publications()).await;
    let answer = service.get("/v1/sources/freshness").await;
    let sources = answer.body["sources"].as_array().expect("sources");
    let shab = sources.iter().find(|it| it["source"] == "shab").expect("the gazette");
    assert_eq!(
        (&shab["lastPublication"], &shab["read"]),
        (&json!("2024-02-06"), &json!(5)),
        "{shab}"
    );
    let newest = &shab["coverage"][0];
    assert_eq!((&newest["date"], &newest["publications"]), (&json!("2024-02-06"), &json!(1)));
    assert!(newest["statements"].as_u64() > Some(0), "{newest}");
    assert_eq!(newest["statements"], newest["understood"], "{newest}");
    let days: Vec<&str> = shab["coverage"]
        .as_array()
        .expect("days")
        .iter()
        .filter_map(|it| it["date"].as_str())
        .collect();
    assert!(days.is_sorted_by(|one, next| one > next), "newest first: {days:?}");
    let generation = &answer.body["generation"];
    assert_eq!(generation["asOfSequence"], generation["lastSequence"], "{}", answer.text);
    assert_eq!(answer.body["screeningLists"], json!([]), "no list was loaded");
    let status = service.get("/v1/sync/status").await;
    let pipelines = status.body["pipelines"].as_array().expect("pipelines");
    let finma = pipelines.iter().find(|it| it["pipeline"] == "finma").expect("the authority");
    assert_eq!((&finma["status"], &finma["health"]), (&json!("idle"), &json!("never")));
    let dashboard = service.get("/v1/dashboard").await;
    assert_eq!(dashboard.body["data"]["totalCompanies"], 2, "{}", dashboard.text);
    assert_eq!(dashboard.body["auditorTenures"]["currentAuditors"], 1);
}

#[tokio::test]
async fn the_versions_of_the_screening_lists_in_use_are_named() {
    let service = Service::start().await;
    service.publish_lists().await;
    let answer = service.get("/v1/sources/freshness").await;
    let lists = answer.body["screeningLists"].as_array().expect("lists");
    let names: Vec<&str> = lists.iter().filter_map(|it| it["list"].as_str()).collect();
    assert_eq!(names, ["seco", "opensanctions", "finma_warning", "finma_authorised"]);
    let key = service.key(Tier::Free).await;
    let body = json!({ "name": "Mikalaj Dovreshenka", "sources": ["seco"] });
    let screened = service.post_as(&key, "/v1/screening", body).await;
    let of_evidence = &screened.body["lists"][0];
    for member in ["version", "date", "publishedAt", "entries"] {
        assert_eq!(lists[0][member], of_evidence[member], "{member}");
    }
    assert!(lists[0].get("rescreenedAt").is_none(), "nothing was compared with it yet");
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the worker reads the clock too")]
async fn a_source_that_has_not_been_read_for_long_is_reported_to_the_operator() {
    let service = Service::start().await;
    let completed = async |source, hours| {
        let at = Timestamp::now() - SignedDuration::from_hours(hours);
        let save = |it: &mut store::SourceStatus| it.last_completed_at = Some(at);
        service.cloud.registry.update_source_status(source, save).await.expect("saved");
    };
    completed(Source::Shab, 47).await;
    completed(Source::Six, 49).await;
    // Weekly. The others were never read.
    completed(Source::Finma, 49).await;
    let worker = service.ingest_worker(fetch::Fetcher::new(fetch::Settings::default()));
    let log = Log::default();
    let logged = tracing::subscriber::set_default(telemetry::log("tests", log.clone()));
    let job = IngestJob::FetchSources { sources: vec![] };
    worker.handle(job, JobId::of_message("a", None)).await.expect("done");
    drop(logged);
    let stale: Vec<_> = log.lines().into_iter().filter(|it| it["StaleSource"] == 1).collect();
    assert_eq!(stale.len(), 1, "{stale:?}");
    assert_eq!(stale[0]["fields"]["source"], Source::Six.name());
}
