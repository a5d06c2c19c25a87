//! Tables of chosen companies.

use access::Tier;
use http::{StatusCode, header};
use serde_json::json;
use tests::{Service, company};

const PATH: &str = "/v1/bulk/export";
const MUSTER: &str = "CHE-600.000.012";
const FORMULA: &str = "CHE-600.000.029";

async fn service() -> (Service, String) {
    let mut muster = company(MUSTER, "Muster, Söhne & Co AG");
    muster.share_capital = "100000".parse().ok();
    muster.legal_form = Some("Aktiengesellschaft".to_owned());
    muster.address_street = Some("Bahnhofstrasse".to_owned());
    muster.address_house_number = Some("1".to_owned());
    muster.address_zip_code = Some("8001".to_owned());
    muster.address_city = Some("Zürich".to_owned());
    let service =
        Service::with([muster, company(FORMULA, "=HYPERLINK(\"https://evil.example\")")]).await;
    let key = service.key(Tier::Enterprise).await;
    (service, key)
}

#[tokio::test]
async fn the_table_has_the_chosen_companies_and_columns_in_the_order_of_the_request() {
    let (service, key) = service().await;
    let body = json!({
        "uids": ["CHE600000029", MUSTER, FORMULA],
        "fields": ["name", "legal_form", "capital", "address", "uid"],
    });
    let answer = service.post_as(&key, PATH, body).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    assert_eq!(answer.header("content-type"), Some("text/csv; charset=utf-8"));
    let file = "attachment; filename=\"bulk-export.csv\"";
    assert_eq!(answer.header(header::CONTENT_DISPOSITION.as_str()), Some(file));
    let expected = [
        "name,legal_form,capital,address,uid",
        "\"'=HYPERLINK(\"\"https://evil.example\"\")\",,,,CHE-600.000.029",
        "\"Muster, Söhne & Co AG\",Aktiengesellschaft,100000,\"Bahnhofstrasse 1, 8001 Zürich\",CHE-600.000.012",
        "",
    ];
    assert_eq!(answer.text.split("\r\n").collect::<Vec<_>>(), expected);
    let standard = service.post_as(&key, PATH, json!({ "uids": [MUSTER] })).await;
    let header = "uid,name,canton,status,legalForm,shareCapital,industry\r\n";
    assert!(standard.text.starts_with(header), "{}", standard.text);
}

#[tokio::test]
async fn the_number_comes_first_if_it_is_not_chosen() {
    let (service, key) = service().await;
    let body = json!({ "uids": [MUSTER, FORMULA], "fields": ["address", "capital"] });
    let answer = service.post_as(&key, PATH, body).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    let expected = format!(
        "uid,address,capital\r\n{MUSTER},\"Bahnhofstrasse 1, 8001 Zürich\",100000\r\n{FORMULA},,\r\n"
    );
    assert_eq!(answer.text, expected);
}

#[tokio::test]
async fn numbers_that_are_not_in_the_register_are_named() {
    let (service, key) = service().await;
    let unknown = "CHE-109.322.551";
    let answer = service.post_as(&key, PATH, json!({ "uids": [MUSTER, unknown] })).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND, "{answer:?}");
    let detail = answer.body["detail"].as_str().expect("a detail");
    assert!(detail.contains(unknown) && !detail.contains(MUSTER), "{detail}");
}

#[tokio::test]
async fn wrong_numbers_and_columns_are_refused_with_the_reason() {
    let (service, key) = service().await;
    let too_many = vec![MUSTER; 501];
    for (body, said) in [
        (json!({}), "uids"),
        (json!({ "uids": [] }), "1 to 500"),
        (json!({ "uids": too_many }), "1 to 500"),
        (json!({ "uids": ["CHE-1"] }), "CHE-1"),
        (json!({ "uids": [MUSTER], "fields": ["nme"] }), "nme"),
        (json!({ "uids": [MUSTER], "fields": [] }), "1 to 100"),
        (json!({ "uids": [MUSTER], "columns": ["name"] }), "columns"),
    ] {
        let answer = service.post_as(&key, PATH, body.clone()).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{body}: {answer:?}");
        assert!(answer.text.contains(said), "{body}: {}", answer.text);
    }
}

#[tokio::test]
async fn error_for_lower_tiers_names_the_tier_that_includes_it() {
    let (service, _) = service().await;
    let key = service.key(Tier::Professional).await;
    let answer = service.post_as(&key, PATH, json!({ "uids": [MUSTER] })).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN, "{answer:?}");
}
