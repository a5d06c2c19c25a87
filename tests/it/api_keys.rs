//! API keys: creation, rotation, revocation, scopes, and protection against guessing.

use access::{Environment, Scope, Tier};
use http::{Request, StatusCode};
use http_service::authentication::{MAX_FAILURES_PER_ADDRESS, MAX_FAILURES_PER_KEY};
use serde_json::json;
use tests::{Service, bearing, faults::Fault, from};

const KEYS: &str = "/v1/api-keys";

#[tokio::test]
async fn a_new_key_works_and_its_secret_is_shown_once() {
    let service = Service::start().await;
    let owner = service.key(Tier::Starter).await;
    let made = service.post_as(&owner, KEYS, json!({ "name": "Nightly job" })).await;
    assert_eq!(made.status, StatusCode::CREATED);
    let key = made.body["key"].as_str().expect("a key");
    assert!(key.starts_with(made.body["prefix"].as_str().expect("a prefix")));
    assert_eq!(made.header("cache-control"), Some("no-store"));
    assert_eq!(made.body["scopes"], json!(["read", "write"]));

    assert_eq!(service.get_as(key, "/v1/companies/count").await.status, StatusCode::OK);
    let list = service.get_as(&owner, KEYS).await;
    assert!(!list.text.contains(key), "the secret is shown once");
    let listed = &list.body[1];
    assert_eq!(
        (listed["id"].clone(), &listed["name"]),
        (made.body["id"].clone(), &json!("Nightly job"))
    );
    assert_eq!((&listed["status"], &listed["environment"]), (&json!("active"), &json!("live")));
    assert!(listed["lastUsedAt"].is_string());
    assert!(list.body[0].get("expiresAt").is_none(), "a member without value is absent");
}

#[tokio::test]
async fn a_key_can_be_created_without_a_body() {
    let service = Service::start().await;
    let owner = service.key(Tier::Free).await;
    let made = service.send(bearing(&owner, Request::post(KEYS))).await;
    assert_eq!((made.status, &made.body["name"]), (StatusCode::CREATED, &json!("API key")));
}

#[tokio::test]
async fn a_revoked_key_is_refused_after_a_minute_at_most_and_can_be_revoked_again() {
    let service = Service::start().await;
    let owner = service.key(Tier::Free).await;
    let made = service.post_as(&owner, KEYS, json!({})).await;
    let (key, id) =
        (made.body["key"].as_str().expect("a key"), made.body["id"].as_str().expect("an id"));
    assert_eq!(service.get_as(key, "/v1/companies/count").await.status, StatusCode::OK);

    for _ in 0..2 {
        let revoked = service.delete_as(&owner, &format!("{KEYS}/{id}")).await;
        assert_eq!((revoked.status, revoked.text.as_str()), (StatusCode::NO_CONTENT, ""));
    }
    // A process that has not cached the key refuses it at once; others after a minute.
    let fresh = service.second_process().get_as(key, "/v1/companies/count").await;
    assert_eq!(fresh.status, StatusCode::UNAUTHORIZED);
    assert_eq!(fresh.detail(), "the API key was revoked");
    service.pass_seconds(60);
    assert_eq!(service.get_as(key, "/v1/companies/count").await.status, StatusCode::UNAUTHORIZED);
    let list = service.get_as(&owner, KEYS).await;
    assert_eq!(list.body[1]["status"], "revoked");
    let rotated = service.post_as(&owner, &format!("{KEYS}/{id}/rotate"), json!({})).await;
    assert_eq!((rotated.status, rotated.slug()), (StatusCode::CONFLICT, "conflict"));
}

#[tokio::test]
async fn a_rotated_key_keeps_its_id_and_gets_a_new_secret() {
    let service = Service::start().await;
    let owner = service.key(Tier::Free).await;
    let made = service.post_as(&owner, KEYS, json!({ "scopes": ["read"] })).await;
    let id = made.body["id"].as_str().expect("an id");
    let rotated = service.post_as(&owner, &format!("{KEYS}/{id}/rotate"), json!({})).await;
    assert_eq!(rotated.status, StatusCode::OK, "{}", rotated.text);
    assert_eq!(
        (&rotated.body["id"], &rotated.body["scopes"]),
        (&made.body["id"], &json!(["read"]))
    );
    let (old, new) = (&made.body["key"], &rotated.body["key"]);
    assert_ne!(old, new);
    let old = service.get_as(old.as_str().expect("a key"), "/v1/companies/count").await;
    let new = service.get_as(new.as_str().expect("a key"), "/v1/companies/count").await;
    assert_eq!((old.status, new.status), (StatusCode::UNAUTHORIZED, StatusCode::OK));
    assert_eq!(service.get_as(&owner, KEYS).await.body.as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn unknown_and_invalid_ids_are_not_found() {
    let service = Service::start().await;
    let owner = service.key(Tier::Free).await;
    for id in ["0199c0de-0000-7000-8000-000000000000", "7", "API-KEY%23x", &"x".repeat(3_000)] {
        let answer = service.delete_as(&owner, &format!("{KEYS}/{id}")).await;
        assert_eq!((answer.status, answer.slug()), (StatusCode::NOT_FOUND, "not-found"), "{id}");
    }
}

#[tokio::test]
async fn a_key_without_write_scope_cannot_create_keys_and_no_key_can_grant_a_scope_it_lacks() {
    let service = Service::start().await;
    let team = service.team(Tier::Starter).await;
    let reader = service.key_of(&team, Environment::Live, &[Scope::Read]).await;
    let writer = service.key_of(&team, Environment::Live, &[Scope::Write]).await;
    let refused = service.post_as(&reader, KEYS, json!({})).await;
    assert_eq!((refused.status, refused.slug()), (StatusCode::FORBIDDEN, "forbidden"));
    assert_eq!(service.get_as(&reader, KEYS).await.status, StatusCode::OK);
    let wider = service.post_as(&writer, KEYS, json!({ "scopes": ["read", "write"] })).await;
    assert_eq!((wider.status, wider.slug()), (StatusCode::FORBIDDEN, "forbidden"));
    let same = service.post_as(&writer, KEYS, json!({})).await;
    assert_eq!(same.body["scopes"], json!(["write"]));
}

#[tokio::test]
async fn test_keys_have_their_own_sandbox() {
    let service = Service::start().await;
    let team = service.team(Tier::Enterprise).await;
    let both = [Scope::Read, Scope::Write];
    let live = service.key_of(&team, Environment::Live, &both).await;
    let sandbox = service.key_of(&team, Environment::Test, &both).await;
    let made = service.post_as(&sandbox, KEYS, json!({ "name": "in the sandbox" })).await;
    assert_eq!(made.body["environment"], "test");
    assert!(made.body["key"].as_str().is_some_and(|it| it.starts_with("gth_test_")));
    assert!(!service.get_as(&live, KEYS).await.text.contains("in the sandbox"));
    let live_from_sandbox = service.post_as(&sandbox, KEYS, json!({ "environment": "live" })).await;
    assert_eq!(
        (live_from_sandbox.status, live_from_sandbox.slug()),
        (StatusCode::FORBIDDEN, "forbidden")
    );
    // A live key can create test keys. Sandbox and live requests are counted separately.
    let test = service.post_as(&live, KEYS, json!({ "environment": "test" })).await;
    assert_eq!(test.body["environment"], "test");
    let first = service.get_as(&sandbox, "/v1/companies/count").await;
    assert_eq!(first.number("x-ratelimit-remaining"), 59_999);
    assert_eq!(
        service.get_as(&live, "/v1/companies/count").await.number("x-ratelimit-remaining"),
        59_999
    );
}

#[tokio::test]
async fn a_team_can_have_100_active_keys() {
    let service = Service::start().await;
    let owner = service.key(Tier::Free).await;
    let mut last = None;
    for _ in 1..100 {
        last = Some(service.post_as(&owner, KEYS, json!({})).await);
    }
    let last = last.expect("made");
    assert_eq!(last.status, StatusCode::CREATED);
    let more = service.post_as(&owner, KEYS, json!({})).await;
    assert_eq!((more.status, more.slug()), (StatusCode::CONFLICT, "conflict"));
    let id = last.body["id"].as_str().expect("an id");
    service.delete_as(&owner, &format!("{KEYS}/{id}")).await;
    assert_eq!(service.post_as(&owner, KEYS, json!({})).await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn invalid_credentials_are_refused_by_every_operation() {
    let service = Service::start().await;
    let unknown = auth::ApiKey::generate(Environment::Live).reveal();
    let valid = service.key(Tier::Free).await;
    let mut typo = valid.clone();
    typo.replace_range(30..31, if &typo[30..31] == "a" { "b" } else { "a" });
    for header in [
        format!("Bearer {}", unknown.expose()),
        format!("Bearer {typo}"),
        "Bearer ".to_owned(),
        "Bearer eyJhbGciOiJub25lIn0.e30.".to_owned(),
        format!("Basic {valid}"),
        valid.clone(),
    ] {
        for path in ["/v1/companies/count", "/health", "/v1/api-keys"] {
            let answer = service.send(Request::get(path).header("authorization", &header)).await;
            assert_eq!((answer.status, answer.slug()), (StatusCode::UNAUTHORIZED, "unauthorized"));
        }
    }
    let lower_case = Request::get("/health").header("authorization", format!("bearer {valid}"));
    assert_eq!(service.send(lower_case).await.status, StatusCode::OK);
}

#[tokio::test]
async fn an_address_is_blocked_for_a_minute_after_20_failed_attempts() {
    let service = Service::start().await;
    let valid = service.key(Tier::Free).await;
    let guess = || async {
        let wrong = auth::ApiKey::generate(Environment::Live).reveal();
        let request = bearing(wrong.expose(), Request::get("/health"));
        service.send(from("198.51.100.7", request)).await
    };
    for _ in 0..20 {
        assert_eq!(guess().await.detail(), "unknown API key");
    }
    let blocked = guess().await;
    assert_eq!(blocked.status, StatusCode::UNAUTHORIZED);
    assert!(blocked.detail().starts_with("too many failed attempts"), "{}", blocked.detail());
    assert_eq!(blocked.header("retry-after"), Some("60"));
    // Other addresses are not blocked, nor is this one a minute later.
    assert_eq!(service.get_as(&valid, "/health").await.status, StatusCode::OK);
    service.pass_seconds(60);
    assert_eq!(guess().await.detail(), "unknown API key");
}

#[tokio::test]
async fn a_key_is_blocked_after_failed_attempts_from_any_address() {
    let service = Service::start().await;
    let key: auth::ApiKey = service.key(Tier::Free).await.parse().expect("a key");
    let guess = |number: u32| {
        let wrong =
            auth::ApiKey { id: key.id.clone(), ..auth::ApiKey::generate(Environment::Live) };
        let address = format!("198.51.{}.{}", number / 200, number % 200);
        let request = from(&address, bearing(wrong.reveal().expose(), Request::get("/health")));
        service.send(request)
    };
    assert_eq!(guess(0).await.detail(), "unknown API key");
    for _ in 1..MAX_FAILURES_PER_KEY {
        let subject = format!("key#{}", key.id);
        let counted = service.cloud.counters.record_failure(&subject, service.now()).await;
        counted.expect("counted");
    }
    assert!(guess(1).await.detail().starts_with("too many failed attempts"));
    assert!(guess(2).await.detail().starts_with("too many failed attempts"));
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_guesses_beyond_the_limit_are_not_verified() {
    let service = std::sync::Arc::new(Service::start().await);
    let key: auth::ApiKey = service.key(Tier::Free).await.parse().expect("a key");
    let guesses: Vec<_> = (0..100)
        .map(|_| {
            let wrong =
                auth::ApiKey { id: key.id.clone(), ..auth::ApiKey::generate(Environment::Live) };
            let (service, wrong) = (service.clone(), wrong.reveal());
            tokio::spawn(async move {
                let request = bearing(wrong.expose(), Request::get("/health"));
                service.send(from("198.51.100.7", request)).await
            })
        })
        .collect();
    let mut verified = 0;
    for guess in guesses {
        let answer = guess.await.expect("an answer");
        assert!(matches!(answer.status.as_u16(), 401 | 503), "{answer:?}");
        verified += u32::from(answer.detail() == "unknown API key");
    }
    // Two more may be verified at the same time.
    assert!((1..=MAX_FAILURES_PER_ADDRESS + 2).contains(&verified), "{verified}");
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_requests_with_one_key_verify_it_once() {
    let (service, faults) = Service::with_faulty_counters().await;
    let service = std::sync::Arc::new(service);
    let key = service.key(Tier::Enterprise).await;
    faults.seen();
    let requests: Vec<_> = (0..32)
        .map(|_| {
            let (service, key) = (service.clone(), key.clone());
            tokio::spawn(async move { service.get_as(&key, "/v1/companies/count").await })
        })
        .collect();
    for request in requests {
        assert_eq!(request.await.expect("an answer").status, StatusCode::OK);
    }
    // Each verification reads its failure counters in one batch, so batches count verifications.
    assert_eq!(faults.seen().iter().filter(|it| *it == "BatchGetItem").count(), 1);
}

#[tokio::test]
async fn a_valid_key_is_accepted_while_the_failure_counters_are_down() {
    let (service, faults) = Service::with_faulty_counters().await;
    let key = service.key(Tier::Free).await;
    faults.decide(|_, _| Some(Fault::Down));
    assert_eq!(service.get_as(&key, "/v1/companies/count").await.status, StatusCode::OK);
}
