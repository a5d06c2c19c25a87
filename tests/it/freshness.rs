//! How current the data is: freshness of the sources, status of the pipelines, dashboard.

use serde_json::json;
use tests::Service;

use crate::two_companies;

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
    let generation = &answer.body["generation"];
    assert_eq!(generation["asOfSequence"], generation["lastSequence"], "{}", answer.text);
    let status = service.get("/v1/sync/status").await;
    let pipelines = status.body["pipelines"].as_array().expect("pipelines");
    let finma = pipelines.iter().find(|it| it["pipeline"] == "finma").expect("the authority");
    assert_eq!((&finma["status"], &finma["health"]), (&json!("idle"), &json!("never")));
    let dashboard = service.get("/v1/dashboard").await;
    assert_eq!(dashboard.body["data"]["totalCompanies"], 2, "{}", dashboard.text);
    assert_eq!(dashboard.body["auditorTenures"]["currentAuditors"], 1);
}
