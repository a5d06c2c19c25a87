//! Requests that are refused before they are counted: how many are answered, and that they affect nobody else.

use access::{Environment, RateGroup, Scope, Tier};
use auth::ApiKey;
use http::{Request, StatusCode};
use http_service::refused_requests::{MAX_PER_NETWORK, MAX_PER_TEAM};
use serde_json::json;
use tests::{Answer, Service, bearing, company, from};

const COUNT: &str = "/v1/companies/count";
const KEYS: &str = "/v1/api-keys";

/// Sends as many requests as are answered: to unknown paths, with unknown methods and without a key, in turn.
async fn exhaust(service: &Service) {
    for number in 0..MAX_PER_NETWORK {
        let request = match number % 3 {
            0 => Request::get("/v1/nowhere"),
            1 => Request::patch(COUNT),
            _ => Request::get(KEYS),
        };
        let answer = service.send(from(&format!("192.0.2.{}", number % 256), request)).await;
        assert!(matches!(answer.status.as_u16(), 401 | 404 | 405), "{number}: {answer:?}");
    }
}

fn is_limited(answer: &Answer) -> bool {
    answer.status == StatusCode::TOO_MANY_REQUESTS
        && answer.body["violatedPolicies"] == json!(["refused_requests"])
}

#[tokio::test]
async fn a_network_gets_3000_refusals_in_an_hour_and_then_429() {
    let service = Service::start().await;
    exhaust(&service).await;
    let limited = service.get("/v1/nowhere").await;
    insta::assert_json_snapshot!(limited.body, @r#"
    {
      "detail": "3000 refused requests (401, 403, unknown paths and methods) from the network 192.0.2.0/24 are answered per hour; requests that are not refused still work",
      "group": "public",
      "instance": "/v1/nowhere",
      "limit": 3000,
      "retryAfterSeconds": 1800,
      "status": 429,
      "title": "Too Many Requests",
      "type": "https://api.example/api/errors/rate-limit-exceeded",
      "violatedPolicies": [
        "refused_requests"
      ],
      "window": "1h"
    }
    "#);
    assert_eq!(limited.header("retry-after"), Some("1800"));
    assert_eq!(limited.header("x-ratelimit-group"), Some("public"));
    assert_eq!(limited.number("x-ratelimit-remaining"), 600);
    let without_key = service.get(KEYS).await;
    assert!(is_limited(&without_key), "{without_key:?}");
    assert_eq!(without_key.header("x-ratelimit-group"), Some("account"));
    assert!(is_limited(&service.send(Request::patch(COUNT)).await));
    assert!(is_limited(&service.get_as("gth_live_nonsense", COUNT).await));
    let elsewhere = service.send(from("192.0.3.1", Request::get("/v1/nowhere"))).await;
    assert_eq!(elsewhere.status, StatusCode::NOT_FOUND);
    service.pass_seconds(1_800);
    assert_eq!(service.get("/v1/nowhere").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn nobody_in_the_network_of_others_who_are_refused_is_blocked() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let (known, new) = (service.key(Tier::Free).await, service.key(Tier::Free).await);
    assert_eq!(service.get_as(&known, COUNT).await.status, StatusCode::OK);
    exhaust(&service).await;
    assert!(is_limited(&service.get(KEYS).await));
    for path in [COUNT, "/health"] {
        assert_eq!(service.get(path).await.status, StatusCode::OK, "{path}");
    }
    let preflight = Request::options("/v1/companies")
        .header("origin", "https://app.example")
        .header("access-control-request-method", "GET");
    assert_eq!(service.send(preflight).await.status, StatusCode::OK);
    for key in [&known, &new] {
        assert_eq!(service.get_as(key, COUNT).await.status, StatusCode::OK);
        assert_eq!(service.get_as(key, KEYS).await.status, StatusCode::OK);
    }
    // A problem of a handler is not a refusal: the request took a unit.
    let unknown = service.get("/v1/companies/CHE-600.000.999").await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_team_gets_600_refusals_in_an_hour_and_then_429() {
    let service = Service::start().await;
    let team = service.team(Tier::Starter).await;
    let reader = service.key_of(&team, Environment::Live, &[Scope::Read]).await;
    for number in 0..MAX_PER_TEAM {
        let path = if number % 2 == 0 { KEYS } else { "/v1/probe/methodology" };
        assert_eq!(service.get_as(&reader, path).await.status, StatusCode::FORBIDDEN, "{number}");
    }
    let limited = service.get_as(&reader, KEYS).await;
    assert!(is_limited(&limited), "{limited:?}");
    let of_team = (&limited.body["limit"], &limited.body["group"]);
    assert_eq!(of_team, (&json!(600), &json!("account")));
    assert_eq!(limited.number("retry-after"), 1_800);
    assert_eq!(limited.number("x-ratelimit-remaining"), 6_000);
    // What the key may do still works; other teams and clients without a key are not affected.
    assert_eq!(service.get_as(&reader, COUNT).await.status, StatusCode::OK);
    let other = service.team(Tier::Starter).await;
    let other = service.key_of(&other, Environment::Live, &[Scope::Read]).await;
    assert_eq!(service.get_as(&other, KEYS).await.status, StatusCode::FORBIDDEN);
    assert_eq!(service.get(KEYS).await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_404_of_a_handler_takes_a_unit_and_is_no_refusal() {
    let service = Service::start().await;
    let key = service.key(Tier::Professional).await;
    for _ in 0..=MAX_PER_TEAM {
        let unknown = service.get_as(&key, "/v1/companies/CHE-600.000.999").await;
        assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    }
    let next = service.get_as(&key, COUNT).await;
    assert_eq!(next.number("x-ratelimit-remaining"), 6_000 - i64::from(MAX_PER_TEAM) - 2);
}

#[tokio::test]
async fn refused_requests_over_the_limit_write_nothing() {
    let (service, faults) = Service::with_faulty_counters().await;
    exhaust(&service).await;
    faults.seen();
    for _ in 0..20 {
        let unknown = ApiKey::generate(Environment::Live).reveal();
        assert!(is_limited(&service.get_as(unknown.expose(), COUNT).await));
        assert!(is_limited(&service.get(KEYS).await));
        assert!(is_limited(&service.get("/v1/nowhere").await));
    }
    let writes = faults.seen().into_iter().filter(|it| it == "UpdateItem").count();
    assert_eq!(writes, 0);
    let public = store::Subject::from(std::net::IpAddr::from([192, 0, 2, 1]));
    let taken = service.cloud.counters.taken(&public, &[RateGroup::Public], service.now()).await;
    assert_eq!(taken.expect("read"), [0]);
    // A wrong secret of a key that exists is counted: verifying it is expensive.
    let key: ApiKey = service.key(Tier::Free).await.parse().expect("a key");
    let wrong = ApiKey { id: key.id, ..ApiKey::generate(Environment::Live) }.reveal();
    let request = bearing(wrong.expose(), Request::get(COUNT));
    assert!(is_limited(&service.send(request).await));
    assert!(faults.seen().iter().any(|it| it == "UpdateItem"));
}

/// Neither the table of counters nor that of the tenants is read.
#[tokio::test]
async fn refused_requests_over_the_limit_read_nothing() {
    let (service, faults) = Service::with_faulty_counters().await;
    exhaust(&service).await;
    faults.seen();
    for number in 0..20 {
        // Of networks that the process has not counted yet, so that no status is cached.
        let elsewhere = format!("192.0.2.{}", number + 1);
        for request in [Request::get(KEYS), Request::get("/v1/nowhere"), Request::patch(COUNT)] {
            let answer = service.send(from(&elsewhere, request)).await;
            assert!(is_limited(&answer), "{answer:?}");
        }
        let nonsense = bearing("gth_live_nonsense", Request::get(COUNT));
        assert!(is_limited(&service.send(from(&elsewhere, nonsense)).await));
    }
    assert_eq!(faults.seen(), Vec::<String>::new());
}

#[tokio::test]
async fn unknown_keys_over_the_limit_are_looked_for_only_so_often() {
    let (service, faults) = Service::with_faulty_counters().await;
    exhaust(&service).await;
    faults.seen();
    for _ in 0..650 {
        let unknown = ApiKey::generate(Environment::Live).reveal();
        let answer = service.get_as(unknown.expose(), COUNT).await;
        assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS, "{answer:?}");
    }
    let reads = faults.seen().len();
    assert!((1..=600).contains(&reads), "{reads}");
}
