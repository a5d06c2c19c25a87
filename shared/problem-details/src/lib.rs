//! RFC 9457 problems (formerly RFC 7807): the one way this API says no.

use std::error::Error;

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde::Serialize;
use serde_json::{Map, Value};

/// A kind of problem: what its `type` address, its title and its page say.
#[derive(Debug, PartialEq, Eq)]
pub struct ProblemType {
    /// The last segment of the `type` address, `{PUBLIC_URL}/errors/{slug}`.
    pub slug: &'static str,
    pub status: StatusCode,
    pub title: &'static str,
    /// What it means, in one sentence.
    pub meaning: &'static str,
    /// What a caller can do about it.
    pub remedy: &'static str,
    /// Members beyond `type`, `title`, `status`, `detail` and `instance`.
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
        /// Every kind of problem, in the order of their statuses.
        pub static PROBLEM_TYPES: &[&ProblemType] = &[$(&$name),*];
    };
}

problem_types! {
    BAD_REQUEST: BAD_REQUEST, "bad-request", "Bad Request", ["errors"],
        "A parameter or the body of the request is invalid.",
        "Each entry of `errors` names a member and the rule that its value breaks. Correct it and ask again.";
    UNAUTHORIZED: UNAUTHORIZED, "unauthorized", "Unauthorized", [],
        "The request needs an API key or a session, or the one that came with it is not valid.",
        "Send `Authorization: Bearer <API key>` with a key that is neither mistyped, revoked nor expired.";
    INSUFFICIENT_CREDITS: PAYMENT_REQUIRED, "insufficient-credits", "Insufficient Credits", ["creditsRequired", "creditsAvailable"],
        "The team's credits do not cover the cost of the request.",
        "Buy credits, or wait for the monthly credits.";
    TIER_NOT_UNLOCKED: FORBIDDEN, "tier-not-unlocked", "Forbidden", ["group", "tier", "requiredTier"],
        "The caller's tier does not include this group of endpoints.",
        "Change to the tier in `requiredTier` or a larger one.";
    FORBIDDEN: FORBIDDEN, "forbidden", "Forbidden", [],
        "The caller is known, but its key or role does not allow this.",
        "Use a key with the scope that the detail names, or ask an owner of the team.";
    NOT_FOUND: NOT_FOUND, "not-found", "Not Found", [],
        "What was asked for does not exist, or does not belong to the caller's team.",
        "Check the identifier and the path.";
    METHOD_NOT_ALLOWED: METHOD_NOT_ALLOWED, "method-not-allowed", "Method Not Allowed", [],
        "The path exists, but not with this method.",
        "The `Allow` header lists the methods of the path.";
    CONFLICT: CONFLICT, "conflict", "Conflict", ["id"],
        "The request contradicts what exists.",
        "Read the current state and decide again.";
    IDEMPOTENCY_CONFLICT: CONFLICT, "idempotency-conflict", "Conflict", ["id"],
        "The `Idempotency-Key` was used before, and its answer cannot be given again.",
        "While the first request is running, ask again after `Retry-After`; for another request, use another key.";
    PAYLOAD_TOO_LARGE: PAYLOAD_TOO_LARGE, "payload-too-large", "Payload Too Large", [],
        "The body is larger than 1 MiB (an upload: 10 MiB).",
        "Send less at once.";
    UNSUPPORTED_MEDIA_TYPE: UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", "Unsupported Media Type", [],
        "The body is in a format or an encoding that the endpoint does not read.",
        "Send `Content-Type: application/json`, uncompressed.";
    RATE_LIMIT_EXCEEDED: TOO_MANY_REQUESTS, "rate-limit-exceeded", "Too Many Requests", ["group", "window", "limit", "retryAfterSeconds", "violatedPolicies"],
        "The requests of this window are used up.",
        "Wait as many seconds as `Retry-After` says.";
    INTERNAL: INTERNAL_SERVER_ERROR, "internal", "Internal Server Error", [],
        "The service failed. The cause is in its log, under the request id.",
        "Ask again after a second; if it stays, write to support with the `x-request-id`.";
    SERVICE_UNAVAILABLE: SERVICE_UNAVAILABLE, "service-unavailable", "Service Unavailable", [],
        "A part that the request needs does not answer at the moment.",
        "Ask again after `Retry-After`.";
}

/// How many invalid members a problem lists.
const ERRORS_AT_MOST: usize = 20;
/// How many characters of a text a problem repeats.
const TEXT_AT_MOST: usize = 300;

fn cut(text: &str) -> String {
    match text.char_indices().nth(TEXT_AT_MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A refusal or a failure, as a client will read it.
///
/// Name the refusal where you know the reason: `.map_err(Problem::not_found)`. Whatever is left to
/// `?` is our own failure: its causes go to the log and the client reads a bare 500.
#[derive(Clone, Debug)]
pub struct Problem {
    pub kind: &'static ProblemType,
    /// The thing, the value and the rule.
    pub detail: String,
    /// Members beyond the standard five, such as `retryAfterSeconds`.
    pub members: Map<String, Value>,
}

impl Problem {
    /// A problem of this kind, for the reason that `why` gives.
    pub fn new(kind: &'static ProblemType, why: impl ToString) -> Self {
        Self { kind, detail: why.to_string(), members: Map::new() }
    }

    pub fn not_found(why: impl Error) -> Self {
        Self::new(&NOT_FOUND, why)
    }

    pub fn forbidden(why: impl Error) -> Self {
        Self::new(&FORBIDDEN, why)
    }

    pub fn conflict(why: impl Error) -> Self {
        Self::new(&CONFLICT, why)
    }

    pub fn unavailable(why: impl Error) -> Self {
        Self::new(&SERVICE_UNAVAILABLE, why)
    }

    /// The request is invalid because of one member.
    pub fn invalid(member: &str, why: impl ToString) -> Self {
        Self::all_invalid(vec![(member.to_owned(), why.to_string())])
    }

    /// The request is invalid because of these members, each with the rule it breaks.
    ///
    /// At most [`ERRORS_AT_MOST`] are listed, and long texts are cut: a refusal is not larger than what
    /// it refuses.
    pub fn all_invalid(mut errors: Vec<(String, String)>) -> Self {
        errors.truncate(ERRORS_AT_MOST);
        for (member, why) in &mut errors {
            (*member, *why) = (cut(member), cut(why));
        }
        let detail: Vec<String> =
            errors.iter().map(|(member, why)| format!("{member}: {why}")).collect();
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

    /// The body, completed with what only the edge knows.
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
        Self::new(&INTERNAL, "the request could not be completed")
    }
}

/// Leaves the body to the edge, which alone knows the request.
impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        (self.kind.status, axum::Extension(self)).into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_request_names_every_member() {
        let problem = Problem::all_invalid(vec![
            ("page".into(), "pages count from 1".into()),
            ("canton".into(), "`XX` is not a canton".into()),
        ]);
        let body = problem.body("http://localhost/api", "/api/v1/companies");
        assert_eq!(body["type"], "http://localhost/api/errors/bad-request");
        assert_eq!(body["detail"], "page: pages count from 1; canton: `XX` is not a canton");
        assert_eq!(body["errors"][1]["member"], "canton");
    }

    #[test]
    fn every_problem_has_an_address_of_its_own() {
        let mut slugs: Vec<_> = PROBLEM_TYPES.iter().map(|it| it.slug).collect();
        slugs.sort_unstable();
        slugs.dedup();
        assert_eq!(slugs.len(), PROBLEM_TYPES.len());
    }
}
