//! Who audits whom, and for how long.

use http::StatusCode;
use serde_json::{Value, json};
use sources::Source;
use tests::Service;

use crate::notices::{entered, ingested, left, notice, published};

const MUSTER: &str = "CHE-600.000.012";
const PROBE: &str = "CHE-600.000.029";
const OTHER: &str = "CHE-600.000.035";

/// Muster AG was audited by one firm for two years, and is by another since; Probe AG by a third.
async fn audited() -> Service {
    let service = Service::start().await;
    let old = "Alt Revision AG, in Thun, Revisionsstelle";
    let new = "Neu Revision AG, in Bern, Revisionsstelle";
    let third = "Dritte Revision AG, in Bern, Revisionsstelle";
    published(
        &service,
        [
            notice(1, "2010-03-01", MUSTER, "Muster AG", &entered(old)),
            notice(
                2,
                "2012-03-01",
                MUSTER,
                "Muster AG",
                &format!("{} {}", left(old), entered(new)),
            ),
            notice(3, "2020-03-02", PROBE, "Probe AG", &entered(third)),
        ],
    )
    .await;
    service
}

fn auditors(body: &Value) -> Vec<&str> {
    let items = body["items"].as_array().expect("items");
    items.iter().filter_map(|it| it["auditorName"].as_str()).collect()
}

#[tokio::test]
async fn tenures_are_listed_the_longest_first() {
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
async fn an_auditor_that_only_the_register_names_is_listed_and_counted() {
    let service = audited().await;
    let record = json!({
        "uid": OTHER, "name": "Andere AG", "canton": "BE", "sogcDate": "2026-11-02",
        "auditCompanies": [{ "name": "Vierte Revision AG", "uid": "CHE600000041" }],
    });
    let batch = sources::read(Source::Zefix, record.to_string().as_bytes()).expect("json");
    ingested(&service, Source::Zefix, batch).await;
    service.publish().await;
    let all = service.get("/v1/auditor-tenures").await;
    assert_eq!(all.body["total"], 4, "{}", all.text);
    let last = &all.body["items"][3];
    assert_eq!(last["auditorName"], "Vierte Revision AG", "nobody knows since when: {}", all.text);
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
async fn a_tenure_has_one_id_wherever_it_is_told() {
    let service = audited().await;
    let list = service.get("/v1/auditor-tenures").await;
    let history = service.get(&format!("/v1/companies/{MUSTER}/auditor-history")).await;
    assert_eq!(list.body["items"][0]["id"], history.body["currentAuditor"]["id"]);
}

#[tokio::test]
async fn a_least_length_is_asked_for_in_either_spelling() {
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
