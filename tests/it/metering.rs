//! Metering: no allowance is exceeded, and no unit is lost.

use std::{collections::BTreeSet, sync::Arc};

use access::{Environment, RateGroup, Role, Scope, Tier};
use auth::TeamId;
use http::{Request, StatusCode};
use serde_json::json;
use store::Team;
use tests::{Service, company, faults::Fault, from};

const COUNT: &str = "/v1/companies/count";

#[tokio::test(flavor = "multi_thread")]
async fn free_tier_allows_exactly_60_of_120_concurrent_requests() {
    let service = Arc::new(Service::start().await);
    let key = service.key(Tier::Free).await;
    let answers = send_concurrently(120, |_| service.clone(), &key).await;
    assert_allowed(60, &answers);
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_that_share_the_tables_share_the_allowance() {
    let one = Arc::new(Service::start().await);
    let other = Arc::new(one.second_process());
    let key = one.key(Tier::Free).await;
    let answers =
        send_concurrently(120, |it| if it % 2 == 0 { one.clone() } else { other.clone() }, &key)
            .await;
    assert_allowed(60, &answers);
}

async fn send_concurrently(
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

fn assert_allowed(allowed: i64, answers: &[tests::Answer]) {
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
async fn a_rate_limit_error_has_group_window_limit_and_waiting_time() {
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
      "detail": "the tier `free` allows 60 `search_read` requests per hour",
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
async fn anonymous_requests_are_counted_by_address_and_others_by_team() {
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
    // Public operations are always counted by address.
    let health = service.get_as(&one, "/health").await;
    assert_eq!(health.number("x-ratelimit-remaining"), 599);
    assert_eq!(service.get("/health").await.number("x-ratelimit-remaining"), 598);
}

#[tokio::test]
async fn a_team_and_its_sandbox_share_one_allowance() {
    let service = Service::start().await;
    let team = service.team(Tier::Starter).await;
    let live = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let sandbox = service.key_of(&team, Environment::Test, &Scope::ALL).await;
    for (key, remaining) in [(&live, 599), (&sandbox, 598), (&live, 597)] {
        let answer = service.get_as(key, COUNT).await;
        assert_eq!(answer.number("x-ratelimit-remaining"), remaining);
    }
    for key in [&live, &sandbox] {
        let usage = service.get_as(key, "/v1/usage/current").await;
        assert_eq!(usage.body["groups"][0]["used"], 3);
    }
    let balance = service.get_as(&sandbox, "/v1/credits/balance").await;
    assert_eq!(balance.body["usedThisMonth"], 3 + 3);
}

/// The ids of two new teams, which this user creates.
async fn two_teams(service: &Service, token: &str) -> [TeamId; 2] {
    let mut teams = Vec::new();
    for _ in 0..2 {
        let created = service.post_as(token, "/v1/teams", json!({})).await;
        teams.push(TeamId(created.body["id"].as_str().expect("an id").to_owned()));
    }
    teams.try_into().expect("two")
}

async fn give_tier(service: &Service, team: &TeamId, tier: Tier) {
    let team = Team { id: team.clone(), name: "Muster AG".to_owned(), tier };
    service.cloud.tenants.put_team(&team).await.expect("stored");
    // The processes remember callers for this long.
    service.pass_seconds(60);
}

#[tokio::test]
async fn free_teams_that_one_user_created_share_one_allowance_until_one_pays() {
    let service = Service::start().await;
    let user = service.member(&service.team(Tier::Free).await, Role::Member).await;
    let [one, other] = two_teams(&service, &user.token).await;
    let key = service.key_of(&one, Environment::Live, &Scope::ALL).await;
    let session = service.session_of(&other, &user.id).await;
    let sandbox = service.key_of(&other, Environment::Test, &Scope::ALL).await;
    for (token, remaining) in [(&key, 59), (&session, 58), (&sandbox, 57)] {
        let answer = service.get_as(token, COUNT).await;
        assert_eq!(answer.number("x-ratelimit-remaining"), remaining);
    }
    // The team in which the user is a member was created by the operator.
    let first = service.get_as(&user.token, COUNT).await;
    assert_eq!(first.number("x-ratelimit-remaining"), 59);
    for token in [&key, &session] {
        let usage = service.get_as(token, "/v1/usage/current").await;
        assert_eq!(usage.body["groups"][0]["used"], 3);
    }
    let credits = service.get_as(&key, "/v1/credits/usage").await;
    assert_eq!(credits.body["operations"][0]["count"], 3);
    // Renaming a team, and another owner, change nothing.
    let renamed = service.put_as(&session, "/v1/teams/me", json!({ "name": "Neu" })).await;
    assert_eq!(renamed.status, StatusCode::OK);
    let owner = service.session(&other, Role::Owner).await;
    assert_eq!(service.get_as(&owner, COUNT).await.number("x-ratelimit-remaining"), 56);

    give_tier(&service, &one, Tier::Starter).await;
    assert_eq!(service.get_as(&key, COUNT).await.number("x-ratelimit-remaining"), 599);
    assert_eq!(service.get_as(&session, COUNT).await.number("x-ratelimit-remaining"), 55);
    give_tier(&service, &one, Tier::Free).await;
    assert_eq!(service.get_as(&key, COUNT).await.number("x-ratelimit-remaining"), 54);
    for _ in 0..54 {
        assert_eq!(service.get_as(&key, COUNT).await.status, StatusCode::OK);
    }
    let refused = service.get_as(&session, COUNT).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    let detail = "the tier `free` allows 60 `search_read` requests per hour, to all Free teams that one user has created \
                  together";
    assert_eq!(refused.detail(), detail);
}

#[tokio::test]
async fn a_304_response_costs_nothing() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let path = "/v1/companies/CHE-107.787.577";
    let tag = service.get(path).await.header("etag").expect("a tag").to_owned();
    for _ in 0..3 {
        let cached = service.send(Request::get(path).header("if-none-match", &tag)).await;
        assert_eq!(cached.status, StatusCode::NOT_MODIFIED);
        assert_eq!(cached.number("x-ratelimit-remaining"), 59);
    }
    assert_eq!(service.get(path).await.number("x-ratelimit-remaining"), 58);
}

#[tokio::test]
async fn a_304_response_to_a_client_that_names_no_tag_costs_one_unit() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    for (tags, remaining) in [("*", 59), ("\"x\", *", 58), ("W/*", 57)] {
        let request = Request::get("/v1/companies/CHE-107.787.577").header("if-none-match", tags);
        let answer = service.send(request).await;
        assert_eq!(answer.status, StatusCode::NOT_MODIFIED, "{tags}");
        assert_eq!(answer.number("x-ratelimit-remaining"), remaining, "{tags}");
    }
}

#[tokio::test]
async fn no_more_units_of_a_window_are_refunded_than_it_allows() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let path = "/v1/companies/CHE-107.787.577";
    let tag = service.get(path).await.header("etag").expect("a tag").to_owned();
    let again = || service.send(Request::get(path).header("if-none-match", &tag));
    for _ in 0..59 {
        assert_eq!(again().await.number("x-ratelimit-remaining"), 59);
    }
    let failed = service.get("/v1/probe/failing").await;
    assert_eq!(failed.number("x-ratelimit-remaining"), 59, "the last refund");
    for remaining in (0..59).rev() {
        let answer = again().await;
        assert_eq!(answer.status, StatusCode::NOT_MODIFIED);
        assert_eq!(answer.number("x-ratelimit-remaining"), remaining);
    }
    assert_eq!(again().await.status, StatusCode::TOO_MANY_REQUESTS);
    service.pass_seconds(1_800);
    assert_eq!(again().await.number("x-ratelimit-remaining"), 60);
}

#[tokio::test]
async fn addresses_of_one_ipv6_network_share_allowance_and_refusal() {
    let (service, faults) = Service::with_faulty_counters().await;
    let get = |address: String| service.send(from(&address, Request::get(COUNT)));
    for number in 0..60 {
        let answer = get(format!("2001:db8:1:2::{number}")).await;
        assert_eq!(answer.number("x-ratelimit-remaining"), 59 - number);
    }
    assert_eq!(get("2001:db8:1:2::1".into()).await.status, StatusCode::TOO_MANY_REQUESTS);
    faults.seen();
    for number in 100..150 {
        let refused = get(format!("2001:db8:1:2:ffff::{number}")).await;
        assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    }
    assert_eq!(faults.seen(), Vec::<String>::new());
    assert_eq!(get("2001:db8:1:3::1".into()).await.status, StatusCode::OK);
}

#[tokio::test]
async fn the_networks_of_one_ipv6_48_together_get_16_allowances() {
    let service = Service::start().await;
    let get = |network: u32| {
        service.send(from(&format!("2001:db8:1:{network:x}::1"), Request::get(COUNT)))
    };
    let mut served = 0;
    for network in 0..17 {
        for _ in 0..60 {
            served += u32::from(get(network).await.status == StatusCode::OK);
        }
    }
    assert_eq!(served, 16 * 60);
    // A process that does not know it yet learns it from the first request of a new network.
    let other = service.second_process();
    let refused = other.send(from("2001:db8:1:ffff::1", Request::get(COUNT))).await;
    assert_eq!((refused.status.as_u16(), refused.slug()), (429, "rate-limit-exceeded"));
    assert_eq!(refused.body["limit"], 960);
    assert_eq!(refused.number("x-ratelimit-remaining"), 0);
    let detail =
        "the addresses of one IPv6 /48 are together allowed 960 `search_read` requests per hour";
    assert_eq!(refused.detail(), detail);
    // Other networks, and clients with a key, are not affected; nor is this one in the next window.
    let elsewhere = other.send(from("2001:db8:2::1", Request::get(COUNT))).await;
    assert_eq!(elsewhere.status, StatusCode::OK);
    let key = service.key(Tier::Free).await;
    let with_key = from("2001:db8:1:ffff::1", tests::bearing(&key, Request::get(COUNT)));
    assert_eq!(other.send(with_key).await.status, StatusCode::OK);
    service.pass_seconds(1_800);
    assert_eq!(get(0).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_network_whose_requests_are_refunded_does_not_use_up_the_allowance_of_its_48() {
    let (service, faults) = Service::with_faulty_counters().await;
    service.register([company("CHE-107.787.577", "Muster AG")]).await;
    let path = "/v1/companies/CHE-107.787.577";
    let tag = service.get(path).await.header("etag").expect("a tag").to_owned();
    // The number of units taken moves between 31 and 32.
    for _ in 0..31 {
        service.send(from("2001:db8:1:1::1", Request::get(path))).await;
    }
    faults.seen();
    for _ in 0..40 {
        let again = Request::get(path).header("if-none-match", &tag);
        let answer = service.send(from("2001:db8:1:1::1", again)).await;
        assert_eq!(answer.status, StatusCode::NOT_MODIFIED);
    }
    let writes = faults.seen().iter().filter(|it| *it == "UpdateItem").count();
    assert_eq!(writes, 40 + 40 + 1, "requests, refunds, and request 32 for the /48");
    let neighbour = service.send(from("2001:db8:1:2::1", Request::get(path))).await;
    assert_eq!(neighbour.status, StatusCode::OK);
}

#[tokio::test]
async fn a_request_is_counted_with_one_write() {
    let (service, faults) = Service::with_faulty_counters().await;
    let key = service.key(Tier::Free).await;
    service.get_as(&key, COUNT).await;
    faults.seen();
    for _ in 0..5 {
        service.get(COUNT).await;
        assert_eq!(faults.seen(), ["UpdateItem"]);
        service.get_as(&key, COUNT).await;
        assert_eq!(faults.seen(), ["UpdateItem"]);
    }
    // An IPv6 network is also counted for its /48: with its requests 1, 2, 4, 8 …
    for writes in [2, 2, 1, 2, 1, 1, 1, 2, 1] {
        service.send(from("2001:db8:1:2::1", Request::get(COUNT))).await;
        assert_eq!(faults.seen(), vec!["UpdateItem"; writes]);
    }
}

#[tokio::test]
async fn server_errors_cost_nothing_and_client_errors_cost_one_unit() {
    let service = Service::start().await;
    for path in ["/v1/probe/panicking", "/v1/probe/failing"] {
        let answer = service.get(path).await;
        assert!(answer.status.is_server_error());
        assert_eq!(answer.number("x-ratelimit-remaining"), 60, "{path}");
    }
    let invalid = service.get("/v1/companies?page=0").await;
    assert_eq!(invalid.number("x-ratelimit-remaining"), 59);
    let unknown = service.get("/v1/companies/CHE-000.000.000").await;
    assert_eq!(unknown.number("x-ratelimit-remaining"), 58);
}

#[tokio::test]
async fn a_response_that_costs_nothing_reports_the_last_known_count() {
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
    // A process without a known count reads it from the table.
    service.get("/health").await;
    assert_eq!(
        service.second_process().get("/v1/nowhere").await.number("x-ratelimit-remaining"),
        599
    );
    let usage = service.get_as(&key, "/v1/usage/current").await;
    let search = &usage.body["groups"][0];
    assert_eq!((search["group"].as_str(), search["used"].as_u64()), (Some("search_read"), Some(1)));
}

#[tokio::test]
async fn usage_of_a_locked_group_has_no_numbers() {
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
async fn a_request_is_served_and_counted_once_when_the_response_of_the_counter_is_lost() {
    let (service, faults) = Service::with_faulty_counters().await;
    faults.once("UpdateItem", Fault::LoseAnswer);
    assert_eq!(service.get(COUNT).await.status, StatusCode::OK);
    // The write is sent once; a retry could count twice.
    assert_eq!(faults.seen().iter().filter(|it| *it == "UpdateItem").count(), 1);
    assert_eq!(service.get(COUNT).await.number("x-ratelimit-remaining"), 58);
}

#[tokio::test]
async fn a_lost_response_of_the_counter_does_not_block_an_expensive_request() {
    let (service, faults) = Service::with_faulty_counters().await;
    let key = service.key(Tier::Professional).await;
    assert_eq!(service.get_as(&key, "/v1/probe/generating").await.status, StatusCode::OK);
    faults.once("UpdateItem", Fault::LoseAnswer);
    assert_eq!(service.get_as(&key, "/v1/probe/generating").await.status, StatusCode::OK);
}

#[tokio::test]
async fn without_the_counter_reads_succeed_and_expensive_requests_are_unavailable() {
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
async fn an_error_of_the_counter_after_its_write_counts_once_and_is_not_an_outage() {
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
async fn an_unreachable_counter_lets_reads_succeed() {
    let mut cloud = tests::cloud().await;
    let closed = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}", closed.local_addr().expect("an address"));
    drop(closed);
    cloud.counters =
        store::Counters::named(local::cloud::clients::dynamodb_client(&address), "counters");
    let address: std::net::IpAddr = "192.0.2.1".parse().expect("an address");
    let subject = store::Subject::from(address);
    let now = jiff::Timestamp::UNIX_EPOCH;
    let taken = cloud.counters.take(&subject, RateGroup::ExpensiveAi, 20, now).await;
    assert!(matches!(taken, Err(store::CountError::NotCounted(_))), "{taken:?}");
    let service = Service::over(cloud).await;
    service.register([]).await;
    assert_eq!(service.get(COUNT).await.status, StatusCode::OK);
}

#[tokio::test]
async fn requests_over_the_limit_write_nothing() {
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
