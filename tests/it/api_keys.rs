//! API keys: creation, rotation, revocation, scopes, and protection against guessing.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use access::{Environment, Scope, Tier};
use http::{Request, StatusCode};
use http_service::authentication::{
    FACTOR_FOR_EXISTING_KEYS, MAX_FAILURES_PER_ADDRESS, MAX_FAILURES_PER_KEY,
};
use jiff::SignedDuration;
use local::cloud::clients::dynamodb_client;
use serde_json::json;
use store::Tenants;
use tests::{
    Answer, Service, bearing,
    faults::{Fault, Faults},
    from, operator,
};

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

/// What is stored that a key was verified changes only if a process compared the slow hash.
#[tokio::test]
async fn a_verified_key_is_remembered_by_other_processes_for_a_day_and_nothing_else() {
    let service = Service::start().await;
    let team = service.team(Tier::Free).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let tenants = &service.cloud.tenants;
    let keys = operator(team.clone());
    let remembered = async || {
        let listed = tenants.api_keys(&keys, service.now()).await.expect("keys");
        listed[0].remembered.clone()
    };
    let used = async |process: &Service| {
        let answer = process.get_as(&key, "/v1/usage/current").await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        remembered().await
    };
    assert_eq!(remembered().await, None);
    let first = used(&service).await;
    assert!(first.is_some());
    service.pass_seconds(DAY - 1);
    assert_eq!(used(&service.second_process()).await, first);
    service.pass_seconds(1);
    let second = used(&service.second_process()).await;
    assert!(second.is_some() && second != first);

    // Neither the old secret of the deployment nor none stops a valid key.
    let other = service.with_api_key_secret("another-secret-of-the-memory-of-keys-which-is-long");
    let third = used(&other).await;
    assert!(third.is_some() && third != second);
    let unusable = service.with_api_key_secret("short");
    assert_eq!(used(&unusable).await, third);

    // What decides is read as before.
    let listed = tenants.api_keys(&keys, service.now()).await.expect("keys");
    tenants.revoke_api_key(&keys, &listed[0].id, service.now()).await.expect("revoked");
    let refused = other.second_process().get_as(&key, "/v1/usage/current").await;
    assert_eq!(refused.detail(), "the API key was revoked");
}

/// The memory belongs to one secret: after a rotation, what was remembered of the old one is gone.
#[tokio::test]
async fn a_rotated_key_is_not_remembered() {
    let service = Service::start().await;
    let team = service.team(Tier::Free).await;
    let owner = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let made = service.post_as(&owner, KEYS, json!({ "scopes": ["read"] })).await;
    let (old, id) =
        (made.body["key"].as_str().expect("a key"), made.body["id"].as_str().expect("an id"));
    assert_eq!(service.get_as(old, "/v1/usage/current").await.status, StatusCode::OK);
    service.post_as(&owner, &format!("{KEYS}/{id}/rotate"), json!({})).await;
    let keys = operator(team.clone());
    let record = service.cloud.tenants.api_key(&keys, id, service.now()).await.expect("a key");
    assert_eq!(record.expect("a key").remembered, None);
    let refused = service.second_process().get_as(old, "/v1/usage/current").await;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_revoked_key_cannot_create_another_one_although_it_was_just_verified() {
    let service = Service::start().await;
    let owner = service.key(Tier::Free).await;
    let made = service.post_as(&owner, KEYS, json!({ "scopes": ["read", "manage"] })).await;
    let (key, id) =
        (made.body["key"].as_str().expect("a key"), made.body["id"].as_str().expect("an id"));
    assert_eq!(service.get_as(key, KEYS).await.status, StatusCode::OK);
    service.delete_as(&owner, &format!("{KEYS}/{id}")).await;
    let refused = service.post_as(key, KEYS, json!({})).await;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{}", refused.text);
    assert_eq!(service.get_as(&owner, KEYS).await.body.as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn a_rotated_key_keeps_its_id_and_gets_a_new_secret() {
    let service = Service::start().await;
    let owner = service.key(Tier::Free).await;
    let made = service.post_as(&owner, KEYS, json!({ "scopes": ["read"] })).await;
    let id = made.body["id"].as_str().expect("an id");
    let named = json!({ "name": "z" });
    let refused = service.post_as(&owner, &format!("{KEYS}/{id}/rotate"), named).await;
    assert_eq!(refused.body["errors"][0]["member"], "name", "{}", refused.text);
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
async fn only_a_key_with_the_scope_manage_lists_creates_rotates_and_revokes_keys() {
    let service = Service::start().await;
    let team = service.team(Tier::Starter).await;
    let other_scopes = [Scope::Read, Scope::Write];
    let writer = service.key_of(&team, Environment::Live, &other_scopes).await;
    let manager = service.key_of(&team, Environment::Live, &[Scope::Manage]).await;
    let made = service.post_as(&manager, KEYS, json!({ "scopes": ["manage"] })).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    let one = format!("{KEYS}/{}", made.body["id"].as_str().expect("an id"));
    let send = async |key: &str| {
        [
            service.get_as(key, KEYS).await,
            service.post_as(key, KEYS, json!({ "scopes": ["manage"] })).await,
            service.post_as(key, &format!("{one}/rotate"), json!({})).await,
            service.delete_as(key, &one).await,
        ]
    };
    for refused in send(&writer).await {
        assert_eq!((refused.status, refused.slug()), (StatusCode::FORBIDDEN, "forbidden"));
        assert!(refused.detail().contains("`manage`"), "{}", refused.detail());
    }
    let statuses = send(&manager).await.map(|it| it.status.as_u16());
    assert_eq!(statuses, [200, 201, 200, 204]);
    // Everything else needs another scope.
    let refused = service.get_as(&manager, "/v1/usage/current").await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_key_grants_only_scopes_it_has_and_manage_only_if_asked_to() {
    let service = Service::start().await;
    let team = service.team(Tier::Starter).await;
    let scopes = [Scope::Read, Scope::Manage];
    let manager = service.key_of(&team, Environment::Live, &scopes).await;
    let created =
        async |scopes: &[&str]| service.post_as(&manager, KEYS, json!({ "scopes": scopes })).await;
    let wider = created(&["read", "write"]).await;
    assert_eq!((wider.status, wider.slug()), (StatusCode::FORBIDDEN, "forbidden"));
    assert_eq!(created(&["manage", "read"]).await.body["scopes"], json!(["read", "manage"]));
    let by_default = service.post_as(&manager, KEYS, json!({})).await;
    assert_eq!(by_default.body["scopes"], json!(["read"]));
    // Neither does rotation give a scope: the caller gets the new secret.
    service.key_of(&team, Environment::Live, &[Scope::Write]).await;
    let list = service.get_as(&manager, KEYS).await;
    let mut keys = list.body.as_array().expect("a list").iter();
    let writer = keys.find(|it| it["scopes"] == json!(["write"]));
    let id = writer.expect("a key")["id"].as_str().expect("an id");
    let rotated = service.post_as(&manager, &format!("{KEYS}/{id}/rotate"), json!({})).await;
    assert_eq!((rotated.status, rotated.slug()), (StatusCode::FORBIDDEN, "forbidden"));
    // A key that can only manage has nothing to grant by default.
    let only = service.key_of(&team, Environment::Live, &[Scope::Manage]).await;
    let refused = service.post_as(&only, KEYS, json!({})).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert_eq!(refused.body["errors"][0]["member"], "scopes");
}

const DAY: i64 = 24 * 3_600;

#[tokio::test]
async fn an_expired_key_is_refused_at_once_and_listed_as_expired() {
    let service = Service::start().await;
    let owner = service.key(Tier::Starter).await;
    let expires = service.now() + SignedDuration::from_secs(40);
    let made = service.post_as(&owner, KEYS, json!({ "expiresAt": expires })).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    assert_eq!(made.body["expiresAt"], json!(expires));
    let key = made.body["key"].as_str().expect("a key");
    assert_eq!(service.get_as(key, "/v1/companies/count").await.status, StatusCode::OK);
    let states = async || {
        let list = service.get_as(&owner, KEYS).await;
        let keys = list.body.as_array().expect("a list").iter();
        keys.map(|it| it["status"].as_str().expect("a state").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(states().await, ["active", "active"]);

    // A process caches a verified key for a minute, but not beyond its expiry.
    service.pass_seconds(40);
    let refused = service.get_as(key, "/v1/companies/count").await;
    assert_eq!((refused.status, refused.slug()), (StatusCode::UNAUTHORIZED, "unauthorized"));
    assert_eq!(refused.detail(), "the API key has expired");
    let refused = service.second_process().get_as(key, "/v1/companies/count").await;
    assert_eq!(refused.detail(), "the API key has expired");
    assert_eq!(states().await, ["active", "expired"]);
    let id = made.body["id"].as_str().expect("an id");
    let rotated = service.post_as(&owner, &format!("{KEYS}/{id}/rotate"), json!({})).await;
    assert_eq!((rotated.status, rotated.slug()), (StatusCode::CONFLICT, "conflict"));

    service.pass_seconds(30 * DAY);
    assert_eq!(states().await, ["active"]);
    let gone = service.delete_as(&owner, &format!("{KEYS}/{id}")).await;
    assert_eq!(gone.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn an_expiry_is_in_the_future_and_within_five_years() {
    let service = Service::start().await;
    let owner = service.key(Tier::Starter).await;
    let after = |seconds: i64| json!(service.now() + SignedDuration::from_secs(seconds));
    for (expires, status) in [
        (after(1), StatusCode::CREATED),
        (after(5 * 365 * DAY), StatusCode::CREATED),
        (json!(null), StatusCode::CREATED),
        (after(0), StatusCode::BAD_REQUEST),
        (after(-DAY), StatusCode::BAD_REQUEST),
        (after(6 * 365 * DAY), StatusCode::BAD_REQUEST),
        (json!("-009999-01-02T01:59:59Z"), StatusCode::BAD_REQUEST),
        (json!("9999-12-30T22:00:00.999999999Z"), StatusCode::BAD_REQUEST),
        (json!("tomorrow"), StatusCode::BAD_REQUEST),
        (json!(1_900_000_000), StatusCode::BAD_REQUEST),
    ] {
        let answer = service.post_as(&owner, KEYS, json!({ "expiresAt": expires })).await;
        assert_eq!(answer.status, status, "{expires}: {}", answer.text);
        if status == StatusCode::BAD_REQUEST {
            assert_eq!(answer.body["errors"][0]["member"], "expiresAt", "{expires}");
        }
    }
}

#[tokio::test]
async fn no_key_gives_access_for_longer_than_it_has_itself() {
    let service = Service::start().await;
    let owner = service.key(Tier::Starter).await;
    let in_days = |days: i64| service.now() + SignedDuration::from_secs(days * DAY);
    let new = json!({ "scopes": ["read", "manage"], "expiresAt": in_days(7) });
    let made = service.post_as(&owner, KEYS, new).await;
    let key = made.body["key"].as_str().expect("a key");
    let longer = service.post_as(key, KEYS, json!({ "expiresAt": in_days(8) })).await;
    assert_eq!((longer.status, longer.slug()), (StatusCode::FORBIDDEN, "forbidden"));
    let shorter = service.post_as(key, KEYS, json!({ "expiresAt": in_days(6) })).await;
    assert_eq!(shorter.body["expiresAt"], json!(in_days(6)));
    let by_default = service.post_as(key, KEYS, json!({})).await;
    assert_eq!(by_default.body["expiresAt"], json!(in_days(7)));

    let rotate = async |key: &str, id: &serde_json::Value| {
        let path = format!("{KEYS}/{}/rotate", id.as_str().expect("an id"));
        service.post_as(key, &path, json!({})).await
    };
    let endless = service.post_as(&owner, KEYS, json!({ "scopes": ["read"] })).await;
    assert_eq!(rotate(key, &endless.body["id"]).await.status, StatusCode::FORBIDDEN);
    let rotated = rotate(key, &made.body["id"]).await;
    assert_eq!(rotated.body["expiresAt"], json!(in_days(7)));
}

#[tokio::test]
async fn test_keys_have_their_own_sandbox() {
    let service = Service::start().await;
    let team = service.team(Tier::Enterprise).await;
    let live = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let sandbox = service.key_of(&team, Environment::Test, &Scope::ALL).await;
    let made = service.post_as(&sandbox, KEYS, json!({ "name": "in the sandbox" })).await;
    assert_eq!(made.body["environment"], "test");
    assert!(made.body["key"].as_str().is_some_and(|it| it.starts_with("gth_test_")));
    assert!(!service.get_as(&live, KEYS).await.text.contains("in the sandbox"));
    let live_from_sandbox = service.post_as(&sandbox, KEYS, json!({ "environment": "live" })).await;
    assert_eq!(
        (live_from_sandbox.status, live_from_sandbox.slug()),
        (StatusCode::FORBIDDEN, "forbidden")
    );
    // A live key can create test keys. Sandbox and live requests are counted together.
    let test = service.post_as(&live, KEYS, json!({ "environment": "test" })).await;
    assert_eq!(test.body["environment"], "test");
    let first = service.get_as(&sandbox, "/v1/companies/count").await;
    assert_eq!(first.number("x-ratelimit-remaining"), 59_999);
    assert_eq!(
        service.get_as(&live, "/v1/companies/count").await.number("x-ratelimit-remaining"),
        59_998
    );
}

#[tokio::test]
async fn a_team_can_have_100_keys_that_are_not_revoked() {
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

/// Sends a key that does not exist from an address.
async fn guess(service: &Service, address: &str) -> Answer {
    let wrong = auth::ApiKey::generate(Environment::Live).reveal();
    service.send(from(address, bearing(wrong.expose(), Request::get("/health")))).await
}

/// Sends an existing key with a wrong secret from an address.
async fn guess_secret(service: &Service, key: &str, address: &str) -> Answer {
    let key: auth::ApiKey = key.parse().expect("a key");
    let wrong = auth::ApiKey { id: key.id, ..auth::ApiKey::generate(Environment::Live) }.reveal();
    service.send(from(address, bearing(wrong.expose(), Request::get("/health")))).await
}

fn is_blocked(answer: &Answer) -> bool {
    (answer.status.as_u16(), answer.slug()) == (429, "rate-limit-exceeded")
}

/// The key is read again for operations with the scope `manage`: after its scope was checked, and its request counted.
#[tokio::test]
async fn a_key_causes_no_work_with_requests_that_are_refused() {
    let mut cloud = tests::cloud().await;
    let faults = Faults::before(&cloud.endpoints.dynamodb).await;
    cloud.tenants = Tenants::named(dynamodb_client(&faults.address), &cloud.tables[1]);
    let service = Service::over(cloud).await;
    let team = service.team(Tier::Free).await;
    let reader = service.key_of(&team, Environment::Live, &[Scope::Read]).await;
    let manager = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let reads = Arc::new(AtomicUsize::new(0));
    let counted = reads.clone();
    faults.decide(move |operation, request| {
        let is_key = request["Key"]["pk"]["S"].as_str().is_some_and(|it| it.starts_with("KEY#"));
        counted.fetch_add(usize::from(operation == "GetItem" && is_key), Ordering::Relaxed);
        None
    });
    for _ in 0..50 {
        assert_eq!(service.get_as(&reader, "/v1/api-keys").await.status, StatusCode::FORBIDDEN);
    }
    assert_eq!(reads.swap(0, Ordering::Relaxed), 1, "the first request verifies the key");
    let mut refused = 0;
    for _ in 0..620 {
        let status = service.get_as(&manager, "/v1/api-keys").await.status;
        refused += usize::from(status == StatusCode::TOO_MANY_REQUESTS);
    }
    assert_eq!((refused, reads.load(Ordering::Relaxed)), (20, 601));
}

#[tokio::test]
async fn an_address_is_blocked_for_a_minute_after_20_failed_attempts() {
    let service = Service::start().await;
    service.pass_seconds(15);
    for _ in 0..20 {
        let answer = guess(&service, "198.51.100.7").await;
        assert_eq!((answer.status, answer.detail()), (StatusCode::UNAUTHORIZED, "unknown API key"));
    }
    let blocked = guess(&service, "198.51.100.7").await;
    assert!(is_blocked(&blocked), "{blocked:?}");
    assert_eq!(blocked.header("retry-after"), Some("45"));
    insta::assert_json_snapshot!(blocked.body, @r#"
    {
      "detail": "too many API keys or session tokens were not valid: 20 failed verifications are allowed per minute; try again in 45 seconds",
      "group": "public",
      "instance": "/health",
      "limit": 20,
      "retryAfterSeconds": 45,
      "status": 429,
      "title": "Too Many Requests",
      "type": "https://api.example/api/errors/rate-limit-exceeded",
      "violatedPolicies": [
        "failed_verifications"
      ],
      "window": "1m"
    }
    "#);
    // Nothing was taken from the allowance.
    assert_eq!(blocked.number("x-ratelimit-remaining"), 600);
    // Other addresses are not blocked, nor is this one a minute later.
    assert!(!is_blocked(&guess(&service, "198.51.100.8").await));
    service.pass_seconds(45);
    assert!(!is_blocked(&guess(&service, "198.51.100.7").await));
}

#[tokio::test]
async fn addresses_of_one_ipv6_network_and_of_one_48_are_blocked_together() {
    let service = Service::start().await;
    for number in 0..20 {
        let answer = guess(&service, &format!("2001:db8:1:2::{number}")).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    }
    assert!(is_blocked(&guess(&service, "2001:db8:1:2:ffff::1").await));
    assert!(!is_blocked(&guess(&service, "2001:db8:1:3::1").await));
    for network in 0..299 {
        // Each of them is below the limit of a /64.
        assert!(!is_blocked(&guess(&service, &format!("2001:db8:1:{:x}::1", 16 + network)).await));
    }
    assert!(is_blocked(&guess(&service, "2001:db8:1:ffff::1").await));
    assert!(!is_blocked(&guess(&service, "2001:db8:2:ffff::1").await));
}

#[tokio::test]
async fn wrong_keys_of_others_at_the_same_address_do_not_block_a_valid_key() {
    let service = Service::start().await;
    let keys = [service.key(Tier::Free).await, service.key(Tier::Free).await];
    for _ in 0..30 {
        guess(&service, "198.51.100.7").await;
        guess_secret(&service, &keys[0], "198.51.100.7").await;
    }
    assert!(is_blocked(&guess(&service, "198.51.100.7").await));
    assert!(is_blocked(&guess_secret(&service, &keys[0], "198.51.100.7").await));
    // No process has verified this key before.
    let request = |key| from("198.51.100.7", bearing(key, Request::get("/v1/companies/count")));
    assert_eq!(service.send(request(&keys[1])).await.status, StatusCode::OK);
    // The attacked key still works for its owner elsewhere.
    assert_eq!(service.get_as(&keys[0], "/v1/companies/count").await.status, StatusCode::OK);
}

#[tokio::test]
async fn an_address_with_very_many_wrong_secrets_is_blocked_for_keys_not_verified_before() {
    let service = Service::start().await;
    let keys = [service.key(Tier::Free).await, service.key(Tier::Free).await];
    let get =
        |key| service.send(from("198.51.100.7", bearing(key, Request::get("/v1/companies/count"))));
    assert_eq!(get(&keys[0]).await.status, StatusCode::OK);
    service.pass_seconds(60);
    let subject = "address#198.51.100.7";
    for _ in 0..FACTOR_FOR_EXISTING_KEYS * MAX_FAILURES_PER_ADDRESS {
        let counted = service.cloud.counters.record_failure(subject, service.now()).await;
        counted.expect("counted");
    }
    assert_eq!(get(&keys[0]).await.status, StatusCode::OK, "verified before");
    assert!(is_blocked(&get(&keys[1]).await));
}

#[tokio::test]
async fn a_key_is_blocked_after_failed_attempts_from_any_address_except_where_it_was_valid() {
    let service = Service::start().await;
    let key = service.key(Tier::Free).await;
    assert_eq!(service.get_as(&key, "/health").await.status, StatusCode::OK);
    service.pass_seconds(60);
    assert_eq!(guess_secret(&service, &key, "198.51.100.1").await.detail(), "unknown API key");
    let id = key.parse::<auth::ApiKey>().expect("a key").id;
    for _ in 1..MAX_FAILURES_PER_KEY {
        let subject = format!("key#{id}");
        let counted = service.cloud.counters.record_failure(&subject, service.now()).await;
        counted.expect("counted");
    }
    for address in ["198.51.100.2", "198.51.100.3"] {
        assert!(is_blocked(&guess_secret(&service, &key, address).await));
    }
    // The cached result is too old, so the key is verified again.
    assert_eq!(service.get_as(&key, "/health").await.status, StatusCode::OK);
    assert!(is_blocked(&service.second_process().get_as(&key, "/health").await));
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
        assert!(matches!(answer.status.as_u16(), 401 | 429 | 503), "{answer:?}");
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
