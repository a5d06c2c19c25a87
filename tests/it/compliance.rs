//! Which legal obligations apply to a company.

use access::Tier;
use domain::{Company, Source, Status};
use http::StatusCode;
use publications::Publication;
use serde_json::{Value, json};
use tests::{Service, company};

const UID: &str = "CHE-600.000.026";
const OTHER: &str = "CHE-600.000.029";

fn of_form(uid: &str, name: &str, code: &str) -> Company {
    let mut company = company(uid, name);
    company.legal_form_code = Some(code.to_owned());
    company
}

async fn scope(service: &Service, key: &str, path: &str) -> Value {
    let answer = service.get_as(key, &format!("/v1/compliance/scope/{path}")).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    answer.body
}

/// Every obligation of a scope.
pub(crate) fn obligations(scope: &Value) -> Vec<&Value> {
    let regulations = scope["regulations"].as_array().expect("a list").iter();
    let articles = regulations.flat_map(|it| it["articles"].as_array().expect("a list"));
    articles.flat_map(|it| it["obligations"].as_array().expect("a list")).collect()
}

/// How an obligation applies: `applies`, `unclear`, or `no`.
pub(crate) fn applicability(scope: &Value, id: &str) -> String {
    let found = obligations(scope).into_iter().find(|it| it["id"] == id);
    match found {
        Some(it) => it["applicability"].as_str().expect("a text").to_owned(),
        None => {
            let excluded = scope["notApplicable"].as_array().expect("a list");
            let is_excluded = excluded.iter().any(|it| it["id"] == id);
            if is_excluded { "no".to_owned() } else { "not in force".to_owned() }
        }
    }
}

#[tokio::test]
async fn legal_form_decides_which_obligations_apply() {
    let stock = of_form(UID, "Muster AG", "0106");
    let sole = of_form(OTHER, "Muster Eva", "0101");
    let service = Service::with([stock, sole]).await;
    let key = service.key(Tier::Professional).await;
    let stock = scope(&service, &key, UID).await;
    let sole = scope(&service, &key, OTHER).await;
    for (id, of_stock, of_sole) in [
        ("co-725", "applies", "no"),
        ("co-716a", "applies", "no"),
        ("leta-9", "unclear", "no"),
        ("finmia-120", "unclear", "no"),
        ("co-964a", "unclear", "no"),
        ("co-958f", "applies", "unclear"),
        ("co-747", "no", "no"),
        ("co-957", "applies", "unclear"),
        ("co-957-2", "no", "unclear"),
        ("co-931", "no", "unclear"),
        ("co-727", "unclear", "no"),
        ("emba-2", "applies", "applies"),
        ("co-697j", "not in force", "not in force"),
    ] {
        let found = (applicability(&stock, id), applicability(&sole, id));
        assert_eq!(found, (of_stock.to_owned(), of_sole.to_owned()), "{id}");
    }
    assert_eq!(stock["jurisdictions"], json!(["ch", "intl"]));
}

#[tokio::test]
async fn every_obligation_has_reasons_and_the_totals_count_them() {
    let service = Service::with([of_form(UID, "Muster AG", "0106")]).await;
    let key = service.key(Tier::Professional).await;
    let scope = scope(&service, &key, UID).await;
    let all = obligations(&scope);
    assert_eq!(scope["totals"]["obligations"], all.len());
    for it in &all {
        let applications = it["applications"].as_array().expect("a list");
        assert!(!applications.is_empty(), "{it}");
        for it in applications {
            assert!(it["reasons"].as_array().is_some_and(|it| !it.is_empty()), "{it}");
        }
    }
    let ordinary = all.iter().find(|it| it["id"] == "co-727").expect("listed");
    let reasons = ordinary["applications"][0]["reasons"].to_string();
    assert!(reasons.contains("no figures of the last two financial years are known"), "{reasons}");
}

#[tokio::test]
async fn size_of_two_years_decides_about_the_ordinary_audit() {
    let mut company = of_form(UID, "Muster AG", "0106");
    company.auditor_name = Some("Prüf AG".into());
    let service = Service::with([company]).await;
    crate::reports::store(
        &service,
        "uid,fiscalYear,currency,revenue,totalAssets,employees,publicationDate\n\
         CHE600000026,2024,CHF,40000001,20000001,100,2025-03-01\n\
         CHE600000026,2025,CHF,40000001,20000001,100,2026-03-01\n",
    )
    .await;
    let key = service.key(Tier::Professional).await;
    let scope = scope(&service, &key, UID).await;
    assert_eq!(applicability(&scope, "co-727"), "applies", "{scope}");
    assert_eq!(applicability(&scope, "co-727a"), "no");
    let playbook = service.get_as(&key, &format!("/v1/audit/playbook/{UID}")).await.body;
    assert_eq!(
        (&playbook["regime"]["kind"], &playbook["regime"]["basis"]),
        (&json!("ordinary"), &json!("stated"))
    );
    assert_eq!(playbook["rotation"]["rule"], "applies");
}

#[tokio::test]
async fn licence_waiver_and_address_are_reasons() {
    let mut licensed = of_form(UID, "Bank AG", "0106");
    licensed.is_finma_regulated = Some(true);
    let mut waived = of_form(OTHER, "Muster GmbH", "0107");
    waived.auditor_opt_out = Some(true);
    waived.address_care_of = Some("Treuhand AG".into());
    let service = Service::with([licensed, waived]).await;
    let key = service.key(Tier::Professional).await;
    let licensed = scope(&service, &key, UID).await;
    let waived = scope(&service, &key, OTHER).await;
    let addressees = |scope: &Value| {
        let of = |it: &Value| it["applications"].as_array().expect("a list").clone();
        let found = obligations(scope).into_iter().find(|it| it["id"] == "amlo-finma-13").map(of);
        found.expect("listed").iter().map(|it| it["addressee"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(addressees(&licensed), ["company", "financial_intermediary"]);
    assert_eq!(addressees(&waived), ["financial_intermediary"]);
    assert_eq!(applicability(&waived, "orc-62"), "applies");
    assert_eq!(applicability(&waived, "co-727"), "no");
    assert_eq!(applicability(&waived, "co-728"), "no");
    assert_eq!(applicability(&licensed, "co-727"), "unclear", "its licence may require it");
    assert_eq!(applicability(&waived, "amlo-finma-9a"), "unclear");
}

#[tokio::test]
async fn law_and_company_are_those_of_the_day() {
    let service = Service::start().await;
    let registration = Publication::registration(OTHER, "Muster AG").number(1).on("2022-01-05");
    let waiver = Publication::mutation(OTHER, "Muster AG").number(2).on("2025-06-05");
    let waiver = waiver.text("Gemäss Erklärung wird auf eine eingeschränkte Revision verzichtet.");
    let publications = json!([registration.json(), waiver.json()]);
    let batch = sources::read(Source::Shab, publications.to_string().as_bytes()).expect("json");
    assert_eq!(batch.rejected, []);
    service.ingest(Source::Shab, batch).await;
    service.publish().await;
    let key = service.key(Tier::Professional).await;
    let past = scope(&service, &key, &format!("{OTHER}?asOf=2024-06-30")).await;
    let today = scope(&service, &key, OTHER).await;
    assert_eq!((&past["asOf"], &today["asOf"]), (&json!("2024-06-30"), &json!("2026-11-20")));
    for (id, then, now) in [
        ("co-697j", "unclear", "not in force"),
        ("leta-9", "not in force", "unclear"),
        ("orc-62", "unclear", "applies"),
    ] {
        let found = (applicability(&past, id), applicability(&today, id));
        assert_eq!(found, (then.to_owned(), now.to_owned()), "{id}");
    }
    assert!(!past.to_string().contains("2025-06"), "{past}");
    let path = format!("{OTHER}?asOf=2023-08-31");
    let note = scope(&service, &key, &path).await["coverageNote"].to_string();
    assert!(note.contains("former versions of some provisions are missing"), "{note}");
    assert!(!past["coverageNote"].to_string().contains("former versions"), "{past}");
    let path = format!("/v1/compliance/scope/{OTHER}?asOf=2021-01-01");
    assert_eq!(service.get_as(&key, &path).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn deleted_company_has_no_obligations_but_that_its_books_may_have_to_be_kept() {
    let mut deleted = of_form(UID, "Muster AG", "0106");
    deleted.status = Some(Status::Cancelled);
    let service = Service::with([deleted]).await;
    let key = service.key(Tier::Professional).await;
    let scope = scope(&service, &key, UID).await;
    let ids: Vec<&Value> = obligations(&scope).into_iter().map(|it| &it["id"]).collect();
    assert_eq!(ids, ["co-747"]);
    assert_eq!(
        applicability(&scope, "co-747"),
        "unclear",
        "when and why it was deleted is unknown"
    );
    let excluded = scope["notApplicable"].as_array().expect("a list");
    assert!(
        !excluded.is_empty() && excluded.iter().all(|it| it["reasons"][0]["fact"] == "register")
    );
}

#[tokio::test]
async fn invalid_requests_are_refused() {
    let service = Service::with([of_form(UID, "Muster AG", "0106")]).await;
    let key = service.key(Tier::Professional).await;
    let path = format!("/v1/compliance/scope/{UID}");
    for bad in ["asOf=2027-01-01", "asOf=2024-02-30", "tiers=core"] {
        let answer = service.get_as(&key, &format!("{path}?{bad}")).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{bad} {answer:?}");
    }
    let unknown = service.get_as(&key, &format!("/v1/compliance/scope/{OTHER}")).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    let starter = service.key(Tier::Starter).await;
    assert_eq!(service.get_as(&starter, &path).await.status, StatusCode::FORBIDDEN);
}
