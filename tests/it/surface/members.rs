//! The members of request bodies, as the description of the API has them.

use http_service::Operation;
use serde_json::{Map, Value, json};

/// A member of a request body: its path, in which `[]` is an item of a list, and one of its schemas.
pub(super) struct Member {
    pub(super) path: Vec<String>,
    pub(super) schema: Value,
}

pub(super) fn document() -> Value {
    let text = include_str!("../../../functions/api/public/openapi.json");
    serde_json::from_str(text).expect("json")
}

/// The members of the operation's JSON body, each once for each alternative that is not `null`.
pub(super) fn members_of(document: &Value, operation: &Operation) -> Vec<Member> {
    let method = operation.method.as_str().to_lowercase();
    let body = &document["paths"][&operation.path][method]["requestBody"]["content"];
    let mut found = Vec::new();
    add(document, &body["application/json"]["schema"], &Vec::new(), &mut found);
    found
}

fn add(document: &Value, schema: &Value, path: &Vec<String>, found: &mut Vec<Member>) {
    if let Some(reference) = schema["$ref"].as_str() {
        let schema = document.pointer(reference.trim_start_matches('#')).expect("a component");
        return add(document, schema, path, found);
    }
    for kind in ["allOf", "anyOf", "oneOf"] {
        for schema in schema[kind].as_array().into_iter().flatten() {
            add(document, schema, path, found);
        }
    }
    let is_null = schema["enum"].as_array().is_some_and(|it| it.iter().all(Value::is_null));
    if !path.is_empty() && schema["type"].is_string() && !is_null {
        found.push(Member { path: path.clone(), schema: schema.clone() });
    }
    let below = |name: &str| path.iter().cloned().chain([name.to_owned()]).collect();
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        add(document, schema, &below(name), found);
    }
    if schema["items"].is_object() {
        add(document, &schema["items"], &below("[]"), found);
    }
}

/// Puts a value into a body.
pub(super) fn put(body: &mut Value, member: &[String], value: &Value) {
    let [first, rest @ ..] = member else {
        *body = value.clone();
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
    put(child, rest, value);
}
