use axum::extract::FromRequestParts;
use http::request::Parts;
use problem_details::Problem;
use serde::{Deserialize, de::DeserializeOwned};

use super::parameters::Parameters;

/// The query of a request, as `T` declares it. An unknown parameter is rejected, so that a misspelled
/// filter is not ignored silently.
#[derive(Clone, Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        Parameters::of_query(parts.uri.query().unwrap_or_default())?.read().map(Self)
    }
}

/// The query of an operation without parameters.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct NoParameters {}
