//! The language that a caller asks for.

use std::convert::Infallible;

use auth::Language;
use axum::extract::{FromRequestParts, Request};
use domain::WantedLanguage;
use http::{HeaderMap, header::ACCEPT_LANGUAGE, request::Parts};
use problem_details::Problem;
use serde::Deserialize;

use super::parameters::{of_query, read};

/// The parameter that names the language.
pub(crate) const PARAMETER: &str = "language";

/// The language that a request asks for: the parameter `language`, or else the header `Accept-Language`. Requests have it if
/// their operation is [`translated`](crate::Access::translated).
#[derive(Clone, Copy, Debug)]
pub(crate) struct AskedLanguage(Option<Language>);

#[derive(Deserialize)]
struct LanguageQuery {
    language: Option<WantedLanguage>,
}

impl AskedLanguage {
    /// # Errors
    /// 400 if the parameter names no language of the service. A header may name others.
    pub(crate) fn of(request: &Request) -> Result<Self, Problem> {
        let parameters = of_query(request.uri().query().unwrap_or_default())?;
        let LanguageQuery { language } = read(parameters.only(&[PARAMETER]))?;
        Ok(Self(language.map(|it| it.0).or_else(|| accepted(request.headers()))))
    }

    /// The language, if the request asks for one of the service.
    pub(crate) fn get(self) -> Option<Language> {
        self.0
    }
}

/// The language of texts for the caller: what the request asks for, or else English.
#[derive(Clone, Copy, Debug)]
pub struct PreferredLanguage(pub Language);

impl<S: Sync> FromRequestParts<S> for PreferredLanguage {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        let asked = parts.extensions.get().and_then(|it: &AskedLanguage| it.0);
        Ok(Self(asked.unwrap_or_else(|| preferred_language(&parts.headers))))
    }
}

/// The language that the header `Accept-Language` prefers, or else English.
pub fn preferred_language(headers: &HeaderMap) -> Language {
    accepted(headers).unwrap_or_default()
}

fn accepted(headers: &HeaderMap) -> Option<Language> {
    headers.get(ACCEPT_LANGUAGE).and_then(|it| it.to_str().ok()).and_then(Language::preferred)
}
