//! Comparison of companies.

use domain::{Amount, AuditorCategory, Canton};
use http::{Request, StatusCode, header};
use serde_json::{Value, json};
use tests::{Answer, Service, company};

const ONE: &str = "CHE-600.000.026";
const TWO: &str = "CHE-600.000.032";

async fn compare(service: &Service, body: Value) -> Answer {
    let request =
        Request::post("/v1/companies/compare").header(header::CONTENT_TYPE, "application/json");
    service.send_with(request, body.to_string()).await
}

async fn service() -> Service {
    let mut one = company(ONE, "Eins AG");
    one.canton = Some(Canton::Zh);
    one.legal_form = Some("Aktiengesellschaft".into());
    one.share_capital = "385840847.20".parse().ok();
    one.currency = Some("CHF".into());
    one.industry = Some("Financial services".into());
    one.auditor_name = Some("KPMG AG".into());
    one.auditor_category = Some(AuditorCategory::Kpmg);
    one.employee_count = Some(12);
    one.founding_date = "2001-02-03".parse().ok();
    one.address_city = Some("Zürich".into());
    one.website = Some("https://eins.example".into());
    let mut two = company(TWO, "Zwei AG");
    two.share_capital = Some(Amount::units(7));
    two.currency = Some("EUR".into());
    two.registration_date = "2002-03-04".parse().ok();
    two.legal_seat = Some("Bern".into());
    Service::with([one, two]).await
}

#[tokio::test]
async fn a_comparison_has_eleven_dimensions_and_needs_no_token() {
    let service = service().await;
    let answer = compare(&service, json!({ "uids": [TWO, "che600000026"] })).await;
    assert_eq!(answer.body["uids"], json!([TWO, ONE]));
    assert_eq!(answer.body["names"], json!(["Zwei AG", "Eins AG"]));
    let dimensions = answer.body["dimensions"].as_array().expect("a list");
    let rows: Vec<String> = dimensions
        .iter()
        .map(|it| {
            let field = it["field"].as_str().expect("a field");
            let label = it["label"].as_str().expect("a label");
            format!("{field} | {label} | {} | {}", it["values"][0], it["values"][1])
        })
        .collect();
    insta::assert_snapshot!(rows.join("\n"), @r#"
    canton | Canton | null | "ZH"
    status | Status | "ACTIVE" | "ACTIVE"
    legalForm | Legal Form | null | "Aktiengesellschaft"
    shareCapital | Share Capital (CHF) | null | "385840847"
    industry | Industry | null | "Financial services"
    auditorName | Auditor | null | "KPMG AG"
    auditorCategory | Audit Category | null | "KPMG"
    employeeCount | Employees | null | "12"
    foundingDate | Founded | "2002-03-04" | "2001-02-03"
    addressCity | City | "Bern" | "Zürich"
    website | Website | null | "https://eins.example"
    "#);
}

#[tokio::test]
async fn codes_have_labels_in_the_language_of_the_reader() {
    let service = service().await;
    let request = Request::post("/v1/companies/compare?language=fr")
        .header(header::CONTENT_TYPE, "application/json");
    let answer = service.send_with(request, json!({ "uids": [ONE, TWO] }).to_string()).await;
    let dimensions = answer.body["dimensions"].as_array().expect("a list").iter();
    let labelled = dimensions.filter(|it| !it["labels"].is_null());
    let labelled: Vec<Value> =
        labelled.map(|it| json!([it["field"], it["values"], it["labels"]["values"]])).collect();
    assert_eq!(
        labelled,
        [
            json!(["status", ["ACTIVE", "ACTIVE"], ["active", "active"]]),
            json!(["legalForm", ["Aktiengesellschaft", null], ["Société anonyme", null]]),
            json!([
                "industry",
                ["Financial services", null],
                ["Activités des services financiers, hors assurance et caisses de retraite", null]
            ]),
        ]
    );
}

#[tokio::test]
async fn a_comparison_accepts_two_to_ten_different_companies() {
    let service = service().await;
    let eleven: Vec<String> = (100..111).map(|it| format!("CHE-600.000.{it}")).collect();
    for (body, member, words) in [
        (json!({ "uids": [ONE] }), "uids", "must be 2 to 10 company numbers; got 1"),
        (json!({ "uids": [] }), "uids", "company numbers; got 0"),
        (json!({ "uids": eleven }), "uids", "company numbers; got 11"),
        (json!({ "uids": [ONE, TWO, ONE] }), "uids", "got `CHE-600.000.026` more than once"),
        (
            json!({ "uids": [ONE, "nestle"] }),
            "uids[1]",
            "must be a company number of the form `CHE-NNN.NNN.NNN`; got `nestle`",
        ),
        (json!({}), "uids", "is required, but missing"),
        (json!({ "uid": [ONE, TWO] }), "uid", "did you mean `uids`?"),
        (json!({ "uids": ONE }), "uids", "must be a list; got"),
    ] {
        let answer = compare(&service, body.clone()).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{body}: {}", answer.text);
        assert_eq!(answer.body["errors"][0]["member"], member, "{body}: {}", answer.text);
        assert!(answer.detail().contains(words), "{body}: {}", answer.detail());
    }
}

#[tokio::test]
async fn a_comparison_with_an_unknown_company_is_not_found_and_names_it() {
    let service = service().await;
    let answer = compare(&service, json!({ "uids": [ONE, "CHE-000.000.000"] })).await;
    assert_eq!((answer.status, answer.slug()), (StatusCode::NOT_FOUND, "not-found"));
    assert_eq!(answer.detail(), "no company CHE-000.000.000 in the commercial register");
}

#[tokio::test]
async fn a_key_with_read_scope_can_compare() {
    use access::{Environment, Scope, Tier};
    let service = service().await;
    let team = service.team(Tier::Free).await;
    let key = service.key_of(&team, Environment::Live, &[Scope::Read]).await;
    let answer =
        service.post_as(&key, "/v1/companies/compare", json!({ "uids": [ONE, TWO] })).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    assert_eq!(answer.header("x-ratelimit-group"), Some("standard_read"));
}
