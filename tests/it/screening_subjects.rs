//! The subjects of screenings are counted beside the requests: by team and day.

use std::sync::Arc;

use access::{Environment, Scope, Tier, screening_subjects};
use auth::{Creator, TeamId};
use domain::Uid;
use http::{Request, StatusCode, header};
use serde_json::{Value, json};
use store::{Subject, Tenants};
use tests::{
    Answer, Service, bearing,
    faults::{Fault, Faults},
};

const SCREENING: &str = "/v1/screening";
const BATCH: &str = "/v1/screening/batch";
const BULK: &str = "/v1/bulk/screening";

async fn service() -> Service {
    let service = Service::start().await;
    service.publish_lists().await;
    service
}

fn name() -> Value {
    json!({ "name": "Mikalaj Dovreshenka" })
}

fn companies(number: u32) -> Value {
    let numbers = (60_000_000..).filter_map(|it| Some(it * 10 + Uid::check_digit(it)?));
    let uids = numbers.filter_map(Uid::from_number).take(number as usize);
    json!({ "uids": uids.collect::<Vec<_>>() })
}

fn entities(number: usize) -> Value {
    json!({ "entities": vec![name(); number] })
}

async fn key(service: &Service, team: &TeamId) -> String {
    service.key_of(team, Environment::Live, &Scope::ALL).await
}

/// Uses up the subjects of a day, except for this number.
async fn leave(service: &Service, subject: &Subject, tier: Tier, left: u32) {
    let limit = screening_subjects(tier);
    let (counters, now) = (&service.cloud.counters, service.now());
    let used = counters.subjects(subject, now).await.expect("read");
    let more = limit - left - used;
    counters.count_subjects(subject, more, limit, now).await.expect("counted");
}

async fn used(service: &Service, key: &str) -> u32 {
    let usage = service.get_as(key, "/v1/usage/current").await;
    let used = usage.body["screeningSubjects"]["used"].as_u64();
    used.and_then(|it| u32::try_from(it).ok()).unwrap_or_else(|| panic!("{usage:?}"))
}

fn is_limited(answer: &Answer) -> bool {
    answer.status == StatusCode::TOO_MANY_REQUESTS
        && answer.body["violatedPolicies"] == json!(["screening_subjects"])
}

#[tokio::test]
async fn a_batch_with_more_subjects_than_are_left_screens_and_stores_nothing() {
    let service = service().await;
    let team = service.team(Tier::Free).await;
    let key = key(&service, &team).await;
    leave(&service, &Subject::Team(team), Tier::Free, 2).await;
    let refused = service.post_as(&key, BATCH, companies(3)).await;
    insta::assert_json_snapshot!(refused.body, @r#"
    {
      "detail": "the tier `free` allows 100 subjects of screenings per day, and fewer than the 3 of this request are left; `GET /v1/usage/current` has the number",
      "group": "standard_read",
      "instance": "/v1/screening/batch",
      "limit": 100,
      "retryAfterSeconds": 41400,
      "status": 429,
      "title": "Too Many Requests",
      "type": "https://api.example/api/errors/rate-limit-exceeded",
      "violatedPolicies": [
        "screening_subjects"
      ],
      "window": "1d"
    }
    "#);
    assert_eq!(refused.header("retry-after"), Some("41400"));
    assert_eq!(refused.header("x-ratelimit-group"), Some("standard_read"));
    assert_eq!(refused.number("x-ratelimit-remaining"), 59, "the request is counted");
    assert_eq!(service.get_as(&key, "/v1/screenings").await.body, json!([]));
    assert_eq!(used(&service, &key).await, 98);

    let screened = service.post_as(&key, BATCH, companies(2)).await;
    assert_eq!(screened.status, StatusCode::OK, "{screened:?}");
    let monitored = json!({ "name": "Mikalaj Dovreshenka", "monitor": true });
    assert!(is_limited(&service.post_as(&key, SCREENING, monitored).await));
    assert_eq!(service.get_as(&key, "/v1/screening/subjects").await.body, json!([]));
    let usage = service.get_as(&key, "/v1/usage/current").await;
    let expected = json!({ "used": 100, "limit": 100, "window": "day", "resetSeconds": 41_400 });
    assert_eq!(usage.body["screeningSubjects"], expected);

    service.pass_seconds(41_400);
    assert_eq!(service.post_as(&key, SCREENING, name()).await.status, StatusCode::OK);
    assert_eq!(used(&service, &key).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_batches_never_exceed_the_limit() {
    let service = Arc::new(service().await);
    let team = service.team(Tier::Starter).await;
    let key = key(&service, &team).await;
    leave(&service, &Subject::Team(team), Tier::Starter, 35).await;
    let requests: Vec<_> = (0..10)
        .map(|_| {
            let (service, key) = (service.clone(), key.clone());
            tokio::spawn(async move { service.post_as(&key, BATCH, companies(10)).await })
        })
        .collect();
    let mut screened = 0;
    for request in requests {
        let answer = request.await.expect("an answer");
        assert!(answer.status == StatusCode::OK || is_limited(&answer), "{answer:?}");
        screened += u32::from(answer.status == StatusCode::OK);
    }
    assert_eq!(screened, 3);
    assert_eq!(used(&service, &key).await, 995);
}

#[tokio::test]
async fn each_tier_has_its_own_number_of_subjects() {
    let service = service().await;
    for (tier, limit) in Tier::ALL.into_iter().zip([100, 1_000, 10_000, 100_000]) {
        let team = service.team(tier).await;
        let key = key(&service, &team).await;
        leave(&service, &Subject::Team(team), tier, 1).await;
        assert_eq!(service.post_as(&key, SCREENING, name()).await.status, StatusCode::OK);
        let refused = service.post_as(&key, SCREENING, name()).await;
        assert!(is_limited(&refused), "{tier}: {refused:?}");
        assert_eq!(refused.body["limit"], limit);
    }
}

#[tokio::test]
async fn the_sandbox_and_all_free_teams_of_one_user_have_one_number_of_subjects() {
    let service = service().await;
    let team = service.team(Tier::Starter).await;
    let live = key(&service, &team).await;
    let sandbox = service.key_of(&team, Environment::Test, &Scope::ALL).await;
    for key in [&live, &sandbox] {
        assert_eq!(service.post_as(key, BATCH, companies(7)).await.status, StatusCode::OK);
    }
    assert_eq!(used(&service, &live).await, 14);

    let user = service.member(&team, access::Role::Member).await;
    let mut teams = Vec::new();
    for _ in 0..2 {
        let created = service.post_as(&user.token, "/v1/teams", json!({})).await;
        let id = created.body["id"].as_str().expect("an id").to_owned();
        teams.push(key(&service, &TeamId(id)).await);
    }
    leave(&service, &Subject::FreeTeams(Creator::user(&user.id)), Tier::Free, 1).await;
    assert_eq!(service.post_as(&teams[0], SCREENING, name()).await.status, StatusCode::OK);
    let refused = service.post_as(&teams[1], SCREENING, name()).await;
    assert!(is_limited(&refused), "{refused:?}");
    assert!(refused.detail().contains("all Free teams that one user has created"));
}

#[tokio::test]
async fn subjects_of_a_failed_request_are_given_back() {
    let mut cloud = tests::cloud().await;
    let faults = Faults::before(&cloud.endpoints.dynamodb).await;
    let client = local::cloud::clients::dynamodb_client(&faults.address);
    cloud.tenants = Tenants::named(client, &cloud.tables[1]);
    let service = Service::over(cloud).await;
    service.register([]).await;
    service.publish_lists().await;
    let key = service.key(Tier::Enterprise).await;
    faults.decide(|_, request| {
        let partition = request["Item"]["pk"]["S"].as_str();
        let is_evidence = partition.is_some_and(|it| it.starts_with("SCREENING#"));
        is_evidence.then_some(Fault::Down)
    });
    for (path, body) in [(SCREENING, name()), (BATCH, companies(2)), (BULK, entities(2))] {
        let failed = service.post_as(&key, path, body).await;
        assert!(failed.status.is_server_error(), "{path}: {failed:?}");
        assert_eq!(used(&service, &key).await, 0, "{path}");
    }
}

#[tokio::test]
async fn a_replay_of_an_idempotent_request_counts_no_subjects() {
    let service = service().await;
    let key = service.key(Tier::Free).await;
    let screen = || {
        let request = bearing(&key, Request::post(BATCH)).header("idempotency-key", "one");
        let request = request.header(header::CONTENT_TYPE, "application/json");
        service.send_with(request, companies(5).to_string())
    };
    let (first, again) = (screen().await, screen().await);
    assert_eq!((again.header("idempotent-replayed"), &again.body), (Some("true"), &first.body));
    assert_eq!(used(&service, &key).await, 5);
}

#[tokio::test]
async fn without_the_counter_one_subject_is_screened_and_several_are_not() {
    let (service, faults) = Service::with_faulty_counters().await;
    service.publish_lists().await;
    let key = service.key(Tier::Free).await;
    assert_eq!(service.post_as(&key, SCREENING, name()).await.status, StatusCode::OK);
    faults.decide(|_, _| Some(Fault::Down));
    assert_eq!(service.post_as(&key, SCREENING, name()).await.status, StatusCode::OK);
    let refused = service.post_as(&key, BATCH, companies(2)).await;
    assert_eq!((refused.status.as_u16(), refused.slug()), (503, "service-unavailable"));
    assert!(refused.detail().contains("cannot be counted"), "{refused:?}");
    faults.decide(|_, _| None);
    assert_eq!(service.post_as(&key, BATCH, companies(2)).await.status, StatusCode::OK);
    // If only the answer of the counter is lost, the subjects are counted.
    faults.decide(|operation, request| {
        let partition = request["Key"]["pk"]["S"].as_str();
        let is_count = partition.is_some_and(|it| it.starts_with("SCREENED#"));
        (operation == "UpdateItem" && is_count).then_some(Fault::LoseAnswer)
    });
    assert_eq!(service.post_as(&key, BATCH, companies(2)).await.status, StatusCode::OK);
    faults.decide(|_, _| None);
    assert_eq!(used(&service, &key).await, 5);
}
