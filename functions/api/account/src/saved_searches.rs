//! Saved searches of a team. `search-read` runs them.

use std::collections::HashMap;

use access::Tier;
use axum::{Json as JsonResponse, extract::State};
use http::StatusCode;
use http_service::{
    Description, Json, Name, NoParameters, Query, ResourceId, Routes, Tenant, Text, handler, reads,
    writes,
};
use problem_details::Problem;
use serde::Deserialize;
use serde_with::rust::double_option;
use store::TeamKey;
use teams::{
    LastRun, SavedSearch, SavedSearchView, SearchFrequency, SearchKind, SearchParams, StoredSearch,
};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::problems::refused;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(0).with_token(), handler!(saved_searches))
        .route(writes(0), handler!(create_saved_search))
        .route(reads(0).with_token(), handler!(saved_search))
        .route(writes(0), handler!(update_saved_search))
        .route(writes(0), handler!(delete_saved_search))
}

/// A description, 1–1,000 characters.
type SearchDescription = Text<1_000, true>;

#[derive(Debug, thiserror::Error)]
#[error("the team has no saved search with the id `{0}`")]
struct UnknownSearch(String);

/// Refuses filters that `GET /v1/companies` would refuse. `member` is the member of the body with the filters.
pub(crate) fn checked_params(member: &str, params: SearchParams) -> Result<SearchParams, Problem> {
    params.query().map_err(|it| Problem::all_invalid(it.within(member).errors(member)))?;
    Ok(params)
}

/// The last runs of the team's searches of a kind, by the id of the search.
pub(crate) async fn last_runs(
    state: &crate::State,
    team: &TeamKey,
    kind: SearchKind,
) -> Result<HashMap<String, LastRun>, Problem> {
    let runs = state.tenants.last_runs(team, kind).await?;
    Ok(runs.into_iter().map(|it| (it.id.clone(), it)).collect())
}

/// The saved search with its last and next run.
async fn view(
    state: &crate::State,
    team: &TeamKey,
    tier: Tier,
    search: SavedSearch,
) -> Result<JsonResponse<SavedSearchView>, Problem> {
    let stored = StoredSearch { kind: SearchKind::SavedSearch, id: search.id.clone() };
    let last = state.tenants.last_run(team, &stored).await?;
    let within = state.tenants.within_tier::<SavedSearch>(team, tier).await?;
    let paused = within.paused_reason(&search.id);
    Ok(JsonResponse(SavedSearchView::new(search, last, paused, state.clock.now())))
}

/// List saved searches
///
/// Saved searches of the team, oldest first.
#[utoipa::path(
    get,
    path = "/v1/saved-searches",
    tag = "Saved searches and alerts",
    responses((status = OK, body = Vec<SavedSearchView>)),
)]
async fn saved_searches(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<JsonResponse<Vec<SavedSearchView>>, Problem> {
    let searches: Vec<SavedSearch> = state.tenants.resources(&team, "").await?;
    let mut runs = last_runs(&state, &team, SearchKind::SavedSearch).await?;
    let within = state.tenants.within_tier::<SavedSearch>(&team, caller.tier()).await?;
    let now = state.clock.now();
    let view = |it: SavedSearch| {
        let last = runs.remove(&it.id);
        let paused = within.paused_reason(&it.id);
        SavedSearchView::new(it, last, paused, now)
    };
    Ok(JsonResponse(searches.into_iter().map(view).collect()))
}

/// A new saved search.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CreateSavedSearch {
    /// Name of the saved search, 1–100 characters.
    #[schema(value_type = String, min_length = 1, max_length = 100, example = "Plastics in Zürich")]
    name: Name,
    /// Description, 1–1,000 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 1_000)]
    description: Option<SearchDescription>,
    /// Filters: query parameters of `GET /v1/companies` as a JSON object. Names may be written in snake case; several values
    /// are a list, or one text with commas. At most 10,000 bytes of JSON.
    #[schema(value_type = HashMap<String, Value>, example = json!({ "canton": "ZH", "capitalMin": 100_000 }))]
    search_params: SearchParams,
    /// Whether the search runs by itself and notifies of new results. Default: `false`.
    #[serde(default)]
    #[schema(example = true)]
    is_scheduled: bool,
    /// How often the search runs by itself. Default, if it is scheduled: `daily`.
    #[serde(default)]
    #[schema(example = "weekly")]
    schedule_frequency: Option<SearchFrequency>,
}

/// Create a saved search
///
/// A scheduled search runs every day, every week on the same weekday, or every month on the same day (in shorter
/// months on their last day), at the time of day in Switzerland at which the schedule was set. A run starts within 15
/// minutes after that time. The first run only remembers what it finds; each later run creates one notification if it finds
/// companies that no earlier run has found. If a run finds more than 10,000 companies, only the totals are compared:
/// the notification states the increase and lists no companies. After an interruption of the service, only the newest
/// missed run is made.
///
/// The response contains the saved search. A team can have 50 saved searches (Free), 100 (Starter), 150
/// (Professional) or 200 (Enterprise); a further one is refused with 409. After a change to a lower tier, the schedules of the newest
/// pause (`pausedReason`); the first run afterwards finds what is new since the last one.
#[utoipa::path(
    post,
    path = "/v1/saved-searches",
    tag = "Saved searches and alerts",
    request_body = CreateSavedSearch,
    responses((status = CREATED, body = SavedSearchView)),
)]
async fn create_saved_search(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<CreateSavedSearch>,
) -> Result<(StatusCode, JsonResponse<SavedSearchView>), Problem> {
    let search_params = checked_params("searchParams", request.search_params)?;
    let now = state.clock.now();
    let default_frequency = request.is_scheduled.then(SearchFrequency::default);
    let search = SavedSearch {
        id: Uuid::now_v7().to_string(),
        name: request.name.0,
        description: request.description.map(|it| it.0),
        search_params,
        is_scheduled: request.is_scheduled,
        schedule_frequency: request.schedule_frequency.or(default_frequency),
        scheduled_at: request.is_scheduled.then_some(now),
        created_by: caller.principal().clone(),
        created_at: now,
        updated_at: now,
    };
    state.tenants.create(&team, caller.tier(), &search).await.map_err(refused)?;
    Ok((StatusCode::CREATED, JsonResponse(SavedSearchView::new(search, None, None, now))))
}

/// Get a saved search
///
/// A saved search with the times of its last and next run. `/v1/saved-searches/{id}/run` returns the companies.
#[utoipa::path(
    get,
    path = "/v1/saved-searches/{id}",
    tag = "Saved searches and alerts",
    params(("id" = Uuid, Path, description = "Id of the saved search.", example = "0199c0de-0020-7000-8000-000000000000")),
    responses((status = OK, body = SavedSearchView)),
)]
async fn saved_search(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<JsonResponse<SavedSearchView>, Problem> {
    match state.tenants.resource::<SavedSearch>(&team, &id).await? {
        Some(search) => view(&state, &team, caller.tier(), search).await,
        None => Err(Problem::not_found(UnknownSearch(id))),
    }
}

/// Changes of a saved search. Fields that are left out stay as they are.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct UpdateSavedSearch {
    /// Name of the saved search, 1–100 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 100, example = "Plastics in Zürich and Aargau")]
    name: Option<Name>,
    /// Description, 1–1,000 characters; `null` removes it.
    #[serde(default, with = "double_option")]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 1_000)]
    description: Option<Option<SearchDescription>>,
    /// Filters; they replace all earlier ones. The next scheduled run only remembers what it finds.
    #[serde(default)]
    #[schema(value_type = Option<HashMap<String, Value>>, example = json!({ "canton": ["ZH", "AG"] }))]
    search_params: Option<SearchParams>,
    /// Whether the search runs by itself.
    #[serde(default)]
    is_scheduled: Option<bool>,
    /// How often the search runs by itself.
    #[serde(default)]
    schedule_frequency: Option<SearchFrequency>,
}

/// Change a saved search
///
/// Changes the given fields, leaves the others as they are, and returns the saved search. Another frequency, or scheduling the search again, starts a
/// new schedule at the time of the change.
#[utoipa::path(
    put,
    path = "/v1/saved-searches/{id}",
    tag = "Saved searches and alerts",
    params(("id" = Uuid, Path, description = "Id of the saved search.", example = "0199c0de-0020-7000-8000-000000000000")),
    request_body = UpdateSavedSearch,
    responses((status = OK, body = SavedSearchView)),
)]
async fn update_saved_search(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<UpdateSavedSearch>,
) -> Result<JsonResponse<SavedSearchView>, Problem> {
    let params = request.search_params.map(|it| checked_params("searchParams", it)).transpose()?;
    let description = request.description.map(|it| it.map(|it| it.0));
    let now = state.clock.now();
    let change = |old: &SavedSearch| {
        let is_scheduled = request.is_scheduled.unwrap_or(old.is_scheduled);
        let frequency = request.schedule_frequency.or(old.schedule_frequency);
        let frequency = frequency.or_else(|| is_scheduled.then(SearchFrequency::default));
        let is_same = old.is_scheduled && frequency == old.schedule_frequency;
        let scheduled_at = if is_same { old.scheduled_at } else { Some(now) };
        Some(SavedSearch {
            name: request.name.as_ref().map_or(&old.name, |it| &it.0).clone(),
            description: description.as_ref().unwrap_or(&old.description).clone(),
            search_params: params.as_ref().unwrap_or(&old.search_params).clone(),
            is_scheduled,
            schedule_frequency: frequency,
            scheduled_at: scheduled_at.filter(|_| is_scheduled),
            updated_at: now,
            ..old.clone()
        })
    };
    match state.tenants.change(&team, &id, change).await.map_err(refused)? {
        Some(changed) => view(&state, &team, caller.tier(), changed).await,
        None => Err(Problem::not_found(UnknownSearch(id))),
    }
}

/// Delete a saved search
///
/// Alerts that belong to the search remain, because they have their own filters.
#[utoipa::path(
    delete,
    path = "/v1/saved-searches/{id}",
    tag = "Saved searches and alerts",
    params(("id" = Uuid, Path, description = "Id of the saved search.", example = "0199c0de-0020-7000-8000-000000000000")),
    responses((status = NO_CONTENT)),
)]
async fn delete_saved_search(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<StatusCode, Problem> {
    if state.tenants.delete_saved_search(&team, &id).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Problem::not_found(UnknownSearch(id)))
    }
}
