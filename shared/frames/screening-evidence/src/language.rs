use std::convert::Infallible;

use axum::extract::FromRequestParts;
use http::{HeaderName, header, request::Parts};
use http_service::preferred_language;
use matching::Text;

/// The language of the explanations: that which `Accept-Language` prefers, or else English.
#[derive(Clone, Copy, Debug)]
pub struct Language(auth::Language);

impl<S: Sync> FromRequestParts<S> for Language {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(preferred_language(&parts.headers)))
    }
}

impl Language {
    /// The text in this language.
    pub fn of(self, text: &Text) -> String {
        match self.0 {
            auth::Language::De => &text.de,
            auth::Language::Fr => &text.fr,
            auth::Language::It => &text.it,
            auth::Language::En => &text.en,
        }
        .clone()
    }

    /// The headers that say in which language the answer is, and what it depends on.
    pub fn headers(self) -> [(HeaderName, &'static str); 2] {
        [
            (header::CONTENT_LANGUAGE, self.0.code()),
            (header::VARY, header::ACCEPT_LANGUAGE.as_str()),
        ]
    }
}
