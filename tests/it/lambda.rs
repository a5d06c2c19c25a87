//! Requests as a REST API's gateway hands them over: multi-value query and headers, bodies in base64,
//! the stage in the path, the client's address in the context.

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

async fn ask(service: &Service, event: &Value) -> Answer {
    let request = lambda_http::request::from_str(&event.to_string()).expect("an event");
    let (parts, body) = request.into_parts();
    service.answer(Request::from_parts(parts, Body::from(body.to_vec()))).await
}

#[tokio::test]
async fn a_query_arrives_as_it_was_asked() {
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
    // Whoever reads the first value only, or the last, finds one company; whoever reads none, three.
    for (status, total) in [
        (json!(["ACTIVE", "CANCELLED"]), 2),
        (json!(["CANCELLED", "BEING_CANCELLED"]), 2),
        (json!(["CANCELLED"]), 1),
    ] {
        let query = json!({ "search": ["Zürcher & Söhne"], "status": status });
        let asked = event("GET", "/v1/companies", query, json!({}), Value::Null, "192.0.2.1");
        let answer = ask(&service, &asked).await;
        assert_eq!(
            (answer.status.as_u16(), &answer.body["total"]),
            (200, &json!(total)),
            "{status}: {}",
            answer.text
        );
    }
}

#[tokio::test]
async fn a_refusal_names_the_path_with_its_stage() {
    let service = Service::start().await;
    let unknown = event("GET", "/v1/nowhere", Value::Null, json!({}), Value::Null, "192.0.2.1");
    let unknown = ask(&service, &unknown).await;
    assert_eq!(
        (unknown.slug(), &unknown.body["instance"]),
        ("not-found", &json!("/api/v1/nowhere"))
    );
}

#[tokio::test]
async fn a_client_is_known_by_the_address_that_the_gateway_names() {
    let service = Service::start().await;
    let forged = json!({ "x-forwarded-for": ["203.0.113.9"] });
    for (address, remaining) in [("192.0.2.1", "59"), ("192.0.2.1", "58"), ("192.0.2.2", "59")] {
        let asked =
            event("GET", "/v1/companies/count", Value::Null, forged.clone(), Value::Null, address);
        assert_eq!(ask(&service, &asked).await.header("x-ratelimit-remaining"), Some(remaining));
    }
}

#[tokio::test]
async fn a_body_in_base64_is_read() {
    let service = Service::start().await;
    let key = service.key(Tier::Free).await;
    let headers = json!({
        "authorization": [format!("Bearer {key}")],
        "content-type": ["application/json"],
    });
    // {"name": "Nächtlich"}
    let body = json!("eyJuYW1lIjogIk7DpGNodGxpY2gifQ==");
    let asked = event("POST", "/v1/api-keys", Value::Null, headers, body, "192.0.2.1");
    let made = ask(&service, &asked).await;
    assert_eq!(
        (made.status.as_u16(), &made.body["name"]),
        (201, &json!("Nächtlich")),
        "{}",
        made.text
    );
}
