//! Credentials, the `User-Agent` header and allowed addresses.

use axum::response::{IntoResponse, Response};
use domain::Source;
use jiff::civil::date;
use sources::Page;

use super::fake_sources::{FakeSources, settings, status, unexpected_request};
use crate::{Error, Fetcher, Settings};

/// `muster:geheim` in Base64.
const PAIR: &str = "bXVzdGVyOmdlaGVpbQ==";

fn moved(code: u16, to: &'static str) -> Response {
    (status(code).status(), [("location", to)]).into_response()
}

#[tokio::test(start_paused = true)]
async fn account_is_sent_only_to_the_register() {
    let fake_sources = FakeSources::from_fn(|request| match request.host() {
        "www.zefix.admin.ch" => moved(302, "https://elsewhere.example/"),
        "elsewhere.example" => "[]".into_response(),
        _ => include_str!("answers/feed.xml").into_response(),
    });
    let fetcher = fake_sources.fetcher();
    let day = Page::Zefix { day: date(2026, 3, 2) };
    let feed = Page::News { address: "https://bote.example/rss".into(), number: 0 };
    for page in [day, feed] {
        fetcher.fetch(&page).await.expect("fetched");
    }
    let authorization_at = |host: &str| {
        let request =
            fake_sources.requests().into_iter().find(|it| it.host() == host).expect("request");
        request.headers.get("authorization").map(|it| it.to_str().expect("text").to_owned())
    };
    assert_eq!(authorization_at("www.zefix.admin.ch"), Some(format!("Basic {PAIR}")));
    assert_eq!(
        (authorization_at("elsewhere.example"), authorization_at("bote.example")),
        (None, None)
    );
}

#[tokio::test(start_paused = true)]
async fn account_is_not_printed() {
    let fake_sources = FakeSources::from_fn(|_| status(401));
    let fetcher = fake_sources.fetcher();
    let day = Page::Zefix { day: date(2026, 3, 2) };
    let failure = fetcher.fetch(&day).await.expect_err("refused");
    assert!(!failure.is_temporary());
    for printed in [format!("{failure} {failure:?}"), format!("{fetcher:?} {:?}", settings())] {
        assert!(!printed.contains("geheim") && !printed.contains(PAIR), "{printed}");
    }
}

#[tokio::test(start_paused = true)]
async fn user_agent_contains_the_contact() {
    let fake_sources = FakeSources::from_fn(|_| include_str!("answers/finma.csv").into_response());
    fake_sources.fetcher().fetch(&Page::Finma).await.expect("fetched");
    let headers = &fake_sources.requests()[0].headers;
    let user_agent = headers["user-agent"].to_str().expect("text");
    let product = concat!("Gotthard/", env!("CARGO_PKG_VERSION"));
    assert_eq!(user_agent, format!("{product} (+mailto:post@gotthard.example)"));
    assert_eq!(headers["accept"], "text/csv");
    assert_eq!(headers["accept-encoding"], "gzip");
}

#[tokio::test(start_paused = true)]
async fn nothing_is_fetched_without_contact_and_register_needs_an_account() {
    let fake_sources = FakeSources::from_fn(|_| unexpected_request());
    let without_contact = Settings { contact: None, ..settings() };
    let without_account = Settings { zefix: None, ..settings() };
    let today = date(2026, 3, 2);
    assert!(Source::ALL.iter().all(|it| without_contact.first_pages(*it, None, today).is_empty()));
    assert_eq!(without_account.first_pages(Source::Zefix, None, today), []);
    assert!(Source::ALL.iter().all(|it| !settings().first_pages(*it, None, today).is_empty()));
    let day = Page::Zefix { day: today };
    let failures = [
        Fetcher::with_service(without_contact, fake_sources.router()).fetch(&Page::Finma).await,
        Fetcher::with_service(without_account, fake_sources.router()).fetch(&day).await,
    ];
    let messages = failures.map(|it| it.expect_err("an error").to_string());
    assert_eq!(
        messages,
        [
            "finma requires FETCH_CONTACT",
            "zefix requires ZEFIX_USER and ZEFIX_PASSWORD, or ZEFIX_SECRET",
        ]
    );
    assert!(fake_sources.requests().is_empty());
}

#[tokio::test(start_paused = true)]
async fn redirects_must_use_https_and_are_limited() {
    let at = |path: &str| Page::Reports { address: format!("https://a.example/{path}") };
    let fake_sources = FakeSources::from_fn(|request| match request.address.path() {
        "/moved" => moved(308, "/here"),
        "/here" => "uid,fiscalYear\n".into_response(),
        "/round" => moved(301, "/round"),
        "/open" => moved(302, "http://a.example/here"),
        "/secret" => moved(302, "https://muster:geheim@a.example/here"),
        "/nowhere" => status(302),
        _ => unexpected_request(),
    });
    let fetcher = fake_sources.fetcher();
    fetcher.fetch(&at("moved")).await.expect("fetched");
    for (path, reason) in [
        ("round", "too many redirects"),
        ("open", "it does not use HTTPS"),
        ("secret", "it contains credentials"),
    ] {
        let failure = fetcher.fetch(&at(path)).await.expect_err(path);
        assert!(matches!(failure, Error::InvalidAddress { .. }) && !failure.is_temporary());
        assert!(failure.to_string().ends_with(reason), "{failure}");
        assert!(!failure.to_string().contains("geheim"), "{failure}");
    }
    assert!(fetcher.fetch(&at("nowhere")).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn query_of_a_redirect_is_sent_but_in_no_error() {
    let fake_sources = FakeSources::from_fn(|request| match request.address.path() {
        "/refused" => moved(302, "/signed/403?Signature=geheim#geheim"),
        "/failed" => moved(302, "/signed/503?Signature=geheim"),
        "/open" => moved(302, "http://a.example/signed?Signature=geheim"),
        "/invalid" => moved(302, "https://a b/signed?Signature=geheim"),
        "/signed/403" if request.parameter("Signature") == "geheim" => status(403),
        "/signed/503" if request.parameter("Signature") == "geheim" => status(503),
        _ => unexpected_request(),
    });
    let fetcher = fake_sources.fetcher();
    for (path, shown) in [
        ("refused", "`https://a.example/signed/403` with 403 Forbidden"),
        ("failed", "`https://a.example/signed/503`: 503 Service Unavailable"),
        ("open", "`http://a.example/signed`"),
        ("invalid", "`https://a b/signed`"),
    ] {
        let page = Page::Reports { address: format!("https://a.example/{path}?key=geheim") };
        let failure = fetcher.fetch(&page).await.expect_err(path);
        let texts = format!("{failure} {failure:?}");
        assert!(texts.contains(shown) && !texts.contains("geheim"), "{texts}");
    }
}

#[tokio::test(start_paused = true)]
async fn only_https_addresses_are_requested() {
    let fake_sources = FakeSources::from_fn(|_| unexpected_request());
    for address in ["http://a.example/", "file:///etc/passwd", "a.example", ""] {
        let page = Page::News { address: address.to_owned(), number: 0 };
        let failure = fake_sources.fetcher().fetch(&page).await.expect_err(address);
        assert!(matches!(failure, Error::InvalidAddress { .. }), "{failure}");
    }
    assert!(fake_sources.requests().is_empty());
}
