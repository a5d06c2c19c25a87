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
//! | `labels` | names in the language of the caller |
//! | `problems` | error responses |
//! | `examples` | from a response to an example |
//! | `texts` | which texts request bodies may contain |
//! | `version_3_0` | from OpenAPI 3.1 to 3.0 |

mod examples;
mod headers;
mod labels;
mod problems;
mod texts;
mod version_3_0;

use std::collections::BTreeSet;

use access::{RateGroup, Role, Tier, screening_subjects};
use serde_json::{Map, Value, json};

use self::version_3_0::to_3_0;
pub use self::{
    examples::{ExampleError, add_example},
    headers::{UndocumentedHeader, documented_header},
};
use crate::{Annotations, Api, Operation, operation::Route};

/// The description of the whole API.
const INTRODUCTION: &str = "\
The Swiss commercial register as an API: companies, officers, auditors, relationships and changes. Records name their \
sources and the dates of the statements, where they are known.

To authenticate, send an API key, the token of a session, or an ID token of the identity provider of a team with \
single sign-on, in the header `Authorization: Bearer <token>`. Requests without it get the `free` tier and are counted \
by IP address.

Responses of the service have rate limit headers; `RateGroup` lists the limits. Requests that are refused before they are \
counted (401, 403, unknown paths and methods) get 429 after 600 of a team or 3000 of a network (IPv4 /24, IPv6 /48) in an \
hour. Error responses are problem details \
(RFC 9457); the URL in `type` leads to a page about the problem.

A generation is one published state of the register, with its search indexes. The header `x-data-generation` states the id \
of the generation that a response is based on.

The API gateway answers some requests before they reach the service: requests that are too large (413) or malformed \
(400), requests above the gateway's own limit per operation, which all clients share (503), requests that take too long (503), \
and, if the operator limits them, too many requests from one address (429). These responses are also problem details, but \
have no rate limit headers.

If a query parameter has a fixed list of values, upper and lower case are not distinguished.

`HEAD` is supported wherever `GET` is. The OpenAPI extension `x-credits` has no effect: requests are counted, and cost no \
credits.";

/// The OpenAPI document of these functions, without examples of responses.
///
/// # Panics
/// If a tag has no description, or two different types have the same name.
pub fn document(apis: &[Api<Annotations>]) -> Value {
    let mut paths = Map::new();
    let mut schemas = Map::new();
    let mut tags: Vec<String> = Vec::new();
    for api in apis {
        for Route { operation, description, .. } in &api.routes {
            for (name, schema) in &description.schemas {
                let schema = json!(schema);
                let other = schemas.insert(name.clone(), schema.clone());
                assert!(
                    other.is_none_or(|it| it == schema),
                    "two different types are called `{name}`"
                );
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
    if let Some(groups) = schemas.get_mut("RateGroup") {
        groups["description"] = rate_limits(apis).into();
    }
    paths.sort_keys();
    schemas.sort_keys();
    let mut document = json!({
        "openapi": "3.0.3",
        "info": {
            "title": "Gotthard",
            "version": env!("CARGO_PKG_VERSION"),
            "description": INTRODUCTION,
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
                    "description": "An API key (`gth_live_…` for production, `gth_test_…` for the sandbox), the token of a session, which a sign-in link gives for 12 hours, or an ID token of the identity provider of a team with single sign-on.",
                },
            },
            "headers": headers::documented(),
            "responses": problems::responses(),
            "schemas": schemas,
        },
    });
    let request_schemas = request_schemas(&document);
    for (name, schema) in document["components"]["schemas"].as_object_mut().into_iter().flatten() {
        if !request_schemas.contains(name) {
            labels::add(schema);
        }
    }
    document["components"]["schemas"]["Labels"] = labels::schema();
    for (name, schema) in document["components"]["schemas"].as_object_mut().into_iter().flatten() {
        let is_request = request_schemas.contains(name);
        to_3_0(schema, is_request);
        if is_request {
            texts::add_patterns(schema);
        }
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

/// The description of the rate groups: how many requests each tier may make.
fn rate_limits(apis: &[Api<Annotations>]) -> String {
    let is_used = |group: &RateGroup| {
        apis.iter().flat_map(Api::operations).any(|operation| operation.group == *group)
    };
    let (used, unused): (Vec<_>, Vec<_>) = RateGroup::ALL.into_iter().partition(is_used);
    let row = |group: RateGroup| {
        let requests = Tier::ALL.map(|tier| match group.allowance(tier) {
            Some(allowance) => allowance.requests.to_string(),
            None => "not included".to_owned(),
        });
        format!("| `{group}` | {} | {} |", group.window().word(), requests.join(" | "))
    };
    let tiers = Tier::ALL.map(|it| format!("`{it}`")).join(" | ");
    let header =
        format!("| Group | Window | {tiers} |\n|---|---|{}", "---|".repeat(Tier::ALL.len()));
    let rows: Vec<String> = used.into_iter().map(row).collect();
    let unused: Vec<String> = unused.into_iter().map(|it| format!("`{it}`")).collect();
    let note = match unused.as_slice() {
        [] => String::new(),
        unused => format!("\n\nNot used by any operation yet: {}.", unused.join(", ")),
    };
    format!(
        "Rate group: operations whose requests are counted together, for each team, or for each IP \
         address if there is neither an API key nor a session. The sandbox of a team is counted with the team, and all \
         Free teams that one user has created share one allowance. `public` is always counted by IP address.\n\nRequests in \
         each window, by tier:\n\n{header}\n{}{note}",
        rows.join("\n")
    )
}

/// How many subjects each tier may screen.
fn subjects_per_day() -> String {
    let limits = Tier::ALL.map(|it| format!("{} (`{it}`)", screening_subjects(it)));
    format!(
        "Beside the request, its subjects are counted. A team with its sandbox may screen as many in a day (UTC): {}. If \
         fewer are left than the request has, the status is 429 and nothing is screened.\n\n",
        limits.join(", ")
    )
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
    let content = body["content"].as_object().and_then(|it| it.values().next());
    let reference = content.and_then(|it| it["schema"]["$ref"].as_str()).unwrap_or_default();
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

/// The description of the header `Idempotency-Key`.
const IDEMPOTENCY_KEY: &str = "\
Text of the client's choice that identifies the request, for example a UUID. If a request succeeded and is sent again \
with the same text within 24 hours, it has no further effect and returns the first response. The status is 409 if the \
first request is still running, if this request has another body or query than the first, or if the first response was \
not stored because it was not text, had more than 300,000 bytes, or contained a secret (only then, `id` of the problem \
is the id of the resource). Ignored for anonymous callers.";

/// Adds what all operations share to the annotations of one.
fn completed(mut documented: Value, operation: &Operation) -> Value {
    let Operation { group, minimum_tier, credits, needs_token, scope, .. } = operation;
    let token = match (*needs_token, *minimum_tier) {
        (true, _) => "required",
        (false, Tier::Free) => "optional",
        // Anonymous callers have the tier `free`.
        (false, _) => "needed for this tier (without one, the status is 403, `tier-not-unlocked`)",
    };
    let key = format!("{token}; an API key needs the scope `{scope}`");
    let role = operation.lowest_role();
    // Every user of a team has the lowest role, and no role is higher than the last.
    let needed = match role {
        Role::Member => None,
        Role::Admin => Some(format!("`{role}` or higher")),
        Role::Owner => Some(format!("`{role}`")),
    };
    let caller = match (operation.minimum_role, needed) {
        (Some(_), Some(role)) => {
            format!("Session: required, with the role {role}; API keys are refused.")
        }
        (Some(_), None) => "Session: required; API keys are refused.".to_owned(),
        (None, Some(role)) => {
            format!("API key or session: {key}; the user of a session needs the role {role}.")
        }
        (None, None) => format!("API key or session: {key}."),
    };
    let caller = match operation.needs_link {
        true => format!("{caller} Single sign-on is refused: sign in with a link."),
        false => caller,
    };
    let subjects = if operation.screens { subjects_per_day() } else { String::new() };
    let terms =
        format!("{subjects}Rate group: `{group}`. Minimum tier: `{minimum_tier}`. {caller}");
    let text = match documented["description"].as_str() {
        Some(text) if !text.is_empty() => format!("{text}\n\n{terms}"),
        _ => terms,
    };
    documented["description"] = text.into();
    documented["x-rate-group"] = group.name().into();
    documented["x-minimum-tier"] = minimum_tier.name().into();
    documented["x-scope"] = json!(scope);
    documented["x-requires-session"] = operation.minimum_role.is_some().into();
    documented["x-minimum-role"] = role.name().into();
    documented["x-credits"] = (*credits).into();
    documented["security"] =
        if *needs_token { json!([{ "bearer": [] }]) } else { json!([{}, { "bearer": [] }]) };

    let headers = headers::references(headers::of_every_response());
    // A redirect has no body that a client could have stored.
    let is_get =
        operation.method == http::Method::GET && documented["responses"]["200"].is_object();
    let parameters = documented["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
    // A list that is limited in bytes. The examples are too short to show its header.
    let is_limited = parameters.iter().any(|it| it["name"] == "offset");
    if let Some(responses) = documented["responses"].as_object_mut() {
        for (status, response) in responses.iter_mut() {
            // Error responses are the same for all operations.
            if status.starts_with('4') {
                *response = json!({ "$ref": format!("#/components/responses/{status}") });
                continue;
            }
            let own = response["headers"].take();
            let own = own.as_object().into_iter().flat_map(Map::keys).map(String::as_str);
            let mut all = headers.clone();
            all.extend(headers::references(own));
            all.extend(headers::references((is_limited && status == "200").then_some("Link")));
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
            let not_modified = json!({ "description": "The response that the client has stored is still current. Does not count against the rate limit, except if `If-None-Match` is `*`, or if the service has already taken back as many requests in this window, after 304 and 5xx, as the limit allows.", "headers": headers });
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
    if operation.is_translated {
        labels::parameters().for_each(|it| push(&mut documented["parameters"], it));
    }
    if operation.method == http::Method::POST {
        let key = json!({
            "name": "Idempotency-Key", "in": "header", "required": false,
            "description": IDEMPOTENCY_KEY,
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
    let changes_resource = operation.method == http::Method::PUT && operation.path.ends_with('}');
    if operation.method == http::Method::POST || changes_resource {
        // The `Idempotency-Key` or the state of the resource may conflict.
        statuses.push("409");
    }
    if matches!(operation.method, http::Method::POST | http::Method::PUT) {
        statuses.push("415");
    }
    statuses
}

fn tag_description(tag: &str) -> &'static str {
    match tag {
        "Analytics" => {
            "Analyses of the whole register, or of any part that the filters of `/v1/companies` select: distributions, groups, flows, clusters, unusual companies, the market of audits."
        }
        "API keys" => "Create, list, rotate and revoke the team's API keys.",
        "Audit log" => "Who changed what in the team, when, and from which address.",
        "Auditor intelligence" => "Auditors of companies, with the start and end of each tenure.",
        "Beneficial ownership" => {
            "Who owns and controls a company, through all levels of owners, as far as public sources show."
        }
        "Changes" => {
            "Changes that the Swiss Official Gazette of Commerce published. `/v1/changes` lists the changes of all companies. `/v1/changes/feed` is for clients that follow all changes. `/v1/changes/{id}` lists the changes of one company with all details. `/v1/companies/{uid}/timeline` lists those of a period or type. `/v1/companies/{uid}/diff` lists old and new values after a date, oldest first. `/v1/companies/{uid}/events` returns the changes as CloudEvents."
        }
        "Billing" => "Subscribe to a tier, and manage the subscription, at the payment provider.",
        "Compliance" => {
            "Which legal obligations apply to a company and why, and the procedures of its audit."
        }
        "Companies" => "Company records: search, filter, count and compare.",
        "Dossiers" => {
            "Reports about a company in which every sentence cites an obligation or a row of evidence."
        }
        "Exports" => {
            "Companies as files: tables at once, exports of any size as jobs, and snapshots of the whole register."
        }
        "Graph" => "A company's people and related companies as a graph.",
        "News and reports" => "News, their sentiment, and figures from annual reports.",
        "Notes and tags" => "Notes and tags of the team about companies.",
        "Persons" => "Officers and signatories: search, roles of a person, officers of a company.",
        "Pipelines" => {
            "Sales pipelines: companies (prospects) that the team moves through stages of its choice, such as `Lead` or `Won`."
        }
        "Reference" => "Values that filters accept.",
        "Screening" => {
            "Screen persons and companies against sanctions and other lists, with reasons for each hit, and keep the evidence and decisions."
        }
        "Sign-in" => {
            "Sign in with a link sent by e-mail or with an identity provider, and manage the session."
        }
        "Single sign-on" => {
            "Let the users of a team sign in with its own identity provider (OpenID Connect). An admin names the provider, and verifies the domains of the users' e-mail addresses with DNS records."
        }
        "Teams" => "Teams, their members and invitations.",
        "Relationships" => {
            "Links between companies: head and branch offices, parents and subsidiaries, mergers."
        }
        "Risk" => "The risk of a company from nine factors with evidence, and how it is assessed.",
        "Saved searches and alerts" => {
            "Stored searches that run on request or on a schedule, and notify of new results."
        }
        "Service" => "Health, data freshness, API description and error documentation.",
        "Settings" => "Free-form settings, which all API keys of the team share.",
        "Watches and notifications" => {
            "Companies that the team watches, and its notifications of their changes."
        }
        "Watchlists" => "Named lists of companies that the team watches.",
        "Webhooks" => {
            "Addresses to which changes are sent, signed as Standard Webhooks 1.0 requires, and their deliveries."
        }
        "Usage" => "Current usage of the rate limits, also as figures in credits.",
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
