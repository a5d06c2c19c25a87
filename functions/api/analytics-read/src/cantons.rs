//! Companies by canton.

use analytics::groups::{Group, GroupBy, cantons as counts, percentage};
use axum::{Json, extract::State, response::IntoResponse};
use domain::search::CompanyFilters;
use http_service::{Description, Filtered, NoParameters, Routes, Tenant, handler, reads};
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::selection::{Population, Selection};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(15), handler!(canton_distribution))
}

/// The companies of a canton.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CantonDistribution {
    /// Code of the canton of the seat; `Unknown` for companies whose canton no source states.
    #[schema(example = "ZH")]
    canton: String,
    /// Number of companies.
    count: u32,
    /// Percentage of the selected companies.
    #[schema(minimum = 0, maximum = 100)]
    percentage: f64,
    /// The list of these companies. Absent for `Unknown`.
    companies_url: Option<String>,
}

/// Count companies by canton
///
/// All 26 cantons, and the companies whose canton is not known. Without a status in the filters, companies that are in the register
/// are counted (`ACTIVE` and `BEING_CANCELLED`).
#[utoipa::path(
    get,
    path = "/v1/analytics/cantons",
    tag = "Analytics",
    params(CompanyFilters),
    responses((status = OK, body = Vec<CantonDistribution>)),
)]
async fn canton_distribution(
    State(state): State<crate::State>,
    tenant: Option<Tenant>,
    Filtered(NoParameters {}, filters): Filtered<NoParameters>,
) -> Result<impl IntoResponse, Problem> {
    let (needs, population) = (GroupBy::Canton.needs(), Population::Registered);
    let selection = Selection::read(&state, tenant, filters, population, needs).await?;
    let counted = selection.analyse(|tables, rows| counts(&tables.companies, rows)).await?;
    let all = selection.rows.len();
    let of_canton = |(group, count): (Group, u32)| CantonDistribution {
        canton: group.label(),
        count,
        percentage: percentage(count as usize, all),
        companies_url: selection.search.of_group(group),
    };
    let answer: Vec<_> = counted.into_iter().map(of_canton).collect();
    Ok((selection.generation.header(), Json(answer)))
}
