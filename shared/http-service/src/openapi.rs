//! Generates the OpenAPI 3.0.3 document.
//!
//! The annotations of a handler contain its summary, parameters and response. This module adds what all
//! operations share: rate group, tier, cost, security, headers and error responses. The examples are real
//! responses, which the generator adds afterwards. The document is checked in and served unchanged.
//!
//! | Module | Contents |
//! |---|---|
//! | here | the operations |
//! | `headers` | response headers |
//! | `problems` | error responses |
//! | `examples` | from a response to an example |
//! | `version_3_0` | from OpenAPI 3.1 to 3.0 |

mod examples;
mod headers;
mod problems;
mod version_3_0;

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use self::version_3_0::to_3_0;
pub use self::{
    examples::{ExampleError, add_example},
    headers::{UndocumentedHeader, documented_header},
};
use crate::{Annotations, Api, Operation, operation::Route};

/// The OpenAPI document of these functions, without examples of responses.
///
/// # Panics
/// If a tag has no description.
pub fn document(apis: &[Api<Annotations>]) -> Value {
    let mut paths = Map::new();
    let mut schemas = Map::new();
    let mut tags: Vec<String> = Vec::new();
    for api in apis {
        for Route { operation, description, .. } in &api.routes {
            for (name, schema) in &description.schemas {
                schemas.insert(name.clone(), json!(schema));
            }
            let method = operation.method.as_str().to_ascii_lowercase();
            let documented = completed(json!(description.operation), operation);
            for tag in documented["tags"].as_array().into_iter().flatten().filter_map(Value::as_str)
            {
                if !tags.iter().any(|it| it == tag) {
                    tags.push(tag.to_owned());
                }
            }
            let path = paths.entry(operation.path.clone()).or_insert_with(|| json!({}));
            path[&method] = documented;
        }
    }
    schemas.insert("Problem".into(), problems::schema());
    paths.sort_keys();
    schemas.sort_keys();
    let mut document = json!({
        "openapi": "3.0.3",
        "info": {
            "title": "Gotthard",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "The Swiss commercial register as an API: companies, officers, auditors, relationships and changes. Every record contains its source and date.\n\nTo authenticate, send an API key in the header `Authorization: Bearer <API key>`. Requests without a key get the `free` tier and are counted by IP address.\n\nEvery response has rate limit headers. Error responses are problem details (RFC 9457); the URL in `type` leads to a page about the problem. The API gateway answers some requests itself: those that are too large or malformed, those above the limit for all clients together, and those that take too long. These error responses are problem details without rate limit headers.\n\n`HEAD` is supported wherever `GET` is.",
            "license": { "name": "MIT OR Apache-2.0", "url": "https://spdx.org/licenses/MIT.html" },
        },
        "servers": [{ "url": "/api" }],
        "tags": tags.iter().map(|it| json!({ "name": it, "description": tag_description(it) })).collect::<Vec<_>>(),
        "paths": paths,
        "components": {
            "securitySchemes": {
                "bearer": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "An API key: `gth_live_…` for production, `gth_test_…` for the sandbox.",
                },
            },
            "headers": headers::documented(),
            "responses": problems::responses(),
            "schemas": schemas,
        },
    });
    let request_schemas = request_schemas(&document);
    for (name, schema) in document["components"]["schemas"].as_object_mut().into_iter().flatten() {
        to_3_0(schema, request_schemas.contains(name));
    }
    to_3_0(&mut document, false);
    let schemas = document["components"]["schemas"].clone();
    for item in document["paths"].as_object_mut().into_iter().flat_map(Map::values_mut) {
        for operation in item.as_object_mut().into_iter().flat_map(Map::values_mut) {
            mark_optional_body(operation, &schemas);
        }
    }
    remove_unused_schemas(&mut document);
    document
}

/// Removes schemas that nothing refers to. A page, for example, contains the schema of its items inline.
fn remove_unused_schemas(document: &mut Value) {
    loop {
        let text = document.to_string();
        let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
        let before = schemas.len();
        schemas.retain(|name, _| text.contains(&format!("\"#/components/schemas/{name}\"")));
        if schemas.len() == before {
            return;
        }
    }
}

/// An empty body is read as `{}`, so a body without required members is optional.
fn mark_optional_body(operation: &mut Value, schemas: &Value) {
    let Some(body) = operation.get_mut("requestBody") else { return };
    let reference =
        body["content"]["application/json"]["schema"]["$ref"].as_str().unwrap_or_default();
    let schema = &schemas[reference.rsplit('/').next().unwrap_or_default()];
    body["required"] = schema["required"].as_array().is_some_and(|it| !it.is_empty()).into();
}

/// The names of all schemas that request bodies use.
fn request_schemas(document: &Value) -> BTreeSet<String> {
    fn collect(value: &Value, document: &Value, names: &mut BTreeSet<String>) {
        match value {
            Value::Array(items) => items.iter().for_each(|it| collect(it, document, names)),
            Value::Object(members) => {
                let reference = members.get("$ref").and_then(Value::as_str);
                let name = reference.and_then(|it| it.strip_prefix("#/components/schemas/"));
                if let Some(name) = name
                    && names.insert(name.to_owned())
                {
                    collect(&document["components"]["schemas"][name], document, names);
                }
                members.values().for_each(|it| collect(it, document, names));
            }
            _ => {}
        }
    }
    let mut names = BTreeSet::new();
    let operations = document["paths"].as_object().into_iter().flat_map(serde_json::Map::values);
    for operation in operations.filter_map(Value::as_object).flat_map(serde_json::Map::values) {
        collect(&operation["requestBody"], document, &mut names);
    }
    names
}

/// Adds what all operations share to the annotations of one.
fn completed(mut documented: Value, operation: &Operation) -> Value {
    let Operation { group, minimum_tier, credits, needs_token, scope, .. } = operation;
    let key = if *needs_token { "required" } else { "optional" };
    let terms = format!(
        "Rate group: `{group}`. Minimum tier: `{minimum_tier}`. API key: {key}; it must have the scope `{scope}`."
    );
    let text = match documented["description"].as_str() {
        Some(text) if !text.is_empty() => format!("{text}\n\n{terms}"),
        _ => terms,
    };
    documented["description"] = text.into();
    documented["x-rate-group"] = group.name().into();
    documented["x-minimum-tier"] = minimum_tier.name().into();
    documented["x-credits"] = (*credits).into();
    documented["security"] =
        if *needs_token { json!([{ "bearer": [] }]) } else { json!([{}, { "bearer": [] }]) };

    let headers = headers::references(headers::of_every_response());
    let is_get = operation.method == http::Method::GET;
    if let Some(responses) = documented["responses"].as_object_mut() {
        for (status, response) in responses.iter_mut() {
            // Error responses are the same for all operations.
            if status.starts_with('4') {
                *response = json!({ "$ref": format!("#/components/responses/{status}") });
                continue;
            }
            let own = response["headers"].take();
            let mut all = headers.clone();
            all.extend(own.as_object().cloned().unwrap_or_default());
            response["headers"] = all.into();
            if response["description"].as_str().is_none_or(str::is_empty) {
                response["description"] = match status.as_str() {
                    "201" => "Created.",
                    "202" => "Accepted.",
                    "204" => "Success, without a body.",
                    _ => "Success.",
                }
                .into();
            }
        }
        for status in problems_of(operation) {
            let reference = format!("#/components/responses/{status}");
            responses.entry(status).or_insert_with(|| json!({ "$ref": reference }));
        }
        if is_get {
            let not_modified = json!({ "description": "The response that the client has stored is still current. The request is not counted.", "headers": headers });
            responses.insert("304".into(), not_modified);
        }
        responses.sort_keys();
    }
    if is_get {
        let if_none_match = json!({
            "name": "If-None-Match", "in": "header", "required": false,
            "description": "`ETag` of a stored response. While it is current, the status is 304 and there is no body.",
            "schema": { "type": "string" }, "example": headers::TAG,
        });
        push(&mut documented["parameters"], if_none_match);
    }
    if operation.method == http::Method::POST {
        let key = json!({
            "name": "Idempotency-Key", "in": "header", "required": false,
            "description": "Unique key of the request. A repeated request with the same key within 24 hours returns the first response and has no further effect. Ignored without an API key.",
            "schema": { "type": "string", "minLength": 1, "maxLength": 255 },
            "example": "5c2f4c1a-8a3b-4f0e-9c55-3d1f5a8e7b21",
        });
        push(&mut documented["parameters"], key);
    }
    documented
}

fn push(list: &mut Value, item: Value) {
    match list.as_array_mut() {
        Some(list) => list.push(item),
        None => *list = json!([item]),
    }
}

/// The statuses of the error responses that an operation may return.
fn problems_of(operation: &Operation) -> Vec<&'static str> {
    let mut statuses = vec!["400", "401", "403", "405", "413", "429", "500", "503"];
    if operation.path.contains('{') {
        statuses.push("404");
    }
    if operation.method == http::Method::POST {
        // The `Idempotency-Key` may conflict.
        statuses.push("409");
    }
    if matches!(operation.method, http::Method::POST | http::Method::PUT) {
        statuses.push("415");
    }
    statuses
}

fn tag_description(tag: &str) -> &'static str {
    match tag {
        "API keys" => "Create, list, rotate and revoke the team's API keys.",
        "Auditor intelligence" => "Auditors of companies, with the start and end of each tenure.",
        "Changes" => {
            "Changes that the register published: list, change feed, and history of one company."
        }
        "Companies" => "Company records: search, filter, count and compare.",
        "Graph" => "A company's people and related companies as a graph.",
        "News and reports" => "News, their sentiment, and figures from annual reports.",
        "Persons" => "Officers and signatories: search, roles of a person, officers of a company.",
        "Reference" => "Values that filters accept.",
        "Relationships" => {
            "Links between companies: head and branch offices, parents and subsidiaries, mergers."
        }
        "Service" => "Health, data freshness, API description and error documentation.",
        "Usage" => "Current usage of the rate limits.",
        _ => panic!("the tag `{tag}` has no description"),
    }
}

/// All operations of these functions, one per line, such as `GET /v1/companies`.
pub fn operations(apis: &[Api<Annotations>]) -> String {
    let operations = apis.iter().flat_map(Api::operations);
    let mut lines: Vec<String> =
        operations.map(|it| format!("{} {}\n", it.method, it.path)).collect();
    lines.sort_unstable();
    lines.concat()
}
