//! `Idempotency-Key`: repeated requests run once.

use access::{Environment, Role, Scope, Tier};
use http::{Request, StatusCode};
use serde_json::{Value, json};
use store::{Claim, Outcome};
use tests::{Answer, Service, bearing, company, operator};

const COUNTING: &str = "/v1/probe/counting";

async fn post(service: &Service, key: &str, path: &str, idempotency: &str, body: Value) -> Answer {
    let request = bearing(key, Request::post(path))
        .header("content-type", "application/json")
        .header("idempotency-key", idempotency);
    service.send_with(request, body.to_string()).await
}

#[tokio::test]
async fn a_repeated_request_gets_the_first_response_and_costs_one_unit() {
    let service = Service::start().await;
    let key = service.key(Tier::Starter).await;
    let body = json!({ "case": "repeated" });
    let first = post(&service, &key, COUNTING, "a", body.clone()).await;
    let again = post(&service.second_process(), &key, COUNTING, "a", body.clone()).await;
    assert_eq!((first.body["runs"].as_u64(), again.body["runs"].as_u64()), (Some(1), Some(1)));
    assert_eq!(
        (first.header("idempotent-replayed"), again.header("idempotent-replayed")),
        (None, Some("true"))
    );
    assert_eq!(again.header("content-type"), first.header("content-type"));
    assert_eq!(again.number("x-ratelimit-remaining"), 598);
    let other_key = post(&service, &key, COUNTING, "b", body.clone()).await;
    assert_eq!(other_key.body["runs"], 2);
    service.pass_seconds(24 * 3_600 + 1);
    assert_eq!(post(&service, &key, COUNTING, "a", body).await.body["runs"], 3);
}

#[tokio::test]
async fn two_teams_can_use_the_same_idempotency_key() {
    let service = Service::start().await;
    let (one, other) = (service.key(Tier::Starter).await, service.key(Tier::Starter).await);
    let body = json!({ "case": "two teams" });
    assert_eq!(post(&service, &one, COUNTING, "a", body.clone()).await.body["runs"], 1);
    assert_eq!(post(&service, &other, COUNTING, "a", body).await.body["runs"], 2);
}

#[tokio::test]
async fn two_members_and_two_keys_of_a_team_can_use_the_same_idempotency_key() {
    let service = Service::start().await;
    let team = service.team(Tier::Starter).await;
    let body = json!({ "case": "one team" });
    let keys = [&[Scope::Read, Scope::Write][..], &Scope::ALL];
    let senders = [
        service.session(&team, Role::Admin).await,
        service.session(&team, Role::Member).await,
        service.key_of(&team, Environment::Live, keys[0]).await,
        service.key_of(&team, Environment::Live, keys[1]).await,
    ];
    for (before, sender) in senders.iter().enumerate() {
        for _ in 0..2 {
            let answer = post(&service, sender, COUNTING, "a", body.clone()).await;
            assert_eq!(answer.body["runs"], before + 1, "{}", answer.text);
        }
    }
}

#[tokio::test]
async fn a_member_signs_out_with_the_idempotency_key_of_another_member() {
    let service = Service::start().await;
    let team = service.team(Tier::Free).await;
    for role in [Role::Owner, Role::Member] {
        let session = service.session(&team, role).await;
        let out = post(&service, &session, "/v1/auth/logout", "sign out", json!({})).await;
        assert_eq!(out.header("idempotent-replayed"), None, "{}", out.text);
        assert!(out.status.is_success(), "{}", out.text);
        let after = service.second_process().get_as(&session, "/v1/auth/me").await;
        assert_eq!(after.status, StatusCode::UNAUTHORIZED, "{role}");
    }
}

#[tokio::test]
async fn a_private_note_is_created_with_the_idempotency_key_of_another_member() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let team = service.team(Tier::Free).await;
    let notes = "/v1/companies/CHE-107.787.577/notes";
    let note = json!({ "content": "For me.", "isPrivate": true });
    let mut ids = Vec::new();
    for _ in 0..2 {
        let session = service.session(&team, Role::Member).await;
        let created = post(&service, &session, notes, "note", note.clone()).await;
        assert_eq!(created.status, StatusCode::CREATED, "{}", created.text);
        let listed = service.get_as(&session, notes).await;
        assert_eq!(listed.body[0]["id"], created.body["id"], "{}", listed.text);
        ids.push(created.body["id"].clone());
    }
    assert_ne!(ids[0], ids[1]);
}

#[tokio::test]
async fn another_body_with_the_same_key_is_a_conflict() {
    let service = Service::start().await;
    let key = service.key(Tier::Starter).await;
    post(&service, &key, COUNTING, "a", json!({ "case": "one body" })).await;
    let other = post(&service, &key, COUNTING, "a", json!({ "case": "another body" })).await;
    assert_eq!((other.status, other.slug()), (StatusCode::CONFLICT, "idempotency-conflict"));
}

#[tokio::test(flavor = "multi_thread")]
async fn repeating_a_running_request_is_a_conflict_with_retry_after() {
    let service = std::sync::Arc::new(Service::start().await);
    let key = service.key(Tier::Starter).await;
    let body = json!({ "case": "running", "slow": true });
    let requests: Vec<_> = (0..8)
        .map(|_| {
            let (service, key, body) = (service.clone(), key.clone(), body.clone());
            tokio::spawn(async move { post(&service, &key, COUNTING, "a", body).await })
        })
        .collect();
    let mut answers = Vec::new();
    for request in requests {
        answers.push(request.await.expect("an answer"));
    }
    let (ran, waiting): (Vec<_>, Vec<_>) =
        answers.iter().partition(|it| it.status == StatusCode::OK);
    assert!(ran.iter().all(|it| it.body["runs"] == 1), "{ran:?}");
    assert!(!ran.is_empty() && !waiting.is_empty());
    for answer in waiting {
        assert_eq!((answer.status, answer.slug()), (StatusCode::CONFLICT, "idempotency-conflict"));
        assert_eq!(answer.header("retry-after"), Some("1"));
    }
}

#[tokio::test]
async fn a_refused_request_releases_its_key() {
    let service = Service::start().await;
    let key = service.key(Tier::Starter).await;
    let refused =
        post(&service, &key, COUNTING, "a", json!({ "case": "freed", "refuse": true })).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    let corrected = post(&service, &key, COUNTING, "a", json!({ "case": "freed" })).await;
    assert_eq!((corrected.status, corrected.header("idempotent-replayed")), (StatusCode::OK, None));
}

#[tokio::test]
async fn a_response_with_a_secret_is_not_stored_and_a_repetition_names_the_created_id() {
    let service = Service::start().await;
    let key = service.key(Tier::Starter).await;
    let made = post(&service, &key, "/v1/api-keys", "a", json!({})).await;
    let again = post(&service, &key, "/v1/api-keys", "a", json!({})).await;
    assert_eq!((again.status, again.slug()), (StatusCode::CONFLICT, "idempotency-conflict"));
    assert_eq!(again.body["id"], made.body["id"]);
    assert!(!again.text.contains(made.body["key"].as_str().expect("a key")));
    assert_eq!(service.get_as(&key, "/v1/api-keys").await.body.as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn another_query_with_the_same_key_is_a_conflict() {
    let service = Service::start().await;
    let key = service.key(Tier::Starter).await;
    let body = json!({ "case": "another query" });
    post(&service, &key, COUNTING, "a", body.clone()).await;
    let other = post(&service, &key, &format!("{COUNTING}?x=1"), "a", body).await;
    assert_eq!(other.slug(), "idempotency-conflict");
}

#[tokio::test]
async fn a_request_completes_after_its_client_disconnects() {
    let service = std::sync::Arc::new(Service::start().await);
    let key = service.key(Tier::Starter).await;
    let body = json!({ "case": "gone", "slow": true });
    // Verify the API key first, so that the client disconnects while the handler runs.
    service.get_as(&key, "/v1/companies/count").await;
    let disconnected = post(&service, &key, COUNTING, "a", body.clone());
    assert!(
        tokio::time::timeout(std::time::Duration::from_millis(600), disconnected).await.is_err()
    );
    let again = loop {
        let again = post(&service, &key, COUNTING, "a", body.clone()).await;
        if again.status != StatusCode::CONFLICT {
            break again;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    assert_eq!(
        (again.body["runs"].as_u64(), again.header("idempotent-replayed")),
        (Some(1), Some("true"))
    );
}

#[tokio::test]
async fn an_expired_lease_is_taken_over_and_its_first_holder_can_change_nothing() {
    let service = Service::start().await;
    let team = operator(auth::TeamId("team".into()));
    let tenants = &service.cloud.tenants;
    let claim = async || {
        let sender = (&team, &auth::Principal::api_key("k"));
        tenants.claim(sender, "route", "key", "body", service.now()).await.expect("answered")
    };
    let Claim::Granted(first) = claim().await else { panic!("free") };
    service.pass_seconds(149);
    assert!(matches!(claim().await, Claim::Running));
    service.pass_seconds(1);
    let Claim::Granted(second) = claim().await else { panic!("the lease ran out") };
    let outcome = |id: &str| Outcome::Withheld { id: Some(id.to_owned()) };
    let late = tenants.finish(&first, outcome("late"), service.now()).await;
    assert!(matches!(late, Err(store::Error::Changed)));
    assert!(matches!(tenants.release(&first).await, Err(store::Error::Changed)));
    tenants.finish(&second, outcome("made"), service.now()).await.expect("stored");
    assert!(matches!(claim().await, Claim::Ran(it) if it == outcome("made")));
}

#[tokio::test]
async fn an_empty_or_too_long_idempotency_key_is_refused() {
    let service = Service::start().await;
    let key = service.key(Tier::Starter).await;
    for idempotency in ["", &"x".repeat(256)] {
        let answer = post(&service, &key, COUNTING, idempotency, json!({})).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST);
        assert_eq!(answer.body["errors"][0]["member"], "Idempotency-Key");
    }
}
