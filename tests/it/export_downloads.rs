//! The files of exports: as text in an answer, as an answer, and at their addresses.

use std::{collections::BTreeSet, io::Read};

use access::{Environment, Scope, Tier};
use auth::{Delegation, Principal, TeamId};
use axum::body::{Body, HttpBody};
use bytes::Bytes;
use domain::{Company, History, Uid};
use flate2::read::GzDecoder;
use http::{Request, StatusCode, header};
use http_body_util::BodyExt;
use hyper_util::{client::legacy::Client, rt::TokioExecutor};
use indexer::{About, Builder};
use serde_json::{Value, json};
use teams::{
    Export, ExportFormat, ExportRows, SearchParams,
    export::{ExportedFile, Started},
};
use tests::{Service, operator};
use tower::ServiceExt;
use uuid::Uuid;

use super::{
    exports::{PATH, expected, exported, service, uids},
    lambda::{event, stream},
};

#[tokio::test]
async fn the_data_in_an_answer_is_the_file_and_its_address_works() {
    let (service, key) = service().await;
    for (format, kind) in [
        ("ndjson", "application/x-ndjson; charset=utf-8"),
        ("csv", "text/csv; charset=utf-8"),
        ("parquet", "application/vnd.apache.parquet"),
    ] {
        let body = json!({ "format": format, "maxRows": 3 });
        let id = exported(&service, &key, body).await;
        let answer = service.get_as(&key, &format!("{PATH}/{id}")).await;
        let file = service.get_as(&key, &format!("{PATH}/{id}/download")).await;
        assert_eq!(file.header("content-type"), Some(kind));
        let name = format!("attachment; filename=\"export-{id}.{format}\"");
        assert_eq!(file.header("content-disposition"), Some(name.as_str()));
        let omitted = answer.body["job"]["dataOmitted"].as_str();
        match format {
            "parquet" => {
                assert!(answer.body.get("data").is_none(), "{answer:?}");
                assert!(omitted.is_some_and(|it| it.contains("not text")), "{answer:?}");
            }
            _ => {
                assert_eq!(answer.body["data"].as_str(), Some(file.text.as_str()));
                assert_eq!(omitted, None);
            }
        }
        assert_eq!(uids(format, &file.bytes), expected(|it| *it < 3));
        let address = answer.body["job"]["downloadUrl"].as_str().expect("an address");
        assert_eq!(fetched(address).await, file.bytes);
    }
}

/// The bytes at an address, which anyone can read.
async fn fetched(address: &str) -> Bytes {
    let client = Client::builder(TokioExecutor::new()).build_http::<Body>();
    let answer = client.get(address.parse().expect("an address")).await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::OK);
    answer.into_body().collect().await.expect("a body").to_bytes()
}

/// A text of this many bytes, with everything that is escaped in JSON.
fn text(size: usize) -> String {
    let line = "{\"uid\":\"CHE-100.000.003\",\"name\":\"Zürcher \\\"Söhne\\\"\\tAG\"}\n";
    let whole = size / line.len();
    let mut text = line.repeat(whole);
    text.extend(std::iter::repeat_n('x', size - text.len()));
    text
}

/// An export of a team that is complete, with a file of this size. Stored as the worker stores it, but `content` is optional.
async fn stored(service: &Service, team: &TeamId, size: u64, content: Option<&str>) -> Uuid {
    let (now, token, team) = (service.now(), Uuid::new_v4(), operator(team.clone()));
    let rows = ExportRows::Companies {
        filter: SearchParams::default(),
        tagged: None,
        columns: None,
        max_rows: None,
    };
    let export = Export::new(
        uuid::Uuid::now_v7(),
        rows,
        ExportFormat::Ndjson,
        "a",
        Delegation::new(Principal::user("a-user"), now),
    );
    let key = format!("exports/{}/{token}", export.id);
    if let Some(content) = content {
        service.cloud.objects.put(&key, content.to_owned()).await.expect("stored");
    }
    let Started::Leased(started) = export.started(token, now) else { panic!("not leased") };
    let completed = started.completed(token, &ExportedFile { key, size, rows: 1 }, now);
    let completed = completed.expect("leased");
    service.cloud.tenants.create_export(&team, &completed, now).await.expect("stored");
    completed.id
}

/// How an answer reaches the client.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// From a server on this machine.
    Local,
    /// From Lambda's streaming runtime, which the gateway calls.
    Lambda,
}

/// The body of an answer, decompressed, and its tag.
async fn answered(
    service: &Service,
    way: Way,
    key: &str,
    path: &str,
    encoding: &str,
) -> (Vec<u8>, String) {
    let bearer = format!("Bearer {key}");
    let (received, tag, body) = match way {
        Way::Local => {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
            let address = listener.local_addr().expect("an address");
            let router = service.router();
            let router = router.into_make_service_with_connect_info::<std::net::SocketAddr>();
            let server = tokio::spawn(async move { axum::serve(listener, router).await });
            let request = Request::get(format!("http://{address}{path}"))
                .header(header::AUTHORIZATION, bearer)
                .header(header::ACCEPT_ENCODING, encoding)
                .body(Body::empty())
                .expect("a request");
            let client = Client::builder(TokioExecutor::new()).build_http::<Body>();
            let answer = client.request(request).await.expect("an answer");
            assert_eq!(answer.status(), StatusCode::OK);
            let header = |name: &str| {
                let value = answer.headers().get(name).map(|it| it.to_str().expect("text"));
                value.unwrap_or_default().to_owned()
            };
            let (received, tag) = (header("content-encoding"), header("etag"));
            let body = answer.into_body().collect().await.expect("a body").to_bytes().to_vec();
            server.abort();
            (received, tag, body)
        }
        Way::Lambda => {
            let headers = json!({ "authorization": [bearer], "accept-encoding": [encoding] });
            let request = event("GET", path, Value::Null, headers, Value::Null, "192.0.2.1");
            let (prelude, body) = stream(service, &request).await;
            assert_eq!(prelude["statusCode"], 200, "{prelude}");
            let header = |name| prelude["headers"][name].as_str().unwrap_or_default().to_owned();
            (header("content-encoding"), header("etag"), body)
        }
    };
    match received.as_str() {
        "gzip" => {
            let mut whole = Vec::new();
            GzDecoder::new(&body[..]).read_to_end(&mut whole).expect("gzip");
            (whole, tag)
        }
        _ => {
            assert_eq!(encoding, "identity");
            (body, tag)
        }
    }
}

#[tokio::test]
async fn files_are_streamed_whole_below_and_above_the_limit_of_the_text_in_an_answer() {
    let service = Service::start().await;
    let team = service.team(Tier::Enterprise).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    for (size, is_inline) in [(9_900_000, true), (10_100_000, false)] {
        let content = text(size);
        let path = format!("{PATH}/{}", stored(&service, &team, size as u64, Some(&content)).await);
        for (way, encoding) in [
            (Way::Local, "identity"),
            (Way::Local, "gzip"),
            (Way::Lambda, "identity"),
            (Way::Lambda, "gzip"),
        ] {
            let (answer, tag) = answered(&service, way, &key, &path, encoding).await;
            let answer: Value = serde_json::from_slice(&answer).expect("JSON");
            assert_eq!(answer["job"]["fileSizeBytes"], size);
            let data = answer.get("data").and_then(Value::as_str);
            assert!(data == is_inline.then_some(content.as_str()), "{size} {way:?} {encoding}");
            let omitted = answer["job"].get("dataOmitted");
            assert_eq!(omitted.is_none(), is_inline, "{size} {way:?} {encoding}: {omitted:?}");
            assert_eq!(tag.len(), 66, "{tag}");
            let download = format!("{path}/download");
            let (file, tag) = answered(&service, way, &key, &download, encoding).await;
            assert!(file == content.as_bytes(), "{size} {way:?} {encoding}: {}", file.len());
            assert_eq!(tag.len(), 66, "{tag}");
        }
    }
}

#[tokio::test]
async fn a_file_is_not_in_memory_and_has_a_tag_that_stays() {
    let service = Service::start().await;
    let team = service.team(Tier::Enterprise).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let content = text(100_000);
    let path = format!("{PATH}/{}", stored(&service, &team, 100_000, Some(&content)).await);
    let download = format!("{path}/download");
    for path in [&path, &download] {
        let request = tests::bearing(&key, Request::get(path.as_str()));
        let request = request.body(Body::empty()).expect("a request");
        let answer = service.router().oneshot(request).await.expect("infallible");
        assert_eq!(answer.status(), StatusCode::OK);
        assert_eq!(answer.body().size_hint().exact(), None, "{path}");
    }
    let answer = service.get_as(&key, &download).await;
    assert_eq!(answer.header("cache-control"), Some("private, no-cache"));
    let tag = answer.header("etag").expect("a tag").to_owned();
    let request = Request::get(download.as_str()).header(header::IF_NONE_MATCH, &tag);
    let again = service.send(tests::bearing(&key, request)).await;
    assert_eq!((again.status, again.bytes.len()), (StatusCode::NOT_MODIFIED, 0));
    assert_eq!(again.header("etag"), Some(tag.as_str()));
    let other = format!("{PATH}/{}", stored(&service, &team, 100_000, Some(&content)).await);
    let other = service.get_as(&key, &format!("{other}/download")).await;
    assert_ne!(other.header("etag"), Some(tag.as_str()), "another export");
}

#[tokio::test]
async fn a_team_reads_few_files_because_each_occupies_a_function() {
    let service = Service::start().await;
    let team = service.team(Tier::Enterprise).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let path = format!("{PATH}/{}", stored(&service, &team, 10, Some(&text(10))).await);
    let download = format!("{path}/download");
    for _ in 0..30 {
        assert_eq!(service.get_as(&key, &path).await.status, StatusCode::OK);
        assert_eq!(service.get_as(&key, &download).await.status, StatusCode::OK);
    }
    for path in [&path, &download] {
        let refused = service.get_as(&key, path).await;
        assert_eq!((refused.status.as_u16(), refused.slug()), (429, "rate-limit-exceeded"));
        assert_eq!(refused.body["violatedPolicies"], json!(["downloads"]));
    }
    service.pass_seconds(600);
    assert_eq!(service.get_as(&key, &download).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_file_that_lambda_cannot_stream_is_only_at_its_address() {
    let service = Service::start().await;
    let team = service.team(Tier::Enterprise).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let id = stored(&service, &team, 200_000_001, None).await;
    let refused = service.get_as(&key, &format!("{PATH}/{id}/download")).await;
    assert_eq!(refused.status, StatusCode::NOT_FOUND, "{refused:?}");
    for reason in ["200000001 bytes", "`job.downloadUrl`", "`maxRows`"] {
        assert!(refused.detail().contains(reason), "{refused:?}");
    }
    let answer = service.get_as(&key, &format!("{PATH}/{id}")).await;
    assert!(answer.body["job"]["downloadUrl"].is_string(), "{answer:?}");
    let omitted = answer.body["job"]["dataOmitted"].as_str().unwrap_or_default();
    let download = format!("`GET /v1/exports/{id}/download` returns files of up to 200 MB");
    for reason in ["200000001 bytes", download.as_str(), "`downloadUrl`", "`maxRows`"] {
        assert!(omitted.contains(reason), "{answer:?}");
    }
}

#[tokio::test]
async fn a_large_file_is_uploaded_in_parts_and_is_not_a_text_in_an_answer() {
    let service = Service::start().await;
    let key = service.key(Tier::Enterprise).await;
    let mut builder = Builder::new(jiff::civil::date(2026, 10, 30));
    for number in 0..60_000 {
        let uid = Uid::from_number(100_000_000 + number).expect("nine digits");
        let company = Company::new(uid, format!("{number} {}", "Muster AG ".repeat(18)));
        builder.push(&company, &History::default()).expect("added");
    }
    let (objects, folder) = (&service.cloud.objects, service.downloads.path());
    let about =
        About { built_at: service.now(), registry_version: 0, as_of_sequence: 0, left_out: 0 };
    builder.publish(objects, folder, about).await.expect("published");
    service.generations.refresh().await.expect("opened");
    let id = exported(&service, &key, json!({})).await;
    let answer = service.get_as(&key, &format!("{PATH}/{id}")).await;
    let size = answer.body["job"]["fileSizeBytes"].as_u64().expect("a size");
    assert!(size > 10_000_000 && answer.body.get("data").is_none(), "{size}");
    let download = service.get_as(&key, &format!("{PATH}/{id}/download")).await;
    assert_eq!(download.bytes.len() as u64, size);
    let address = answer.body["job"]["downloadUrl"].as_str().expect("an address");
    let file = fetched(address).await;
    assert_eq!(file, download.bytes);
    let uids: BTreeSet<String> = uids("ndjson", &file).into_iter().collect();
    assert_eq!(uids.len(), 60_000);
    assert_eq!(objects.abort_uploads("exports/").await.expect("listed"), 0);
}
