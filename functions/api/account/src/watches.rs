//! Companies that a team watches.

use access::TeamLimits;
use axum::{Json as JsonResponse, extract::State};
use company_reader::UnknownCompany;
use domain::Uid;
use http::StatusCode;
use http_service::{
    CompanyPath, Description, Json, NoParameters, Path, Query, Routes, Tenant, handler, reads,
    writes,
};
use problem_details::Problem;
use serde::Deserialize;
use store::Refused;
use teams::{PausedReason, Watch, WatchView};
use utoipa::ToSchema;

use crate::problems::refused;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(0).with_token(), handler!(watches))
        .route(writes(0), handler!(create_watch))
        .route(writes(0), handler!(delete_watch))
}

#[derive(Debug, thiserror::Error)]
#[error("the team does not watch {0}")]
struct NotWatched(Uid);

/// List watches
///
/// Companies that the team watches, in the order in which they were added. Companies that it only has in watchlists are
/// left out.
#[utoipa::path(
    get,
    path = "/v1/watches",
    tag = "Watches and notifications",
    responses((status = OK, body = Vec<WatchView>)),
)]
async fn watches(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<JsonResponse<Vec<WatchView>>, Problem> {
    let mut watches: Vec<Watch> = state.tenants.resources(&team, "").await?;
    watches.sort_by_key(Watch::added);
    let max = TeamLimits::of(caller.tier()).watches as usize;
    let view = |(number, watch)| {
        let paused_reason = (number >= max).then_some(PausedReason::Tier);
        WatchView { watch, paused_reason }
    };
    Ok(JsonResponse(watches.into_iter().enumerate().map(view).collect()))
}

/// A company to watch.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CreateWatch {
    /// Company number (UID).
    #[schema(
        value_type = String,
        pattern = r"^(CHE-[0-9]{3}\.[0-9]{3}\.[0-9]{3}|(CHE-?)?[0-9]{9})$",
        example = "CHE-812.460.660"
    )]
    company_uid: Uid,
}

/// Watch a company
///
/// From now on, changes of the company cause notifications of the team, according to the notification preferences of the
/// user who adds the watch. Changes published more than 7 days before they are added to the change feed cause none. After an
/// update of a screening list, new or changed entries that may be the company, one of its current officers or one of
/// the parents that it reports to GLEIF cause a notification too. A direct parent in the Swiss register is compared
/// only if it is watched itself. If the team already watches the company, nothing changes. A team can watch 1,000
/// companies (Free), 2,000 (Starter), 5,000 (Professional) or 10,000 (Enterprise), and more in watchlists. After a change to a lower
/// tier, the newest watches pause (`pausedReason`): what happens meanwhile causes no notifications, also later.
#[utoipa::path(
    post,
    path = "/v1/watches",
    tag = "Watches and notifications",
    request_body = CreateWatch,
    responses((status = CREATED)),
)]
async fn create_watch(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<CreateWatch>,
) -> Result<StatusCode, Problem> {
    let company_uid = request.company_uid;
    if state.registry.company(company_uid).await?.is_none() {
        return Err(Problem::invalid("companyUid", UnknownCompany(company_uid)));
    }
    let watch = Watch {
        company_uid,
        after_sequence: state.registry.feed_end().await?,
        created_by: caller.principal().clone(),
        added_at: state.clock.now(),
    };
    match state.tenants.create(&team, caller.tier(), &watch).await {
        Ok(()) | Err(Refused::Exists) => Ok(StatusCode::CREATED),
        Err(other) => Err(refused(other)),
    }
}

/// Stop watching a company
///
/// Watchlists that contain the company are not changed.
#[utoipa::path(
    delete,
    path = "/v1/watches/{uid}",
    tag = "Watches and notifications",
    params(CompanyPath),
    responses((status = NO_CONTENT)),
)]
async fn delete_watch(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<StatusCode, Problem> {
    match state.tenants.delete::<Watch>(&team, &uid.to_string(), |_| true).await? {
        Some(_) => Ok(StatusCode::NO_CONTENT),
        None => Err(Problem::not_found(NotWatched(uid))),
    }
}
