//! What happened to one company: as a timeline, and as the difference between two days.

use axum::{Json, extract::State, response::IntoResponse};
use domain::{
    Provenance, Uid,
    changes::{ChangeKind, Severity, WantedChangeKind},
    history::Recorded,
    search::{PageNumber, SizeOfPage, changes::UtcDay},
};
use http_service::{
    Asked, CompanyPath, Description, Path, Query, Routes, handler, known_company_with_history,
    reads,
};
use jiff::{Timestamp, civil::Date};
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(2), handler!(timeline)).route(reads(2), handler!(diff))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct TimelineQuery {
    /// From this day on.
    #[param(value_type = Option<String>, format = Date, example = "2020-01-01")]
    since: Option<UtcDay>,
    /// Until this day, it included.
    #[param(value_type = Option<String>, format = Date, example = "2026-06-30")]
    until: Option<UtcDay>,
    /// One kind of change.
    #[param(inline, example = "auditor_change")]
    change_type: Option<WantedChangeKind>,
    /// How many of them a page holds.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 1000, default = 1000, example = 20)]
    limit: HistoryPageSize,
    /// From 1; beyond the last page the list is empty.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 4294967295_u32, default = 1, example = 1)]
    page: PageNumber,
}

/// How many lines of a history a page holds, 1 to 1,000: nearly every company has fewer, and clients that know
/// no pages get all of them; of the few that have more, one answer could not hold all.
pub(crate) type HistoryPageSize = SizeOfPage<1000, 1000>;

/// What happened to a company, the newest first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Timeline {
    uid: Uid,
    company_name: String,
    events: Vec<TimelineEvent>,
    /// How many there are, over all pages.
    total_events: u64,
}

/// One thing that happened.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TimelineEvent {
    id: Uuid,
    category: ChangeKind,
    field_name: Option<String>,
    old_value: Option<String>,
    new_value: Option<String>,
    summary: String,
    /// The source that says so.
    source: String,
    severity: Severity,
    /// The day of the publication.
    date: Date,
    /// The publication that proves it.
    provenance: Provenance,
}

impl From<&Recorded> for TimelineEvent {
    fn from(recorded: &Recorded) -> Self {
        let event = recorded.event.clone();
        Self {
            id: event.id,
            category: event.kind,
            field_name: event.field,
            old_value: event.old_value,
            new_value: event.new_value,
            summary: event.summary,
            source: event.source.source.clone(),
            severity: event.kind.severity(),
            date: event.date,
            provenance: event.source,
        }
    }
}

/// Timeline of a company
///
/// The newest first, page by page; the header `Link` leads to the next page.
#[utoipa::path(
    get,
    path = "/v1/companies/{uid}/timeline",
    tag = "Changes",
    params(CompanyPath, TimelineQuery),
    responses((status = OK, body = Timeline)),
)]
async fn timeline(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(query): Query<TimelineQuery>,
    asked: Asked,
) -> Result<impl IntoResponse, Problem> {
    let (company, history) = known_company_with_history(&state.registry, uid).await?;
    let since = query.since.map(|it| it.0);
    let until = query.until.map(|it| it.0);
    let is_asked = |it: &&Recorded| {
        since.is_none_or(|day| it.event.date >= day)
            && until.is_none_or(|day| it.event.date <= day)
            && query.change_type.is_none_or(|kind| it.event.kind == kind.0)
    };
    let newest: Vec<&Recorded> = history.newest_events(false).filter(is_asked).collect();
    let total_events = newest.len() as u64;
    let (page, next) = asked.page(&state.public_url, &newest, query.page, query.limit);
    let events = page.iter().map(|it| TimelineEvent::from(*it)).collect();
    Ok((next, Json(Timeline { uid, company_name: company.name, events, total_events })))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct DiffQuery {
    /// The day before the changes: what was published after it counts.
    #[param(value_type = String, format = Date, example = "2020-01-01")]
    since: UtcDay,
    /// The last day of the changes; today where it is not given.
    #[param(value_type = Option<String>, format = Date, example = "2026-06-30")]
    until: Option<UtcDay>,
    /// How many of them a page holds.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 1000, default = 1000, example = 20)]
    limit: HistoryPageSize,
    /// From 1; beyond the last page the list is empty.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 4294967295_u32, default = 1, example = 1)]
    page: PageNumber,
}

/// What changed of a company between two days, the oldest first; nothing where the first is the later.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Diff {
    uid: Uid,
    since: Date,
    until: Date,
    changes: Vec<DiffEntry>,
    /// How many there are, over all pages.
    total_changes: u64,
}

/// One member that changed.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DiffEntry {
    /// The member of the company; the kind of change where it is none.
    field: String,
    from: Option<String>,
    to: Option<String>,
    /// The day of the publication, at midnight UTC.
    changed_at: Timestamp,
    change_type: ChangeKind,
    /// The publication that proves it.
    provenance: Provenance,
}

/// Difference between two days
///
/// The oldest first, page by page; the header `Link` leads to the next page.
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
    asked: Asked,
) -> Result<impl IntoResponse, Problem> {
    let since = query.since.0;
    let until = query.until.map_or_else(|| state.clock.today(), |it| it.0);
    let (_, history) = known_company_with_history(&state.registry, uid).await?;
    let between = |it: &&Recorded| it.event.date > since && it.event.date <= until;
    let told = history.events.iter().filter(|it| !it.event.is_internal());
    let changed: Vec<&Recorded> = told.filter(between).collect();
    let total_changes = changed.len() as u64;
    let (page, next) = asked.page(&state.public_url, &changed, query.page, query.limit);
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
