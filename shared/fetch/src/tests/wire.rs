//! Over connections of the loopback, with the client that is used in earnest. Its clock runs.

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

use super::played::{Played, settings};
use crate::Fetcher;

async fn served(played: &Played) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let at = listener.local_addr().expect("an address");
    let router = played.router();
    tokio::spawn(async move { axum::serve(listener, router).await });
    at
}

/// A fetcher that believes every host to be here.
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
    Fetcher::over(settings(), here)
}

#[tokio::test]
async fn a_packed_answer_is_unpacked_on_its_way() {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(include_bytes!("answers/finma.csv")).expect("packed");
    let packed = packed.finish().expect("packed");
    let answer = ([("content-encoding", "gzip")], packed);
    let played = Played::in_order([answer.into_response()]);
    let fetched = fetcher(served(&played).await).fetch(&Page::Finma).await.expect("fetched");
    assert_eq!(fetched.bytes, include_bytes!("answers/finma.csv"));
    let asked = played.asked().remove(0);
    assert_eq!(asked.host(), "www.finma.ch");
}

#[tokio::test]
async fn a_question_arrives_as_it_was_put() {
    let answer = r#"{"results": {"bindings": []}}"#;
    let played = Played::by(move |_| answer.into_response());
    let page = Page::Lindas { after: Some("https://register.ld.admin.ch/x".into()), day: None };
    let fetched = fetcher(served(&played).await).fetch(&page).await.expect("fetched");
    assert_eq!(fetched.next, []);
    let asked = played.asked().remove(0);
    assert_eq!(asked.headers["content-type"], "application/x-www-form-urlencoded");
    assert!(asked.body.starts_with("query=PREFIX%20schema"), "{}", asked.body);
}

/// Nobody listens there, so that the network is tried without leaving the machine.
#[tokio::test(start_paused = true)]
async fn a_host_that_is_not_there_may_be_there_later() {
    let page = Page::News { address: "https://127.0.0.1:1/rss".into(), number: 0 };
    let failure = Fetcher::new(settings()).fetch(&page).await.expect_err("nobody there");
    assert!(failure.is_temporary());
    assert!(failure.to_string().contains("tcp connect error"), "{failure}");
}
