//! The audit procedures of a company.

use access::Tier;
use domain::{Company, Source};
use http::StatusCode;
use publications::Publication;
use serde_json::{Value, json};
use tests::{Service, company};

const UID: &str = "CHE-600.000.026";
const OTHER: &str = "CHE-600.000.029";

fn corporation(uid: &str) -> Company {
    let mut company = company(uid, "Muster AG");
    company.legal_form_code = Some("0106".to_owned());
    company
}

async fn playbook(service: &Service, key: &str, path: &str) -> Value {
    let answer = service.get_as(key, &format!("/v1/audit/playbook/{path}")).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    answer.body
}

fn procedures(playbook: &Value) -> Vec<&Value> {
    let phases = playbook["phases"].as_array().expect("a list").iter();
    phases.flat_map(|it| it["procedures"].as_array().expect("a list")).collect()
}

fn has(playbook: &Value, id: &str) -> bool {
    procedures(playbook).iter().any(|it| it["id"] == id)
}

#[tokio::test]
async fn waived_audit_is_replaced_by_checks_of_its_conditions() {
    let mut waived = corporation(UID);
    waived.auditor_opt_out = Some(true);
    let mut audited = corporation(OTHER);
    audited.auditor_name = Some("Prüf AG".into());
    let service = Service::with([waived, audited]).await;
    let key = service.key(Tier::Professional).await;
    let waived = playbook(&service, &key, UID).await;
    let audited = playbook(&service, &key, OTHER).await;
    assert_eq!(waived["profile"]["overlays"], json!(["opting_out"]));
    assert!(has(&waived, "waiver-conditions") && !has(&waived, "report-limited"));
    assert_eq!(
        (&audited["regime"]["kind"], &audited["regime"]["basis"]),
        (&json!("limited"), &json!("assumed"))
    );
    assert!(has(&audited, "report-limited") && !has(&audited, "report-ordinary"));
    assert_eq!(audited["rotation"]["rule"], "unclear");
    assert!(audited["profile"]["rationale"][0].as_str().is_some_and(|it| it.contains("assumed")));
}

#[tokio::test]
async fn licence_of_an_unknown_kind_leaves_the_audit_open() {
    let mut bank = corporation(UID);
    bank.is_finma_regulated = Some(true);
    bank.auditor_name = Some("Prüf AG".into());
    let service = Service::with([bank]).await;
    let key = service.key(Tier::Professional).await;
    let bank = playbook(&service, &key, UID).await;
    assert_eq!(bank["profile"]["overlays"], json!([]));
    assert!(!has(&bank, "aml-compliance"));
    let rationale = bank["profile"]["rationale"].to_string();
    assert!(
        rationale.contains("whether its licence requires an audit for the supervisor"),
        "{rationale}"
    );
    assert_eq!(
        bank["regime"]["kind"], "unknown",
        "a law on supervision may require an ordinary audit"
    );
    let reasons = bank["regime"]["reasons"].as_array().expect("a list");
    assert!(reasons.iter().any(|it| it["fact"] == "licence" && it["basis"] == "unknown"), "{bank}");
}

#[tokio::test]
async fn licence_of_a_bank_requires_an_ordinary_audit() {
    let service = Service::start().await;
    let auditor = "Prüf AG (CHE-106.084.881), in Bern, Revisionsstelle";
    let registration = Publication::registration(UID, "Bank AG").number(1).on("2018-01-05");
    service.ingest_publications([registration.persons_entered(auditor)]).await;
    let list = format!(
        "Name,UID,City,AuthorisationTypeEN,AuthorisationTypeDE,AuthorisationTypeFR,AuthorisationTypeIT\n\
         Bank AG,{UID},Bern,Bank,Bank,Banque,Banca\n"
    );
    let batch = sources::read(Source::Finma, list.as_bytes()).expect("a list");
    assert_eq!(batch.rejected, []);
    service.ingest(Source::Finma, batch).await;
    service.publish().await;
    let key = service.key(Tier::Professional).await;
    let bank = playbook(&service, &key, UID).await;
    assert_eq!(bank["regime"]["kind"], "ordinary", "{bank}");
    assert_eq!(bank["profile"]["overlays"], json!(["ordinary_audit", "finma"]));
    assert!(has(&bank, "aml-compliance"));
}

#[tokio::test]
async fn procedures_refer_to_the_law_of_the_day() {
    let service = Service::start().await;
    let registration = Publication::registration(UID, "Muster AG").number(1).on("2018-01-05");
    service.ingest_publications([registration]).await;
    let key = service.key(Tier::Professional).await;
    let all = "tiers=core&overlays=limited_audit";
    let references = |playbook: &Value| {
        let found = procedures(playbook).into_iter().find(|it| it["id"] == "capital-loss").cloned();
        found.expect("listed")["obligationRefs"].clone()
    };
    let today = playbook(&service, &key, &format!("{UID}?{all}")).await;
    let past = playbook(&service, &key, &format!("{UID}?{all}&asOf=2022-12-31")).await;
    assert_eq!(references(&today), json!(["co-725", "co-725a", "co-725b"]));
    assert_eq!(references(&past), json!(["co-725"]));
    let steps = |playbook: &Value, id: &str| {
        let found = procedures(playbook).into_iter().find(|it| it["id"] == id).cloned();
        found.expect("listed")["steps"].clone()
    };
    let earlier = playbook(&service, &key, &format!("{UID}?asOf=2024-06-30")).await;
    let (earlier, now) = (steps(&earlier, "know-client"), steps(&today, "know-client"));
    assert_eq!(
        (&earlier[2]["id"], &earlier[2]["until"]),
        (&json!("know-client-3"), &json!("2026-09-30"))
    );
    assert_eq!((&now[2]["id"], &now[2]["since"]), (&json!("know-client-4"), &json!("2026-10-01")));
    assert_eq!((&now[2]["order"], &now[3]["order"]), (&json!(3), &json!(4)));
    assert_eq!(procedures(&today)[0]["standards"][0]["verified"], false);
}

#[tokio::test]
async fn audit_of_a_day_is_that_of_the_law_of_the_day() {
    let service = Service::start().await;
    let auditor = "Prüf AG (CHE-106.084.881), in Bern, Revisionsstelle";
    let registration = Publication::registration(UID, "Muster AG").number(1).on("2004-01-05");
    service.ingest_publications([registration.persons_entered(auditor)]).await;
    let key = service.key(Tier::Professional).await;
    let path = format!("{UID}?asOf=2007-12-31&overlays=limited_audit");
    let before = playbook(&service, &key, &path).await;
    assert_eq!(before["regime"]["kind"], "unknown", "{before}");
    assert_eq!(before["profile"]["overlays"], json!([]));
    assert_eq!(before["rotation"].get("maxLeadAuditorYears"), None);
    let texts = before.to_string();
    for never in ["CO 72", "Limited Audit", "CHF 10 million", "waiver-"] {
        assert!(!texts.contains(never), "{never}: {texts}");
    }
    let limited = playbook(&service, &key, &format!("{UID}?asOf=2018-06-30")).await;
    assert_eq!(limited["regime"]["kind"], "limited", "{limited}");
    let loss = procedures(&limited).into_iter().find(|it| it["id"] == "capital-loss").cloned();
    let loss = loss.expect("listed");
    assert_eq!(loss["sourceTopic"], "CO 725");
    let articles: Vec<&Value> =
        loss["standards"].as_array().expect("a list").iter().map(|it| &it["reference"]).collect();
    assert_eq!(articles, ["CO 725"]);
    assert_eq!(loss["standards"][0]["since"], "1992-07-01");
    assert!(!loss["steps"].to_string().contains("has no auditor"), "{loss}");
}

#[tokio::test]
async fn request_selects_tiers_and_overlays_and_the_totals_count() {
    let service = Service::with([corporation(UID)]).await;
    let key = service.key(Tier::Professional).await;
    let path = format!("{UID}?tiers=complex,core&overlays=Ordinary-Audit,finma");
    let all = playbook(&service, &key, &path).await;
    assert!(has(&all, "fraud") && has(&all, "report-ordinary") && has(&all, "report-finma"));
    assert_eq!(all["profile"]["tiers"], json!(["core", "complex"]));
    let procedures = procedures(&all);
    assert_eq!(all["totals"]["procedures"], procedures.len());
    let steps: usize =
        procedures.iter().filter_map(|it| it["steps"].as_array()).map(Vec::len).sum();
    assert_eq!(all["totals"]["steps"], steps);
    for it in procedures {
        assert_eq!(it["stepCount"], it["steps"].as_array().map_or(0, Vec::len), "{it}");
        assert_eq!(it["steps"][0]["order"], 1);
        assert!(it["steps"][0]["instruction"].is_string(), "{it}");
    }
    let phases: Vec<&Value> =
        all["phases"].as_array().expect("a list").iter().map(|it| &it["phase"]).collect();
    assert_eq!(phases, ["acceptance", "planning", "execution", "completion", "reporting"]);
}

#[tokio::test]
async fn long_tenure_of_the_firm_is_an_indicator_and_not_a_breach() {
    let service = Service::start().await;
    let auditor = "Prüf AG (CHE-106.084.881), in Bern, Revisionsstelle";
    let registration = Publication::registration(UID, "Muster AG").number(1).on("2018-01-05");
    service.ingest_publications([registration.persons_entered(auditor)]).await;
    let key = service.key(Tier::Professional).await;
    let today = playbook(&service, &key, UID).await;
    let rotation = &today["rotation"];
    assert_eq!(
        (&rotation["firm"], &rotation["isLongFirmTenure"]),
        (&json!("Prüf AG"), &json!(true))
    );
    assert!(
        rotation["explanation"].as_str().is_some_and(|it| it.contains("not a breach")),
        "{rotation}"
    );
    assert_eq!(rotation["maxLeadAuditorYears"], 7);
    let past = playbook(&service, &key, &format!("{UID}?asOf=2020-01-05")).await;
    assert_eq!(past["rotation"]["isLongFirmTenure"], false);
}

#[tokio::test]
async fn invalid_requests_are_refused() {
    let service = Service::with([corporation(UID)]).await;
    let key = service.key(Tier::Professional).await;
    for (bad, member) in [
        ("tiers=simple", "tiers"),
        ("overlays=finam", "overlays"),
        ("asOf=2027-01-01", "asOf"),
        ("asOf=x", "asOf"),
        ("overlay=finma", "overlay"),
    ] {
        let answer = service.get_as(&key, &format!("/v1/audit/playbook/{UID}?{bad}")).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{bad} {answer:?}");
        assert_eq!(answer.body["errors"][0]["member"], member, "{answer:?}");
    }
    let unknown = service.get_as(&key, &format!("/v1/audit/playbook/{OTHER}")).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    let starter = service.key(Tier::Starter).await;
    let refused = service.get_as(&starter, &format!("/v1/audit/playbook/{UID}")).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
}
