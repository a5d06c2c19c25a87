//! The watchlists of a team: listing, creating and deleting them.

use axum::{Json as JsonResponse, extract::State};
use http::StatusCode;
use http_service::{
    Description, Json, Name, NoParameters, Query, ResourceId, Routes, Tenant, Text, handler, reads,
    writes,
};
use problem_details::Problem;
use serde::Deserialize;
use store::Refused;
use teams::{Watchlist, WatchlistSummary};
use utoipa::ToSchema;
use uuid::Uuid;

use super::UnknownWatchlist;
use crate::problems::refused;

pub(super) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(0).with_token(), handler!(watchlists))
        .route(writes(0), handler!(create_watchlist))
        .route(writes(0), handler!(delete_watchlist))
}

#[derive(Debug, thiserror::Error)]
#[error("the team already has a watchlist with the name `{0}`")]
struct NameTaken(String);

/// List watchlists
///
/// Watchlists of the team, oldest first.
#[utoipa::path(
    get,
    path = "/v1/watchlists",
    tag = "Watchlists",
    responses((status = OK, body = Vec<WatchlistSummary>)),
)]
async fn watchlists(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<JsonResponse<Vec<WatchlistSummary>>, Problem> {
    Ok(JsonResponse(state.tenants.watchlists(&team, caller.tier()).await?))
}

/// A new watchlist.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CreateWatchlist {
    /// Name of the watchlist, 1–100 characters, with at least one letter or digit.
    #[schema(value_type = String, min_length = 1, max_length = 100, example = "Suppliers")]
    name: Name,
    /// Description, 1–1,000 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 1_000, example = "Companies that deliver to us.")]
    description: Option<Text<1_000, true>>,
}

/// Create a watchlist
///
/// The name must differ from those of the team's other watchlists in more than case, accents and punctuation. A team can have
/// 100 watchlists.
#[utoipa::path(
    post,
    path = "/v1/watchlists",
    tag = "Watchlists",
    request_body = CreateWatchlist,
    responses((status = CREATED, body = Watchlist)),
)]
async fn create_watchlist(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<CreateWatchlist>,
) -> Result<(StatusCode, JsonResponse<Watchlist>), Problem> {
    let now = state.clock.now();
    let watchlist = Watchlist {
        id: Uuid::now_v7().to_string(),
        name: request.name.0,
        description: request.description.map(|it| it.0).unwrap_or_default(),
        created_by: caller.principal().clone(),
        created_at: now,
        updated_at: now,
    };
    if watchlist.folded_name().is_empty() {
        let detail = format!("must contain at least one letter or digit; got `{}`", watchlist.name);
        return Err(Problem::invalid("name", detail));
    }
    match state.tenants.create(&team, caller.tier(), &watchlist).await {
        Ok(()) => Ok((StatusCode::CREATED, JsonResponse(watchlist))),
        Err(Refused::Exists) => Err(Problem::conflict(NameTaken(watchlist.name))),
        Err(other) => Err(refused(other)),
    }
}

/// Delete a watchlist
///
/// Changes of its companies no longer cause notifications, unless a watch or another watchlist contains them.
#[utoipa::path(
    delete,
    path = "/v1/watchlists/{id}",
    tag = "Watchlists",
    params(("id" = Uuid, Path, description = "Id of the watchlist.", example = "0199c0de-0040-7000-8000-000000000000")),
    responses((status = NO_CONTENT)),
)]
async fn delete_watchlist(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<StatusCode, Problem> {
    match state.tenants.delete_watchlist(&team, &id).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(Problem::not_found(UnknownWatchlist(id))),
    }
}
