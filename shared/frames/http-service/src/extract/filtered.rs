use axum::extract::FromRequestParts;
use domain::search::CompanyFilters;
use http::request::Parts;
use problem_details::Problem;
use serde::de::DeserializeOwned;

use super::{parameters::invalid_query, query::own_of_query};

/// The query of an operation that selects companies: its own parameters, and every filter of the list of companies.
#[derive(Clone, Debug)]
pub struct Filtered<T>(pub T, pub CompanyFilters);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for Filtered<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let (own, filters) =
            CompanyFilters::read_with(own_of_query(parts)?).map_err(invalid_query)?;
        Ok(Self(own, filters))
    }
}
