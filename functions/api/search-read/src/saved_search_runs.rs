//! Runs of a saved search that its team requests.

use axum::{extract::State, response::IntoResponse};
use domain::{
    Company,
    search::{Page, PageNumber, PageSize},
};
use http_service::{Description, Paginator, Query, ResourceId, Routes, Tenant, handler, reads};
use problem_details::Problem;
use serde::Deserialize;
use store::TeamKey;
use teams::{LastRun, SavedSearch, SearchKind};
use utoipa::IntoParams;

use crate::companies::list;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(1).with_token().changes_nothing().translated(), handler!(run_saved_search))
        .route(reads(1).with_token().translated(), handler!(saved_search_results))
}

/// The page of a run.
#[derive(Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct RunQuery {
    /// Page number, starting at 1. Pages after the last one are empty. Default: that of the saved search, or 1.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 4294967295_u32, example = 1)]
    page: Option<PageNumber>,
    /// Maximum number of items per page, 1 to 100. Default: that of the saved search, or 20.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, example = 20)]
    page_size: Option<PageSize>,
    /// Number of items of the page to skip. Do not compute it: use the URL in the header `Link`.
    #[param(value_type = Option<u32>, minimum = 0, maximum = 4294967295_u32, default = 0, example = 0)]
    offset: u32,
}

#[derive(Debug, thiserror::Error)]
#[error("the team has no saved search with the id `{0}`")]
struct UnknownSearch(String);

/// Run a saved search
///
/// The companies that match the filters of the saved search now, as `GET /v1/companies` returns them. The run becomes the
/// last run of the search. It does not change which companies the next scheduled run reports as new.
#[utoipa::path(
    post,
    path = "/v1/saved-searches/{id}/run",
    tag = "Saved searches and alerts",
    params(
        ("id" = Uuid, Path, description = "Id of the saved search.", example = "0199c0de-0020-7000-8000-000000000000"),
        RunQuery,
    ),
    responses((status = OK, body = Page<Company>)),
)]
async fn run_saved_search(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    ResourceId(id): ResourceId,
    Query(query): Query<RunQuery>,
    paginator: Paginator,
) -> Result<impl IntoResponse, Problem> {
    run(&state, &team, id, query, &paginator).await
}

/// Get a saved search's results
///
/// Does the same as `POST` on this path.
#[utoipa::path(
    get,
    path = "/v1/saved-searches/{id}/run",
    tag = "Saved searches and alerts",
    params(
        ("id" = Uuid, Path, description = "Id of the saved search.", example = "0199c0de-0020-7000-8000-000000000000"),
        RunQuery,
    ),
    responses((status = OK, body = Page<Company>)),
)]
async fn saved_search_results(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    ResourceId(id): ResourceId,
    Query(query): Query<RunQuery>,
    paginator: Paginator,
) -> Result<impl IntoResponse, Problem> {
    run(&state, &team, id, query, &paginator).await
}

async fn run(
    state: &crate::State,
    team: &TeamKey,
    id: String,
    RunQuery { page, page_size, offset }: RunQuery,
    paginator: &Paginator,
) -> Result<impl IntoResponse + use<>, Problem> {
    let search: Option<SavedSearch> = state.tenants.resource(team, &id).await?;
    let search = search.ok_or_else(|| Problem::not_found(UnknownSearch(id.clone())))?;
    let query = search.search_params.query();
    // Only if a rule has changed since the search was saved.
    let mut query = query.map_err(|it| Problem::all_invalid(it.errors("searchParams")))?;
    query.page = page.unwrap_or(query.page);
    query.page_size = page_size.unwrap_or(query.page_size);
    query.offset = offset;
    let (next, header, page) = list(state, Some(team), &query, paginator).await?;
    let run = LastRun {
        id,
        run_at: state.clock.now(),
        result_count: page.total,
        trigger_count: 0,
        triggered_at: None,
    };
    state.tenants.put_last_run(team, SearchKind::SavedSearch, &run).await?;
    Ok((next, header, page))
}
