//! The headers of answers, each described once.

use access::{RateGroup, Window};
use http::HeaderName;
use serde_json::{Map, Value, json};

use crate::meter::HEADERS;

/// An answer's tag, as an example.
pub(super) const TAG: &str = "\"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\"";

/// What is said of transport and of browsers, not of the answer.
const NOT_DESCRIBED: [&str; 4] =
    ["content-type", "content-length", "vary", "x-content-type-options"];

/// Every header that an answer may bear. None is said to be required: what the gateway refuses before
/// us bears no rate.
pub(super) fn described() -> Value {
    let said = |description: &str, schema: Value, example: Value| json!({ "description": description, "schema": schema, "example": example });
    let text =
        |description, example: &str| said(description, json!({ "type": "string" }), json!(example));
    let like = |description, pattern: &str, example: &str| {
        said(description, json!({ "type": "string", "pattern": pattern }), json!(example))
    };
    let uuid = |description, example: &str| {
        said(description, json!({ "type": "string", "format": "uuid" }), json!(example))
    };
    let one_of = |description, values: &[&str], example: &str| {
        said(description, json!({ "type": "string", "enum": values }), json!(example))
    };
    let number = |description, example: u32| {
        said(description, json!({ "type": "integer", "minimum": 0 }), json!(example))
    };
    json!({
        "x-request-id": uuid("Names the request in our log.", "4f7c7a5e-0d5b-4b0e-9d53-2f1f6a7f9e10"),
        "x-amzn-trace-id": text("Names the request's trace (AWS X-Ray), where the gateway began one.", "Root=1-67891233-abcdef012345678912345678"),
        "x-ratelimit-group": one_of("What the request was counted in.", &RateGroup::ALL.map(RateGroup::name), "search_read"),
        "x-ratelimit-window": one_of("The window that is counted in, aligned to the UTC clock: `1h` or `1d`.", &[Window::Hour, Window::Day].map(Window::header), "1h"),
        "x-ratelimit-limit": number("Requests allowed in the window.", 60),
        "x-ratelimit-remaining": number("Requests left in the window.", 59),
        "x-ratelimit-reset": number("Seconds until the window resets.", 1800),
        "ratelimit": like("What is left and until when (draft-ietf-httpapi-ratelimit-headers-10).", r#"^"[a-z_]+";r=[0-9]+;t=[0-9]+$"#, "\"search_read\";r=59;t=1800"),
        "ratelimit-policy": like("What is allowed in how many seconds (draft-ietf-httpapi-ratelimit-headers-10).", r#"^"[a-z_]+";q=[0-9]+;w=[0-9]+$"#, "\"search_read\";q=60;w=3600"),
        "ETag": like("Names what the body says, for `If-None-Match`.", r#"^"[0-9a-f]{64}"$"#, TAG),
        "Cache-Control": text("How long the answer may be kept.", "private, no-cache"),
        "Content-Disposition": text("The name of the file.", "attachment; filename=\"CHE-600.000.026.graphml\""),
        "x-data-generation": uuid("Names the state of the register that was searched.", "01997a51-4c00-7000-8000-000000000000"),
        "Link": like("Leads to the next page; absent on the last one (RFC 8288).", r#"^<[^<>]+>; rel="next"$"#, "<https://api.example/api/v1/companies/CHE-600.000.026/events?limit=20&page=2>; rel=\"next\""),
        "Idempotent-Replayed": one_of("The answer is that which the first request with this key had.", &["true"], "true"),
        "Retry-After": number("Seconds to wait.", 1800),
        "WWW-Authenticate": text("How to say who asks.", "Bearer realm=\"gotthard\""),
        "Allow": like("The methods of the path.", "^[A-Z]+(,[A-Z]+)*$", "GET,HEAD"),
    })
}

/// The names of those that every answer bears.
pub(super) fn of_every_answer() -> Vec<&'static str> {
    let mut names = vec!["x-request-id", "x-amzn-trace-id"];
    names.extend(HEADERS.iter().map(HeaderName::as_str));
    names
}

/// A response's headers, by reference to what is described.
pub(super) fn references<'a>(names: impl IntoIterator<Item = &'a str>) -> Map<String, Value> {
    let reference = |it: &str| json!({ "$ref": format!("#/components/headers/{it}") });
    names.into_iter().map(|it| (it.to_owned(), reference(it))).collect()
}

/// The name under which a header is described: `None` where it need not be.
pub fn described_name(header: &HeaderName) -> Result<Option<String>, UndescribedHeader> {
    let name = header.as_str();
    if NOT_DESCRIBED.contains(&name) || name.starts_with("access-control-") {
        return Ok(None);
    }
    let described = described();
    let mut names = described.as_object().into_iter().flat_map(Map::keys);
    let found = names.find(|it| it.eq_ignore_ascii_case(name));
    found.map(|it| Some(it.to_owned())).ok_or_else(|| UndescribedHeader(name.to_owned()))
}

/// A header that answers bear and the description does not know.
#[derive(Debug, thiserror::Error)]
#[error("the header `{0}` is not described")]
pub struct UndescribedHeader(String);
