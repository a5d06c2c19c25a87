//! Changes of a company as CloudEvents.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{
    Provenance, Uid,
    changes::{ChangeKind, Severity, SeverityText, Subject},
    history::Recorded,
    search::{PageNumber, PageSize},
};
use http::{HeaderMap, header};
use http_service::{
    CompanyPath, Description, Paginator, Path, Query, Routes, handler, known_company_with_history,
    reads,
};
use jiff::Timestamp;
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(2), handler!(company_events))
}

/// The media type of a JSON array of CloudEvents.
const BATCH: &str = "application/cloudevents-batch+json";

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct EventsQuery {
    /// Maximum number of items per page.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20, example = 2)]
    limit: PageSize,
    /// Page number, starting at 1. Pages after the last one are empty.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 4294967295_u32, default = 1, example = 1)]
    page: PageNumber,
    /// Include publications that change no field of the record.
    #[serde(default)]
    #[param(default = false, example = true)]
    include_internal: bool,
}

/// A page of company events.
#[derive(Serialize, ToSchema)]
struct Events {
    /// Events of the page, newest first.
    events: Vec<CompanyEvent>,
    /// Number of events on this page.
    count: u64,
    /// Number of events on all pages.
    total: u64,
}

/// A CloudEvent (version 1.0) with additional members. The additional members repeat values of the
/// CloudEvent under the names that published clients use.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CompanyEvent {
    #[serde(flatten)]
    event: CloudEvent,
    /// Same value as `type`.
    ce_type: String,
    /// Same value as `source`.
    ce_source: String,
    /// Same value as `time`.
    ce_time: Timestamp,
    /// Company number.
    company_uid: Uid,
    /// Name of the company, as published.
    company_name: String,
    /// Change type.
    category: ChangeKind,
    /// Severity of the change.
    severity: Severity,
    /// Description of the change in one sentence.
    summary: String,
    /// Same value as `data`.
    detail_json: Detail,
    /// Time when the event was added to the change feed.
    created_at: Timestamp,
}

/// A CloudEvent (version 1.0).
#[skip_serializing_none]
#[derive(Clone, Serialize, ToSchema)]
struct CloudEvent {
    /// Version of the CloudEvents specification.
    #[schema(example = "1.0")]
    specversion: &'static str,
    /// Id of the event. It never changes.
    id: Uuid,
    /// URL of this API.
    source: String,
    /// Event type: `ch.gotthard.company.` and the change type.
    #[serde(rename = "type")]
    #[schema(example = "ch.gotthard.company.auditor_change")]
    kind: String,
    /// Company number of the company that changed.
    subject: Uid,
    /// Date of the publication, at midnight UTC.
    time: Timestamp,
    /// Media type of `data`.
    #[schema(example = "application/json")]
    datacontenttype: &'static str,
    /// Severity as a word (CloudEvents severity extension).
    severitytext: SeverityText,
    /// Severity as a number (CloudEvents severity extension).
    severitynumber: u8,
    /// Sequence number in the change feed, 20 digits (CloudEvents sequence extension). Absent until the event
    /// is in the feed.
    sequence: Option<String>,
    /// Content of the event.
    data: Detail,
}

/// The content of a company event.
#[skip_serializing_none]
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Detail {
    /// Change type.
    category: ChangeKind,
    /// Severity of the change.
    severity: Severity,
    /// Description of the change in one sentence.
    summary: String,
    /// Name of the member of the company that changed. Absent if the change concerns no single member.
    field: Option<String>,
    /// Value before the change. Absent if there was none or it is unknown.
    old_value: Option<String>,
    /// Value after the change. Absent if there is none or it is unknown.
    new_value: Option<String>,
    /// Person or auditor that the change concerns. Absent for other changes.
    subject: Option<Subject>,
    /// Publication that states the change.
    provenance: Provenance,
}

impl CompanyEvent {
    fn of(recorded: &Recorded, source: &Arc<str>) -> Self {
        let event = &recorded.event;
        let severity = event.kind.severity();
        let time = event.time();
        let detail = Detail {
            category: event.kind,
            severity,
            summary: event.summary.clone(),
            field: event.field.clone(),
            old_value: event.old_value.clone(),
            new_value: event.new_value.clone(),
            subject: event.subject.clone(),
            provenance: event.source.clone(),
        };
        let cloud_event = CloudEvent {
            specversion: "1.0",
            id: event.id,
            source: source.to_string(),
            kind: event.kind.event_type(),
            subject: event.uid,
            time,
            datacontenttype: "application/json",
            severitytext: severity.text(),
            severitynumber: severity.number(),
            sequence: recorded.sequence.map(|it| format!("{it:020}")),
            data: detail.clone(),
        };
        Self {
            ce_type: cloud_event.kind.clone(),
            ce_source: cloud_event.source.clone(),
            ce_time: time,
            company_uid: event.uid,
            company_name: event.company_name.clone(),
            category: event.kind,
            severity,
            summary: event.summary.clone(),
            detail_json: detail,
            created_at: recorded.detected_at(),
            event: cloud_event,
        }
    }
}

/// List a company's events
///
/// Changes of a company as CloudEvents, newest first, in pages. The header `Link` contains the URL of the next
/// page. With `Accept: application/cloudevents-batch+json`, the response is an array of plain CloudEvents.
/// Superseded changes are left out.
#[utoipa::path(
    get,
    path = "/v1/companies/{uid}/events",
    tag = "Changes",
    params(CompanyPath, EventsQuery),
    responses((status = OK, content(
        (Events = "application/json"),
        (Vec<CloudEvent> = "application/cloudevents-batch+json"),
    ))),
)]
async fn company_events(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(query): Query<EventsQuery>,
    paginator: Paginator,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (_, history) = known_company_with_history(&state.registry, uid).await?;
    let newest: Vec<&Recorded> = history.newest_events(query.include_internal).collect();
    let total = newest.len() as u64;
    let (page, next) = paginator.page(&state.public_url, &newest, query.page, query.limit);
    let events: Vec<_> = page.iter().map(|it| CompanyEvent::of(it, &state.public_url)).collect();
    let accepts = headers.get_all(header::ACCEPT).iter().filter_map(|it| it.to_str().ok());
    if accepts.flat_map(|it| it.split(',')).any(|it| it.trim().starts_with(BATCH)) {
        let batch: Vec<CloudEvent> = events.into_iter().map(|it| it.event).collect();
        return Ok((next, [(header::CONTENT_TYPE, BATCH)], Json(batch)).into_response());
    }
    let count = events.len() as u64;
    Ok((next, Json(Events { events, count, total })).into_response())
}
