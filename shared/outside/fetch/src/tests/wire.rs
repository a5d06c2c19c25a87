//! Tests over real loopback connections with the real client. The clock is not paused.

use std::{io::Write, net::SocketAddr};

use axum::response::IntoResponse;
use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use http::Uri;
use http_body_util::Full;
use hyper_util::{client::legacy::Client, rt::TokioExecutor};
use sources::Page;
use tokio::net::TcpListener;
use tower::ServiceExt;

use super::fake_sources::{FakeSources, settings};
use crate::Fetcher;

async fn served(fake_sources: &FakeSources) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let at = listener.local_addr().expect("an address");
    let router = fake_sources.router();
    tokio::spawn(async move { axum::serve(listener, router).await });
    at
}

/// A fetcher that connects to `at` for all hosts.
fn fetcher(at: SocketAddr) -> Fetcher {
    let client = Client::builder(TokioExecutor::new()).build_http::<Full<Bytes>>();
    let here = client.map_request(move |mut request: http::Request<Full<Bytes>>| {
        let path = request.uri().path_and_query().expect("a path").clone();
        let host = request.uri().authority().expect("a host").as_str().parse().expect("a header");
        request.headers_mut().insert("host", host);
        let uri = Uri::builder().scheme("http").authority(at.to_string()).path_and_query(path);
        *request.uri_mut() = uri.build().expect("an address");
        request
    });
    Fetcher::with_service(settings(), here)
}

#[tokio::test]
async fn compressed_response_is_decompressed() {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(include_bytes!("answers/finma.csv")).expect("packed");
    let packed = packed.finish().expect("packed");
    let answer = ([("content-encoding", "gzip")], packed);
    let fake_sources = FakeSources::in_order([answer.into_response()]);
    let fetched = fetcher(served(&fake_sources).await).fetch(&Page::Finma).await.expect("fetched");
    assert_eq!(fetched.bytes, include_bytes!("answers/finma.csv"));
    let request = fake_sources.requests().remove(0);
    assert_eq!(request.host(), "www.finma.ch");
}

#[tokio::test]
async fn post_request_arrives_with_its_form() {
    let answer = r#"{"results": {"bindings": []}}"#;
    let fake_sources = FakeSources::from_fn(move |_| answer.into_response());
    let page = Page::Lindas { after: Some("https://register.ld.admin.ch/x".into()), day: None };
    let fetched = fetcher(served(&fake_sources).await).fetch(&page).await.expect("fetched");
    assert_eq!(fetched.next, []);
    let request = fake_sources.requests().remove(0);
    assert_eq!(request.headers["content-type"], "application/x-www-form-urlencoded");
    assert!(request.body.starts_with("query=PREFIX%20schema"), "{}", request.body);
}

/// Connects to a closed local port, so that no request leaves the machine.
#[tokio::test(start_paused = true)]
async fn unreachable_host_is_a_temporary_error() {
    let page = Page::News { address: "https://127.0.0.1:1/rss".into(), number: 0 };
    let failure = Fetcher::new(settings()).fetch(&page).await.expect_err("nobody there");
    assert!(failure.is_temporary());
    assert!(failure.to_string().contains("tcp connect error"), "{failure}");
}
