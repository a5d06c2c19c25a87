//! Segments by recency and frequency of changes and by capital.

use analytics::{
    groups::percentage,
    rfm::{Segment, needs, segments},
};
use axum::{Json, extract::State, response::IntoResponse};
use domain::{Uid, search::CompanyFilters};
use http_service::{Description, Filtered, NoParameters, Routes, Tenant, handler, reads};
use problem_details::Problem;
use serde::Serialize;
use utoipa::ToSchema;

use crate::selection::{Population, Selection};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(15), handler!(rfm_segments))
}

/// Number of companies that an answer names of each segment.
const EXAMPLES: usize = 3;

/// Segments of the selected companies.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RfmSegments {
    /// The segments. Each selected company is in one.
    segments: Vec<RfmSegment>,
    /// Number of selected companies.
    total: usize,
    /// Number of companies whose capital in francs no source states. They do not count as large.
    unknown_capital: u32,
    /// Number of companies without a known change. They are dormant.
    unknown_changes: u32,
    /// The list of the selected companies.
    companies_url: String,
}

/// Companies that change alike.
#[derive(Serialize, ToSchema)]
struct RfmSegment {
    /// Name.
    #[schema(example = "Champions")]
    name: String,
    /// Number of companies.
    count: u32,
    /// The rule, in a sentence.
    description: String,
    /// Percentage of the selected companies.
    #[schema(minimum = 0, maximum = 100)]
    percentage: f64,
    /// Company numbers of some of them, the largest companies first.
    examples: Vec<Uid>,
}

/// Get segments by recency, frequency and capital
///
/// Divides the selected companies into six segments: by the days since the newest change, the number of changes in five years, and
/// the capital. Without a status in the filters, companies that are in the register are selected.
#[utoipa::path(
    get,
    path = "/v1/analytics/rfm-segments",
    tag = "Analytics",
    params(CompanyFilters),
    responses((status = OK, body = RfmSegments)),
)]
async fn rfm_segments(
    State(state): State<crate::State>,
    tenant: Option<Tenant>,
    Filtered(NoParameters {}, filters): Filtered<NoParameters>,
) -> Result<impl IntoResponse, Problem> {
    let today = state.clock.today().into();
    let selection =
        Selection::read(&state, tenant, filters, Population::Registered, needs()).await?;
    let found = selection
        .analyse(move |tables, rows| {
            segments(&tables.companies, &tables.changes, rows, today, EXAMPLES)
        })
        .await?;
    let total = selection.rows.len();
    let mut answer = Vec::new();
    for (segment, count, examples) in found.segments {
        answer.push(RfmSegment {
            name: Segment::name(segment).to_owned(),
            count,
            description: segment.description().to_owned(),
            percentage: percentage(count as usize, total),
            examples: selection.uids(&examples).await?,
        });
    }
    let answer = RfmSegments {
        segments: answer,
        total,
        unknown_capital: found.unknown_capital,
        unknown_changes: found.unknown_changes,
        companies_url: selection.search.companies(),
    };
    Ok((selection.generation.header(), Json(answer)))
}
