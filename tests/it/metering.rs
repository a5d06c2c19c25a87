//! No quota is exceeded, and no unit is lost.

use std::{collections::BTreeSet, sync::Arc};

use access::{RateGroup, Tier};
use http::{Request, StatusCode};
use tests::{Service, company, faults::Fault, from};

const COUNT: &str = "/v1/companies/count";

#[tokio::test(flavor = "multi_thread")]
async fn of_120_concurrent_requests_with_a_free_key_exactly_60_succeed() {
    let service = Arc::new(Service::start().await);
    let key = service.key(Tier::Free).await;
    let answers = all_at_once(120, |_| service.clone(), &key).await;
    assert_exactly(60, &answers);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_processes_that_share_the_tables_share_the_allowance() {
    let one = Arc::new(Service::start().await);
    let other = Arc::new(one.beside());
    let key = one.key(Tier::Free).await;
    let answers =
        all_at_once(120, |it| if it % 2 == 0 { one.clone() } else { other.clone() }, &key).await;
    assert_exactly(60, &answers);
}

async fn all_at_once(
    count: usize,
    process: impl Fn(usize) -> Arc<Service>,
    key: &str,
) -> Vec<tests::Answer> {
    let requests = (0..count).map(|it| {
        let (service, key) = (process(it), key.to_owned());
        tokio::spawn(async move { service.get_as(&key, COUNT).await })
    });
    let mut answers = Vec::new();
    for request in requests.collect::<Vec<_>>() {
        answers.push(request.await.expect("an answer"));
    }
    answers
}

fn assert_exactly(allowed: i64, answers: &[tests::Answer]) {
    let (served, refused): (Vec<_>, Vec<_>) =
        answers.iter().partition(|it| it.status == StatusCode::OK);
    assert_eq!(served.len() as i64, allowed);
    let remaining: BTreeSet<i64> =
        served.iter().map(|it| it.number("x-ratelimit-remaining")).collect();
    assert_eq!(remaining, (0..allowed).collect());
    for answer in refused {
        assert_eq!((answer.status.as_u16(), answer.slug()), (429, "rate-limit-exceeded"));
        assert_eq!(answer.number("x-ratelimit-remaining"), 0);
    }
}

#[tokio::test]
async fn a_refusal_names_group_window_limit_and_wait() {
    let service = Service::start().await;
    for _ in 0..60 {
        assert_eq!(service.get(COUNT).await.status, StatusCode::OK);
    }
    let answer = service.get(COUNT).await;
    assert_eq!(answer.header("retry-after"), Some("1800"));
    assert_eq!(answer.header("ratelimit-policy"), Some("\"search_read\";q=60;w=3600"));
    assert_eq!(answer.header("ratelimit"), Some("\"search_read\";r=0;t=1800"));
    insta::assert_json_snapshot!(answer.body, @r#"
    {
      "detail": "the free tier allows 60 requests of search_read per hour",
      "group": "search_read",
      "instance": "/v1/companies/count",
      "limit": 60,
      "retryAfterSeconds": 1800,
      "status": 429,
      "title": "Too Many Requests",
      "type": "https://api.example/api/errors/rate-limit-exceeded",
      "violatedPolicies": [
        "search_read"
      ],
      "window": "1h"
    }
    "#);
    service.pass_seconds(1_800);
    assert_eq!(service.get(COUNT).await.status, StatusCode::OK);
}

#[tokio::test]
async fn anonymous_clients_are_counted_by_address_and_teams_by_team() {
    let service = Service::start().await;
    let first = service.get(COUNT).await;
    let second = service.get(COUNT).await;
    let elsewhere = service.send(from("192.0.2.99", Request::get(COUNT))).await;
    assert_eq!(first.number("x-ratelimit-remaining"), 59);
    assert_eq!(second.number("x-ratelimit-remaining"), 58);
    assert_eq!(elsewhere.number("x-ratelimit-remaining"), 59);
    let (one, other) = (service.key(Tier::Free).await, service.key(Tier::Free).await);
    for key in [&one, &other] {
        assert_eq!(service.get_as(key, COUNT).await.number("x-ratelimit-remaining"), 59);
    }
    // Public operations are counted by address, whoever asks.
    let health = service.get_as(&one, "/health").await;
    assert_eq!(health.number("x-ratelimit-remaining"), 599);
    assert_eq!(service.get("/health").await.number("x-ratelimit-remaining"), 598);
}

#[tokio::test]
async fn a_304_costs_nothing() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let path = "/v1/companies/CHE-107.787.577";
    let tag = service.get(path).await.header("etag").expect("a tag").to_owned();
    for _ in 0..3 {
        let held = service.send(Request::get(path).header("if-none-match", &tag)).await;
        assert_eq!(held.status, StatusCode::NOT_MODIFIED);
        assert_eq!(held.number("x-ratelimit-remaining"), 59);
    }
    assert_eq!(service.get(path).await.number("x-ratelimit-remaining"), 58);
}

#[tokio::test]
async fn our_own_failures_cost_nothing_and_the_callers_mistakes_do() {
    let service = Service::start().await;
    for path in ["/v1/probe/panicking", "/v1/probe/failing"] {
        let answer = service.get(path).await;
        assert!(answer.status.is_server_error());
        assert_eq!(answer.number("x-ratelimit-remaining"), 60, "{path}");
    }
    let mistake = service.get("/v1/companies?page=0").await;
    assert_eq!(mistake.number("x-ratelimit-remaining"), 59);
    let unknown = service.get("/v1/companies/CHE-000.000.000").await;
    assert_eq!(unknown.number("x-ratelimit-remaining"), 58);
}

#[tokio::test]
async fn what_takes_no_unit_reports_the_last_known_value() {
    let service = Service::start().await;
    let key = service.key(Tier::Free).await;
    service.get_as(&key, COUNT).await;
    let locked = service.get_as(&key, "/v1/probe/analytics").await;
    assert_eq!(locked.status, StatusCode::FORBIDDEN);
    assert_eq!(
        (locked.number("x-ratelimit-limit"), locked.number("x-ratelimit-remaining")),
        (0, 0)
    );
    let unknown = service.get("/v1/nowhere").await;
    assert_eq!(unknown.header("x-ratelimit-group"), Some("public"));
    assert_eq!(unknown.number("x-ratelimit-remaining"), 600);
    // Another process knows nothing and reads.
    service.get("/health").await;
    assert_eq!(service.beside().get("/v1/nowhere").await.number("x-ratelimit-remaining"), 599);
    let taken = service.get_as(&key, "/v1/usage/current").await;
    let search = &taken.body["groups"][0];
    assert_eq!((search["group"].as_str(), search["used"].as_u64()), (Some("search_read"), Some(1)));
}

#[tokio::test]
async fn usage_leaves_out_numbers_of_groups_that_are_locked() {
    let service = Service::start().await;
    let key = service.key(Tier::Professional).await;
    let usage = service.get_as(&key, "/v1/usage/current").await;
    let groups = usage.body["groups"].as_array().expect("groups");
    assert_eq!(groups.len(), RateGroup::ALL.len());
    let free = service.get_as(&service.key(Tier::Free).await, "/v1/usage/current").await;
    let locked = &free.body["groups"][2];
    assert_eq!(locked["group"], "analytics_read");
    assert!(locked.get("used").is_none() && locked.get("limit").is_none());
    assert_eq!(
        (locked["window"].as_str(), locked["resetSeconds"].as_i64()),
        (Some("hour"), Some(1_800))
    );
}

#[tokio::test]
async fn an_answer_of_the_counter_that_is_lost_after_its_write_is_served_and_stays_counted() {
    let (service, faults) = Service::with_faulty_counters().await;
    faults.once("UpdateItem", Fault::LoseAnswer);
    assert_eq!(service.get(COUNT).await.status, StatusCode::OK);
    // Sent once: a repeated write would have counted twice.
    assert_eq!(faults.seen().iter().filter(|it| *it == "UpdateItem").count(), 1);
    assert_eq!(service.get(COUNT).await.number("x-ratelimit-remaining"), 58);
}

#[tokio::test]
async fn a_lost_answer_does_not_stop_generating_work() {
    let (service, faults) = Service::with_faulty_counters().await;
    let key = service.key(Tier::Professional).await;
    assert_eq!(service.get_as(&key, "/v1/probe/generating").await.status, StatusCode::OK);
    faults.once("UpdateItem", Fault::LoseAnswer);
    assert_eq!(service.get_as(&key, "/v1/probe/generating").await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_counter_that_is_down_lets_reads_through_and_nothing_that_is_bought_by_the_piece() {
    let (service, faults) = Service::with_faulty_counters().await;
    let key = service.key(Tier::Enterprise).await;
    for fault in [Fault::Throttle, Fault::Down] {
        faults.decide(move |_, _| Some(fault));
        assert_eq!(service.get_as(&key, COUNT).await.status, StatusCode::OK, "{fault:?}");
        assert_eq!(service.get(COUNT).await.status, StatusCode::OK, "{fault:?}");
        for path in ["/v1/probe/generating", "/v1/probe/bulk"] {
            let answer = service.get_as(&key, path).await;
            assert_eq!((answer.status.as_u16(), answer.slug()), (503, "service-unavailable"));
            assert_eq!(answer.header("retry-after"), Some("1"));
        }
    }
    faults.decide(|_, _| None);
    assert_eq!(
        service.get_as(&key, "/v1/probe/generating").await.number("x-ratelimit-remaining"),
        199
    );
}

#[tokio::test]
async fn a_counter_that_fails_after_its_write_is_not_down() {
    let (service, faults) = Service::with_faulty_counters().await;
    let key = service.key(Tier::Enterprise).await;
    service.get_as(&key, COUNT).await;
    faults.once("UpdateItem", Fault::FailAfterwards);
    assert_eq!(service.get_as(&key, "/v1/probe/generating").await.status, StatusCode::OK);
    assert_eq!(
        service.get_as(&key, "/v1/probe/generating").await.number("x-ratelimit-remaining"),
        198
    );
}

#[tokio::test]
async fn a_counter_that_nobody_answers_for_is_down() {
    let mut cloud = tests::cloud().await;
    let closed = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}", closed.local_addr().expect("an address"));
    drop(closed);
    cloud.counters = store::Counters::named(local::cloud::dynamodb_client(&address), "counters");
    let subject = store::Subject::Address("192.0.2.1".parse().expect("an address"));
    let now = jiff::Timestamp::UNIX_EPOCH;
    let taken = cloud.counters.take(&subject, RateGroup::ExpensiveAi, 20, now).await;
    assert!(matches!(taken, Err(store::CountError::NotCounted(_))), "{taken:?}");
    let service = Service::over(cloud).await;
    service.register([]).await;
    assert_eq!(service.get(COUNT).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_flood_after_a_refusal_writes_nothing() {
    let (service, faults) = Service::with_faulty_counters().await;
    for _ in 0..61 {
        service.get(COUNT).await;
    }
    faults.seen();
    for _ in 0..50 {
        assert_eq!(service.get(COUNT).await.status.as_u16(), 429);
    }
    assert_eq!(faults.seen(), Vec::<String>::new());
}
