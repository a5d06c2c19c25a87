//! Teams.

use access::{Environment, Tier};
use auth::TeamId;
use axum::{Json as JsonResponse, extract::State};
use domain::text::fold;
use http::StatusCode;
use http_service::{
    Description, Json, Name, NoParameters, Query, Routes, Tenant, handler, manages, reads, writes,
};
use jiff::Timestamp;
use problem_details::{Problem, UNAUTHORIZED};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use store::Team;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{credits::Credits, problems::not_changed};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(0).with_token(), handler!(team))
        .route(writes(0).by_link(), handler!(create_team))
        .route(manages(0), handler!(update_team))
}

/// A team.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TeamView {
    /// Id of the team.
    #[schema(value_type = String, example = "0199c0de-00ff-7000-8000-000000000000")]
    id: TeamId,
    /// Name of the team.
    #[schema(example = "Muster Treuhand AG")]
    pub(crate) name: String,
    /// Name in lower case, with hyphens, for addresses. Not unique.
    #[schema(example = "muster-treuhand-ag")]
    slug: String,
    /// Tier of the team.
    tier: Tier,
}

/// The team of the caller.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CurrentTeam {
    #[serde(flatten)]
    team: TeamView,
    /// Id of the subscription at the payment provider. Absent if the team has none.
    stripe_subscription_id: Option<String>,
    /// End of the period that is paid. Absent without a subscription.
    current_period_end: Option<Timestamp>,
    /// Time when the subscription ends. Absent if it continues.
    cancellation_effective_at: Option<Timestamp>,
    /// Number of requests left in the current windows, all rate groups together.
    credit_balance: u32,
    /// Number of requests allowed in the current windows, all rate groups together.
    monthly_credits: u32,
}

impl From<Team> for TeamView {
    fn from(Team { id, name, tier }: Team) -> Self {
        let slug = fold(&name).replace(' ', "-");
        Self { id, name, slug, tier }
    }
}

#[derive(Debug, thiserror::Error)]
#[error("the team was deleted")]
pub(crate) struct TeamDeleted;

/// The credential of a team that was deleted is accepted for up to 60 seconds more.
pub(crate) fn team_deleted() -> Problem {
    Problem::new(&UNAUTHORIZED, TeamDeleted)
}

#[derive(Debug, thiserror::Error)]
#[error("a test key cannot change the team; use a live key or a session")]
struct SandboxOnly;

/// Get the team
///
/// Team of the session or API key, with its subscription. The figures in credits are those of `GET /v1/credits/balance`.
#[utoipa::path(
    get,
    path = "/v1/teams/me",
    tag = "Teams",
    responses((status = OK, body = CurrentTeam)),
)]
async fn team(
    State(state): State<crate::State>,
    Tenant { caller, .. }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<JsonResponse<CurrentTeam>, Problem> {
    let now = state.clock.now();
    let credits = Credits::of(&state, &caller, now).await?;
    let subscriptions = state.tenants.subscriptions(caller.team()).await?;
    let subscription = subscriptions.current(now);
    let team = state.tenants.team(caller.team(), now).await?;
    Ok(JsonResponse(CurrentTeam {
        team: team.ok_or_else(team_deleted)?.into(),
        stripe_subscription_id: subscription.map(|it| it.id.clone()),
        current_period_end: subscription.and_then(|it| it.current_period_end),
        cancellation_effective_at: subscription.and_then(|it| it.ends_at),
        credit_balance: credits.left(),
        monthly_credits: credits.allowed(),
    }))
}

/// A new team.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CreateTeam {
    /// Name of the team, 1–100 characters. Default: `Team`.
    #[serde(default)]
    #[schema(
        value_type = Option<String>,
        min_length = 1,
        max_length = 100,
        example = "Muster Treuhand AG"
    )]
    name: Option<Name>,
}

/// Create a team
///
/// Creates a team with the tier `free`. The signed-in user becomes its owner. The session stays in its team; switch to the
/// new one with `POST /v1/auth/switch-team`. A user can be in 20 teams. All teams with the tier `free` that one user has created
/// share one allowance of requests, also after another user owns them.
#[utoipa::path(
    post,
    path = "/v1/teams",
    tag = "Teams",
    request_body = CreateTeam,
    responses((status = CREATED, body = TeamView)),
)]
async fn create_team(
    State(state): State<crate::State>,
    Tenant { caller, .. }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
    Json(CreateTeam { name }): Json<CreateTeam>,
) -> Result<(StatusCode, JsonResponse<TeamView>), Problem> {
    let name = name.map_or_else(|| "Team".to_owned(), |it| it.0);
    let id = TeamId(Uuid::now_v7().to_string());
    let (owner, now) = (&caller.principal().id, state.clock.now());
    let created = state.tenants.create_team(id.clone(), &name, owner, now).await;
    created.map_err(not_changed)?;
    let team = Team { id, name, tier: Tier::Free };
    Ok((StatusCode::CREATED, JsonResponse(team.into())))
}

/// Changes of a team.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct UpdateTeam {
    /// Name of the team, 1–100 characters.
    #[schema(value_type = String, min_length = 1, max_length = 100, example = "Muster Treuhand AG")]
    name: Name,
}

/// Rename the team
///
/// Changes the name of the team, and returns the team. Test keys are refused.
#[utoipa::path(
    put,
    path = "/v1/teams/me",
    tag = "Teams",
    request_body = UpdateTeam,
    responses((status = OK, body = TeamView)),
)]
async fn update_team(
    State(state): State<crate::State>,
    Tenant { caller, team }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
    Json(UpdateTeam { name }): Json<UpdateTeam>,
) -> Result<JsonResponse<TeamView>, Problem> {
    if caller.environment() == Environment::Test {
        return Err(Problem::forbidden(SandboxOnly));
    }
    state.tenants.rename_team(&team, &name.0, state.clock.now()).await?;
    let team = Team { id: caller.team().clone(), name: name.0, tier: caller.tier() };
    Ok(JsonResponse(team.into()))
}
