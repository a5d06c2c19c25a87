//! What happened to a company, as CloudEvents.

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
    Asked, CompanyPath, Description, Path, Query, Routes, handler, known_company_with_history,
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

/// The media type of a bare list of CloudEvents.
const BATCH: &str = "application/cloudevents-batch+json";

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct EventsQuery {
    /// How many events a page holds.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20, example = 2)]
    limit: PageSize,
    /// From 1; beyond the last page the list is empty.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 4294967295_u32, default = 1, example = 1)]
    page: PageNumber,
    /// Whether publications are told that change nothing that is kept here.
    #[serde(default)]
    #[param(default = false, example = true)]
    include_internal: bool,
}

/// Events of a company, the newest first.
#[derive(Serialize, ToSchema)]
struct Events {
    events: Vec<CompanyEvent>,
    /// How many are answered here.
    count: u64,
    /// How many there are, over all pages.
    total: u64,
}

/// An event: a CloudEvent (1.0) with the members that clients of this API read beside it.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CompanyEvent {
    #[serde(flatten)]
    event: CloudEvent,
    ce_type: String,
    ce_source: String,
    ce_time: Timestamp,
    company_uid: Uid,
    company_name: String,
    category: ChangeKind,
    severity: Severity,
    summary: String,
    detail_json: Detail,
    created_at: Timestamp,
}

/// The attributes of a CloudEvent, and its data.
#[skip_serializing_none]
#[derive(Clone, Serialize, ToSchema)]
struct CloudEvent {
    #[schema(example = "1.0")]
    specversion: &'static str,
    /// Unique with `source`, and the same for ever.
    id: Uuid,
    /// The address of this API.
    source: String,
    #[serde(rename = "type")]
    #[schema(example = "ch.gotthard.company.auditor_change")]
    kind: String,
    /// The company.
    subject: Uid,
    /// The day of the publication.
    time: Timestamp,
    #[schema(example = "application/json")]
    datacontenttype: &'static str,
    /// The severity in words, of the severity extension.
    severitytext: SeverityText,
    /// The severity as a number, of the severity extension.
    severitynumber: u8,
    /// The place in the change feed, of the sequence extension; absent until the event has one.
    sequence: Option<String>,
    data: Detail,
}

/// What an event says.
#[skip_serializing_none]
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Detail {
    category: ChangeKind,
    severity: Severity,
    summary: String,
    /// The member of the company that changed.
    field: Option<String>,
    old_value: Option<String>,
    new_value: Option<String>,
    /// The person or auditor concerned.
    subject: Option<Subject>,
    /// The publication that proves it.
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

/// Events of a company
///
/// The newest first, page by page; the header `Link` leads to the next page. With `Accept: application/cloudevents-batch+json` the bare batch of CloudEvents.
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
    asked: Asked,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (_, history) = known_company_with_history(&state.registry, uid).await?;
    let newest: Vec<&Recorded> = history.newest_events(query.include_internal).collect();
    let total = newest.len() as u64;
    let (page, next) = asked.page(&state.public_url, &newest, query.page, query.limit);
    let events: Vec<_> = page.iter().map(|it| CompanyEvent::of(it, &state.public_url)).collect();
    let accepts = headers.get_all(header::ACCEPT).iter().filter_map(|it| it.to_str().ok());
    if accepts.flat_map(|it| it.split(',')).any(|it| it.trim().starts_with(BATCH)) {
        let batch: Vec<CloudEvent> = events.into_iter().map(|it| it.event).collect();
        return Ok((next, [(header::CONTENT_TYPE, BATCH)], Json(batch)).into_response());
    }
    let count = events.len() as u64;
    Ok((next, Json(Events { events, count, total })).into_response())
}
