//! Rules for every operation, checked by enumerating all of them; new operations are included automatically.

use access::{Environment, RateGroup, Scope, Tier};
use domain::persons::Person;
use http::{Method, StatusCode};
use http_service::Operation;
use publications::Publication;
use serde_json::{Value, json};
use tests::{Answer, Service, bearing, company, probes, request};

const COMPANY: &str = "CHE-107.787.577";

/// A service with two companies, one of which has an officer.
async fn service() -> Service {
    let companies = [company(COMPANY, "Muster AG"), company("CHE-600.000.001", "Zweite AG")];
    let service = Service::with(companies).await;
    service.ingest_publications([officers_publication()]).await;
    service
}

fn officers_publication() -> Publication {
    let officer = "Muster, Eva, von Chur, in Bern, Mitglied, mit Einzelunterschrift";
    Publication::mutation(COMPANY, "Muster AG").persons_entered(officer)
}

/// The id of that officer, which is derived from the publication.
fn officer() -> String {
    let person = Person {
        first_name: Some("Eva".into()),
        last_name: "Muster".into(),
        origin: Some("Chur".into()),
        residence: Some("Bern".into()),
        ..Person::default()
    };
    person.identity(COMPANY.parse().expect("a company number")).id.to_string()
}

/// The id of the change in this publication, which is derived from the publication alone.
fn change() -> String {
    let statements = tests::read_publications(&[officers_publication()]).statements;
    let facts = facts::facts(statements);
    let (_, history) = facts::fold_with_history(&facts).expect("a record");
    history.events[0].event.id.to_string()
}

/// Every operation of every function, and the probes that answer successfully.
fn operations(service: &Service) -> Vec<Operation> {
    let probes: Vec<Operation> = probes::api().operations().cloned().collect();
    let successful = probes
        .into_iter()
        .filter(|it| !it.path.contains("panicking") && !it.path.contains("failing"));
    service.operations.iter().cloned().chain(successful).collect()
}

/// Resources with an id that every team can read.
const SHARED: [&str; 2] = ["/v1/changes", "/v1/persons"];

/// Whether the operation is about a resource that belongs to one team.
fn is_owned(operation: &Operation) -> bool {
    let noun = operation.path.split("/{id}").next().unwrap_or_default();
    operation.path.contains("{id}") && !SHARED.contains(&noun)
}

/// A path to an existing resource. Fails for a path variable that this test does not know yet: isolation must be
/// tested with resources that exist.
fn path(operation: &Operation, id: &str) -> String {
    let noun = operation.path.split("/{id}").next().unwrap_or_default();
    let path = match noun {
        "/v1/api-keys" => operation.path.replace("{id}", id),
        "/v1/persons" => operation.path.replace("{id}", &officer()),
        "/v1/changes" if operation.path.ends_with("/review") => {
            operation.path.replace("{id}", &change())
        }
        "/v1/changes" => operation.path.replace("{id}", COMPANY),
        _ => operation.path.clone(),
    };
    let path = path.replace("{uid}", COMPANY).replace("{slug}", "not-found");
    assert!(!path.contains('{'), "{path}: create the resource of this variable in this test");
    match operation.path.as_str() {
        "/v1/companies/nearby" => format!("{path}?lat=47.559&lng=7.588"),
        "/v1/companies/{uid}/diff" => format!("{path}?since=2026-01-01"),
        _ => path,
    }
}

async fn send(service: &Service, operation: &Operation, key: Option<&str>, path: &str) -> Answer {
    let mut request = request(&operation.method, path);
    if let Some(key) = key {
        request = bearing(key, request);
    }
    match operation.method {
        Method::GET | Method::DELETE => service.send(request).await,
        _ => {
            let request = request.header("content-type", "application/json");
            service.send_with(request, body(operation)).await
        }
    }
}

/// A valid body for the operation.
fn body(operation: &Operation) -> String {
    match operation.path.as_str() {
        "/v1/companies/compare" => json!({ "uids": [COMPANY, "CHE-600.000.001"] }).to_string(),
        _ => "{}".to_owned(),
    }
}

/// A key of a new team of this tier, and the id of a second key of the team for requests to use.
async fn team(service: &Service, tier: Tier) -> (String, String) {
    let key = service.key(tier).await;
    let created = service.post_as(&key, "/v1/api-keys", json!({})).await;
    (key, created.body["id"].as_str().expect("an id").to_owned())
}

#[tokio::test]
async fn every_operation_accepts_exactly_the_tiers_that_it_declares() {
    for tier in Tier::ALL {
        let service = service().await;
        for operation in operations(&service) {
            let (key, id) = team(&service, tier).await;
            let answer = send(&service, &operation, Some(&key), &path(&operation, &id)).await;
            let named =
                format!("{} {} for {tier}: {}", operation.method, operation.path, answer.text);
            let unlocked =
                operation.group.allowance(tier).is_some() && tier >= operation.minimum_tier;
            if unlocked {
                assert!(answer.status.is_success(), "{named}");
                assert!(
                    answer.number("x-ratelimit-remaining") < answer.number("x-ratelimit-limit"),
                    "{named}"
                );
            } else {
                assert_eq!(
                    (answer.status, answer.slug()),
                    (StatusCode::FORBIDDEN, "tier-not-unlocked"),
                    "{named}"
                );
                assert_eq!(answer.body["requiredTier"], json!(operation.minimum_tier), "{named}");
                assert_eq!(answer.body["tier"], json!(tier), "{named}");
            }
            assert_eq!(answer.header("x-ratelimit-group"), Some(operation.group.name()), "{named}");
        }
    }
}

#[tokio::test]
async fn every_operation_answers_anonymous_callers_as_it_declares() {
    let service = service().await;
    let (_, id) = team(&service, Tier::Free).await;
    for operation in operations(&service) {
        let answer = send(&service, &operation, None, &path(&operation, &id)).await;
        let named = format!("{} {}: {}", operation.method, operation.path, answer.text);
        if operation.needs_token {
            assert_eq!(
                (answer.status, answer.slug()),
                (StatusCode::UNAUTHORIZED, "unauthorized"),
                "{named}"
            );
        } else if operation.minimum_tier > Tier::Free {
            assert_eq!(answer.slug(), "tier-not-unlocked", "{named}");
        } else {
            assert!(answer.status.is_success(), "{named}");
        }
    }
}

#[tokio::test]
async fn operations_that_write_or_belong_to_a_team_need_a_token() {
    let service = Service::start().await;
    for operation in &service.operations {
        let writes = operation.scope == Scope::Write;
        let belongs_to_team = operation.group == RateGroup::Account;
        assert!(operation.needs_token || !(writes || belongs_to_team), "{operation:?}");
        let is_read = matches!(operation.method, Method::GET);
        assert!(!(is_read && writes), "{operation:?}");
    }
}

#[tokio::test]
async fn every_operation_refuses_a_key_without_its_scope() {
    let service = service().await;
    let team = service.team(Tier::Enterprise).await;
    for operation in operations(&service) {
        let other = if operation.scope == Scope::Read { Scope::Write } else { Scope::Read };
        let key = service.key_of(&team, Environment::Live, &[other]).await;
        let id = "0199c0de-0000-7000-8000-000000000000";
        let answer = send(&service, &operation, Some(&key), &path(&operation, id)).await;
        assert_eq!(
            (answer.status, answer.slug()),
            (StatusCode::FORBIDDEN, "forbidden"),
            "{operation:?}"
        );
    }
}

#[tokio::test]
async fn every_response_has_the_standard_headers_and_every_error_is_a_problem() {
    let service = service().await;
    let (key, id) = team(&service, Tier::Enterprise).await;
    let mut answers = Vec::new();
    for operation in operations(&service) {
        let path = path(&operation, &id);
        answers.push(send(&service, &operation, Some(&key), &path).await);
        answers.push(send(&service, &operation, None, &path).await);
        answers.push(send(&service, &operation, Some("not-a-key"), &path).await);
        answers.push(send(&service, &operation, Some(&key), &with(&path, "nonsense=1")).await);
        let wrong = service.send(request(&Method::PATCH, &path)).await;
        assert_eq!(wrong.slug(), "method-not-allowed", "{path}");
        assert!(wrong.header("allow").is_some_and(|it| it.contains(operation.method.as_str())));
        answers.push(wrong);
        answers.push(service.send(request(&Method::OPTIONS, &path)).await);
        answers.push(service.send(request(&Method::HEAD, &path)).await);
    }
    for path in [
        "/",
        "/v1",
        "/v1/nowhere",
        "/api",
        "/v1/companies/CHE-000.000.000",
        "/v1/companies/x",
        "/v1/probe/panicking",
        "/v1/probe/failing",
        "/v1/companies/%ff",
    ] {
        answers.push(service.get(path).await);
    }
    for answer in &answers {
        assert_complete(answer);
    }
    let mut ids: Vec<_> = answers.iter().filter_map(|it| it.header("x-request-id")).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), answers.len(), "every request has a different id");
}

fn with(path: &str, query: &str) -> String {
    let separator = if path.contains('?') { '&' } else { '?' };
    format!("{path}{separator}{query}")
}

fn assert_complete(answer: &Answer) {
    let group = answer.header("x-ratelimit-group").expect("a group");
    assert!(RateGroup::ALL.iter().any(|it| it.name() == group), "{answer:?}");
    assert!(matches!(answer.header("x-ratelimit-window"), Some("1h" | "1d")), "{answer:?}");
    let (limit, remaining) =
        (answer.number("x-ratelimit-limit"), answer.number("x-ratelimit-remaining"));
    assert!(limit >= remaining && remaining >= 0, "{answer:?}");
    assert!((1..=86_400).contains(&answer.number("x-ratelimit-reset")), "{answer:?}");
    assert!(answer.header("ratelimit").is_some() && answer.header("ratelimit-policy").is_some());
    assert!(answer.header("access-control-allow-origin").is_some(), "{answer:?}");
    if answer.status.as_u16() == 401 {
        assert!(answer.header("www-authenticate").is_some_and(|it| it.starts_with("Bearer")));
    }
    if answer.status.is_server_error() {
        assert_eq!(answer.header("retry-after"), Some("1"), "{answer:?}");
    }
    let refused = answer.status.is_client_error() || answer.status.is_server_error();
    if !refused || answer.text.is_empty() {
        return;
    }
    assert_eq!(answer.header("content-type"), Some("application/problem+json"), "{answer:?}");
    let problem = answer.body.as_object().expect("an object");
    let kind = problem_details::PROBLEM_TYPES.iter().find(|it| it.slug == answer.slug());
    let kind = kind.unwrap_or_else(|| panic!("a known type: {answer:?}"));
    assert_eq!(problem["type"], format!("{}/errors/{}", tests::PUBLIC_URL, kind.slug));
    assert_eq!(problem["status"], answer.status.as_u16());
    assert_eq!(kind.status, answer.status);
    assert_eq!(problem["title"], kind.title);
    assert!(problem["detail"].as_str().is_some_and(|it| !it.is_empty()), "{answer:?}");
    assert!(problem["instance"].as_str().is_some_and(|it| it.starts_with('/')), "{answer:?}");
    for member in problem.keys() {
        let standard = ["type", "title", "status", "detail", "instance"].contains(&member.as_str());
        assert!(standard || kind.members.contains(&member.as_str()), "{member}: {answer:?}");
    }
    assert!(!problem.values().any(Value::is_null), "{answer:?}");
}

#[tokio::test]
async fn every_operation_refuses_an_unknown_parameter() {
    let service = service().await;
    for operation in service.operations.clone() {
        let (key, id) = team(&service, Tier::Enterprise).await;
        let path = with(&path(&operation, &id), "nonsense=1");
        let answer = send(&service, &operation, Some(&key), &path).await;
        let named = format!("{} {path}: {}", operation.method, answer.text);
        assert_eq!(
            (answer.status, answer.slug()),
            (StatusCode::BAD_REQUEST, "bad-request"),
            "{named}"
        );
        assert_eq!(answer.body["errors"][0]["member"], "nonsense", "{named}");
    }
}

#[tokio::test]
async fn no_response_contains_null() {
    fn has_null(value: &Value) -> bool {
        match value {
            Value::Null => true,
            Value::Array(items) => items.iter().any(has_null),
            Value::Object(members) => members.values().any(has_null),
            _ => false,
        }
    }
    let service = service().await;
    for operation in service.operations.clone() {
        let (key, id) = team(&service, Tier::Enterprise).await;
        let mut answer = send(&service, &operation, Some(&key), &path(&operation, &id)).await;
        // The OpenAPI description may contain `null`.
        let is_json = answer.header("content-type") == Some("application/json")
            && !operation.path.ends_with("openapi.json");
        // A comparison has one value for each company, `null` if it is unknown.
        let dimensions = answer.body.get_mut("dimensions").and_then(Value::as_array_mut);
        for dimension in dimensions.into_iter().flatten() {
            let values = dimension["values"].as_array_mut();
            values.expect("a value for each company").retain(|it| !it.is_null());
        }
        assert!(!is_json || !has_null(&answer.body), "{} {}", operation.path, answer.text);
        let empty = answer.status == StatusCode::NO_CONTENT;
        assert_eq!(
            answer.text.is_empty(),
            empty,
            "{}: 204 has no body, others have one",
            operation.path
        );
    }
}

/// Every operation that needs a token is sent by one team for a resource of another team.
#[tokio::test]
async fn no_team_can_read_or_change_a_resource_of_another_team() {
    let service = service().await;
    for operation in service.operations.clone().iter().filter(|it| it.needs_token) {
        let (owner, id) = team(&service, Tier::Enterprise).await;
        let (other, _) = team(&service, Tier::Enterprise).await;
        let before = service.get_as(&owner, "/v1/api-keys").await.body;
        let path = path(operation, &id);
        let answer = send(&service, operation, Some(&other), &path).await;
        let named = format!("{} {path}: {}", operation.method, answer.text);
        if is_owned(operation) {
            assert_eq!(
                (answer.status, answer.slug()),
                (StatusCode::NOT_FOUND, "not-found"),
                "{named}"
            );
        }
        let prefix = before[1]["prefix"].as_str().expect("a prefix");
        assert!(!answer.text.contains(&id) || answer.status == StatusCode::NOT_FOUND, "{named}");
        assert!(!answer.text.contains(prefix), "{named}");
        let after = service.get_as(&owner, "/v1/api-keys").await.body;
        assert_eq!(before[1], after[1], "{named}");
    }
}

#[tokio::test]
async fn a_live_key_cannot_read_a_resource_of_its_teams_sandbox() {
    let service = service().await;
    let both = [Scope::Read, Scope::Write];
    for operation in service.operations.clone().iter().filter(|it| is_owned(it)) {
        let team = service.team(Tier::Enterprise).await;
        let live = service.key_of(&team, Environment::Live, &both).await;
        let sandbox = service.key_of(&team, Environment::Test, &both).await;
        let created = service.post_as(&sandbox, "/v1/api-keys", json!({})).await;
        let id = created.body["id"].as_str().expect("an id");
        let answer = send(&service, operation, Some(&live), &path(operation, id)).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{} {}", operation.method, operation.path);
    }
}

#[tokio::test]
async fn every_method_of_a_path_has_one_operation() {
    let service = Service::start().await;
    let mut named: Vec<_> =
        service.operations.iter().map(|it| (it.path.as_str(), it.method.as_str())).collect();
    let count = named.len();
    named.sort_unstable();
    named.dedup();
    assert_eq!(named.len(), count);
}
