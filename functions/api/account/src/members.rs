//! Members of a team and their roles.
//!
//! The sandbox of a team has no members: members belong to the live team, and test keys neither see nor change them.

use access::Role;
use auth::{Email, Member, User};
use axum::{Json as JsonResponse, extract::State};
use http::StatusCode;
use http_service::{
    Description, Json, NoParameters, Query, ResourceId, Routes, Tenant, handler, manages, reads,
    writes,
};
use jiff::Timestamp;
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::{problems::not_changed, sessions::session_ended};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(0).with_token(), handler!(members))
        .route(manages(0).by_owner(), handler!(change_role))
        .route(manages(0), handler!(remove_member))
        .route(writes(0).by_user(), handler!(leave_team))
        .route(manages(0).by_owner(), handler!(end_member_sessions))
}

/// A member of a team.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TeamMember {
    /// Id of the user.
    #[schema(example = "0199c0de-0ac2-7000-8000-000000000000")]
    id: String,
    /// Name of the user. Absent if none was set.
    name: Option<String>,
    /// E-mail address.
    #[schema(value_type = String, example = "hans.beispiel@example.ch")]
    email: Email,
    /// Role in the team.
    role: Role,
    /// Time of the last sign-in. Until a user whom the operator created signs in, the time of creation.
    last_login_at: Timestamp,
}

impl TeamMember {
    fn of((member, user): (Member, User)) -> Self {
        let User { id, name, email, last_login_at, .. } = user;
        Self { id, name, email, role: member.role, last_login_at }
    }
}

#[derive(Debug, thiserror::Error)]
#[error("the team has no member `{0}`")]
struct UnknownMember(String);

/// Nobody removes a member with more rights.
#[derive(Debug, thiserror::Error)]
#[error("only a caller with all rights of the role `{0}` can remove a member with this role")]
struct HigherRole(Role);

/// List the team's members
///
/// On one page; those who joined first come first. Empty for test keys: a sandbox has no members.
#[utoipa::path(
    get,
    path = "/v1/teams/me/members",
    tag = "Teams",
    responses((status = OK, body = Vec<TeamMember>)),
)]
async fn members(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<JsonResponse<Vec<TeamMember>>, Problem> {
    let members = state.tenants.members(&team).await?;
    Ok(JsonResponse(members.into_iter().map(TeamMember::of).collect()))
}

/// A new role.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ChangeRole {
    /// Role of the member from now on.
    #[schema(example = "admin")]
    role: Role,
}

/// Change a member's role
///
/// Takes effect within 60 seconds, also for the API keys that depend on the user's rights: while the role is `member`, they
/// lack the scope `manage`. Invitations to a higher role than the new one end at once. The last owner of a team keeps this
/// role.
#[utoipa::path(
    put,
    path = "/v1/teams/me/members/{id}",
    tag = "Teams",
    params(("id" = Uuid, Path, description = "Id of the user.", example = "0199c0de-0ac2-7000-8000-000000000000")),
    request_body = ChangeRole,
    responses((status = OK, body = TeamMember)),
)]
async fn change_role(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
    Json(ChangeRole { role }): Json<ChangeRole>,
) -> Result<JsonResponse<TeamMember>, Problem> {
    let now = state.clock.now();
    let changed = state.tenants.change_role(&team, &id, role, now).await.map_err(not_changed)?;
    state.tell_owners(team.team()).await;
    let user = state.tenants.user(&id).await?;
    let member = changed.zip(user).ok_or_else(|| Problem::not_found(UnknownMember(id)))?;
    Ok(JsonResponse(TeamMember::of(member)))
}

/// Remove a member
///
/// Within 60 seconds, the user's sessions in this team end, and the API keys that depend on the user's rights stop working:
/// `createdBy` of `GET /v1/api-keys` names the user. To keep such a key, rotate it. Invitations and unfinished exports of the
/// user end. Only an owner can remove an owner, and the last owner cannot be removed. What the user has for herself in this
/// team is deleted within a day: private notes, settings, notification preferences and mails that wait.
#[utoipa::path(
    delete,
    path = "/v1/teams/me/members/{id}",
    tag = "Teams",
    params(("id" = Uuid, Path, description = "Id of the user.", example = "0199c0de-0ac2-7000-8000-000000000000")),
    responses((status = NO_CONTENT), (status = CONFLICT)),
)]
async fn remove_member(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<StatusCode, Problem> {
    let unknown = || Problem::not_found(UnknownMember(id.clone()));
    let member = state.tenants.member(&team, &id).await?.ok_or_else(unknown)?;
    if !caller.may_assign(member.role) {
        return Err(Problem::forbidden(HigherRole(member.role)));
    }
    let may = |it: &Member| caller.may_assign(it.role);
    let removed = state.tenants.remove_member(&team, &id, may, state.clock.now()).await;
    let removed = removed.map_err(not_changed)?;
    state.tell_owners(team.team()).await;
    removed.map(|_| StatusCode::NO_CONTENT).ok_or_else(unknown)
}

/// Leave the team
///
/// Within 60 seconds, the user's sessions in this team end, and the API keys that depend on the user's rights stop working.
/// Invitations and unfinished exports of the user end. The last owner cannot leave. What the user has for herself in this
/// team is deleted within a day: private notes, settings, notification preferences and mails that wait.
#[utoipa::path(
    post,
    path = "/v1/teams/me/leave",
    tag = "Teams",
    responses((status = NO_CONTENT)),
)]
async fn leave_team(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
    Json(NoParameters {}): Json<NoParameters>,
) -> Result<StatusCode, Problem> {
    let (user, now) = (&caller.principal().id, state.clock.now());
    let left = state.tenants.remove_member(&team, user, |_| true, now).await;
    let left = left.map_err(not_changed)?;
    state.tell_owners(team.team()).await;
    left.map(|_| StatusCode::NO_CONTENT).ok_or_else(session_ended)
}

/// End a member's sessions
///
/// Ends all sessions of the member in this team within 60 seconds, also those of single sign-on, and refuses the ID tokens that
/// were issued until now. The member can sign in again; to prevent that, remove the member.
#[utoipa::path(
    delete,
    path = "/v1/teams/me/members/{id}/sessions",
    tag = "Teams",
    params(("id" = Uuid, Path, description = "Id of the user.", example = "0199c0de-0ac2-7000-8000-000000000000")),
    responses((status = NO_CONTENT)),
)]
async fn end_member_sessions(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<StatusCode, Problem> {
    if state.tenants.member(&team, &id).await?.is_none() {
        return Err(Problem::not_found(UnknownMember(id)));
    }
    state.tenants.end_sessions(&id, Some(caller.team()), state.clock.now()).await?;
    Ok(StatusCode::NO_CONTENT)
}
