//! The number of companies, in total and by status, canton and legal form.

use std::collections::BTreeMap;

use axum::{Json, extract::State, response::IntoResponse};
use http_service::{Description, NoParameters, Query, Routes, handler, reads};
use problem_details::Problem;
use serde::Serialize;
use text_index::companies::Facet;
use utoipa::ToSchema;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(1), handler!(company_count))
        .route(reads(1), handler!(company_statistics))
}

/// Number of companies.
#[derive(Serialize, ToSchema)]
struct CompanyCount {
    /// Number of companies.
    count: u64,
}

/// Count companies
///
/// The number of all companies, including those deleted from the register.
#[utoipa::path(
    get,
    path = "/v1/companies/count",
    tag = "Companies",
    responses((status = OK, body = CompanyCount)),
)]
async fn company_count(
    State(state): State<crate::State>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<impl IntoResponse, Problem> {
    let generation = state.generations.serving().await?;
    let count = generation.companies().await?.company_count();
    Ok((generation.header(), Json(CompanyCount { count })))
}

/// Number of companies, in total and by property. Companies without a value are counted as `Unknown`.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CompanyStatistics {
    /// Number of all companies.
    total: u64,
    /// Number of companies by status.
    by_status: BTreeMap<&'static str, u64>,
    /// Number of companies by canton of the seat.
    by_canton: BTreeMap<&'static str, u64>,
    /// Number of companies by legal form.
    by_legal_form: BTreeMap<&'static str, u64>,
}

/// Get company statistics
///
/// The number of companies in total and by status, canton and legal form.
#[utoipa::path(
    get,
    path = "/v1/companies/statistics",
    tag = "Companies",
    responses((status = OK, body = CompanyStatistics)),
)]
async fn company_statistics(
    State(state): State<crate::State>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<impl IntoResponse, Problem> {
    let generation = state.generations.serving().await?;
    let companies = generation.companies().await?;
    let by = |facet| companies.totals(facet).iter().copied().collect();
    let statistics = CompanyStatistics {
        total: companies.company_count(),
        by_status: by(Facet::Status),
        by_canton: by(Facet::Canton),
        by_legal_form: by(Facet::LegalForm),
    };
    Ok((generation.header(), Json(statistics)))
}
