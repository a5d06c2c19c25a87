//! The changes of a company between two dates.

use axum::{Json, extract::State, response::IntoResponse};
use domain::{
    Provenance, Uid,
    changes::ChangeKind,
    history::Recorded,
    search::{PageNumber, changes::UtcDay},
};
use http_service::{
    CompanyPath, Description, Paginator, Path, Query, Routes, handler, known_company_with_history,
    reads,
};
use jiff::{Timestamp, civil::Date};
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{IntoParams, ToSchema};

use crate::changes::HistoryPageSize;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(2), handler!(diff))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct DiffQuery {
    /// Start date (exclusive): only later publications are included.
    #[param(value_type = String, format = Date, example = "2020-01-01")]
    since: UtcDay,
    /// End date (inclusive). Default: today.
    #[param(value_type = Option<String>, format = Date, example = "2026-06-30")]
    until: Option<UtcDay>,
    /// Maximum number of items per page.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 1000, default = 1000, example = 20)]
    limit: HistoryPageSize,
    /// Page number, starting at 1. Pages after the last one are empty.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 4294967295_u32, default = 1, example = 1)]
    page: PageNumber,
}

/// A page of the changes of a company between two dates.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Diff {
    /// Company number.
    uid: Uid,
    /// Start date (exclusive).
    since: Date,
    /// End date (inclusive).
    until: Date,
    /// Changes of the page, oldest first.
    changes: Vec<DiffEntry>,
    /// Number of changes on all pages.
    total_changes: u64,
}

/// A changed member of a company.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DiffEntry {
    /// Name of the member that changed, or the change type if the change concerns no single member.
    field: String,
    /// Value before the change. Absent if there was none or it is unknown.
    from: Option<String>,
    /// Value after the change. Absent if there is none or it is unknown.
    to: Option<String>,
    /// Date of the publication, at midnight UTC.
    changed_at: Timestamp,
    /// Change type.
    change_type: ChangeKind,
    /// Publication that states the change.
    provenance: Provenance,
}

/// Compare a company between two dates
///
/// Changes of a company published after `since` and up to `until`, oldest first, in pages. The header `Link`
/// contains the URL of the next page. The list is empty if `since` is not before `until`. Publications that change
/// no field of the record are left out.
#[utoipa::path(
    get,
    path = "/v1/companies/{uid}/diff",
    tag = "Changes",
    params(CompanyPath, DiffQuery),
    responses((status = OK, body = Diff)),
)]
async fn diff(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(query): Query<DiffQuery>,
    paginator: Paginator,
) -> Result<impl IntoResponse, Problem> {
    let since = query.since.0;
    let until = query.until.map_or_else(|| state.clock.today(), |it| it.0);
    let (_, history) = known_company_with_history(&state.registry, uid).await?;
    let between = |it: &&Recorded| it.event.date > since && it.event.date <= until;
    let events = history.events.iter().filter(|it| !it.event.is_internal());
    let changed: Vec<&Recorded> = events.filter(between).collect();
    let total_changes = changed.len() as u64;
    let (page, next) = paginator.page(&state.public_url, &changed, query.page, query.limit);
    let changes = page.iter().map(|it| entry(it)).collect();
    Ok((next, Json(Diff { uid, since, until, changes, total_changes })))
}

fn entry(recorded: &Recorded) -> DiffEntry {
    let event = recorded.event.clone();
    DiffEntry {
        field: event.field.unwrap_or_else(|| event.kind.code().to_owned()),
        from: event.old_value,
        to: event.new_value,
        changed_at: recorded.event.time(),
        change_type: event.kind,
        provenance: event.source,
    }
}
