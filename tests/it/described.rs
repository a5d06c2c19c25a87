//! Checks the response of every request of every test against the OpenAPI description.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex},
};

use http::Method;
use http_service::openapi::documented_header;
use jsonschema::{Draft, Validator};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::Answer;

/// The committed description. Its objects allow no undescribed members.
static DESCRIPTION: LazyLock<Value> = LazyLock::new(|| {
    let text = include_str!("../../functions/api/public/openapi.json");
    let document: Value = serde_json::from_str(text).expect("json");
    closed(&document, &document)
});

/// Compiled validators by name, because many responses use the same one.
static VALIDATORS: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);

/// Panics if the response does not conform to the description. Requests that match no described operation are not
/// checked.
pub(crate) fn check(method: &Method, path: &str, answer: &Answer) {
    let Some((template, operation)) = operation(method, path) else { return };
    // A single function answers like this for the operations of other functions.
    if answer.detail().starts_with("no endpoint matches") {
        return;
    }
    let status = answer.status.as_str();
    let what = format!("{method} {template} {status}");
    let described = &operation["responses"][status];
    assert!(described.is_object(), "{what} is not described: {}", answer.text);
    let described = match described["$ref"].as_str() {
        Some(reference) => DESCRIPTION.pointer(&reference[1..]).expect("a component"),
        None => described,
    };
    for (header, value) in &answer.headers {
        let Some(name) = documented_header(header).expect("a described header") else {
            continue;
        };
        assert!(
            described["headers"][&name].is_object(),
            "{what}: the header `{name}` is not described"
        );
        let deviation = deviation(&name, value.to_str().expect("text"));
        assert_eq!(deviation, None, "{what}: the header `{name}`");
    }
    let media_type = answer.header("content-type").unwrap_or_default();
    let essence = media_type.split(';').next().unwrap_or_default();
    // A file of lines is not one JSON value.
    let is_json = essence.ends_with("json") && !essence.ends_with("ndjson");
    if answer.text.is_empty() || !is_json {
        return;
    }
    let schema = &described["content"][essence]["schema"];
    assert!(schema.is_object(), "{what} is not described as {essence}");
    let validator = validator(&format!("{what} {essence}"), || {
        let mut whole = schema.clone();
        whole["components"] = DESCRIPTION["components"].clone();
        whole
    });
    if let Err(deviation) = validator.validate(&answer.body) {
        let place = deviation.instance_path();
        panic!("{what} at `{place}`: {deviation}");
    }
}

/// How a header differs from its description, if it does.
fn deviation(header: &str, value: &str) -> Option<String> {
    let schema = &DESCRIPTION["components"]["headers"][header]["schema"];
    let value = match schema["type"].as_str() {
        Some("integer") => value.parse().map_or_else(|_| json!(value), |it: i64| json!(it)),
        _ => json!(value),
    };
    let validator = validator(&format!("header {header}"), || schema.clone());
    validator.validate(&value).err().map(|it| it.to_string())
}

/// A validator for a schema, including formats.
fn validator(name: &str, schema: impl FnOnce() -> Value) -> Arc<Validator> {
    if let Some(known) = VALIDATORS.lock().expect("not poisoned").get(name) {
        return known.clone();
    }
    let options = jsonschema::options().with_draft(Draft::Draft4).should_validate_formats(true);
    // Draft 4 does not define the format `uuid`.
    let options = options.with_format("uuid", |it| Uuid::try_parse(it).is_ok());
    let validator = Arc::new(options.build(&schema()).expect("a schema"));
    VALIDATORS.lock().expect("not poisoned").insert(name.to_owned(), validator.clone());
    validator
}

/// The operation that answers such a request, and its path template.
fn operation(method: &Method, path: &str) -> Option<(&'static str, &'static Value)> {
    let path = path.strip_prefix("/api").unwrap_or(path);
    let given: Vec<&str> = path.split('/').collect();
    let fits = |template: &&String| {
        let described: Vec<&str> = template.split('/').collect();
        let pairs = || described.iter().zip(&given);
        described.len() == given.len()
            && pairs().all(|(one, other)| one == other || one.starts_with('{'))
    };
    let paths = DESCRIPTION["paths"].as_object().expect("paths");
    // A fixed segment takes precedence over a variable.
    let template = paths.keys().filter(fits).min_by_key(|it| it.matches('{').count())?;
    let operation = paths[template].get(method.as_str().to_lowercase())?;
    Some((template, operation))
}

/// A copy of a schema in which objects allow no further members and `nullable` is expressed in JSON Schema.
fn closed(value: &Value, document: &Value) -> Value {
    if value["allOf"].as_array().is_some_and(|it| it.len() > 1)
        && let Some(whole) = merged(value, document)
    {
        return closed(&whole, document);
    }
    match value {
        Value::Array(items) => items.iter().map(|it| closed(it, document)).collect(),
        Value::Object(members) => {
            // Examples are not schemas.
            let is_schema = |it: &str| !matches!(it, "example" | "examples" | "default" | "enum");
            let member = |(name, it): (&String, &Value)| {
                let it = if is_schema(name) { closed(it, document) } else { it.clone() };
                (name.clone(), it)
            };
            let mut members: Map<String, Value> = members.iter().map(member).collect();
            if members.get("type").is_some_and(|it| it == "object")
                && members.get("properties").is_some_and(Value::is_object)
            {
                members.entry("additionalProperties").or_insert(json!(false));
            }
            match members.remove("nullable") {
                Some(Value::Bool(true)) => json!({ "anyOf": [members, { "type": "null" }] }),
                _ => Value::Object(members),
            }
        }
        other => other.clone(),
    }
}

/// The parts of an `allOf` as one object; `None` if a part is not a plain object.
fn merged(value: &Value, document: &Value) -> Option<Value> {
    let Some(parts) = value["allOf"].as_array() else {
        return match value["$ref"].as_str() {
            Some(reference) => merged(document.pointer(&reference[1..])?, document),
            None => value["properties"].is_object().then(|| value.clone()),
        };
    };
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for part in parts {
        let part = merged(part, document)?;
        properties.extend(part["properties"].as_object()?.clone());
        required.extend(part["required"].as_array().cloned().unwrap_or_default());
    }
    let mut whole = json!({ "type": "object", "properties": properties });
    // Draft 4 does not allow an empty `required`.
    if !required.is_empty() {
        whole["required"] = required.into();
    }
    Some(whole)
}

#[test]
fn a_header_that_differs_from_its_description_is_found() {
    for (header, value) in [
        ("x-request-id", "4f7c7a5e"),
        ("x-ratelimit-window", "1m"),
        ("x-ratelimit-limit", "-1"),
        ("x-ratelimit-reset", "soon"),
        ("ETag", "W/\"1\""),
        ("Link", "/v1/companies"),
    ] {
        assert!(deviation(header, value).is_some(), "{header}: {value}");
    }
    assert_eq!(deviation("x-request-id", "4f7c7a5e-0d5b-4b0e-9d53-2f1f6a7f9e10"), None);
}
