//! The error responses: one for each status, with an example of each problem type.

use access::{RateGroup, Tier, Window};
use http::StatusCode;
use problem_details::{PROBLEM_TYPES, Problem, ProblemType};
use serde_json::{Map, Value, json};

use super::headers::{of_every_response, references};
use crate::{
    authentication::FAILED_VERIFICATIONS, refused_requests::REFUSED_REQUESTS,
    screening_subjects::SCREENING_SUBJECTS,
};

/// The statuses of error responses. 402 belongs to deployments that meter by credits, which do not exist
/// yet.
const STATUSES: [&str; 11] =
    ["400", "401", "403", "404", "405", "409", "413", "415", "429", "500", "503"];

/// The response for each status.
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
    let mut names = of_every_response();
    names.extend(match status {
        "401" => &["WWW-Authenticate"] as &[&str],
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

/// An example of a problem type, with all its members.
fn example(kind: &'static ProblemType) -> Value {
    if kind.status == StatusCode::BAD_REQUEST {
        let problem = Problem::invalid("page", "must be at least 1; got `0`");
        return problem.body("https://api.example/api", "/api/v1/companies");
    }
    let problem = Problem::new(kind, detail(kind));
    let with_members = |problem: Problem, it: &&str| problem.with(it, member(kind, it));
    let problem = kind.members.iter().fold(problem, with_members);
    problem.body("https://api.example/api", "/api/v1/companies")
}

/// An example of what a request did wrong.
fn detail(kind: &ProblemType) -> &'static str {
    match kind.slug {
        "unauthorized" => "the API key was revoked",
        "tier-not-unlocked" => {
            "this operation of the group `bulk` requires the tier `professional`; yours is `free`"
        }
        "forbidden" => "this operation requires an API key with the scope `write`",
        "not-found" => "no company CHE-600.000.999 in the commercial register",
        "method-not-allowed" => "`PATCH` is not supported for this path",
        "conflict" => "the limit of 100 notes is reached",
        "idempotency-conflict" => {
            "the request with this `Idempotency-Key` succeeded, but its response is not stored"
        }
        "payload-too-large" => "the request body must not be larger than 1048576 bytes",
        "unsupported-media-type" => "`Content-Type` must be `application/json`; got `text/plain`",
        "rate-limit-exceeded" => "the tier `free` allows 60 `search_read` requests per hour",
        "internal" => "the request failed because of an internal error",
        _ => kind.meaning,
    }
}

/// An example of a member that only some problem types have.
///
/// # Panics
/// If the member has no example here.
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

/// The schema of all problems: the members of RFC 9457, and those of single problem types.
pub(super) fn schema() -> Value {
    let windows = ["1m", "10m", Window::Hour.header(), Window::Day.header()];
    let kinds = PROBLEM_TYPES.iter().filter(|it| STATUSES.contains(&it.status.as_str()));
    let kinds: Vec<String> = kinds.map(|it| format!("`{}`", it.slug)).collect();
    json!({
        "type": "object",
        "description": format!("Problem details (RFC 9457). The last segment of `type` is one of: {}.", kinds.join(", ")),
        "required": ["type", "title", "status", "detail", "instance"],
        "properties": {
            "type": { "type": "string", "format": "uri", "description": "URL of the page about this problem type." },
            "title": { "type": "string", "description": "Name of the HTTP status, for example `Not Found`." },
            "status": { "type": "integer", "minimum": 400, "maximum": 599, "description": "HTTP status code." },
            "detail": { "type": "string", "description": "What is wrong with this request, and what would be right." },
            "instance": { "type": "string", "description": "Path of the request." },
            "errors": {
                "type": "array",
                "description": "Status 400: the invalid parameters, headers or fields of the body.",
                "items": {
                    "type": "object",
                    "required": ["member", "detail"],
                    "properties": {
                        "member": { "type": "string", "description": "Name of the parameter, header or field." },
                        "detail": { "type": "string", "description": "What is wrong with its value, and what would be right." },
                    },
                },
            },
            "group": { "type": "string", "enum": RateGroup::ALL, "description": "Status 403 and 429: rate group of the operation." },
            "tier": { "type": "string", "enum": Tier::ALL, "description": "Status 403: tier of the caller." },
            "requiredTier": { "type": "string", "enum": Tier::ALL, "description": "Status 403: lowest tier that includes the operation." },
            "window": { "type": "string", "enum": windows, "description": format!("Status 429: length of the window: `1h` or `1d` for a rate group, `1d` for `{SCREENING_SUBJECTS}`, `1h` for `{REFUSED_REQUESTS}`, `1m` for `{FAILED_VERIFICATIONS}`, `10m` for the other limits.") },
            "limit": { "type": "integer", "description": "Status 429: maximum number in the window, of what `violatedPolicies` names: requests, subjects of screenings, refused requests, failed verifications of API keys and tokens, mails, changes of single sign-on, downloads, test deliveries or replays." },
            "retryAfterSeconds": { "type": "integer", "description": "Status 429: seconds to wait, as in the header `Retry-After`." },
            "violatedPolicies": { "type": "array", "items": { "type": "string" }, "description": format!("Status 429: the exceeded limit: a rate group (as in the header `RateLimit-Policy`), `{SCREENING_SUBJECTS}`, `{REFUSED_REQUESTS}`, `{FAILED_VERIFICATIONS}`, `mails`, `single_sign_on`, `downloads`, `webhook_tests` or `replays`.") },
            "id": { "type": "string", "description": "Status 409: id of the resource that the first request created." },
        },
    })
}
