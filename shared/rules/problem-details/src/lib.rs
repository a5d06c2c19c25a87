//! The error responses of the API: problem details according to RFC 9457 (formerly RFC 7807).

use std::error::Error;

use axum_core::response::{IntoResponse, Response};
use http::StatusCode;
use serde::Serialize;
use serde_json::{Map, Value};

/// A problem type, and the text of its documentation page.
#[derive(Debug, PartialEq, Eq)]
pub struct ProblemType {
    /// Last segment of the `type` URL, `{PUBLIC_URL}/errors/{slug}`.
    pub slug: &'static str,
    pub status: StatusCode,
    pub title: &'static str,
    /// Meaning, in one sentence.
    pub meaning: &'static str,
    /// What the caller can do.
    pub remedy: &'static str,
    /// Members in addition to `type`, `title`, `status`, `detail` and `instance`.
    pub members: &'static [&'static str],
}

macro_rules! problem_types {
    ($($name:ident: $status:ident, $slug:literal, $title:literal, [$($member:literal),*], $meaning:literal, $remedy:literal;)*) => {
        $(
            #[doc = $meaning]
            pub static $name: ProblemType = ProblemType {
                slug: $slug, status: StatusCode::$status, title: $title,
                meaning: $meaning, remedy: $remedy, members: &[$($member),*],
            };
        )*
        /// All problem types, ordered by status.
        pub static PROBLEM_TYPES: &[&ProblemType] = &[$(&$name),*];
    };
}

problem_types! {
    BAD_REQUEST: BAD_REQUEST, "bad-request", "Bad Request", ["errors"],
        "A parameter, a header or the request body is invalid.",
        "Each entry of `errors` names an invalid member and says which values it accepts. Correct them and send the request again.";
    UNAUTHORIZED: UNAUTHORIZED, "unauthorized", "Unauthorized", [],
        "No API key or session token was sent although the operation requires one, or the one sent is not valid.",
        "Send `Authorization: Bearer <token>`. Check that an API key is complete and neither revoked nor expired. If a session has ended, sign in again.";
    INSUFFICIENT_CREDITS: PAYMENT_REQUIRED, "insufficient-credits", "Insufficient Credits", ["creditsRequired", "creditsAvailable"],
        "In deployments that meter by credits (`METERING=credits`), the team does not have enough credits for the request.",
        "Buy credits, or wait until the monthly credits are added.";
    TIER_NOT_UNLOCKED: FORBIDDEN, "tier-not-unlocked", "Forbidden", ["group", "tier", "requiredTier"],
        "The caller's tier does not include this operation.",
        "Upgrade to the tier in `requiredTier` or a higher one.";
    FORBIDDEN: FORBIDDEN, "forbidden", "Forbidden", [],
        "The API key or session is valid but does not permit this request.",
        "Use an API key with the permission that `detail` names, or ask an owner of the team for the role.";
    NOT_FOUND: NOT_FOUND, "not-found", "Not Found", [],
        "The requested resource does not exist, or it belongs to another team.",
        "Check the path and the identifiers in it.";
    METHOD_NOT_ALLOWED: METHOD_NOT_ALLOWED, "method-not-allowed", "Method Not Allowed", [],
        "The path exists but does not support this method.",
        "Use one of the methods in the `Allow` header.";
    CONFLICT: CONFLICT, "conflict", "Conflict", ["id"],
        "The request conflicts with the current state: for example, the resource already exists or is still in use, or a limit of the team is reached. `detail` says which.",
        "Read the resource again and adapt the request to its current state.";
    IDEMPOTENCY_CONFLICT: CONFLICT, "idempotency-conflict", "Conflict", ["id"],
        "The `Idempotency-Key` was used before, and the first response cannot be repeated.",
        "If the first request is still running, retry after `Retry-After` seconds. For a different request, use a new key.";
    PAYLOAD_TOO_LARGE: PAYLOAD_TOO_LARGE, "payload-too-large", "Payload Too Large", [],
        "The request body is larger than 1 MiB.",
        "Split the request into smaller ones.";
    UNSUPPORTED_MEDIA_TYPE: UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", "Unsupported Media Type", [],
        "The request body has a media type or a content encoding that the operation does not accept.",
        "Send an uncompressed body with `Content-Type: application/json`.";
    RATE_LIMIT_EXCEEDED: TOO_MANY_REQUESTS, "rate-limit-exceeded", "Too Many Requests", ["group", "window", "limit", "retryAfterSeconds", "violatedPolicies"],
        "The rate limit of the current window or another limit is used up. `violatedPolicies` names it. If the gateway refuses the request, only `retryAfterSeconds` is stated, and no header `X-RateLimit-…`.",
        "Wait for the number of seconds in the `Retry-After` header.";
    INTERNAL: INTERNAL_SERVER_ERROR, "internal", "Internal Server Error", [],
        "The request failed because of an error in the service.",
        "Retry after one second. If the error persists, contact support with the value of the `x-request-id` header.";
    SERVICE_UNAVAILABLE: SERVICE_UNAVAILABLE, "service-unavailable", "Service Unavailable", [],
        "A component that the request needs is temporarily unavailable.",
        "Retry after the number of seconds in the `Retry-After` header.";
}

/// Maximum number of entries in `errors`.
pub const MAX_ERRORS: usize = 20;
/// Maximum length in characters of a text in `errors`.
const MAX_TEXT_LENGTH: usize = 600;

fn truncated(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT_LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// An error response.
///
/// Convert an error that the client caused where the reason is known: `.map_err(Problem::not_found)`.
/// `?` converts every other error to status 500 (an overload to 503): the client gets no details, and the causes are logged.
#[derive(Clone, Debug)]
pub struct Problem {
    pub kind: &'static ProblemType,
    /// What is wrong, with the value, and what would be right.
    pub detail: String,
    /// Members in addition to the standard five, such as `retryAfterSeconds`.
    pub members: Map<String, Value>,
}

impl Problem {
    pub fn new(kind: &'static ProblemType, detail: impl ToString) -> Self {
        Self { kind, detail: detail.to_string(), members: Map::new() }
    }

    pub fn not_found(error: impl Error) -> Self {
        Self::new(&NOT_FOUND, error)
    }

    pub fn forbidden(error: impl Error) -> Self {
        Self::new(&FORBIDDEN, error)
    }

    pub fn conflict(error: impl Error) -> Self {
        Self::new(&CONFLICT, error)
    }

    pub fn unavailable(error: impl Error) -> Self {
        Self::new(&SERVICE_UNAVAILABLE, error)
    }

    /// Status 400 because of one invalid member.
    pub fn invalid(member: &str, detail: impl ToString) -> Self {
        Self::all_invalid(vec![(member.to_owned(), detail.to_string())])
    }

    /// Status 400 because of several invalid members: pairs of name and detail.
    ///
    /// Lists at most [`MAX_ERRORS`] members and truncates long texts, so that the response is not
    /// larger than the request.
    pub fn all_invalid(mut errors: Vec<(String, String)>) -> Self {
        errors.truncate(MAX_ERRORS);
        for (member, detail) in &mut errors {
            (*member, *detail) = (truncated(member), truncated(detail));
        }
        let detail: Vec<String> =
            errors.iter().map(|(member, detail)| format!("{member}: {detail}")).collect();
        let errors: Vec<Value> = errors
            .into_iter()
            .map(|(member, detail)| serde_json::json!({ "member": member, "detail": detail }))
            .collect();
        Self::new(&BAD_REQUEST, detail.join("; ")).with("errors", errors)
    }

    /// Adds a member to the body.
    #[must_use]
    pub fn with(mut self, member: &str, value: impl Serialize) -> Self {
        if let Ok(value) = serde_json::to_value(value) {
            self.members.insert(member.to_owned(), value);
        }
        self
    }

    /// The response body. `instance` is the path of the request.
    pub fn body(&self, public_url: &str, instance: &str) -> Value {
        let mut body = self.members.clone();
        body.insert("type".into(), format!("{public_url}/errors/{}", self.kind.slug).into());
        body.insert("title".into(), self.kind.title.into());
        body.insert("status".into(), self.kind.status.as_u16().into());
        body.insert("detail".into(), self.detail.as_str().into());
        body.insert("instance".into(), instance.into());
        body.into()
    }
}

impl<E: Error + Send + Sync + 'static> From<E> for Problem {
    fn from(failure: E) -> Self {
        tracing::error!("{}", errors::chain(&failure));
        if errors::is_overload(&failure) {
            let detail = "the service has too much to do at the moment; try again later";
            return Self::new(&SERVICE_UNAVAILABLE, detail);
        }
        Self::new(&INTERNAL, "the request failed because of an internal error")
    }
}

/// Puts the problem into the extensions of the response. `http-service` writes the body, because it
/// knows the path of the request.
impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.kind.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_request_lists_every_invalid_member() {
        let problem = Problem::all_invalid(vec![
            ("page".into(), "must be at least 1".into()),
            ("canton".into(), "`XX` is not a canton".into()),
        ]);
        let body = problem.body("http://localhost/api", "/api/v1/companies");
        assert_eq!(body["type"], "http://localhost/api/errors/bad-request");
        assert_eq!(body["detail"], "page: must be at least 1; canton: `XX` is not a canton");
        assert_eq!(body["errors"][1]["member"], "canton");
    }

    #[test]
    fn problem_types_have_unique_slugs() {
        let mut slugs: Vec<_> = PROBLEM_TYPES.iter().map(|it| it.slug).collect();
        slugs.sort_unstable();
        slugs.dedup();
        assert_eq!(slugs.len(), PROBLEM_TYPES.len());
    }
}
