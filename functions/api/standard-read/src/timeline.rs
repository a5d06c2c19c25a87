//! The timeline of a company.

use axum::{Json, extract::State, response::IntoResponse};
use company_reader::known_company_with_events;
use domain::{
    Provenance, Uid,
    changes::{ChangeKind, ChangedField, LegalEvent, Severity, Transfer},
    history::{EventOutline, Recorded},
    search::{PageNumber, WantedChangeKind, changes::UtcDay},
};
use http_service::{
    CompanyPath, Description, Offset, Paginator, Path, Query, Routes, Selection, handler, reads,
};
use jiff::civil::Date;
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::changes::HistoryPageSize;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(2).translated(), handler!(timeline))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct TimelineQuery {
    /// Earliest publication date (inclusive): a date, or a date and time, of which only the UTC date is used, because
    /// publication dates have no time of day.
    #[param(inline, value_type = Option<UtcDay>, example = "2020-01-01")]
    since: Option<UtcDay>,
    /// Latest publication date (inclusive): a date, or a date and time, of which only the UTC date is used, because
    /// publication dates have no time of day.
    #[param(inline, value_type = Option<UtcDay>, example = "2026-06-30")]
    until: Option<UtcDay>,
    /// Change type.
    #[param(inline, example = "auditor_change")]
    change_type: Option<WantedChangeKind>,
    /// Maximum number of items per page.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 1000, default = 1000, example = 20)]
    limit: HistoryPageSize,
    /// Page number, starting at 1. Pages after the last one are empty.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 4294967295_u32, default = 1, example = 1)]
    page: PageNumber,
    /// Number of items of the page to skip. Do not compute it: use the URL in the header `Link`.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 0, maximum = 4294967295_u32, default = 0, example = 0)]
    offset: Offset,
}

/// A page of the timeline of a company.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Timeline {
    /// Company number.
    uid: Uid,
    /// Name of the company.
    company_name: String,
    /// Changes of the page, newest first.
    events: Vec<TimelineEvent>,
    /// Number of changes on all pages.
    total_events: u64,
}

/// A change in the timeline of a company.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TimelineEvent {
    /// Id of the change.
    id: Uuid,
    /// Change type.
    category: ChangeKind,
    /// What changed. Absent if the change concerns no single field.
    #[schema(value_type = Option<ChangedField>)]
    field_name: Option<String>,
    /// Value before the change. Absent if there was none or it is unknown.
    old_value: Option<String>,
    /// Value after the change. Absent if there is none or it is unknown.
    new_value: Option<String>,
    /// Description of the change in one sentence.
    summary: String,
    /// Name of the source.
    source: String,
    /// Severity of the change.
    severity: Severity,
    /// Legal event. Absent if the change type says everything, or if the event could not be recognised with certainty.
    legal_event: Option<LegalEvent>,
    /// Date of the entry in the register's journal, from which the change has legal effect. Absent if unknown.
    journal_date: Option<Date>,
    /// Date of the court's decision or of the resolution. Absent if it is not stated.
    decision_date: Option<Date>,
    /// Amounts of a demerger or a transfer of assets. Absent if none is stated.
    transfer: Option<Transfer>,
    /// Date of the publication.
    date: Date,
    /// Publication that states the change.
    provenance: Provenance,
}

impl From<Recorded> for TimelineEvent {
    fn from(Recorded { event, .. }: Recorded) -> Self {
        let severity = event.severity();
        Self {
            id: event.id,
            category: event.kind,
            field_name: event.field,
            old_value: event.old_value,
            new_value: event.new_value,
            summary: event.summary,
            source: event.source.source.clone(),
            severity,
            legal_event: event.legal_event,
            journal_date: event.journal_date,
            decision_date: event.decision_date,
            transfer: event.transfer,
            date: event.date,
            provenance: event.source,
        }
    }
}

/// Get a company's timeline
///
/// Changes of a company, newest first, in pages. The header `Link` contains the URL of the next page.
/// Superseded changes and publications that change no field of the record are left out.
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
    paginator: Paginator,
) -> Result<impl IntoResponse, Problem> {
    let since = query.since.map(|it| it.0);
    let until = query.until.map(|it| it.0);
    let matches = |it: &EventOutline| {
        since.is_none_or(|day| it.date >= day)
            && until.is_none_or(|day| it.date <= day)
            && query.change_type.is_none_or(|kind| it.kind == kind.0)
    };
    let (company, (selection, total_events), events) =
        known_company_with_events(&state.registry, uid, |_, history| {
            let newest = history.newest_events(false).filter(|(_, it)| matches(it));
            let newest: Vec<usize> = newest.map(|(at, _)| at).collect();
            let selection = Selection::page(query.page, query.limit, query.offset, newest.len());
            (newest[selection.range.clone()].to_vec(), (selection, newest.len() as u64))
        })
        .await?;
    let events = events.into_iter().map(TimelineEvent::from);
    let (events, next) = paginator.fit(&state.public_url, &selection, events);
    Ok((next, Json(Timeline { uid, company_name: company.name, events, total_events })))
}
