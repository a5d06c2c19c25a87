//! The risk of a company from nine factors, and the documentation of the method.

use access::Tier;
use domain::{Amount, Source, Status, company::StatusReason};
use http::StatusCode;
use publications::Publication;
use serde_json::{Value, json};
use tests::{Service, company};

const MUSTER: &str = "CHE-600.000.012";
const OTHER: &str = "CHE-600.000.029";

fn factor<'a>(answer: &'a Value, name: &str) -> &'a Value {
    let factors = answer["factors"].as_array().expect("factors");
    factors.iter().find(|it| it["factor"] == name).unwrap_or_else(|| panic!("no factor {name}"))
}

async fn risk(service: &Service, key: &str, uid: &str) -> Value {
    let answer = service.get_as(key, &format!("/v1/risk/v2/{uid}")).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    answer.body
}

/// The composite, computed from the members of the answer as the documentation says.
fn score(answer: &Value) -> f64 {
    let number = |it: &Value| it.as_f64().expect("a number");
    let scale = number(&answer["weightScale"]);
    let log_odds = |it: f64| (it / (1.0 - it)).ln();
    let factors = answer["factors"].as_array().expect("factors").iter();
    let changes = factors.map(|it| {
        let change = log_odds(number(&it["posteriorMean"])) - log_odds(number(&it["priorMean"]));
        scale * number(&it["weight"]) * change
    });
    let total = log_odds(number(&answer["baseRate"]["value"])) + changes.sum::<f64>();
    1.0 / (1.0 + (-total).exp())
}

#[tokio::test]
async fn a_bankrupt_company_has_a_higher_score_and_the_evidence_names_its_source() {
    let sound = company(OTHER, "Sound AG");
    let mut bankrupt = company(MUSTER, "Muster AG");
    bankrupt.status = Some(Status::BeingCancelled);
    bankrupt.status_reason = Some(StatusReason::Bankruptcy);
    let service = Service::with([sound, bankrupt]).await;
    let key = service.key(Tier::Professional).await;
    let (sound, bankrupt) = (risk(&service, &key, OTHER).await, risk(&service, &key, MUSTER).await);
    assert!(bankrupt["score"].as_f64() > sound["score"].as_f64(), "{bankrupt}");
    assert_eq!((&bankrupt["uid"], &bankrupt["companyName"]), (&json!(MUSTER), &json!("Muster AG")));
    assert_eq!(bankrupt["factors"].as_array().map(Vec::len), Some(9));
    for answer in [&sound, &bankrupt] {
        let stated = answer["score"].as_f64().expect("a score");
        assert!((stated - score(answer)).abs() < 1e-9, "{stated} {}", score(answer));
    }
    let status = factor(&bankrupt, "age_and_status");
    assert_eq!(status["evidenceApplied"], true, "{status}");
    for evidence in status["evidence"].as_array().expect("evidence") {
        assert!(evidence["source"].is_string() && evidence["weight"].is_number(), "{evidence}");
    }
    let lists = factor(&bankrupt, "sanctions_and_exposure");
    assert_eq!(
        (&lists["evidenceApplied"], &lists["logOddsContribution"]),
        (&json!(false), &json!(0.0))
    );
    assert!(lists["evidenceNote"].as_str().is_some_and(|it| it.contains("prior")), "{lists}");
}

#[tokio::test]
async fn a_past_day_knows_nothing_of_later_publications() {
    let service = Service::start().await;
    let registration = Publication::registration(MUSTER, "Muster AG").number(1).on("2024-01-05");
    let bankruptcy = Publication::mutation(MUSTER, "Muster AG").number(2).on("2026-03-05");
    let opened =
        "Über die Gesellschaft ist mit Entscheid vom 02.03.2026 der Konkurs eröffnet worden.";
    let bankruptcy = bankruptcy.text(opened);
    let publications = json!([registration.json(), bankruptcy.json()]);
    let batch = sources::read(Source::Shab, publications.to_string().as_bytes()).expect("json");
    assert_eq!(batch.rejected, []);
    service.ingest(Source::Shab, batch).await;
    service.publish().await;
    let key = service.key(Tier::Professional).await;
    let path = format!("/v1/risk/v2/{MUSTER}?asOf=2025-12-31");
    let past = service.get_as(&key, &path).await.body;
    let today = risk(&service, &key, MUSTER).await;
    assert_eq!((&past["asOf"], &today["asOf"]), (&json!("2025-12-31"), &json!("2026-11-20")));
    assert!(past["score"].as_f64() < today["score"].as_f64(), "{past} {today}");
    let status = &factor(&today, "age_and_status")["evidence"][0];
    assert_eq!(
        (&status["source"], &status["observedAt"]),
        (&json!("shab"), &json!("2026-03-05")),
        "{status}"
    );
    let texts = past["factors"].to_string();
    assert!(!texts.contains("2026-03"), "{texts}");
    let future = service.get_as(&key, &format!("/v1/risk/v2/{MUSTER}?asOf=2027-01-01")).await;
    assert_eq!(future.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn the_documentation_has_the_numbers_that_answers_have() {
    let service = Service::with([company(MUSTER, "Muster AG")]).await;
    let key = service.key(Tier::Professional).await;
    let method = service.get_as(&key, "/v1/methodology/risk").await.body;
    let answer = risk(&service, &key, MUSTER).await;
    assert_eq!(method["priorsSchemaVersion"], answer["priorsSchemaVersion"]);
    assert_eq!(method["baseRate"], answer["baseRate"]);
    assert_eq!(method["weightScale"], answer["weightScale"]);
    let factors = |it: &Value| it["factors"].as_array().expect("factors").clone();
    let (documented, answered) = (factors(&method), factors(&answer));
    assert_eq!((documented.len(), answered.len()), (9, 9));
    for (documented, answered) in documented.iter().zip(&answered) {
        assert_eq!(documented["factor"], answered["factor"]);
        assert_eq!(documented["weight"], answered["weight"]);
    }
}

#[tokio::test]
async fn a_company_of_which_little_is_known_has_no_level() {
    let mut known = company(OTHER, "Andere AG");
    known.share_capital = Some(Amount::units(500_000));
    known.currency = Some("CHF".into());
    known.noga_code = Some("6201".into());
    known.auditor_name = Some("Prüf AG".into());
    let service = Service::with([company(MUSTER, "Muster AG"), known]).await;
    let key = service.key(Tier::Professional).await;
    assert_eq!(risk(&service, &key, MUSTER).await["riskLevel"], "unknown");
    assert_eq!(risk(&service, &key, OTHER).await["riskLevel"], "low");
}

#[tokio::test]
async fn lower_tiers_and_unknown_companies_are_refused() {
    let service = Service::with([company(MUSTER, "Muster AG")]).await;
    let starter = service.key(Tier::Starter).await;
    for path in [format!("/v1/risk/v2/{MUSTER}"), "/v1/methodology/risk".to_owned()] {
        assert_eq!(service.get_as(&starter, &path).await.status, StatusCode::FORBIDDEN);
    }
    let key = service.key(Tier::Professional).await;
    let unknown = service.get_as(&key, &format!("/v1/risk/v2/{OTHER}")).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
}
