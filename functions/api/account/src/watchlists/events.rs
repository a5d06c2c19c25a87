//! The newest changes of the companies in a watchlist.

use axum::{Json as JsonResponse, extract::State, response::IntoResponse};
use domain::{
    events::{CompanyEvent, Events},
    history::Recorded,
    search::PageSize,
};
use generations::Unavailable;
use http_service::{Description, Query, ResourceId, Routes, Tenant, fitting, handler, reads};
use problem_details::Problem;
use serde::Deserialize;
use utoipa::IntoParams;

use super::listed;

pub(super) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(2).with_token().translated(), handler!(watchlist_events))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct WatchlistEventsQuery {
    /// Maximum number of events.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20, example = 2)]
    limit: PageSize,
    /// Include publications that change no field of the record.
    #[serde(default, alias = "include_internal")]
    #[param(default = false, example = true)]
    include_internal: bool,
}

/// List a watchlist's events
///
/// Returns the newest changes of the companies in the watchlist as CloudEvents, sorted by publication date, newest
/// first, then by sequence number, newest first. They are from the generation that the header `x-data-generation`
/// names. Superseded changes are left out. If the events are too large for one response, it has fewer.
#[utoipa::path(
    get,
    path = "/v1/watchlists/{id}/events",
    tag = "Watchlists",
    params(
        ("id" = Uuid, Path, description = "Id of the watchlist.", example = "0199c0de-0040-7000-8000-000000000000"),
        WatchlistEventsQuery,
    ),
    responses((status = OK, body = Events)),
)]
async fn watchlist_events(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    ResourceId(id): ResourceId,
    Query(query): Query<WatchlistEventsQuery>,
) -> Result<impl IntoResponse, Problem> {
    let uids = listed(&state, &team, &id).await?;
    let generation = state.generations.serving().await?;
    let limit = query.limit.get() as usize;
    let hits = generation.changes().await?.newest_of(&uids, query.include_internal, limit);
    let hits = hits.await.map_err(Unavailable::from)?;
    let events = hits.events.into_iter().map(Recorded::from);
    let events = fitting(events.map(|it| CompanyEvent::of(&it, &state.public_url)));
    let (count, total) = (events.len() as u64, hits.total);
    Ok((generation.header(), JsonResponse(Events { events, count, total })))
}
