//! What a team has used of its allowances in the windows that are running.

use access::{RateGroup, Tier, Window};
use axum::{Json, extract::State};
use http_service::{
    ClientAddress, Description, NoParameters, Query, Routes, Tenant, handler, reads,
};
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use store::Subject;
use utoipa::ToSchema;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(0).with_token(), handler!(current_usage))
}

/// The allowances of a team and what is used of them.
#[derive(Serialize, ToSchema)]
struct UsageSnapshot {
    tier: Tier,
    groups: Vec<GroupUsage>,
}

/// One rate group. `used` and `limit` are left out where the tier does not include it.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct GroupUsage {
    group: RateGroup,
    used: Option<u32>,
    limit: Option<u32>,
    window: Window,
    reset_seconds: i64,
}

/// Usage of the current windows
///
/// Requests of the group `public` are counted by client address: its row is that of the address
/// that asks.
#[utoipa::path(
    get,
    path = "/v1/usage/current",
    tag = "Usage",
    responses((status = OK, body = UsageSnapshot)),
)]
async fn current_usage(
    State(state): State<crate::State>,
    Tenant { caller, team }: Tenant,
    ClientAddress(address): ClientAddress,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<Json<UsageSnapshot>, Problem> {
    let now = state.clock.now();
    let by_team: Vec<RateGroup> =
        RateGroup::ALL.into_iter().filter(|it| *it != RateGroup::Public).collect();
    let used_by_team = state.counters.taken(&Subject::Team(team), &by_team, now).await?;
    let by_address = [RateGroup::Public];
    let used_by_address =
        state.counters.taken(&Subject::Address(address), &by_address, now).await?;

    let used =
        by_team.into_iter().chain(by_address).zip(used_by_team.into_iter().chain(used_by_address));
    let groups = used.map(|(group, used)| {
        let allowance = group.allowance(caller.tier());
        let window = group.window();
        GroupUsage {
            group,
            used: allowance.map(|_| used),
            limit: allowance.map(|it| it.requests),
            window,
            reset_seconds: window.seconds_to_reset(now),
        }
    });
    Ok(Json(UsageSnapshot { tier: caller.tier(), groups: groups.collect() }))
}
