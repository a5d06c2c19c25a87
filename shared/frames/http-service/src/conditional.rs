//! Conditional requests: the `ETag` of a response, and 304 for a client that has the same response already.

use axum::{body::Body, extract::Request, response::Response};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use http_body_util::BodyExt;
use sha2::{Digest, Sha256};

/// The condition in the request header `If-None-Match`.
pub(crate) struct Condition {
    applies: bool,
    known_tags: Vec<String>,
}

impl Condition {
    pub(crate) fn of(request: &Request) -> Self {
        let headers = request.headers().get_all(header::IF_NONE_MATCH).iter();
        let tags = headers.filter_map(|it| it.to_str().ok()).flat_map(|it| it.split(','));
        Self {
            applies: matches!(*request.method(), Method::GET | Method::HEAD),
            // Weak comparison (RFC 9110, section 13.1.2) ignores the prefix `W/`.
            known_tags: tags.map(|it| it.trim().trim_start_matches("W/").to_owned()).collect(),
        }
    }

    /// Adds `ETag` and `Cache-Control` to a response with status 200. Returns 304 without a body if
    /// the client has the response already. The tag depends only on the body, so it is the same for
    /// every caller. A stream, which must not be read into memory, has a tag only if its handler gives it one.
    pub(crate) async fn apply(&self, response: Response) -> Response {
        let is_in_memory = axum::body::HttpBody::size_hint(response.body()).exact().is_some();
        let has_tag = response.headers().contains_key(header::ETAG);
        if !self.applies || response.status() != StatusCode::OK || !(is_in_memory || has_tag) {
            return response;
        }
        let (mut parts, mut body) = response.into_parts();
        if !has_tag {
            let Ok(whole) = body.collect().await else {
                return Response::from_parts(parts, Body::empty());
            };
            let whole = whole.to_bytes();
            if let Some(tag) = entity_tag(&whole) {
                parts.headers.insert(header::ETAG, tag);
            }
            body = Body::from(whole);
        }
        if !parts.headers.contains_key(header::CACHE_CONTROL) {
            let revalidate = HeaderValue::from_static("private, no-cache");
            parts.headers.insert(header::CACHE_CONTROL, revalidate);
        }
        if self.names_tag(&parts.headers) || self.known_tags.iter().any(|it| it == "*") {
            parts.status = StatusCode::NOT_MODIFIED;
            parts.headers.remove(header::CONTENT_LENGTH);
            parts.headers.remove(header::CONTENT_TYPE);
            return Response::from_parts(parts, Body::empty());
        }
        Response::from_parts(parts, body)
    }

    /// Whether the condition names the tag in the headers of a response. `*` names no tag.
    pub(crate) fn names_tag(&self, headers: &HeaderMap) -> bool {
        let tag = headers.get(header::ETAG).and_then(|it| it.to_str().ok());
        tag.is_some_and(|tag| self.known_tags.iter().any(|it| it == tag))
    }
}

/// The SHA-256 of a body, or of what identifies it, in quotes: the value of an `ETag`.
pub fn entity_tag(body: &[u8]) -> Option<HeaderValue> {
    let mut quoted = [b'"'; 66];
    hex::encode_to_slice(Sha256::digest(body), &mut quoted[1..65]).ok()?;
    HeaderValue::from_bytes(&quoted).ok()
}
