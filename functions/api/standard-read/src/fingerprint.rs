//! The fingerprint of a company: key figures and a short profile.

use axum::{Json, extract::State, response::IntoResponse};
use domain::{
    Company,
    fingerprint::{self, Fingerprint},
    history::HistoryOutline,
};
use http_service::{
    CompanyPath, Description, NoParameters, Path, Query, Routes, handler,
    known_company_with_events, reads,
};
use problem_details::Problem;
use statements::Source;

use crate::{relationships::count_subsidiaries, reports::newest_figures};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(2).translated(), handler!(fingerprint))
}

/// Get a company's fingerprint
///
/// Key figures, size and a profile in one to three sentences, derived from the register, its publications and
/// annual reports. Unknown values are left out, except `canton` and `legalForm`, which are then empty, and
/// `companyAge`, which is then 0.
#[utoipa::path(
    get,
    path = "/v1/companies/{uid}/fingerprint",
    tag = "Companies",
    params(CompanyPath),
    responses((status = OK, body = Fingerprint)),
)]
async fn fingerprint(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<impl IntoResponse, Problem> {
    let outline = |_: &Company, history: &HistoryOutline| (Vec::new(), history.clone());
    let (company, history, _) = known_company_with_events(&state.registry, uid, outline).await?;
    let figures = newest_figures(&state.registry.facts_of(uid, Source::Reports).await?);
    let generation = state.generations.serving().await?;
    let subsidiaries = count_subsidiaries(&state, &generation, &company).await?;
    let today = state.clock.today();
    let fingerprint =
        fingerprint::fingerprint(&company, &history, figures.as_ref(), subsidiaries, today);
    Ok((generation.header(), Json(fingerprint)))
}
