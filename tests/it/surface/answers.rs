//! What all answers have in common.

use access::{RateGroup, Tier};
use http::{Method, StatusCode};
use serde_json::Value;
use tests::{Answer, request};

use super::{
    callers::{prepared, send, send_prepared},
    requests::{CALLBACK, operations, service, with},
};

#[tokio::test]
async fn every_response_has_the_standard_headers_and_every_error_is_a_problem() {
    let service = service().await;
    let mut answers = Vec::new();
    for operation in operations(&service) {
        let caller = prepared(&service, Tier::Enterprise, &operation).await;
        let path = caller.path.clone();
        let (team, user) = (&caller.team, caller.user.as_deref());
        answers.push(send_prepared(&service, &operation, &caller).await);
        answers.push(send(&service, &operation, None, &path).await);
        answers.push(send(&service, &operation, Some(("not-a-key", team, user)), &path).await);
        let nonsense = with(&path, "nonsense=1");
        let key = Some((caller.token.as_str(), team, user));
        answers.push(send(&service, &operation, key, &nonsense).await);
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
    let operations = service.operations.iter().filter(|it| it.path != CALLBACK).cloned();
    for operation in operations.collect::<Vec<_>>() {
        let caller = prepared(&service, Tier::Enterprise, &operation).await;
        let path = with(&caller.path, "nonsense=1");
        let key = Some((caller.token.as_str(), &caller.team, caller.user.as_deref()));
        let answer = send(&service, &operation, key, &path).await;
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
        let caller = prepared(&service, Tier::Enterprise, &operation).await;
        let mut answer = send_prepared(&service, &operation, &caller).await;
        // The OpenAPI description may contain `null`.
        let is_json = answer.header("content-type") == Some("application/json")
            && !operation.path.ends_with("openapi.json");
        // A comparison has one value for each company, `null` if it is unknown.
        let is_comparison = operation.path == "/v1/companies/compare";
        let dimensions = answer.body.get_mut("dimensions").filter(|_| is_comparison);
        for dimension in dimensions.and_then(Value::as_array_mut).into_iter().flatten() {
            let values = dimension["values"].as_array_mut();
            values.expect("a value for each company").retain(|it| !it.is_null());
        }
        assert!(!is_json || !has_null(&answer.body), "{} {}", operation.path, answer.text);
        // Clients expect no body of a new watch.
        let is_new_watch = operation.method == Method::POST && operation.path == "/v1/watches";
        let is_empty = answer.status == StatusCode::NO_CONTENT || answer.status.is_redirection();
        let empty = is_empty || is_new_watch;
        assert_eq!(
            answer.text.is_empty(),
            empty,
            "{}: 204 has no body, others have one",
            operation.path
        );
    }
}
