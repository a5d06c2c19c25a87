//! Comparison of companies.

use axum::{Json, extract::State};
use domain::{
    Company, GivenUid, Uid,
    comparison::{self, ComparedCompanies},
};
use http_service::{Description, NoParameters, Query, Routes, handler, reads};
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(5).changes_nothing().translated(), handler!(compare_companies))
}

/// The companies to compare.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CompareRequest {
    /// Two to ten different company numbers.
    #[schema(value_type = std::collections::BTreeSet<GivenUid>, min_items = 2, max_items = 10, example = json!(["CHE-101.049.653", "CHE-101.329.561"]))]
    uids: ComparedCompanies,
}

/// A comparison of companies. Every list contains one value for each company, in the order of `uids`.
#[derive(Serialize, ToSchema)]
struct Comparison {
    /// Company numbers.
    uids: Vec<Uid>,
    /// Names of the companies.
    names: Vec<String>,
    /// Compared properties.
    dimensions: Vec<ComparisonDimension>,
}

/// A property of the compared companies.
#[derive(Serialize, ToSchema)]
struct ComparisonDimension {
    /// Name of the property: a field of company records.
    #[schema(example = "legalForm")]
    field: &'static str,
    /// English name of the property.
    #[schema(example = "Legal Form")]
    label: &'static str,
    /// Values as text, one for each company, in the order of `uids`. `null` if the value is unknown. A capital in
    /// another or an unknown currency is also `null`, because amounts are not converted. `labels` contains the names of codes.
    values: Vec<Option<String>>,
}

#[derive(Debug, thiserror::Error)]
#[error("no company {} in the commercial register", .0.iter().map(Uid::to_string).collect::<Vec<_>>().join(", "))]
struct UnknownCompanies(Vec<Uid>);

/// Compare companies
///
/// Compares eleven properties of two to ten companies, in the order of the request: `canton`, `status`, `legalForm`,
/// `shareCapital` (whole francs), `industry`, `auditorName`, `auditorCategory`, `employeeCount`, `foundingDate` (or
/// else the registration date), `addressCity` (or else the seat) and `website`.
#[utoipa::path(
    post,
    path = "/v1/companies/compare",
    tag = "Companies",
    request_body = CompareRequest,
    responses((status = OK, body = Comparison), (status = NOT_FOUND)),
)]
async fn compare_companies(
    State(state): State<crate::State>,
    Query(NoParameters {}): Query<NoParameters>,
    http_service::Json(CompareRequest { uids }): http_service::Json<CompareRequest>,
) -> Result<Json<Comparison>, Problem> {
    let companies: Vec<Company> = state.registry.companies(uids.uids()).await?;
    let known: Vec<Uid> = companies.iter().map(|it| it.uid).collect();
    let unknown = uids.uids().iter().filter(|it| !known.contains(it));
    let unknown: Vec<Uid> = unknown.copied().collect();
    if !unknown.is_empty() {
        return Err(Problem::not_found(UnknownCompanies(unknown)));
    }
    let dimensions = comparison::dimensions(&companies).into_iter();
    Ok(Json(Comparison {
        uids: known,
        names: companies.into_iter().map(|it| it.name).collect(),
        dimensions: dimensions
            .map(|it| ComparisonDimension { field: it.field, label: it.label, values: it.values })
            .collect(),
    }))
}
