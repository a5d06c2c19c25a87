//! Whether an answer is one that the description tells of: every answer of every test is held against it.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, LazyLock, Mutex},
};

use http::Method;
use jsonschema::{Draft, Validator};
use serde_json::{Value, json};

use crate::Answer;

/// The description as it is checked in, its objects closed: a member that is not described is a mistake too.
static DESCRIPTION: LazyLock<Value> = LazyLock::new(|| {
    let text = include_str!("../../functions/api/public/openapi.json");
    let mut document: Value = serde_json::from_str(text).expect("json");
    let mut parts = BTreeSet::new();
    parts_of_others(&document, &mut parts);
    close(&mut document, "", &parts);
    document
});

/// What was compiled before: many answers are of one kind.
static KNOWN: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);

/// Panics where the description does not tell of such an answer. What a test answers by itself is passed over, and
/// what no operation is asked for.
pub(crate) fn check(method: &Method, path: &str, answer: &Answer) {
    let Some((template, operation)) = operation(method, path) else { return };
    // So a function answers what is another's.
    if answer.detail().starts_with("there is no endpoint") {
        return;
    }
    let status = answer.status.as_str();
    let what = format!("{method} {template} {status}");
    let described = &operation["responses"][status];
    assert!(described.is_object(), "{what} is not described: {}", answer.text);
    let described = match described["$ref"].as_str() {
        Some(reference) => DESCRIPTION.pointer(&reference[1..]).expect("what it refers to"),
        None => described,
    };
    for name in answer.headers.keys().filter(|it| it.as_str().starts_with("x-")) {
        let headers = described["headers"].as_object();
        let is_named =
            headers.is_some_and(|it| it.keys().any(|it| name.as_str().eq_ignore_ascii_case(it)));
        assert!(is_named || name == "x-content-type-options", "{what}: `{name}` is not described");
    }
    let media_type = answer.header("content-type").unwrap_or_default();
    let essence = media_type.split(';').next().unwrap_or_default();
    if answer.text.is_empty() || !essence.ends_with("json") {
        return;
    }
    let schema = &described["content"][essence]["schema"];
    assert!(schema.is_object(), "{what} is not described as {essence}");
    let kept = KNOWN.lock().expect("not poisoned").get(&format!("{what} {essence}")).cloned();
    let validator = kept.unwrap_or_else(|| {
        let mut whole = schema.clone();
        whole["components"] = DESCRIPTION["components"].clone();
        let made = jsonschema::options().with_draft(Draft::Draft4).build(&whole);
        let made = Arc::new(made.expect("a schema"));
        KNOWN.lock().expect("not poisoned").insert(format!("{what} {essence}"), made.clone());
        made
    });
    if let Err(deviation) = validator.validate(&answer.body) {
        let place = deviation.instance_path();
        panic!("{what} at `{place}`: {deviation}");
    }
}

/// The operation that such a request is led to, and its path as described.
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
    // What is written out comes before a variable.
    let template = paths.keys().filter(fits).min_by_key(|it| it.matches('{').count())?;
    let operation = paths[template].get(method.as_str().to_lowercase())?;
    Some((template, operation))
}

/// The schemas that others are made of: what is beside them is not theirs to refuse.
fn parts_of_others(value: &Value, parts: &mut BTreeSet<String>) {
    let some = |it: &&Vec<Value>| it.len() > 1;
    for part in value["allOf"].as_array().filter(some).into_iter().flatten() {
        parts.extend(part["$ref"].as_str().map(|it| it[1..].to_owned()));
    }
    match value {
        Value::Array(items) => items.iter().for_each(|it| parts_of_others(it, parts)),
        Value::Object(members) => members.values().for_each(|it| parts_of_others(it, parts)),
        _ => {}
    }
}

/// Closes every object but those that others are made of, and makes what is nullable so in the words of JSON Schema.
fn close(value: &mut Value, path: &str, parts: &BTreeSet<String>) {
    match value {
        Value::Array(items) => {
            let is_part = path.ends_with("/allOf") && items.len() > 1;
            for (at, item) in items.iter_mut().enumerate() {
                let path = format!("{path}/{at}");
                close(item, &path, parts);
                if is_part && let Some(members) = item.as_object_mut() {
                    members.remove("additionalProperties");
                }
            }
        }
        Value::Object(members) => {
            for (name, member) in &mut *members {
                // Examples are no schemas.
                if !matches!(name.as_str(), "example" | "examples" | "default" | "enum") {
                    close(member, &format!("{path}/{name}"), parts);
                }
            }
            let is_object = members.get("properties").is_some_and(Value::is_object)
                && members.get("type").is_some_and(|it| it == "object");
            if is_object && !parts.contains(path) {
                members.entry("additionalProperties").or_insert(json!(false));
            }
            if members.remove("nullable").is_some_and(|it| it == true) {
                let whole = std::mem::take(members);
                members.insert("anyOf".to_owned(), json!([whole, { "type": "null" }]));
            }
        }
        _ => {}
    }
}
