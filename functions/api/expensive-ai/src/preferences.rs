//! What a caller prefers: the language of the text, and whether to wait for it.

use std::convert::Infallible;

use auth::Language;
use axum::extract::FromRequestParts;
use http::{HeaderMap, HeaderName, request::Parts};
use http_service::preferred_language;

const PREFER: HeaderName = HeaderName::from_static("prefer");

/// The preferences of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Preferences {
    /// The language that `Accept-Language` prefers, or else English.
    pub(crate) language: Language,
    /// `Prefer: respond-async` (RFC 7240): the caller does not wait.
    pub(crate) responds_later: bool,
}

impl<S: Sync> FromRequestParts<S> for Preferences {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(&parts.headers))
    }
}

impl Preferences {
    fn of(headers: &HeaderMap) -> Self {
        let preferred = headers.get_all(PREFER).iter().filter_map(|it| it.to_str().ok());
        let mut preferences = preferred.flat_map(|it| it.split(','));
        let is_later = |it: &str| {
            let name = it.split([';', '=']).next().unwrap_or_default();
            name.trim().eq_ignore_ascii_case("respond-async")
        };
        Self { language: preferred_language(headers), responds_later: preferences.any(is_later) }
    }
}

#[cfg(test)]
mod tests {
    use http::{HeaderValue, header};

    use super::*;

    fn preferences(prefer: &'static str) -> Preferences {
        let mut headers = HeaderMap::new();
        headers.insert(PREFER, HeaderValue::from_static(prefer));
        headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_static("rm, fr-CH;q=0.9"));
        Preferences::of(&headers)
    }

    #[test]
    fn respond_async_is_found_among_other_preferences() {
        for prefer in ["respond-async", "wait=10, Respond-Async", "respond-async; foo=bar"] {
            assert!(preferences(prefer).responds_later, "{prefer}");
        }
        for prefer in ["wait=10", "respond-asynchronously", ""] {
            assert!(!preferences(prefer).responds_later, "{prefer}");
        }
        assert_eq!(preferences("").language, Language::Fr);
    }
}
