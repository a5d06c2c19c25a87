//! Usage of the rate limits in the current windows.

use access::{RateGroup, Tier, Window, screening_subjects};
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

/// Rate limits of a team and their current usage.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UsageSnapshot {
    /// Tier of the team.
    tier: Tier,
    /// One entry for each rate group.
    groups: Vec<GroupUsage>,
    /// Subjects of screenings, which are counted beside the requests.
    screening_subjects: SubjectUsage,
}

/// Usage of the subjects of screenings.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SubjectUsage {
    /// Number of subjects that were screened in the current window.
    used: u32,
    /// Number of subjects that may be screened in a window.
    limit: u32,
    /// Window in which the subjects are counted.
    window: Window,
    /// Seconds until the current window ends.
    reset_seconds: i64,
}

/// Usage of one rate group.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct GroupUsage {
    /// Rate group.
    group: RateGroup,
    /// Number of requests in the current window. Absent if the tier does not include the group.
    used: Option<u32>,
    /// Number of requests allowed in a window. Absent if the tier does not include the group.
    limit: Option<u32>,
    /// Window in which the requests are counted.
    window: Window,
    /// Seconds until the current window ends.
    reset_seconds: i64,
}

/// Get the current usage
///
/// The number of requests that the team has used in the current window of each rate group, with those of its sandbox. A team
/// with the tier `free` shares its limits with the other Free teams that the same user has created, and their requests are
/// included. The group `public` is counted by IP address; its entry shows the usage of the caller's address.
#[utoipa::path(
    get,
    path = "/v1/usage/current",
    tag = "Usage",
    responses((status = OK, body = UsageSnapshot)),
)]
async fn current_usage(
    State(state): State<crate::State>,
    Tenant { caller, .. }: Tenant,
    ClientAddress(address): ClientAddress,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<Json<UsageSnapshot>, Problem> {
    let now = state.clock.now();
    let by_team: Vec<RateGroup> =
        RateGroup::ALL.into_iter().filter(|it| *it != RateGroup::Public).collect();
    let subject = Subject::of(&caller);
    let used_by_team = state.counters.taken(&subject, &by_team, now).await?;
    let by_address = [RateGroup::Public];
    let used_by_address = state.counters.taken(&address.into(), &by_address, now).await?;

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
    let window = Window::Day;
    let screening_subjects = SubjectUsage {
        used: state.counters.subjects(&subject, now).await?,
        limit: screening_subjects(caller.tier()),
        window,
        reset_seconds: window.seconds_to_reset(now),
    };
    Ok(Json(UsageSnapshot { tier: caller.tier(), groups: groups.collect(), screening_subjects }))
}
