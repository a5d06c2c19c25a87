//! Sign-in with links: use, expiry, limits, languages and redirects.

use access::{Environment, Role, Scope, Tier};
use http::{Request, StatusCode, header};
use serde_json::{Value, json};
use tests::{Answer, Service, bearing, from, link_token};

const LINK: &str = "/v1/auth/magic-link";
const VERIFY: &str = "/v1/auth/magic-link/verify";
const EVA: &str = "eva.muster@example.ch";

async fn post(service: &Service, path: &str, body: Value) -> Answer {
    let request = Request::post(path).header(header::CONTENT_TYPE, "application/json");
    service.send_with(request, body.to_string()).await
}

/// The token of a link that was just sent to this address.
async fn link_to(service: &Service, email: &str) -> String {
    let sent = post(service, LINK, json!({ "email": email })).await;
    assert_eq!(sent.status, StatusCode::ACCEPTED, "{}", sent.text);
    let mail = service.mails().into_iter().next().expect("a mail");
    assert_eq!(mail.to, email.to_lowercase());
    link_token(&mail)
}

async fn verify(service: &Service, token: &str) -> Answer {
    post(service, VERIFY, json!({ "token": token })).await
}

#[tokio::test]
async fn the_first_link_creates_a_user_and_a_free_team_and_later_links_sign_in_the_same_user() {
    let service = Service::start().await;
    let signed_in = verify(&service, &link_to(&service, EVA).await).await;
    assert_eq!(signed_in.status, StatusCode::OK, "{}", signed_in.text);
    assert_eq!(signed_in.header("cache-control"), Some("no-store"));
    assert_eq!(signed_in.body["tokenType"], "Bearer");
    assert_eq!(signed_in.body["expiresAt"], "2026-11-21T00:30:00Z");
    let token = signed_in.body["token"].as_str().expect("a token");
    let me = service.get_as(token, "/v1/auth/me").await;
    assert_eq!(me.status, StatusCode::OK, "{}", me.text);
    assert_eq!(
        me.body,
        json!({
            "user": signed_in.body["user"], "team": signed_in.body["team"], "tier": "free",
            "role": "owner", "authMethod": "session", "scopes": ["read", "write", "manage"],
        })
    );
    assert_eq!(me.body["team"]["name"], "eva.muster");
    assert_eq!(service.get_as(token, "/v1/companies/count").await.status, StatusCode::OK);

    let again = verify(&service, &link_to(&service, "Eva.Muster@Example.ch").await).await;
    assert_eq!(
        (&again.body["user"], &again.body["team"]),
        (&signed_in.body["user"], &signed_in.body["team"])
    );
    assert_ne!(again.body["token"], signed_in.body["token"]);
}

#[tokio::test]
async fn an_api_key_is_a_caller_without_a_user() {
    let service = Service::start().await;
    let key = service.key(Tier::Starter).await;
    let me = service.get_as(&key, "/v1/auth/me").await;
    assert_eq!((&me.body["authMethod"], &me.body["tier"]), (&json!("apiKey"), &json!("starter")));
    assert!(me.body.get("user").is_none() && me.body.get("role").is_none(), "{}", me.text);
}

#[tokio::test]
async fn a_link_works_once() {
    let service = Service::start().await;
    let token = link_to(&service, EVA).await;
    assert_eq!(verify(&service, &token).await.status, StatusCode::OK);
    let again = verify(&service, &token).await;
    assert_eq!((again.status, again.slug()), (StatusCode::UNAUTHORIZED, "unauthorized"));

    // Of requests at the same time, one signs in.
    let token = link_to(&service, EVA).await;
    let requests = (0..8).map(|_| verify(&service, &token));
    let answers = futures_util::future::join_all(requests).await;
    let succeeded = answers.iter().filter(|it| it.status == StatusCode::OK);
    assert_eq!(succeeded.count(), 1, "{answers:?}");
}

#[tokio::test]
async fn two_first_links_used_at_the_same_time_create_one_user() {
    let service = Service::start().await;
    let tokens = [link_to(&service, EVA).await, link_to(&service, EVA).await];
    let answers =
        futures_util::future::join_all(tokens.iter().map(|it| verify(&service, it))).await;
    assert!(answers.iter().all(|it| it.status == StatusCode::OK), "{answers:?}");
    assert_eq!(answers[0].body["user"]["id"], answers[1].body["user"]["id"]);
    assert_eq!(answers[0].body["team"], answers[1].body["team"]);
}

#[tokio::test]
async fn a_link_expires_after_15_minutes_and_a_guess_is_refused() {
    let service = Service::start().await;
    let (one, other) = (link_to(&service, EVA).await, link_to(&service, EVA).await);
    service.pass_seconds(15 * 60 - 1);
    assert_eq!(verify(&service, &one).await.status, StatusCode::OK);
    service.pass_seconds(1);
    assert_eq!(verify(&service, &other).await.status, StatusCode::UNAUTHORIZED);

    let guess = auth::OneTimeToken::generate();
    assert_eq!(verify(&service, guess.expose()).await.status, StatusCode::UNAUTHORIZED);
    for malformed in ["", "x", &"x".repeat(44)] {
        let refused = verify(&service, malformed).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{malformed}");
        assert_eq!(refused.body["errors"][0]["member"], "token");
    }
}

#[tokio::test]
async fn opening_a_link_uses_up_nothing_and_its_page_loads_and_sends_nothing_else() {
    let service = Service::start().await;
    let token = link_to(&service, EVA).await;
    for _ in 0..3 {
        let page = service.get(&format!("{VERIFY}?token={token}")).await;
        assert_eq!(page.status, StatusCode::OK, "{}", page.text);
        assert!(page.header("content-type").is_some_and(|it| it.starts_with("text/html")));
        assert!(page.text.contains(&format!("value=\"{token}\"")), "{}", page.text);
        assert!(!page.text.contains("<script"), "{}", page.text);
        let policy = page.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(policy.contains("form-action 'self' https://app.example;"), "{policy}");
        assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(page.header("cache-control"), Some("no-store"));
    }
    let refused = service.get(&format!("{VERIFY}?token=%22%3E%3Cscript%3E")).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert!(!refused.text.contains("<script"), "{}", refused.text);
    assert_eq!(verify(&service, &token).await.status, StatusCode::OK);
}

/// What a browser sends when the button of the page is pressed.
async fn press(service: &Service, token: &str) -> Answer {
    let request = Request::post(VERIFY)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .header(header::ACCEPT, "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8");
    service.send_with(request, format!("token={token}")).await
}

#[tokio::test]
async fn the_button_of_the_page_signs_in() {
    let service = Service::start().await;
    let page = press(&service, &link_to(&service, EVA).await).await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    assert!(page.header("content-security-policy").is_some());
    let (_, rest) = page.text.split_once("readonly>").expect("a token");
    let (session, _) = rest.split_once('<').expect("a token");
    assert_eq!(service.get_as(session, "/v1/auth/me").await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_link_continues_only_at_an_allowed_origin() {
    let service = Service::start().await;
    for address in ["https://evil.example/", "https://app.example@evil.example/", "/x", "https:app"]
    {
        let refused = post(&service, LINK, json!({ "email": EVA, "redirectUrl": address })).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{address}");
        assert_eq!(refused.body["errors"][0]["member"], "redirectUrl");
    }
    assert_eq!(service.mails(), []);

    let body = json!({ "email": EVA, "redirectUrl": "https://app.example/welcome?x=1" });
    assert_eq!(post(&service, LINK, body).await.status, StatusCode::ACCEPTED);
    let redirect = press(&service, &link_token(&service.mails()[0])).await;
    assert_eq!(redirect.status, StatusCode::SEE_OTHER, "{}", redirect.text);
    let location = redirect.header("location").expect("an address");
    let rest = location.strip_prefix("https://app.example/welcome?x=1#token=").expect(location);
    let (session, _) = rest.split_once("&expiresAt=2026-11-21T00:30:00Z").expect(location);
    assert_eq!(service.get_as(session, "/v1/auth/me").await.status, StatusCode::OK);
}

#[tokio::test]
async fn every_address_gets_the_same_answer_and_a_link() {
    let service = Service::start().await;
    verify(&service, &link_to(&service, EVA).await).await;
    let known = post(&service, LINK, json!({ "email": EVA })).await;
    let unknown = post(&service, LINK, json!({ "email": "nobody@example.ch" })).await;
    assert_eq!((known.status, &known.text), (unknown.status, &unknown.text));
    let names =
        |answer: &Answer| answer.headers.keys().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(names(&known), names(&unknown));
    assert_eq!(service.mails().len(), 3);
    let refused = post(&service, LINK, json!({ "email": "no address" })).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_network_requests_five_links_to_an_address_in_10_minutes() {
    let service = Service::start().await;
    for _ in 0..5 {
        let sent = post(&service, LINK, json!({ "email": EVA })).await;
        assert_eq!(sent.status, StatusCode::ACCEPTED, "{}", sent.text);
    }
    let refused = post(&service, LINK, json!({ "email": "EVA.muster@example.ch" })).await;
    assert_eq!(
        (refused.status, refused.slug()),
        (StatusCode::TOO_MANY_REQUESTS, "rate-limit-exceeded")
    );
    assert_eq!((&refused.body["limit"], &refused.body["window"]), (&json!(5), &json!("10m")));
    assert_eq!(refused.header("retry-after"), Some("600"));
    assert_eq!(service.mails().len(), 5);
    let other = post(&service, LINK, json!({ "email": "hans@example.ch" })).await;
    assert_eq!(other.status, StatusCode::ACCEPTED);
    service.pass_seconds(600);
    assert_eq!(post(&service, LINK, json!({ "email": EVA })).await.status, StatusCode::ACCEPTED);
}

#[tokio::test]
async fn a_client_address_gets_20_addresses_without_an_account_a_link_in_10_minutes() {
    let service = Service::start().await;
    let request = async |address: &str, number: usize| {
        let request = from(address, Request::post(LINK));
        let request = request.header(header::CONTENT_TYPE, "application/json");
        let body = json!({ "email": format!("user{number}@example.ch") });
        service.send_with(request, body.to_string()).await
    };
    for number in 0..20 {
        assert_eq!(request("2001:db8::1", number).await.status, StatusCode::ACCEPTED);
    }
    // Another address of the same subscriber.
    assert_eq!(request("2001:db8::2", 20).await.status, StatusCode::ACCEPTED);
    assert_eq!(service.mails().len(), 20, "nobody learns that the address has no account");
    assert_eq!(request("2001:db8:0:1::1", 20).await.status, StatusCode::ACCEPTED);
    assert_eq!(service.mails().len(), 21);
}

#[tokio::test]
async fn mails_are_in_the_users_language() {
    let service = Service::start().await;
    let request = async |language: &str| {
        let request = Request::post(LINK)
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT_LANGUAGE, language);
        service.send_with(request, json!({ "email": EVA }).to_string()).await;
        service.mails().into_iter().next().expect("a mail")
    };
    let mail = request("fr-CH, de;q=0.5").await;
    assert_eq!(mail.subject, "Connexion à Gotthard");
    assert!(mail.html.contains("<html lang=\"fr\">"), "{}", mail.html);
    let signed_in = verify(&service, &link_token(&mail)).await;
    assert_eq!(signed_in.body["user"]["language"], "fr");
    let session = signed_in.body["token"].as_str().expect("a token");
    let body = json!({ "language": "it", "name": "Eva Muster" });
    let updated = service.put_as(session, "/v1/auth/me", body).await;
    assert_eq!(
        (&updated.body["language"], &updated.body["name"]),
        (&json!("it"), &json!("Eva Muster")),
        "{}",
        updated.text
    );
    assert_eq!(request("fr").await.subject, "Accesso a Gotthard");
}

#[tokio::test]
async fn a_test_key_sends_no_mail() {
    let service = Service::start().await;
    let team = service.team(Tier::Free).await;
    let sandbox = service.key_of(&team, Environment::Test, &Scope::ALL).await;
    let sent = service.post_as(&sandbox, LINK, json!({ "email": EVA })).await;
    assert_eq!(sent.status, StatusCode::ACCEPTED);
    let invited = service.post_as(&sandbox, "/v1/teams/me/members", json!({ "email": EVA })).await;
    assert_eq!(invited.status, StatusCode::CREATED, "{}", invited.text);
    assert_eq!(service.mails(), []);
    // And what it creates does not become real.
    let user = service.member(&service.team(Tier::Free).await, Role::Owner).await;
    let body = json!({ "email": user.email });
    let invited = service.post_as(&sandbox, "/v1/teams/me/members", body).await;
    let token = json!({ "token": invited.body["token"] });
    let joined = service.post_as(&user.token, "/v1/teams/join", token).await;
    assert_eq!(joined.status, StatusCode::NOT_FOUND, "{}", joined.text);
    let renamed = service.put_as(&sandbox, "/v1/teams/me", json!({ "name": "Sandbox" })).await;
    assert_eq!(renamed.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_session_token_is_not_stored_for_idempotent_requests() {
    let service = Service::start().await;
    let key = service.key(Tier::Free).await;
    let token = link_to(&service, EVA).await;
    let send = async || {
        let request = bearing(&key, Request::post(VERIFY))
            .header(header::CONTENT_TYPE, "application/json")
            .header("idempotency-key", "one");
        service.send_with(request, json!({ "token": token }).to_string()).await
    };
    assert_eq!(send().await.status, StatusCode::OK);
    let replayed = send().await;
    assert_eq!((replayed.status, replayed.slug()), (StatusCode::CONFLICT, "idempotency-conflict"));
}
