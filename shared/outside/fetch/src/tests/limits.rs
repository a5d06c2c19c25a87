//! Retries, pauses and limits.

use std::time::Duration;

use axum::{
    body::{Body, Bytes},
    response::{IntoResponse, Response},
};
use futures_util::{StreamExt, stream};
use sources::Page;
use tokio::time::Instant;

use super::fake_sources::{FakeSources, status, unexpected_request};
use crate::{Error, Fetcher};

fn list() -> Response {
    include_str!("answers/finma.csv").into_response()
}

fn too_many_requests(seconds: &'static str) -> Response {
    (status(429).status(), [("retry-after", seconds)]).into_response()
}

/// Fetches the list of licences; returns the duration and the size of the file.
async fn timed(fetcher: &Fetcher) -> (Duration, Result<usize, Error>) {
    let start = Instant::now();
    let fetched = fetcher.fetch(&Page::Finma).await;
    (start.elapsed(), fetched.map(|it| it.bytes.len()))
}

#[tokio::test(start_paused = true)]
async fn retry_after_is_respected() {
    let fake_sources = FakeSources::in_order([too_many_requests("17"), list()]);
    let (elapsed, fetched) = timed(&fake_sources.fetcher()).await;
    assert!(fetched.is_ok());
    assert!((17..19).contains(&elapsed.as_secs()), "{elapsed:?}");
}

#[tokio::test(start_paused = true)]
async fn long_retry_after_fails_at_once() {
    let fake_sources = FakeSources::in_order([too_many_requests("3600"), list()]);
    let (elapsed, fetched) = timed(&fake_sources.fetcher()).await;
    assert!(fetched.expect_err("not now").is_temporary());
    assert_eq!((elapsed.as_secs(), fake_sources.requests().len()), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn retry_after_applies_to_all_requests_to_the_host() {
    let fake_sources = FakeSources::from_fn(|request| match request.parameter("first").as_str() {
        "yes" => too_many_requests("40"),
        _ => "uid,fiscalYear\n".into_response(),
    });
    let fetcher = fake_sources.fetcher();
    let page = |address: &str| Page::Reports { address: address.to_owned() };
    let (first, second) =
        (page("https://a.example/?first=yes"), page("https://a.example/?first=no"));
    let start = Instant::now();
    let (first, second) = tokio::join!(fetcher.fetch(&first), fetcher.fetch(&second));
    assert!(first.is_err() && second.is_ok());
    let at = fake_sources.requests()[1].at - start;
    assert!(at.as_secs() >= 40, "{at:?}");
}

#[tokio::test(start_paused = true)]
async fn server_error_is_retried_with_increasing_pauses() {
    let fake_sources = FakeSources::in_order([status(500), status(503), status(502), list()]);
    let (elapsed, fetched) = timed(&fake_sources.fetcher()).await;
    assert!(fetched.is_ok());
    // One, two and four seconds, each with a jitter of up to 100 %.
    assert!((7..15).contains(&elapsed.as_secs()), "{elapsed:?}");
}

#[tokio::test(start_paused = true)]
async fn request_fails_after_three_retries() {
    let fake_sources = FakeSources::from_fn(|_| status(503));
    let (_, fetched) = timed(&fake_sources.fetcher()).await;
    let failure = fetched.expect_err("down");
    assert!(failure.is_temporary());
    assert_eq!(fake_sources.requests().len(), 4);
    let url = "https://www.finma.ch/en/~/media/finma/dokumente/bewilligungstraeger/csv/uid.csv";
    let message = format!("finma did not respond to `{url}`: 503 Service Unavailable");
    assert_eq!(failure.to_string(), message);
}

#[tokio::test(start_paused = true)]
async fn client_error_is_not_retried() {
    for code in [400, 401, 403, 404, 410] {
        let fake_sources = FakeSources::in_order([status(code), list()]);
        let (_, fetched) = timed(&fake_sources.fetcher()).await;
        let failure = fetched.expect_err("refused");
        assert!(!failure.is_temporary());
        assert_eq!(fake_sources.requests().len(), 1);
        assert!(failure.to_string().contains(&format!("uid.csv` with {code}")), "{failure}");
    }
}

#[tokio::test(start_paused = true)]
async fn timeout_is_retried() {
    let fake_sources = FakeSources::from_fn(|_| list()).with_delay(Duration::from_secs(61));
    let (elapsed, fetched) = timed(&fake_sources.fetcher()).await;
    let failure = fetched.expect_err("too slow");
    assert!(failure.is_temporary());
    assert!(failure.to_string().ends_with("no response within 60 seconds"), "{failure}");
    assert_eq!(fake_sources.requests().len(), 4);
    assert!(elapsed.as_secs() > 240, "{elapsed:?}");
}

#[tokio::test(start_paused = true)]
async fn incomplete_response_is_retried() {
    let broken = || {
        let pieces = [Ok(Bytes::from("Name,UID")), Err(std::io::Error::other("reset"))];
        Body::from_stream(stream::iter(pieces)).into_response()
    };
    let fake_sources = FakeSources::in_order([broken(), list()]);
    let (_, fetched) = timed(&fake_sources.fetcher()).await;
    assert_eq!(fetched.expect("the second"), include_str!("answers/finma.csv").len());
}

#[tokio::test(start_paused = true)]
async fn too_large_response_is_not_read_to_its_end() {
    // Twice the limit instead of endless, so that the test fails without exhausting memory if the limit is
    // not applied.
    let long = stream::iter(0..32).map(|_| Ok::<_, Error>(Bytes::from(vec![b' '; 1024 * 1024])));
    let fake_sources = FakeSources::in_order([Body::from_stream(long).into_response()]);
    let (_, fetched) = timed(&fake_sources.fetcher()).await;
    let failure = fetched.expect_err("too large");
    assert!(matches!(failure, Error::TooLarge { .. }) && !failure.is_temporary(), "{failure}");
    assert!(failure.to_string().ends_with("with more than 16777216 bytes"), "{failure}");
}

#[tokio::test(start_paused = true)]
async fn host_gets_one_request_at_a_time_with_a_pause() {
    let fake_sources = FakeSources::from_fn(|request| match request.host() {
        "a.example" | "b.example" => "uid,fiscalYear\n".into_response(),
        _ => unexpected_request(),
    })
    .with_delay(Duration::from_secs(5));
    let fetcher = fake_sources.fetcher();
    let start = Instant::now();
    let ask = async |address: &str| {
        let page = Page::Reports { address: address.to_owned() };
        fetcher.clone().fetch(&page).await.expect("fetched");
    };
    tokio::join!(
        ask("https://a.example/1"),
        ask("https://a.example/2"),
        ask("https://a.example/3"),
        ask("https://b.example/1"),
    );
    assert_eq!(fake_sources.max_concurrent_requests(), 1);
    let of_host = |host| {
        let request = fake_sources.requests().into_iter().filter(move |it| it.host() == host);
        request.map(|it| (it.at - start).as_secs()).collect::<Vec<_>>()
    };
    assert_eq!(of_host("a.example"), [0, 7, 14]);
    assert_eq!(of_host("b.example"), [0], "each host has its own limit");
}
