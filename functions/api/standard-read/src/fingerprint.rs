//! The fingerprint of a company: key figures and a short profile.

use axum::{Json, extract::State, response::IntoResponse};
use company_reader::known_company_with_events;
use domain::{
    ChangeKind, Company, Source,
    company::StatusReason,
    fingerprint::{self, Fingerprint},
    history::HistoryOutline,
};
use http_service::{CompanyPath, Description, NoParameters, Path, Query, Routes, handler, reads};
use problem_details::Problem;

use crate::{relationships::count_subsidiaries, reports::newest_figures};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(2).translated(), handler!(fingerprint))
}

/// Number of events about proceedings that are read: the kind of a moratorium is in one of the newest.
const MAX_PROCEEDINGS: usize = 10;

/// Get a company's fingerprint
///
/// Key figures, size and a short profile, derived from the register, its publications and
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
    let proceedings = |company: &Company, history: &HistoryOutline| {
        let newest =
            history.newest_events(false).filter(|(_, it)| it.kind == ChangeKind::Bankruptcy);
        let is_wanted = company.status_reason == Some(StatusReason::Moratorium);
        let newest = newest.take(if is_wanted { MAX_PROCEEDINGS } else { 0 });
        (newest.map(|(at, _)| at).collect(), history.clone())
    };
    let (company, history, events) =
        known_company_with_events(&state.registry, uid, proceedings).await?;
    let legal_events: Vec<_> = events.into_iter().filter_map(|it| it.event.legal_event).collect();
    let figures = newest_figures(&state.registry.facts_of(uid, Source::Reports).await?);
    let generation = state.generations.serving().await?;
    let subsidiaries = count_subsidiaries(&state, &generation, &company).await?;
    let today = state.clock.today();
    let fingerprint = fingerprint::fingerprint(
        &company,
        &history,
        &legal_events,
        figures.as_ref(),
        subsidiaries,
        today,
    );
    Ok((generation.header(), Json(fingerprint)))
}
