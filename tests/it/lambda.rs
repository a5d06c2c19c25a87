//! Requests as events of the API gateway (REST API): multi-value query and headers, base64 bodies, the stage in
//! the path, the client's address in the request context.

use access::Tier;
use axum::body::Body;
use domain::Status;
use http::Request;
use serde_json::{Value, json};
use tests::{Answer, Service, company};

fn event(
    method: &str,
    path: &str,
    query: Value,
    headers: Value,
    body: Value,
    address: &str,
) -> Value {
    json!({
        "resource": "/{proxy+}",
        "path": path,
        "httpMethod": method,
        "headers": {},
        "multiValueHeaders": headers,
        "queryStringParameters": null,
        "multiValueQueryStringParameters": query,
        "pathParameters": null,
        "stageVariables": null,
        "requestContext": {
            "accountId": "123456789012",
            "apiId": "abcdef",
            "httpMethod": method,
            "identity": { "sourceIp": address },
            "path": format!("/api{path}"),
            "protocol": "HTTP/1.1",
            "requestId": "c6af9ac6-7b61-11e6-9a41-93e8deadbeef",
            "resourcePath": "/{proxy+}",
            "stage": "api"
        },
        "body": body,
        "isBase64Encoded": body.is_string(),
    })
}

async fn send(service: &Service, event: &Value) -> Answer {
    let request = lambda_http::request::from_str(&event.to_string()).expect("an event");
    let (parts, body) = request.into_parts();
    service.answer(Request::from_parts(parts, Body::from(body.to_vec()))).await
}

#[tokio::test]
async fn every_value_of_a_query_parameter_is_used() {
    let companies = [
        ("CHE-107.787.577", "Zürcher & Söhne AG", Status::Active),
        ("CHE-600.000.012", "Zürcher & Söhne Nachfolger AG", Status::Cancelled),
        ("CHE-600.000.029", "Zürcher & Söhne in Liquidation", Status::BeingCancelled),
        ("CHE-600.000.035", "Berner & Töchter AG", Status::Active),
    ];
    let companies = companies.map(|(uid, name, status)| {
        let mut company = company(uid, name);
        company.status = Some(status);
        company
    });
    let service = Service::with(companies).await;
    // With only the first or the last value the total would be 1, without any value 3.
    for (status, total) in [
        (json!(["ACTIVE", "CANCELLED"]), 2),
        (json!(["CANCELLED", "BEING_CANCELLED"]), 2),
        (json!(["CANCELLED"]), 1),
    ] {
        let query = json!({ "search": ["Zürcher & Söhne"], "status": status });
        let request = event("GET", "/v1/companies", query, json!({}), Value::Null, "192.0.2.1");
        let answer = send(&service, &request).await;
        assert_eq!(
            (answer.status.as_u16(), &answer.body["total"]),
            (200, &json!(total)),
            "{status}: {}",
            answer.text
        );
    }
}

#[tokio::test]
async fn an_error_names_the_path_with_its_stage() {
    let service = Service::start().await;
    let unknown = event("GET", "/v1/nowhere", Value::Null, json!({}), Value::Null, "192.0.2.1");
    let unknown = send(&service, &unknown).await;
    assert_eq!(
        (unknown.slug(), &unknown.body["instance"]),
        ("not-found", &json!("/api/v1/nowhere"))
    );
}

#[tokio::test]
async fn the_client_address_comes_from_the_gateway_and_not_from_x_forwarded_for() {
    let service = Service::start().await;
    let forged = json!({ "x-forwarded-for": ["203.0.113.9"] });
    for (address, remaining) in [("192.0.2.1", "59"), ("192.0.2.1", "58"), ("192.0.2.2", "59")] {
        let request =
            event("GET", "/v1/companies/count", Value::Null, forged.clone(), Value::Null, address);
        assert_eq!(send(&service, &request).await.header("x-ratelimit-remaining"), Some(remaining));
    }
}

#[tokio::test]
async fn a_base64_body_is_decoded() {
    let service = Service::start().await;
    let key = service.key(Tier::Free).await;
    let headers = json!({
        "authorization": [format!("Bearer {key}")],
        "content-type": ["application/json"],
    });
    // {"name": "Nächtlich"}
    let body = json!("eyJuYW1lIjogIk7DpGNodGxpY2gifQ==");
    let request = event("POST", "/v1/api-keys", Value::Null, headers, body, "192.0.2.1");
    let made = send(&service, &request).await;
    assert_eq!(
        (made.status.as_u16(), &made.body["name"]),
        (201, &json!("Nächtlich")),
        "{}",
        made.text
    );
}
