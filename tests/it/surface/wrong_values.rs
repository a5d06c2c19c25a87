//! What nobody may send: wrong values of every parameter and of every member of every body. Each is refused in our words, with
//! the name of the parameter.

use access::Tier;
use http::{Method, Request, StatusCode};
use http_service::{BodyType, Operation};
use serde_json::{Value, json};
use tests::{Answer, Service, bearing, company, request};

use super::{
    callers::{Prepared, prepared},
    members::{Member, document, members_of, put},
    requests::{CALLBACK, LINK, body, operations, service, with},
};

/// Words of libraries, which describe errors for the programmers of this service.
const LIBRARIES: [&str; 30] = [
    "expected",
    "invalid type",
    "invalid value",
    "invalid length",
    "invalid digit",
    "invalid character",
    "missing field",
    "unknown field",
    "unknown variant",
    "duplicate field",
    "at line",
    "column",
    "EOF",
    "premature",
    "trailing",
    "ParseIntError",
    "ParseError",
    "failed to",
    "parsing failed",
    "did not match",
    "untagged",
    "struct ",
    "serde",
    "jiff",
    "UUID parsing",
    "not in the required range",
    "relative URL",
    "out of range integral",
    "None",
    "Error(",
];

/// Wrong values of a member with this schema.
fn wrong_members(schema: &Value) -> Vec<Value> {
    let mut wrong = match schema["type"].as_str().unwrap_or_default() {
        "integer" => {
            vec![
                json!("abc"),
                json!(1.5),
                json!(true),
                json!([1]),
                json!({ "a": 1 }),
                json!(1e300),
                json!(""),
            ]
        }
        "number" => vec![json!("abc"), json!(true), json!([1]), json!({ "a": 1 }), json!("")],
        "boolean" => vec![json!("maybe"), json!(7), json!([true]), json!({ "a": 1 }), json!("")],
        "array" => vec![json!(7), json!("x"), json!({ "a": 1 }), json!(true), json!(1.5)],
        "object" => vec![json!(7), json!("x"), json!([1]), json!(true), json!(1.5)],
        _ => vec![json!(7), json!(true), json!({ "a": 1 }), json!(["x"]), json!(-1.5)],
    };
    let minimum = schema["minimum"].as_f64().map(|it| json!(it as i64 - 1));
    let maximum = schema["maximum"].as_f64().map(|it| json!(it as i64 + 1));
    wrong.extend([minimum, maximum].into_iter().flatten());
    if schema["type"] == "string" {
        let is_chosen = !schema["enum"].is_null() || !schema["format"].is_null();
        if is_chosen {
            wrong.extend([json!("no such value"), json!("-"), json!("!x"), json!("")]);
        }
        if let Some(longest) = schema["maxLength"].as_u64() {
            wrong.push(json!("x".repeat(longest as usize + 1)));
        }
        if schema["minLength"] == 1 {
            wrong.push(json!(""));
        }
        if is_chosen || schema["pattern"].is_string() {
            wrong.push(json!("\u{0}x"));
        }
    }
    wrong
}

/// Wrong values of a parameter with this schema, as they are written in a query.
fn wrong_parameters(schema: &Value) -> Vec<String> {
    if schema["type"] == "array" {
        return wrong_parameters(&schema["items"]);
    }
    let mut wrong: Vec<String> = match schema["type"].as_str().unwrap_or_default() {
        "integer" => vec!["abc", "", "1.5", "99999999999999999999", "true", "%2B"],
        "number" => vec!["abc", "", "NaN", "--1", "1%3B2", "true"],
        "boolean" => vec!["maybe", "", "2", "-true", "!false", "yes"],
        _ => vec!["%ff", "%00x"],
    }
    .into_iter()
    .map(str::to_owned)
    .collect();
    if schema["minimum"].as_f64().is_some_and(|it| it >= 0.0) {
        wrong.push("-1".to_owned());
    }
    if let Some(maximum) = schema["maximum"].as_f64() {
        wrong.push((maximum as i64 + 1).to_string());
    }
    if wrong.len() < 5 {
        let is_chosen =
            ["enum", "format", "pattern", "anyOf"].iter().any(|it| !schema[it].is_null());
        if is_chosen {
            wrong.extend(["no%20such%20value!", "-", "!x", "", "%E2%80%AE"].map(str::to_owned));
        }
        let longest = schema["maxLength"].as_u64().unwrap_or(4_000);
        wrong.push("x".repeat(longest as usize + 1));
    }
    wrong
}

/// What is wrong with the answer to a wrong value of this parameter or member.
fn objection(answer: &Answer, name: &str, also: &[StatusCode]) -> Option<String> {
    let problem = |what: &str| Some(format!("{what}: {} {}", answer.status, answer.text));
    let refused = [StatusCode::BAD_REQUEST, StatusCode::UNPROCESSABLE_ENTITY];
    let text = answer.text.replace("`None`", "");
    if let Some(word) = LIBRARIES.iter().find(|it| text.contains(**it)) {
        return problem(&format!("says `{word}`"));
    }
    if also.contains(&answer.status) {
        return None;
    }
    if !refused.contains(&answer.status) {
        return problem("accepts it");
    }
    if answer.header("content-type") != Some("application/problem+json") {
        return problem("no problem");
    }
    let errors = answer.body["errors"].as_array().cloned().unwrap_or_default();
    let names = |it: &Value| it["member"].as_str().is_some_and(|it| it.contains(name));
    match errors.iter().any(names) {
        true => None,
        false => problem("does not name it"),
    }
}

/// Sends requests of a caller, of a new one whenever its allowance is used up.
struct Caller<'a> {
    service: &'a Service,
    operation: &'a Operation,
    prepared: Prepared,
}

impl<'a> Caller<'a> {
    async fn new(service: &'a Service, operation: &'a Operation) -> Self {
        let prepared = prepared(service, Tier::Enterprise, operation).await;
        Self { service, operation, prepared }
    }

    async fn body(&self) -> Value {
        let Prepared { team, user, .. } = &self.prepared;
        let text = body(self.service, team, user.as_deref(), self.operation).await;
        serde_json::from_str(&text).unwrap_or_default()
    }

    fn request(&self, path: &str) -> http::request::Builder {
        let mut request = bearing(&self.prepared.token, request(&self.operation.method, path));
        if [CALLBACK, LINK].contains(&self.operation.path.as_str()) {
            let (name, value) = tests::sso::COOKIE;
            request = request.header("cookie", format!("{name}={value}"));
        }
        request
    }

    async fn send(&mut self, path: impl Fn(&str) -> String, body: Option<&Value>) -> Answer {
        loop {
            let path = path(&self.prepared.path);
            let answer = match body {
                _ if matches!(self.operation.method, Method::GET | Method::DELETE) => {
                    self.service.send(self.request(&path)).await
                }
                Some(body) => {
                    let body = body.to_string();
                    let signature = emulators::stripe::sign(&body, self.service.now());
                    let request = self.request(&path).header("content-type", "application/json");
                    self.service
                        .send_with(request.header("stripe-signature", signature), body)
                        .await
                }
                None => {
                    let request = self.request(&path).header("content-type", "application/json");
                    self.service.send_with(request, "{}").await
                }
            };
            if answer.status != StatusCode::TOO_MANY_REQUESTS {
                return answer;
            }
            self.prepared = prepared(self.service, Tier::Enterprise, self.operation).await;
        }
    }
}

#[tokio::test]
async fn every_wrong_value_of_a_member_is_refused_in_our_words() {
    let (service, document) = (service().await, document());
    let (mut objections, mut tested) = (Vec::new(), 0);
    for operation in operations(&service) {
        let is_json = matches!(operation.method, Method::POST | Method::PUT)
            && !matches!(operation.body, BodyType::File);
        if !is_json {
            continue;
        }
        let mut caller = Caller::new(&service, &operation).await;
        for Member { path, schema } in members_of(&document, &operation) {
            let valid = caller.body().await;
            for wrong in wrong_members(&schema) {
                let mut body = valid.clone();
                put(&mut body, &path, &wrong);
                let answer = caller.send(str::to_owned, Some(&body)).await;
                let name = path.iter().rfind(|it| *it != "[]").expect("a name");
                // A malformed event of the payment provider is refused as a whole.
                let name = if operation.id == "payment_event" { "" } else { name };
                // Nobody is in a team whose id is none. The provider's events are read as far as they are needed.
                let also: &[StatusCode] = match operation.id {
                    "switch_team" => &[StatusCode::NOT_FOUND],
                    "payment_event" => &[StatusCode::OK],
                    _ => &[],
                };
                let found = objection(&answer, name, also);
                let shown: String = wrong.to_string().chars().take(40).collect();
                objections.extend(
                    found.map(|it| format!("{} {} {shown}: {it}", operation.id, path.join("."))),
                );
                tested += 1;
            }
        }
    }
    assert!(objections.is_empty(), "{} of {tested}:\n{}", objections.len(), objections.join("\n"));
    assert!(tested > 800, "{tested}");
}

#[tokio::test]
async fn every_wrong_value_of_a_parameter_is_refused_in_our_words() {
    let (service, document) = (service().await, document());
    let (mut objections, mut tested) = (Vec::new(), 0);
    for operation in operations(&service) {
        let method = operation.method.as_str().to_lowercase();
        let parameters = &document["paths"][&operation.path][method]["parameters"];
        let mut caller = Caller::new(&service, &operation).await;
        for parameter in parameters.as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().expect("a name");
            let place = parameter["in"].as_str().expect("a place");
            if place == "header" {
                continue;
            }
            for wrong in wrong_parameters(&parameter["schema"]) {
                // A path has no empty part.
                if place == "path" && wrong.is_empty() {
                    continue;
                }
                let path = |valid: &str| match place {
                    "path" => in_path(&operation, valid, name, &wrong),
                    _ => with(&without(valid, name), &format!("{name}={wrong}")),
                };
                let answer = caller.send(path, None).await;
                // No resource has such an id. Files are sent as forms.
                let also = [StatusCode::NOT_FOUND, StatusCode::UNSUPPORTED_MEDIA_TYPE];
                let also = if place == "path" { also.as_slice() } else { &[] };
                let shown: String = wrong.chars().take(40).collect();
                let found = objection(&answer, if place == "path" { "" } else { name }, also);
                objections.extend(found.map(|it| format!("{} {name}={shown}: {it}", operation.id)));
                tested += 1;
            }
        }
    }
    assert!(objections.is_empty(), "{} of {tested}:\n{}", objections.len(), objections.join("\n"));
    assert!(tested > 1_000, "{tested}");
}

/// The path with another value of a variable.
fn in_path(operation: &Operation, valid: &str, name: &str, value: &str) -> String {
    let (path, query) = valid.split_once('?').unwrap_or((valid, ""));
    let variable = format!("{{{name}}}");
    let parts = operation.path.split('/').zip(path.split('/'));
    let parts: Vec<&str> =
        parts.map(|(pattern, part)| if pattern == variable { value } else { part }).collect();
    format!("{}?{query}", parts.join("/"))
}

/// The path without a parameter of its query.
fn without(path: &str, name: &str) -> String {
    let Some((path, query)) = path.split_once('?') else { return path.to_owned() };
    let named = format!("{name}=");
    let rest: Vec<&str> = query.split('&').filter(|it| !it.starts_with(&named)).collect();
    if rest.is_empty() { path.to_owned() } else { format!("{path}?{}", rest.join("&")) }
}

/// Names of a lower and an upper end, in the way in which parameters are named.
fn upper_end(lower: &str) -> Option<String> {
    let ends = [("Min", "Max"), ("After", "Before"), ("From", "To")];
    let renamed = |(low, up)| Some(format!("{}{up}", lower.strip_suffix(low)?));
    match lower {
        "since" => Some("until".to_owned()),
        "from" => Some("to".to_owned()),
        _ => ends.into_iter().find_map(renamed),
    }
}

#[tokio::test]
async fn a_minimum_above_its_maximum_is_refused_with_both_values() {
    let (service, document) = (service().await, document());
    let mut tested = Vec::new();
    for operation in operations(&service) {
        let method = operation.method.as_str().to_lowercase();
        let described = &document["paths"][&operation.path][method];
        let parameters: Vec<&Value> = described["parameters"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|it| it["in"] == "query")
            .collect();
        let mut caller = Caller::new(&service, &operation).await;
        for lower in &parameters {
            let name = lower["name"].as_str().expect("a name");
            let Some(upper) = upper_end(name) else { continue };
            if !parameters.iter().any(|it| it["name"] == *upper) {
                continue;
            }
            let (high, low) = match lower["schema"]["type"] == "number" {
                true => ("0.5", "0.25"),
                false => ("2026-02-01", "2026-01-31"),
            };
            let contradicting = |valid: &str| {
                let valid = without(&without(valid, name), &upper);
                with(&valid, &format!("{upper}={low}&{name}={high}"))
            };
            let refused = caller.send(contradicting, None).await;
            assert_eq!(
                refused.status,
                StatusCode::BAD_REQUEST,
                "{} {name}: {}",
                operation.id,
                refused.text
            );
            assert_eq!(refused.body["errors"][0]["member"], name, "{}", refused.text);
            let detail = refused.detail();
            for part in [high, low, name, &upper] {
                assert!(detail.contains(part), "{} {part}: {detail}", operation.id);
            }
            let equal = |valid: &str| {
                let valid = without(&without(valid, name), &upper);
                with(&valid, &format!("{upper}={low}&{name}={low}"))
            };
            let answered = caller.send(equal, None).await;
            // An analysis of no company is refused.
            let finds_nothing = operation.path.starts_with("/v1/analytics/")
                && answered.detail().starts_with("filter: no company matches the filters");
            assert!(
                answered.status == StatusCode::OK || finds_nothing,
                "{} {name}: {}",
                operation.id,
                answered.text
            );
            tested.push(format!("{} {name}", operation.id));
        }
    }
    assert!(tested.len() >= 7, "{tested:?}");
    let replay = json!({ "from": "2026-11-02T00:00:00Z", "to": "2026-11-01T00:00:00Z" });
    let key = service.key(Tier::Enterprise).await;
    let hook =
        service.post_as(&key, "/v1/webhooks", json!({ "url": "http://127.0.0.1:9/h" })).await;
    let path =
        format!("/v1/webhooks/{}/replay", hook.body["webhook"]["id"].as_str().expect("an id"));
    let refused = service.post_as(&key, &path, replay).await;
    let detail =
        "from: must not be after `to`; got `2026-11-02T00:00:00Z` and `2026-11-01T00:00:00Z`";
    assert_eq!(refused.detail(), detail);
}

#[tokio::test]
async fn latitude_and_longitude_in_the_wrong_order_are_refused_with_both_values() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    for (lat, lng) in [("7.588", "47.559"), ("8,54", "47,37"), ("120", "30"), ("-95.5", "40")] {
        let refused = service.get(&format!("/v1/companies/nearby?lat={lat}&lng={lng}")).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.text);
        let detail = refused.detail();
        for part in ["swapped", lat, lng] {
            assert!(detail.contains(part), "{part}: {detail}");
        }
    }
    for (lat, lng) in [("47.559", "7.588"), ("0", "0"), ("-33.9", "18.4"), ("10", "10")] {
        let found = service.get(&format!("/v1/companies/nearby?lat={lat}&lng={lng}")).await;
        assert_eq!(found.status, StatusCode::OK, "{}", found.text);
    }
}

#[tokio::test]
async fn a_malformed_body_is_refused_in_our_words() {
    let service = Service::start().await;
    let key = service.key(Tier::Enterprise).await;
    for body in [
        "{\"name\": ",
        "[1]",
        "7",
        "{} {}",
        "{name: 1}",
        "{\"name\": \"a\" \"b\"}",
        "\u{feff}{}",
        "nul",
    ] {
        let post = Request::post("/v1/api-keys").header("content-type", "application/json");
        let answer = service.send_with(bearing(&key, post), body.to_owned()).await;
        assert_eq!(objection(&answer, "body", &[]), None, "{body}");
    }
    let twice = Request::post("/v1/api-keys").header("content-type", "application/json");
    let answer =
        service.send_with(bearing(&key, twice), r#"{"name":"a","name":"b"}"#.to_owned()).await;
    assert_eq!(objection(&answer, "name", &[]), None);
    let missing = service.get("/v1/companies/nearby").await;
    assert_eq!(missing.detail(), "lat: is required, but missing; for example `lat=47.559`");
}
