//! Changes of a company as CloudEvents.

use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use company_reader::known_company_with_events;
use domain::{
    events::{CloudEvent, CompanyEvent, Events},
    search::{PageNumber, PageSize},
};
use http::{HeaderMap, header};
use http_service::{
    CompanyPath, Description, Offset, Paginator, Path, Query, Routes, Selection, accepts, handler,
    reads,
};
use problem_details::Problem;
use serde::Deserialize;
use utoipa::IntoParams;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(2).translated(), handler!(company_events))
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
    /// Number of items of the page to skip. Do not compute it: use the URL in the header `Link`.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 0, maximum = 4294967295_u32, default = 0, example = 0)]
    offset: Offset,
    /// Include publications that change no field of the record.
    #[serde(default)]
    #[param(default = false, example = true)]
    include_internal: bool,
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
    let (_, (selection, total), events) =
        known_company_with_events(&state.registry, uid, |_, history| {
            let newest = history.newest_events(query.include_internal);
            let newest: Vec<usize> = newest.map(|(at, _)| at).collect();
            let selection = Selection::page(query.page, query.limit, query.offset, newest.len());
            (newest[selection.range.clone()].to_vec(), (selection, newest.len() as u64))
        })
        .await?;
    let events = events.iter().map(|it| CompanyEvent::of(it, &state.public_url));
    let (events, next) = paginator.fit(&state.public_url, &selection, events);
    if accepts(&headers, BATCH) {
        let batch: Vec<CloudEvent> = events.into_iter().map(|it| it.event).collect();
        return Ok((next, [(header::CONTENT_TYPE, BATCH)], Json(batch)).into_response());
    }
    let count = events.len() as u64;
    Ok((next, Json(Events { events, count, total })).into_response())
}
