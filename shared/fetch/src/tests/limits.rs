//! What is asked again, what not, and how long we wait.

use std::time::Duration;

use axum::{
    body::{Body, Bytes},
    response::{IntoResponse, Response},
};
use futures_util::{StreamExt, stream};
use sources::Page;
use tokio::time::Instant;

use super::played::{Played, not_played, status};
use crate::{Error, Fetcher};

fn list() -> Response {
    include_str!("answers/finma.csv").into_response()
}

fn later(seconds: &'static str) -> Response {
    (status(429).status(), [("retry-after", seconds)]).into_response()
}

/// How long fetching the list of licences takes, and what comes of it.
async fn timed(fetcher: &Fetcher) -> (Duration, Result<usize, Error>) {
    let begun = Instant::now();
    let fetched = fetcher.fetch(&Page::Finma).await;
    (begun.elapsed(), fetched.map(|it| it.bytes.len()))
}

#[tokio::test(start_paused = true)]
async fn a_source_that_asks_for_a_pause_gets_it() {
    let played = Played::in_order([later("17"), list()]);
    let (took, fetched) = timed(&played.fetcher()).await;
    assert!(fetched.is_ok());
    assert!((17..19).contains(&took.as_secs()), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn a_source_that_asks_for_a_long_pause_is_left_to_a_later_job() {
    let played = Played::in_order([later("3600"), list()]);
    let (took, fetched) = timed(&played.fetcher()).await;
    assert!(fetched.expect_err("not now").is_temporary());
    assert_eq!((took.as_secs(), played.asked().len()), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn whoever_else_asks_the_host_waits_too() {
    let played = Played::by(|asked| match asked.parameter("first").as_str() {
        "yes" => later("40"),
        _ => "uid,fiscalYear\n".into_response(),
    });
    let fetcher = played.fetcher();
    let page = |address: &str| Page::Reports { address: address.to_owned() };
    let (first, second) =
        (page("https://a.example/?first=yes"), page("https://a.example/?first=no"));
    let begun = Instant::now();
    let (first, second) = tokio::join!(fetcher.fetch(&first), fetcher.fetch(&second));
    assert!(first.is_err() && second.is_ok());
    let at = played.asked()[1].at - begun;
    assert!(at.as_secs() >= 40, "{at:?}");
}

#[tokio::test(start_paused = true)]
async fn a_source_that_fails_is_asked_again_after_ever_longer_pauses() {
    let played = Played::in_order([status(500), status(503), status(502), list()]);
    let (took, fetched) = timed(&played.fetcher()).await;
    assert!(fetched.is_ok());
    // One, two and four seconds, each with up to as much again.
    assert!((7..15).contains(&took.as_secs()), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn a_source_that_goes_on_failing_is_left_alone() {
    let played = Played::by(|_| status(503));
    let (_, fetched) = timed(&played.fetcher()).await;
    let failure = fetched.expect_err("down");
    assert!(failure.is_temporary());
    assert_eq!(played.asked().len(), 4);
    let url = "https://www.finma.ch/en/~/media/finma/dokumente/bewilligungstraeger/csv/uid.csv";
    let said = format!("finma did not answer `{url}`: 503 Service Unavailable");
    assert_eq!(failure.to_string(), said);
}

#[tokio::test(start_paused = true)]
async fn what_is_refused_is_not_asked_again() {
    for code in [400, 401, 403, 404, 410] {
        let played = Played::in_order([status(code), list()]);
        let (_, fetched) = timed(&played.fetcher()).await;
        let failure = fetched.expect_err("refused");
        assert!(!failure.is_temporary());
        assert_eq!(played.asked().len(), 1);
        assert!(failure.to_string().contains(&format!("uid.csv` with {code}")), "{failure}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_takes_too_long_is_asked_for_again() {
    let played = Played::by(|_| list()).taking(Duration::from_secs(61));
    let (took, fetched) = timed(&played.fetcher()).await;
    let failure = fetched.expect_err("too slow");
    assert!(failure.is_temporary());
    assert!(failure.to_string().ends_with("not within 60 seconds"), "{failure}");
    assert_eq!(played.asked().len(), 4);
    assert!(took.as_secs() > 240, "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_breaks_off_is_asked_for_again() {
    let broken = || {
        let pieces = [Ok(Bytes::from("Name,UID")), Err(std::io::Error::other("reset"))];
        Body::from_stream(stream::iter(pieces)).into_response()
    };
    let played = Played::in_order([broken(), list()]);
    let (_, fetched) = timed(&played.fetcher()).await;
    assert_eq!(fetched.expect("the second"), include_str!("answers/finma.csv").len());
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_too_large_is_not_read_to_its_end() {
    // Twice the limit, and an end: where nothing limits, the test fails and the machine lives on.
    let long = stream::iter(0..32).map(|_| Ok::<_, Error>(Bytes::from(vec![b' '; 1024 * 1024])));
    let played = Played::in_order([Body::from_stream(long).into_response()]);
    let (_, fetched) = timed(&played.fetcher()).await;
    let failure = fetched.expect_err("too large");
    assert!(matches!(failure, Error::TooLarge { .. }) && !failure.is_temporary(), "{failure}");
    assert!(failure.to_string().ends_with("with more than 16777216 bytes"), "{failure}");
}

#[tokio::test(start_paused = true)]
async fn a_host_has_one_request_at_a_time_and_a_pause_behind_it() {
    let played = Played::by(|asked| match asked.host() {
        "a.example" | "b.example" => "uid,fiscalYear\n".into_response(),
        _ => not_played(),
    })
    .taking(Duration::from_secs(5));
    let fetcher = played.fetcher();
    let begun = Instant::now();
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
    assert_eq!(played.most_at_a_time(), 1);
    let of_host = |host| {
        let asked = played.asked().into_iter().filter(move |it| it.host() == host);
        asked.map(|it| (it.at - begun).as_secs()).collect::<Vec<_>>()
    };
    assert_eq!(of_host("a.example"), [0, 7, 14]);
    assert_eq!(of_host("b.example"), [0], "another host has its own turn");
}
