use axum::extract::FromRequestParts;
use domain::parameters::Parameters;
use http::request::Parts;
use problem_details::Problem;
use serde::{Deserialize, de::DeserializeOwned};
use utoipa::IntoParams;

use super::{
    language::{self, AskedLanguage},
    parameters::{of_query, read, read_described},
};

/// The query of a request, as `T` declares it. An unknown parameter is rejected, so that a misspelled
/// filter is not ignored silently.
#[derive(Clone, Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned + IntoParams, S: Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        read_described(own_of_query(parts)?).map(Self)
    }
}

/// The parameters of a query that the frame does not read itself.
pub(super) fn own_of_query(parts: &Parts) -> Result<Parameters, Problem> {
    let parameters = of_query(parts.uri.query().unwrap_or_default())?;
    // Read before, for every translated operation.
    let is_translated = parts.extensions.get::<AskedLanguage>().is_some();
    Ok(if is_translated { parameters.without(language::PARAMETER) } else { parameters })
}

/// The parameters of an operation to which another service redirects browsers.
pub trait Answered: DeserializeOwned {
    /// Names of the parameters that are read.
    const NAMES: &[&str];
}

/// The query of a request to which another service has added parameters of its own: unknown ones are ignored.
#[derive(Clone, Debug)]
pub struct AnsweredQuery<T>(pub T);

impl<T: Answered, S: Sync> FromRequestParts<S> for AnsweredQuery<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let parameters = of_query(parts.uri.query().unwrap_or_default())?;
        read(parameters.only(T::NAMES)).map(Self)
    }
}

/// The query, or the body, of an operation without parameters.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct NoParameters {}
