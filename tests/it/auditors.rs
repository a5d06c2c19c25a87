//! Auditor tenures: which firm audits which company, and for how long.

use domain::Source;
use http::StatusCode;
use publications::Publication;
use serde_json::{Value, json};
use tests::Service;

const MUSTER: &str = "CHE-600.000.012";
const PROBE: &str = "CHE-600.000.029";
const OTHER: &str = "CHE-600.000.035";

/// Muster AG changed its auditor after two years. Probe AG has a third auditor.
async fn audited() -> Service {
    let service = Service::start().await;
    let old = "Alt Revision AG, in Thun, Revisionsstelle";
    let new = "Neu Revision AG, in Bern, Revisionsstelle";
    let third = "Dritte Revision AG, in Bern, Revisionsstelle";
    let muster = || Publication::mutation(MUSTER, "Muster AG");
    let probe = Publication::mutation(PROBE, "Probe AG");
    let publications = [
        muster().number(1).on("2010-03-01").persons_entered(old),
        muster().number(2).on("2012-03-01").persons_left(old).persons_entered(new),
        probe.number(3).on("2020-03-02").persons_entered(third),
    ];
    service.ingest_publications(publications).await;
    service
}

fn auditors(body: &Value) -> Vec<&str> {
    let items = body["items"].as_array().expect("items");
    items.iter().filter_map(|it| it["auditorName"].as_str()).collect()
}

#[tokio::test]
async fn tenures_are_sorted_longest_first() {
    let service = audited().await;
    let all = service.get("/v1/auditor-tenures").await;
    assert_eq!((all.status, &all.body["total"]), (StatusCode::OK, &json!(3)));
    assert_eq!(auditors(&all.body), ["Neu Revision AG", "Dritte Revision AG", "Alt Revision AG"]);
    let first = &all.body["items"][0];
    assert_eq!((&first["tenureYears"], &first["isCurrent"]), (&json!(14.7), &json!(true)));
    assert_eq!((&first["companyUid"], &first["canton"]), (&json!(MUSTER), &json!("BE")));
    assert_eq!(first["appointedAt"], "2012-03-01");
    assert_eq!(
        first["provenance"]["reference"],
        "https://www.shab.ch/#!/search/publications/detail/00000000-0000-4000-8000-000000000002"
    );
    let page = service.get("/v1/auditor-tenures?page=2&pageSize=2").await;
    assert_eq!(auditors(&page.body), ["Alt Revision AG"]);
}

#[tokio::test]
async fn an_auditor_known_only_from_zefix_is_listed_without_start_date() {
    let service = audited().await;
    let record = json!({
        "uid": OTHER, "name": "Andere AG", "canton": "BE", "sogcDate": "2026-11-02",
        "auditCompanies": [{ "name": "Vierte Revision AG", "uid": "CHE600000041" }],
    });
    let batch = sources::read(Source::Zefix, record.to_string().as_bytes()).expect("json");
    service.ingest(Source::Zefix, batch).await;
    service.publish().await;
    let all = service.get("/v1/auditor-tenures").await;
    assert_eq!(all.body["total"], 4, "{}", all.text);
    let last = &all.body["items"][3];
    assert_eq!(
        last["auditorName"], "Vierte Revision AG",
        "a tenure of unknown length is last: {}",
        all.text
    );
    assert_eq!((&last["isCurrent"], &last["companyUid"]), (&json!(true), &json!(OTHER)));
    assert!(last.get("appointedAt").is_none() && last.get("tenureYears").is_none(), "{last}");
    assert_eq!(
        (&last["source"], &last["provenance"]["date"]),
        (&json!("zefix"), &json!("2026-11-02"))
    );
    let history = service.get(&format!("/v1/companies/{OTHER}/auditor-history")).await;
    assert_eq!(history.body["currentAuditor"]["id"], last["id"], "{}", history.text);
    let counted = &service.get("/v1/dashboard").await.body["auditorTenures"];
    assert_eq!((&counted["totalTracked"], &counted["currentAuditors"]), (&json!(4), &json!(3)));
}

#[tokio::test]
async fn a_tenure_has_the_same_id_in_the_list_and_in_the_history() {
    let service = audited().await;
    let list = service.get("/v1/auditor-tenures").await;
    let history = service.get(&format!("/v1/companies/{MUSTER}/auditor-history")).await;
    assert_eq!(list.body["items"][0]["id"], history.body["currentAuditor"]["id"]);
}

#[tokio::test]
async fn min_years_is_accepted_in_snake_and_camel_case() {
    let service = audited().await;
    for parameter in ["min_years=10", "minYears=10"] {
        let long = service.get(&format!("/v1/auditor-tenures?{parameter}")).await;
        assert_eq!(auditors(&long.body), ["Neu Revision AG"], "{parameter}");
    }
    let elsewhere = service.get("/v1/auditor-tenures?canton=ZH").await;
    assert_eq!(elsewhere.body["items"], json!([]));
    let twice = service.get("/v1/auditor-tenures?min_years=10&minYears=10").await;
    assert_eq!(twice.status, StatusCode::BAD_REQUEST);
    let negative = service.get("/v1/auditor-tenures?min_years=-1").await;
    assert_eq!(negative.body["errors"][0]["member"], "min_years", "{}", negative.text);
}
