//! Who is told what.

use axum::response::{IntoResponse, Response};
use jiff::civil::date;
use sources::Page;
use statements::Source;

use super::played::{Played, not_played, settings, status};
use crate::{Error, Fetcher, Settings};

/// `muster:geheim` in Base64.
const PAIR: &str = "bXVzdGVyOmdlaGVpbQ==";

fn moved(code: u16, to: &'static str) -> Response {
    (status(code).status(), [("location", to)]).into_response()
}

#[tokio::test(start_paused = true)]
async fn the_register_and_nobody_else_gets_the_account() {
    let played = Played::by(|asked| match asked.host() {
        "www.zefix.admin.ch" => moved(302, "https://elsewhere.example/"),
        "elsewhere.example" => "[]".into_response(),
        _ => include_str!("answers/feed.xml").into_response(),
    });
    let fetcher = played.fetcher();
    let day = Page::Zefix { day: date(2026, 3, 2) };
    let feed = Page::News { address: "https://bote.example/rss".into(), number: 0 };
    for page in [day, feed] {
        fetcher.fetch(&page).await.expect("fetched");
    }
    let told = |host: &str| {
        let asked = played.asked().into_iter().find(|it| it.host() == host).expect("asked");
        asked.headers.get("authorization").map(|it| it.to_str().expect("text").to_owned())
    };
    assert_eq!(told("www.zefix.admin.ch"), Some(format!("Basic {PAIR}")));
    assert_eq!((told("elsewhere.example"), told("bote.example")), (None, None));
}

#[tokio::test(start_paused = true)]
async fn the_account_is_printed_nowhere() {
    let played = Played::by(|_| status(401));
    let fetcher = played.fetcher();
    let day = Page::Zefix { day: date(2026, 3, 2) };
    let failure = fetcher.fetch(&day).await.expect_err("refused");
    assert!(!failure.is_temporary());
    for printed in [format!("{failure} {failure:?}"), format!("{fetcher:?} {:?}", settings())] {
        assert!(!printed.contains("geheim") && !printed.contains(PAIR), "{printed}");
    }
}

#[tokio::test(start_paused = true)]
async fn every_source_is_told_who_asks() {
    let played = Played::by(|_| include_str!("answers/finma.csv").into_response());
    played.fetcher().fetch(&Page::Finma).await.expect("fetched");
    let headers = &played.asked()[0].headers;
    let user_agent = headers["user-agent"].to_str().expect("text");
    let product = concat!("Gotthard/", env!("CARGO_PKG_VERSION"));
    assert_eq!(user_agent, format!("{product} (+mailto:post@gotthard.example)"));
    assert_eq!(headers["accept"], "text/csv");
    assert_eq!(headers["accept-encoding"], "gzip");
}

#[tokio::test(start_paused = true)]
async fn without_a_contact_nobody_is_asked_and_without_an_account_not_the_register() {
    let played = Played::by(|_| not_played());
    let nobody = Settings { contact: None, ..settings() };
    let unknown = Settings { zefix: None, ..settings() };
    let today = date(2026, 3, 2);
    assert!(Source::ALL.iter().all(|it| nobody.first(*it, None, today).is_empty()));
    assert_eq!(unknown.first(Source::Zefix, None, today), []);
    assert!(Source::ALL.iter().all(|it| !settings().first(*it, None, today).is_empty()));
    let day = Page::Zefix { day: today };
    let failures = [
        Fetcher::over(nobody, played.router()).fetch(&Page::Finma).await,
        Fetcher::over(unknown, played.router()).fetch(&day).await,
    ];
    let said = failures.map(|it| it.expect_err("not asked").to_string());
    assert_eq!(
        said,
        [
            "finma is not asked without FETCH_CONTACT",
            "zefix is not asked without ZEFIX_USER and ZEFIX_PASSWORD, or a readable ZEFIX_SECRET",
        ]
    );
    assert!(played.asked().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_redirect_leads_to_what_is_encrypted_and_not_on_for_ever() {
    let at = |path: &str| Page::Reports { address: format!("https://a.example/{path}") };
    let played = Played::by(|asked| match asked.address.path() {
        "/moved" => moved(308, "/here"),
        "/here" => "uid,fiscalYear\n".into_response(),
        "/round" => moved(301, "/round"),
        "/open" => moved(302, "http://a.example/here"),
        "/secret" => moved(302, "https://muster:geheim@a.example/here"),
        "/nowhere" => status(302),
        _ => not_played(),
    });
    let fetcher = played.fetcher();
    fetcher.fetch(&at("moved")).await.expect("fetched");
    for (path, reason) in [
        ("round", "it leads from place to place"),
        ("open", "it is not encrypted"),
        ("secret", "it bears credentials"),
    ] {
        let failure = fetcher.fetch(&at(path)).await.expect_err(path);
        assert!(matches!(failure, Error::NotAsked { .. }) && !failure.is_temporary());
        assert!(failure.to_string().ends_with(reason), "{failure}");
        assert!(!failure.to_string().contains("geheim"), "{failure}");
    }
    assert!(fetcher.fetch(&at("nowhere")).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn an_address_that_is_not_encrypted_or_none_is_not_asked() {
    let played = Played::by(|_| not_played());
    for address in ["http://a.example/", "file:///etc/passwd", "a.example", ""] {
        let page = Page::News { address: address.to_owned(), number: 0 };
        let failure = played.fetcher().fetch(&page).await.expect_err(address);
        assert!(matches!(failure, Error::NotAsked { .. }), "{failure}");
    }
    assert!(played.asked().is_empty());
}
