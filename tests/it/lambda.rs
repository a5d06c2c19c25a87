//! Requests as events of the API gateway (REST API): multi-value query and headers, base64 bodies, the stage in
//! the path, the client's address in the request context.

use std::io::Read;

use access::Tier;
use axum::body::Body;
use base64::{Engine, prelude::BASE64_STANDARD};
use bytes::Bytes;
use domain::Status;
use flate2::read::GzDecoder;
use futures_util::TryStreamExt;
use http::Request;
use http_service::streaming::streamed;
use lambda_http::{LambdaEvent, Service as _, StreamAdapter, request::LambdaRequest};
use serde_json::{Value, json};
use tests::{Answer, Service, company};

pub(crate) fn event(
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

/// Sends an event to the service as Lambda's streaming runtime does: the prelude of the answer, and its body.
pub(crate) async fn stream(service: &Service, event: &Value) -> (Value, Vec<u8>) {
    let event: LambdaRequest = serde_json::from_value(event.clone()).expect("an event");
    let mut runtime = StreamAdapter::from(streamed(service.router()));
    let event = LambdaEvent::new(event, lambda_http::Context::default());
    let answer = runtime.call(event).await.expect("infallible");
    let parts: Vec<Bytes> = answer.stream.try_collect().await.expect("a body");
    (serde_json::to_value(answer.metadata_prelude).expect("json"), parts.concat())
}

#[tokio::test]
async fn a_streamed_answer_is_whole() {
    let name = "Zürcher Söhne AG ".repeat(1_000);
    let companies = (0..700).map(|number| {
        let uid = domain::Uid::from_number(100_000_000 + number).expect("nine digits");
        company(&uid.to_string(), &format!("{name}{number}"))
    });
    let service = Service::with(companies).await;
    let key = service.key(Tier::Professional).await;
    let send = async |body: Value, encoding: &str| {
        let headers = json!({
            "accept-encoding": [encoding],
            "authorization": [format!("Bearer {key}")],
            "content-type": ["application/json"],
        });
        let body = json!(BASE64_STANDARD.encode(body.to_string()));
        let path = "/v1/companies/export/excel";
        stream(&service, &event("POST", path, Value::Null, headers, body, "192.0.2.1")).await
    };
    let all = json!({ "fields": ["uid", "name"] });

    // Larger than a buffered answer may be.
    let (prelude, plain) = send(all.clone(), "identity").await;
    assert_eq!(prelude["statusCode"], 200);
    assert_eq!(prelude["headers"]["content-type"], "text/csv; charset=utf-8");
    assert!(plain.len() > 11_000_000, "{}", plain.len());
    let text = String::from_utf8(plain.clone()).expect("text");
    assert_eq!(text.lines().count(), 701);
    assert!(text.trim_end().ends_with(&format!("{name}699")));

    let (prelude, compressed) = send(all, "gzip").await;
    assert_eq!(prelude["headers"]["content-encoding"], "gzip");
    let vary = prelude["headers"]["vary"].as_str().expect("one value").to_lowercase();
    assert!(vary.contains("accept-encoding") && vary.contains("accept,"), "{vary}");
    let mut read = Vec::new();
    GzDecoder::new(&compressed[..]).read_to_end(&mut read).expect("gzip");
    assert!(read == plain && compressed.len() * 10 < plain.len(), "{}", compressed.len());

    let (prelude, small) = send(json!({ "filter": { "canton": "UR" } }), "gzip").await;
    assert_eq!((&prelude["statusCode"], small.is_empty()), (&json!(200), false));

    let (prelude, problem) = send(json!({ "fields": ["colour"] }), "gzip").await;
    assert_eq!(prelude["statusCode"], 400);
    assert_eq!(prelude["headers"]["content-type"], "application/problem+json");
    let problem: Value = serde_json::from_slice(&problem).expect("a problem");
    assert_eq!(problem["errors"][0]["member"], "fields");
}

/// The bytes that a local server answers arrive through the runtime of Lambda, whether the client accepts compressed answers or not.
#[tokio::test]
async fn files_that_are_no_text_are_streamed_whole() {
    let companies = (0..40_000).map(|number| {
        let uid = domain::Uid::from_number(100_000_000 + number).expect("nine digits");
        company(&uid.to_string(), &format!("Zürcher Söhne {number} AG"))
    });
    let service = Service::with(companies).await;
    let key = service.key(Tier::Enterprise).await;
    let names = json!({ "fields": ["uid", "name"], "format": "parquet" });
    let export = service.post_as(&key, "/v1/exports", names).await.body["id"].clone();
    service.run_exports().await;
    let download = format!("/v1/exports/{}/download", export.as_str().expect("an id"));
    let workbook = json!({ "fields": ["uid", "name"], "format": "xlsx" });
    let profile = "/v1/companies/CHE-100.000.007/profile.pdf";
    for (path, body, kind, start, end, size) in [
        (
            "/v1/companies/export/excel",
            Some(workbook),
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            &b"PK\x03\x04"[..],
            &b""[..],
            500_000,
        ),
        (profile, None, "application/pdf", b"%PDF-1.7", b"%%EOF", 10_000),
        (&download, None, "application/vnd.apache.parquet", b"PAR1", b"PAR1", 300_000),
    ] {
        let local = match &body {
            Some(body) => service.post_as(&key, path, body.clone()).await,
            None => service.get_as(&key, path).await,
        };
        assert_eq!(local.status, 200, "{path}: {}", local.text);
        let file = &local.bytes;
        assert!(file.len() > size, "{path}: {}", file.len());
        assert!(file.starts_with(start) && file.trim_ascii_end().ends_with(end), "{path}");
        for encoding in ["identity", "gzip"] {
            let headers = json!({
                "accept-encoding": [encoding],
                "authorization": [format!("Bearer {key}")],
                "content-type": ["application/json"],
            });
            let method = if body.is_some() { "POST" } else { "GET" };
            let sent = body.as_ref().map(|it| json!(BASE64_STANDARD.encode(it.to_string())));
            let sent = sent.unwrap_or_default();
            let request = event(method, path, Value::Null, headers, sent, "192.0.2.1");
            let (prelude, received) = stream(&service, &request).await;
            assert_eq!(prelude["statusCode"], 200, "{path}: {prelude}");
            assert_eq!(prelude["headers"]["content-type"], kind);
            let disposition = local.header("content-disposition");
            assert_eq!(prelude["headers"]["content-disposition"].as_str(), disposition, "{path}");
            let whole = match prelude["headers"]["content-encoding"].as_str() {
                Some("gzip") => {
                    let mut whole = Vec::new();
                    GzDecoder::new(&received[..]).read_to_end(&mut whole).expect("gzip");
                    whole
                }
                _ => received,
            };
            assert!(whole == file[..], "{path} {encoding}: {} bytes", whole.len());
        }
    }
}
