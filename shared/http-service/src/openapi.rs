//! The description of the interface, as OpenAPI 3.0.3.
//!
//! A handler's annotations say what is its own: summary, parameters, answer. What every operation
//! shares is added here once, from its declaration: rate group, tier, cost, security, headers, and the
//! problems that the frame may answer. What an operation answered is shown with it afterwards. The
//! result is checked in, reviewed, and served as it is.
//!
//! | Read this | To learn |
//! |---|---|
//! | here | the operations, and how OpenAPI 3.1 is said in the words of 3.0 |
//! | `headers` | what each header of an answer says |
//! | `problems` | how refusals and failures are described |
//! | `shown` | how an answer becomes an example |

mod headers;
mod problems;
mod shown;

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

pub use self::{
    headers::{UndescribedHeader, described_name},
    shown::{CannotShow, show},
};
use crate::{Annotations, Api, Operation, operation::Route};

/// The description of these functions, without examples of what they answer.
///
/// # Panics
/// Where a tag is not described.
pub fn description(apis: &[Api<Annotations>]) -> Value {
    let mut paths = Map::new();
    let mut schemas = Map::new();
    let mut tags: Vec<String> = Vec::new();
    for api in apis {
        for Route { operation, described, .. } in &api.routes {
            for (name, schema) in &described.schemas {
                schemas.insert(name.clone(), json!(schema));
            }
            let method = operation.method.as_str().to_ascii_lowercase();
            let described = completed(json!(described.operation), operation);
            for tag in described["tags"].as_array().into_iter().flatten().filter_map(Value::as_str)
            {
                if !tags.iter().any(|it| it == tag) {
                    tags.push(tag.to_owned());
                }
            }
            let path = paths.entry(operation.path.clone()).or_insert_with(|| json!({}));
            path[&method] = described;
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
            "description": "The Swiss commercial register: companies, found by name, filtered and counted exactly, every record with its source and date.\n\nWithout a token a client is on the Free tier and counted by its address. Every answer bears the rate headers; every refusal is a problem (RFC 9457) whose type has a page. (A gateway before the service refuses what is too large, malformed or too much of all clients together: with a problem, but without rate headers.) What `GET` answers, `HEAD` answers without its body.",
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
                    "description": "An API key: `gth_live_…`, or `gth_test_…` for the sandbox.",
                },
            },
            "headers": headers::described(),
            "responses": problems::responses(),
            "schemas": schemas,
        },
    });
    let requested = requested(&document);
    for (name, schema) in document["components"]["schemas"].as_object_mut().into_iter().flatten() {
        to_3_0(schema, requested.contains(name));
    }
    to_3_0(&mut document, false);
    let schemas = document["components"]["schemas"].clone();
    for item in document["paths"].as_object_mut().into_iter().flat_map(Map::values_mut) {
        for operation in item.as_object_mut().into_iter().flat_map(Map::values_mut) {
            mark_optional_body(operation, &schemas);
        }
    }
    leave_out_unused_schemas(&mut document);
    document
}

/// A page holds the schema of its items; one that stands nowhere else is not asked for by its name.
fn leave_out_unused_schemas(document: &mut Value) {
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

/// No body is an empty object: where no member is required, the body is not either.
fn mark_optional_body(operation: &mut Value, schemas: &Value) {
    let Some(body) = operation.get_mut("requestBody") else { return };
    let reference =
        body["content"]["application/json"]["schema"]["$ref"].as_str().unwrap_or_default();
    let schema = &schemas[reference.rsplit('/').next().unwrap_or_default()];
    body["required"] = schema["required"].as_array().is_some_and(|it| !it.is_empty()).into();
}

/// The names of the schemas that bodies of requests consist of.
fn requested(document: &Value) -> BTreeSet<String> {
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

/// Adds what an operation's declaration says and what the frame may answer.
fn completed(mut described: Value, operation: &Operation) -> Value {
    let Operation { group, minimum_tier, credits, needs_token, scope, .. } = operation;
    let token = if *needs_token { "needed" } else { "optional" };
    let terms = format!(
        "Rate group `{group}`, from the tier `{minimum_tier}`; token {token}, scope `{scope}`; {credits} credits where a deployment meters by credits."
    );
    let text = match described["description"].as_str() {
        Some(text) if !text.is_empty() => format!("{text}\n\n{terms}"),
        _ => terms,
    };
    described["description"] = text.into();
    described["x-rate-group"] = group.name().into();
    described["x-minimum-tier"] = minimum_tier.name().into();
    described["x-credits"] = (*credits).into();
    described["security"] =
        if *needs_token { json!([{ "bearer": [] }]) } else { json!([{}, { "bearer": [] }]) };

    let headers = headers::references(headers::of_every_answer());
    let is_get = operation.method == http::Method::GET;
    if let Some(responses) = described["responses"].as_object_mut() {
        for (status, response) in responses.iter_mut() {
            // A refusal that a handler declares is the same as everywhere.
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
                    "204" => "Done; there is no body.",
                    _ => "The answer.",
                }
                .into();
            }
        }
        for status in problems_of(operation) {
            let reference = format!("#/components/responses/{status}");
            responses.entry(status).or_insert_with(|| json!({ "$ref": reference }));
        }
        if is_get {
            let held = json!({ "description": "The client holds this answer already; nothing was counted.", "headers": headers });
            responses.insert("304".into(), held);
        }
        responses.sort_keys();
    }
    if is_get {
        let held = json!({
            "name": "If-None-Match", "in": "header", "required": false,
            "description": "The `ETag` of an answer that the client holds.",
            "schema": { "type": "string" }, "example": headers::TAG,
        });
        push(&mut described["parameters"], held);
    }
    if operation.method == http::Method::POST {
        let key = json!({
            "name": "Idempotency-Key", "in": "header", "required": false,
            "description": "A repetition with the same key within 24 hours has the first answer and does nothing. Heeded where a token comes with it.",
            "schema": { "type": "string", "minLength": 1, "maxLength": 255 },
            "example": "5c2f4c1a-8a3b-4f0e-9c55-3d1f5a8e7b21",
        });
        push(&mut described["parameters"], key);
    }
    described
}

fn push(list: &mut Value, item: Value) {
    match list.as_array_mut() {
        Some(list) => list.push(item),
        None => *list = json!([item]),
    }
}

/// The statuses that the frame, or a path that names something, may answer.
fn problems_of(operation: &Operation) -> Vec<&'static str> {
    let mut statuses = vec!["400", "401", "403", "405", "413", "429", "500", "503"];
    if operation.path.contains('{') {
        statuses.push("404");
    }
    if operation.method == http::Method::POST {
        // Of an idempotency key, too.
        statuses.push("409");
    }
    if matches!(operation.method, http::Method::POST | http::Method::PUT) {
        statuses.push("415");
    }
    statuses
}

fn tag_description(tag: &str) -> &'static str {
    match tag {
        "API keys" => "Keys of the team: made, listed, rotated and revoked by itself.",
        "Auditor intelligence" => "Who audits whom, since when and until when.",
        "Changes" => {
            "What the register published of companies: as a list, as a feed that misses nothing, and of one company."
        }
        "Companies" => "Records of the commercial register, found, filtered, counted and compared.",
        "Graph" => "A company with the people and companies around it, to be drawn.",
        "News and reports" => {
            "What publishers, the exchange and annual reports say of companies, and in what tone."
        }
        "Persons" => {
            "Who runs companies: officers, the search for persons, and with whom one works."
        }
        "Reference" => "The values that filters take.",
        "Relationships" => {
            "How companies belong together: head and branch offices, parents, takeovers."
        }
        "Service" => {
            "The service itself: whether it answers, what it says, what its problems mean."
        }
        "Usage" => "What is used of each allowance.",
        _ => panic!("the tag `{tag}` is not described"),
    }
}

/// Writes what OpenAPI 3.1 says of schemas in the words of 3.0.
///
/// The generator says 3.1 only. We never answer `null`, so a member that may be absent is simply not
/// required, and its `null` goes; in a request it is taken for absent (`nullable`). The other
/// differences are `const`, `examples` and numeric exclusive bounds.
fn to_3_0(value: &mut Value, nullable: bool) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|it| to_3_0(it, nullable)),
        Value::Object(members) => {
            let types_of_items = members.get("items").and_then(|it| it.get("type"));
            let lists_nulls = types_of_items
                .and_then(Value::as_array)
                .is_some_and(|types| types.iter().any(|it| it == "null"));
            members.values_mut().for_each(|it| to_3_0(it, nullable));
            // What is left out of a list would shift the others: there alone `null` is answered.
            if lists_nulls && let Some(Value::Object(items)) = members.get_mut("items") {
                items.insert("nullable".into(), true.into());
            }
            // Documentation is wrapped for whoever reads the code; the page wraps it anew.
            if let Some(Value::String(text)) = members.get_mut("description") {
                let paragraphs = text.split("\n\n").map(|it| it.replace('\n', " "));
                *text = paragraphs.collect::<Vec<_>>().join("\n\n");
            }
            let mut takes_null = false;
            if let Some(Value::Array(types)) = members.get_mut("type") {
                takes_null = types.iter().any(|it| it == "null");
                types.retain(|it| it != "null");
                if let [only] = types.as_slice() {
                    let only = only.clone();
                    members.insert("type".into(), only);
                }
            }
            for choice in ["oneOf", "anyOf"] {
                let Some(Value::Array(choices)) = members.get_mut(choice) else { continue };
                let null = json!({ "type": "null" });
                takes_null |= choices.contains(&null);
                choices.retain(|it| *it != null);
                if let [only] = choices.as_slice() {
                    let only = only.clone();
                    members.remove(choice);
                    // A reference stands alone in 3.0; what is said beside it goes around it.
                    match (only.get("$ref").is_some(), members.is_empty()) {
                        (true, false) => {
                            members.insert("allOf".into(), json!([only]));
                        }
                        _ => members.extend(only.as_object().cloned().unwrap_or_default()),
                    }
                }
            }
            if members.len() > 1
                && let Some(reference) = members.get("$ref").filter(|it| it.is_string()).cloned()
                && !members.contains_key("operationId")
            {
                members.remove("$ref");
                members.insert("allOf".into(), json!([{ "$ref": reference }]));
            }
            if takes_null && nullable {
                match members.remove("allOf") {
                    // Only beside a type does 3.0 know `nullable`.
                    Some(Value::Array(mut choices)) => {
                        choices.push(json!({ "type": "string", "nullable": true, "enum": [null] }));
                        members.insert("anyOf".into(), choices.into());
                    }
                    _ => {
                        members.insert("nullable".into(), true.into());
                    }
                }
            }
            if let Some(constant) = members.remove("const") {
                members.insert("enum".into(), json!([constant]));
            }
            if let Some(Value::Array(examples)) = members.get("examples") {
                let first = examples.first().cloned();
                members.remove("examples");
                if let Some(first) = first {
                    members.insert("example".into(), first);
                }
            }
            for (exclusive, bound) in
                [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")]
            {
                if members.get(exclusive).is_some_and(Value::is_number)
                    && let Some(limit) = members.remove(exclusive)
                {
                    members.insert(bound.into(), limit);
                    members.insert(exclusive.into(), true.into());
                }
            }
            members.remove("propertyNames");
        }
        _ => {}
    }
}

/// Every operation of these functions, a line each: `GET /v1/companies`.
pub fn operations(apis: &[Api<Annotations>]) -> String {
    let operations = apis.iter().flat_map(Api::operations);
    let mut lines: Vec<String> =
        operations.map(|it| format!("{} {}\n", it.method, it.path)).collect();
    lines.sort_unstable();
    lines.concat()
}
