//! Texts that people choose and others read.

use access::Tier;
use http::{Method, StatusCode};
use http_service::{BodyType, Operation};
use serde_json::{Map, Value, json};
use tests::{bearing, request};

use super::{
    callers::prepared,
    requests::{body, operations, service},
};

/// Hides what follows it in a name: the rest is shown from right to left.
const REVERSED: &str = "Bank\u{202e}GA";

/// A member of a request body that is a text: its path, in which `[]` is a list.
type Member = Vec<String>;

/// The texts of a request body whose description has neither a format nor a list of values.
fn texts(document: &Value, schema: &Value, path: &Member, found: &mut Vec<Member>) {
    if let Some(reference) = schema["$ref"].as_str() {
        let schema = document.pointer(reference.trim_start_matches('#')).expect("a component");
        return texts(document, schema, path, found);
    }
    for kind in ["allOf", "anyOf", "oneOf"] {
        for schema in schema[kind].as_array().into_iter().flatten() {
            texts(document, schema, path, found);
        }
    }
    let is_free = schema["format"].is_null() && schema["enum"].is_null();
    if schema["type"] == "string" && is_free {
        found.push(path.clone());
    }
    let below = |name: &str| path.iter().cloned().chain([name.to_owned()]).collect();
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        texts(document, schema, &below(name), found);
    }
    if schema["items"].is_object() {
        texts(document, &schema["items"], &below("[]"), found);
    }
}

fn texts_of(document: &Value, operation: &Operation) -> Vec<Member> {
    let method = operation.method.as_str().to_lowercase();
    let body = &document["paths"][&operation.path][method]["requestBody"]["content"];
    let mut found = Vec::new();
    texts(document, &body["application/json"]["schema"], &Vec::new(), &mut found);
    found
}

/// Puts the text into a body.
fn put(body: &mut Value, member: &[String]) {
    let [first, rest @ ..] = member else {
        *body = json!(REVERSED);
        return;
    };
    let child = if first == "[]" {
        if !body.is_array() {
            *body = json!([null]);
        }
        let items = body.as_array_mut().expect("a list");
        if items.is_empty() {
            items.push(Value::Null);
        }
        &mut items[0]
    } else {
        if !body.is_object() {
            *body = Value::Object(Map::new());
        }
        body.as_object_mut().expect("an object").entry(first.clone()).or_insert(Value::Null)
    };
    put(child, rest);
}

#[tokio::test]
async fn no_operation_accepts_a_text_that_changes_the_direction_of_what_follows() {
    let service = service().await;
    let text = include_str!("../../../functions/api/public/openapi.json");
    let document: Value = serde_json::from_str(text).expect("json");
    let (mut tested, mut named) = (0, 0);
    for operation in operations(&service) {
        let is_json = matches!(operation.method, Method::POST | Method::PUT)
            && !matches!(operation.body, BodyType::File);
        if !is_json {
            continue;
        }
        for member in texts_of(&document, &operation) {
            let name = member.join(".");
            let caller = prepared(&service, Tier::Enterprise, &operation).await;
            let valid = body(&service, &caller.team, caller.user.as_deref(), &operation).await;
            let mut body: Value = serde_json::from_str(&valid).expect("json");
            put(&mut body, &member);
            let request = bearing(&caller.token, request(&operation.method, &caller.path))
                .header("content-type", "application/json");
            let answer = service.send_with(request, body.to_string()).await;
            let what = format!("{} {name}: {}", operation.id, answer.text);
            assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{what}");
            let first = &member[0];
            let wrong = answer.body["errors"][0]["member"].as_str().unwrap_or_default();
            // The payment provider signs its requests, and the parameters of a search are those of a query.
            assert!(wrong.contains(first.as_str()) || operation.id == "payment_event", "{what}");
            named += usize::from(answer.detail().contains("U+202E"));
            tested += 1;
        }
    }
    assert!(tested > 40 && named > 20, "{tested} {named}");
}

#[tokio::test]
async fn a_refused_name_is_answered_with_the_code_point_and_the_member() {
    let service = service().await;
    let key = service.key(Tier::Starter).await;
    for (name, code) in [
        ("Bank\u{202e}GA", "U+202E"),
        ("Line\u{2028}two", "U+2028"),
        ("Zero\u{200b}width", "U+200B"),
        ("Private\u{e000}", "U+E000"),
        ("Control\u{7}", "U+0007"),
    ] {
        let refused = service.put_as(&key, "/v1/teams/me", json!({ "name": name })).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.text);
        assert_eq!(refused.body["errors"][0]["member"], "name");
        assert!(refused.detail().contains(code), "{}", refused.text);
    }
    for name in ["Müller & Söhne", "می‌خواهم", "株式会社", "👩‍💻 Team"] {
        let renamed = service.put_as(&key, "/v1/teams/me", json!({ "name": name })).await;
        assert_eq!(renamed.body["name"], name, "{}", renamed.text);
    }
    let invisible = service.put_as(&key, "/v1/teams/me", json!({ "name": "\u{3164}" })).await;
    assert_eq!(invisible.status, StatusCode::BAD_REQUEST, "{}", invisible.text);
}
