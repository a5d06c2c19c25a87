//! The response headers.

use access::{RateGroup, Window};
use http::HeaderName;
use serde_json::{Map, Value, json};

use crate::meter::HEADERS;

/// An example of an `ETag`.
pub(super) const TAG: &str = "\"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\"";

/// Headers of transport and browsers, which need no documentation.
const NOT_DOCUMENTED: [&str; 6] = [
    "content-type",
    "content-length",
    "vary",
    "x-content-type-options",
    "content-security-policy",
    "referrer-policy",
];

/// All response headers. None is marked as required, because responses of the API gateway itself have no
/// rate limit headers.
pub(super) fn documented() -> Value {
    let header = |description: &str, schema: Value, example: Value| json!({ "description": description, "schema": schema, "example": example });
    let text = |description, example: &str| {
        header(description, json!({ "type": "string" }), json!(example))
    };
    let matching = |description, pattern: &str, example: &str| {
        header(description, json!({ "type": "string", "pattern": pattern }), json!(example))
    };
    let uuid = |description, example: &str| {
        header(description, json!({ "type": "string", "format": "uuid" }), json!(example))
    };
    let one_of = |description, values: &[&str], example: &str| {
        header(description, json!({ "type": "string", "enum": values }), json!(example))
    };
    let number = |description, example: u32| {
        header(description, json!({ "type": "integer", "minimum": 0 }), json!(example))
    };
    json!({
        "x-request-id": uuid("Id of the request. The log of the service contains it.", "4f7c7a5e-0d5b-4b0e-9d53-2f1f6a7f9e10"),
        "x-amzn-trace-id": text("AWS X-Ray trace id. Absent if the request is not traced.", "Root=1-67891233-abcdef012345678912345678"),
        "x-ratelimit-group": one_of("Rate group in which the request is counted.", &RateGroup::ALL.map(RateGroup::name), "search_read"),
        "x-ratelimit-window": one_of("Length of the rate limit window: `1h` or `1d`. Windows begin at full hours and at midnight UTC.", &[Window::Hour, Window::Day].map(Window::header), "1h"),
        "x-ratelimit-limit": number("Number of requests allowed in the window.", 60),
        "x-ratelimit-remaining": number("Number of requests left in the window.", 59),
        "x-ratelimit-reset": number("Seconds until the window ends.", 1800),
        "ratelimit": matching("Rate group, requests left (`r`) and seconds until the window ends (`t`), as in draft-ietf-httpapi-ratelimit-headers-10.", r#"^"[a-z_]+";r=[0-9]+;t=[0-9]+$"#, "\"search_read\";r=59;t=1800"),
        "ratelimit-policy": matching("Rate group, requests allowed (`q`) and length of the window in seconds (`w`), as in draft-ietf-httpapi-ratelimit-headers-10.", r#"^"[a-z_]+";q=[0-9]+;w=[0-9]+$"#, "\"search_read\";q=60;w=3600"),
        "ETag": matching("Identifies the content of the body, for use in `If-None-Match`.", r#"^"[0-9a-f]{64}"$"#, TAG),
        "Cache-Control": text("Caching rules of the response.", "private, no-cache"),
        "Content-Language": one_of("Language of the texts.", &["de", "fr", "it", "en"], "en"),
        "Content-Disposition": text("Name of the file.", "attachment; filename=\"CHE-600.000.026.graphml\""),
        "x-data-generation": uuid("Id of the generation that the response is based on.", "01997a51-4c00-7000-8000-000000000000"),
        "Link": matching("Link to the next page (RFC 8288). Absent on the last page.", r#"^<[^<>]+>; rel="next"$"#, "<https://api.example/api/v1/companies/CHE-600.000.026/events?limit=20&page=2>; rel=\"next\""),
        "Idempotent-Replayed": one_of("Present if the response is that of the first request with the same `Idempotency-Key`.", &["true"], "true"),
        "Location": text("Address to continue at.", "https://app.example/#token=…"),
        "Set-Cookie": text("Cookie that binds the sign-in to the browser.", "__Host-gotthard-sso=…; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure"),
        "Retry-After": number("Seconds to wait before the next request.", 1800),
        "WWW-Authenticate": text("Required authentication scheme.", "Bearer realm=\"gotthard\""),
        "Allow": matching("Methods that the path supports.", "^[A-Z]+(,[A-Z]+)*$", "GET,HEAD"),
    })
}

/// The names of the headers that every response has.
pub(super) fn of_every_response() -> Vec<&'static str> {
    let mut names = vec!["x-request-id", "x-amzn-trace-id"];
    names.extend(HEADERS.iter().map(HeaderName::as_str));
    names
}

/// References to the documentation of these headers.
pub(super) fn references<'a>(names: impl IntoIterator<Item = &'a str>) -> Map<String, Value> {
    let reference = |it: &str| json!({ "$ref": format!("#/components/headers/{it}") });
    names.into_iter().map(|it| (it.to_owned(), reference(it))).collect()
}

/// The documented name of a header; `None` for headers that need no documentation.
pub fn documented_header(header: &HeaderName) -> Result<Option<String>, UndocumentedHeader> {
    let name = header.as_str();
    if NOT_DOCUMENTED.contains(&name) || name.starts_with("access-control-") {
        return Ok(None);
    }
    let documented = documented();
    let mut names = documented.as_object().into_iter().flat_map(Map::keys);
    let found = names.find(|it| it.eq_ignore_ascii_case(name));
    found.map(|it| Some(it.to_owned())).ok_or_else(|| UndocumentedHeader(name.to_owned()))
}

/// A header of a response that the OpenAPI document does not contain.
#[derive(Debug, thiserror::Error)]
#[error("the header `{0}` is not documented")]
pub struct UndocumentedHeader(String);
