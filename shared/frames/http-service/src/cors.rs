//! Which requests of a page in a browser are answered (CORS), here and by the gateway, which answers preflight requests itself.

use std::time::Duration;

use http::{HeaderName, Method};
use tower_http::cors::{Any, CorsLayer};

use crate::meter::HEADERS;

/// Every origin is allowed: browsers never add an API key to a request automatically.
pub const ALLOWED_ORIGIN: &str = "*";
/// The methods that a page may use.
pub const ALLOWED_METHODS: [Method; 4] = [Method::GET, Method::POST, Method::PUT, Method::DELETE];
/// The headers that a page may send, besides those that are always allowed.
pub const ALLOWED_HEADERS: [&str; 4] =
    ["authorization", "content-type", "idempotency-key", "if-none-match"];
/// How long a browser may use the answer to a preflight request.
pub const MAX_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// The headers of an answer that a page may read, besides those of the rate limits.
const EXPOSED_HEADERS: [&str; 10] = [
    "x-request-id",
    "retry-after",
    "etag",
    "link",
    "location",
    "content-disposition",
    "idempotent-replayed",
    "x-data-generation",
    "x-data-source",
    "x-amzn-trace-id",
];

pub(crate) fn layer() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods(ALLOWED_METHODS)
        .allow_headers(ALLOWED_HEADERS.map(HeaderName::from_static))
        .expose_headers([&EXPOSED_HEADERS.map(HeaderName::from_static)[..], &HEADERS].concat())
        .max_age(MAX_AGE)
}
