//! The requests with which a new version of a function is tried before it gets those of clients: the hook of the deployment in
//! `template.yaml` sends them.

use std::collections::BTreeMap;

use deployment::resource_of;
use http_service::{Annotations, Api, Operation};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

/// Maximum number of requests for each function.
const MOST: usize = 4;

/// What stands as it is in paths and queries.
const ESCAPED: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The requests of each function, as lines of a dictionary in Python. They change nothing: they are GET requests with the examples of
/// the description, as anybody may send them. Those of a group without a free allowance are refused: they show only that
/// the function starts.
pub fn requests(apis: &[Api<Annotations>], document: &Value) -> String {
    let mut by_function: BTreeMap<&str, Vec<&Operation>> = BTreeMap::new();
    for operation in apis.iter().flat_map(|it| it.operations()) {
        // Their links work once.
        if !operation.path.contains("/auth/") {
            by_function.entry(operation.function).or_default().push(operation);
        }
    }
    let mut lines = String::new();
    for (function, mut operations) in by_function {
        operations.sort_by(|a, b| (&a.path, a.method.as_str()).cmp(&(&b.path, b.method.as_str())));
        let is_open = |it: &&Operation| it.method == "GET" && !it.needs_token;
        match operations.iter().any(is_open) {
            true => operations.retain(is_open),
            false => operations.retain(|it| it.needs_token),
        }
        // From all over the list, whose neighbours are alike.
        let number = operations.len().min(MOST);
        let chosen = (0..number).filter_map(|it| operations.get(it * operations.len() / number));
        let requests: Vec<Value> = chosen.map(|it| request(it, document).into()).collect();
        let requests = Value::from(requests);
        lines += &format!("              \"{}\": {requests},\n", resource_of(function));
    }
    lines
}

/// The method, and the path and query with the examples of what is required.
fn request(operation: &Operation, document: &Value) -> String {
    let (method, mut path) = (operation.method.as_str(), operation.path.clone());
    let described = &document["paths"][&path][method.to_ascii_lowercase()]["parameters"];
    let mut query = String::new();
    for parameter in described.as_array().into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap_or_default();
        let example = match &parameter["example"] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let example = utf8_percent_encode(&example, &ESCAPED).to_string();
        if parameter["in"] == "path" {
            path = path.replace(&format!("{{{name}}}"), &example);
        } else if parameter["in"] == "query" && parameter["required"] == true {
            query += if query.is_empty() { "?" } else { "&" };
            query += &format!("{name}={example}");
        }
    }
    format!("{method} {path}{query}")
}
