//! How problems are described: an answer for each status, with an example of each type.

use access::{RateGroup, Tier, Window};
use http::StatusCode;
use problem_details::{PROBLEM_TYPES, Problem, ProblemType};
use serde_json::{Map, Value, json};

use super::headers::{of_every_answer, references};

/// The statuses of refusals and failures. 402 comes where a deployment meters by credits; none does yet.
const STATUSES: [&str; 11] =
    ["400", "401", "403", "404", "405", "409", "413", "415", "429", "500", "503"];

/// The answer for each status.
pub(super) fn responses() -> Value {
    let responses: Map<String, Value> =
        STATUSES.iter().map(|it| ((*it).to_owned(), response(it))).collect();
    responses.into()
}

fn response(status: &str) -> Value {
    let kinds = PROBLEM_TYPES.iter().filter(|it| it.status.as_str() == status);
    let kinds: Vec<&ProblemType> = kinds.copied().collect();
    let meanings: Vec<String> =
        kinds.iter().map(|it| format!("`{}`: {}", it.slug, it.meaning)).collect();
    let examples: Map<String, Value> =
        kinds.iter().map(|it| (it.slug.to_owned(), json!({ "value": example(it) }))).collect();
    let mut names = of_every_answer();
    names.extend(match status {
        "401" => &["Retry-After", "WWW-Authenticate"] as &[&str],
        "405" => &["Allow"],
        "409" | "429" | "500" | "503" => &["Retry-After"],
        _ => &[],
    });
    names.sort_unstable();
    json!({
        "description": meanings.join("\n\n"),
        "headers": references(names),
        "content": { "application/problem+json": {
            "schema": { "$ref": "#/components/schemas/Problem" },
            "examples": examples,
        } },
    })
}

/// A problem of this type, with every member that it may have.
fn example(kind: &'static ProblemType) -> Value {
    if kind.status == StatusCode::BAD_REQUEST {
        let problem = Problem::invalid("page", "`0`: pages count from 1");
        return problem.body("https://api.example/api", "/api/v1/companies");
    }
    let problem = Problem::new(kind, kind.meaning);
    let with_members = |problem: Problem, it: &&str| problem.with(it, member(kind, it));
    let problem = kind.members.iter().fold(problem, with_members);
    problem.body("https://api.example/api", "/api/v1/companies")
}

/// A member that only some types have, as an example.
///
/// # Panics
/// Where it is not known: whoever adds a member shows it.
fn member(kind: &ProblemType, name: &str) -> Value {
    match name {
        "group" if kind.status == StatusCode::FORBIDDEN => json!(RateGroup::Bulk),
        "group" => json!(RateGroup::SearchRead),
        "tier" => json!(Tier::Free),
        "requiredTier" => json!(RateGroup::Bulk.lowest_tier()),
        "window" => json!("1h"),
        "limit" => json!(60),
        "retryAfterSeconds" => json!(1800),
        "violatedPolicies" => json!([RateGroup::SearchRead]),
        "id" => json!("0b7a6c1e-3f52-4d4e-9a57-6d1f8c2b4e90"),
        _ => panic!("the member `{name}` of problems has no example"),
    }
}

/// A problem: the members of RFC 9457, and those that its type adds.
pub(super) fn schema() -> Value {
    let windows = [Window::Hour, Window::Day].map(Window::header);
    let kinds: Vec<&str> = PROBLEM_TYPES.iter().map(|it| it.slug).collect();
    json!({
        "type": "object",
        "description": format!("RFC 9457. The last segment of `type` is one of {}.", kinds.join(", ")),
        "required": ["type", "title", "status", "detail", "instance"],
        "properties": {
            "type": { "type": "string", "format": "uri", "description": "The address of a page about this kind of problem." },
            "title": { "type": "string" },
            "status": { "type": "integer", "minimum": 400, "maximum": 599 },
            "detail": { "type": "string", "description": "The thing, the value and the rule." },
            "instance": { "type": "string", "description": "The path as it was received." },
            "errors": {
                "type": "array",
                "description": "400: the members that are invalid.",
                "items": {
                    "type": "object",
                    "required": ["member", "detail"],
                    "properties": { "member": { "type": "string" }, "detail": { "type": "string" } },
                },
            },
            "group": { "type": "string", "enum": RateGroup::ALL, "description": "403, 429: the rate group." },
            "tier": { "type": "string", "enum": Tier::ALL, "description": "403: the caller's tier." },
            "requiredTier": { "type": "string", "enum": Tier::ALL, "description": "403: the smallest tier that may." },
            "window": { "type": "string", "enum": windows, "description": "429: the time in which the group is counted." },
            "limit": { "type": "integer", "description": "429: requests allowed in the window." },
            "retryAfterSeconds": { "type": "integer", "description": "429: as `Retry-After`." },
            "violatedPolicies": { "type": "array", "items": { "type": "string" }, "description": "429: as in `RateLimit-Policy`." },
            "id": { "type": "string", "description": "409: what the first request made." },
            "creditsRequired": { "type": "integer", "description": "402: the cost of the request." },
            "creditsAvailable": { "type": "integer", "description": "402: what is left." },
        },
    })
}
