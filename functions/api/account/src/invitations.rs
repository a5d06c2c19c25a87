//! Invitations to a team.
//!
//! An invitation has two tokens. The one in the response accepts it for a user who is signed in with the invited
//! address. The one in the mail also signs this address in, so it is shown to nobody else. Both work only while those who
//! have invited may still give the role.

use access::{Environment, Role};
use auth::{Delegation, Email, OneTimeToken, TeamId};
use axum::{Extension, Json as JsonResponse, extract::State, response::IntoResponse};
use http::{HeaderMap, StatusCode};
use http_service::{
    AuditContext, ClientAddress, ContainsSecret, Description, Json, NoParameters, Query,
    ResourceId, Routes, Tenant, handler, manages, preferred_language, writes,
};
use jiff::Timestamp;
use mail::ShownName;
use outgoing::mail::{Cause, Requester};
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use store::{Denied, MagicLink, NotChanged};
use teams::{INVITATION_DURATION, Invitation};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    magic_links::LINK_DURATION,
    problems::{not_changed, refused},
    sessions::session_ended,
    teams::TeamDeleted,
};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(manages(0), handler!(invite_member))
        .route(manages(0), handler!(invitations))
        .route(manages(0), handler!(cancel_invitation))
        .route(writes(0).by_link(), handler!(join_team))
}

/// Invitation status.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum InvitationStatus {
    Pending,
}

/// An invitation.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct InvitationView {
    /// Id of the invitation.
    #[schema(example = "0199c0de-0ac3-7000-8000-000000000000")]
    id: String,
    /// Id of the team.
    #[schema(value_type = String)]
    team_id: TeamId,
    /// Invited address.
    #[schema(value_type = String)]
    email: Email,
    /// Role that the user gets.
    role: Role,
    /// Token that accepts the invitation, for a user with the invited address. Only the response that creates the
    /// invitation contains it.
    token: Option<String>,
    /// Always `pending`: invitations that were accepted, cancelled or have ended are not listed.
    status: InvitationStatus,
    /// Time of the invitation.
    created_at: Timestamp,
    /// Time when the invitation expires.
    expires_at: Timestamp,
}

impl From<Invitation> for InvitationView {
    fn from(it: Invitation) -> Self {
        Self {
            id: it.id,
            team_id: it.team_id,
            email: it.email,
            role: it.role,
            token: None,
            status: InvitationStatus::Pending,
            created_at: it.created_at,
            expires_at: it.expires_at,
        }
    }
}

#[derive(Debug, thiserror::Error)]
enum NotInvited {
    #[error("a caller cannot give the role `{0}`, because it has fewer rights than this role")]
    HigherRole(Role),
    #[error("`{0}` is a member of the team already")]
    IsMember(Email),
    #[error("the invitation is for another e-mail address; sign in with that address")]
    OtherAddress,
}

#[derive(Debug, thiserror::Error)]
#[error("the team has no pending invitation `{0}`")]
struct UnknownInvitation(String);

#[derive(Debug, thiserror::Error)]
#[error(
    "the invitation does not exist, was used or cancelled, or has ended: ask the team for another one"
)]
struct EndedInvitation;

/// The person to invite.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct InviteMember {
    /// E-mail address.
    #[schema(value_type = String, max_length = 254, example = "lea.beispiel@example.ch")]
    email: Email,
    /// Role that the user gets. Default: `member`.
    #[serde(default)]
    #[schema(example = "member")]
    role: Option<Role>,
}

/// Invite a member
///
/// Sends an e-mail with a link that signs the address in and accepts the invitation, once, within 7 days. If the address
/// already has an account, a link older than 15 minutes does not sign in: the user gets a new link by e-mail. The caller
/// must have all rights of the role; an API key cannot invite an owner. An earlier invitation of the same address is
/// replaced. A team can have 100 pending invitations. An invitation ends when the user or API key that sent it may not give
/// the role any more. The mail has the name of the team if the team has had it for a week and it
/// does not look like an address. Limits on invitations and questions about addresses: 20 in 10 minutes; a day, 20 in all
/// Free teams of a person, and 100, 300 or 1,000 in a team of a higher tier. An invitation by a test key belongs to the sandbox: no mail is sent,
/// and it cannot be accepted.
#[utoipa::path(
    post,
    path = "/v1/teams/me/members",
    tag = "Teams",
    request_body = InviteMember,
    responses((status = CREATED, body = InvitationView)),
)]
async fn invite_member(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    ClientAddress(client): ClientAddress,
    headers: HeaderMap,
    Query(NoParameters {}): Query<NoParameters>,
    Json(InviteMember { email, role }): Json<InviteMember>,
) -> Result<impl IntoResponse, Problem> {
    let (now, role) = (state.clock.now(), role.unwrap_or(Role::Member));
    if !caller.may_assign(role) {
        return Err(Problem::forbidden(NotInvited::HigherRole(role)));
    }
    let user = state.tenants.user_with(&email).await?;
    if let Some(user) = &user
        && state.tenants.member(&team, &user.id).await?.is_some()
    {
        return Err(Problem::conflict(NotInvited::IsMember(email)));
    }
    // A test key sends no mail.
    let permit = match caller.environment() {
        Environment::Live => {
            let cause = Cause::Invitation(Requester::of(&caller, client));
            state.allow_mail(&cause, &email, now).await?
        }
        Environment::Test => None,
    };
    let token = OneTimeToken::generate();
    let Delegation { by, through, .. } = caller.delegation(now);
    let invitation = Invitation {
        id: Uuid::now_v7().to_string(),
        team_id: team.team().clone(),
        email,
        role,
        token_hash: token.hash(),
        created_by: by,
        created_at: now,
        through,
        expires_at: now + INVITATION_DURATION,
    };
    state.tenants.invite(&team, &invitation, now).await.map_err(refused)?;
    if let Some(permit) = permit {
        let language =
            user.and_then(|it| it.language).unwrap_or_else(|| preferred_language(&headers));
        let link = MagicLink {
            email: invitation.email.clone(),
            language,
            redirect_url: None,
            invitation: Some((invitation.team_id.clone(), invitation.id.clone())),
            signs_in_until: now + LINK_DURATION,
            expires_at: invitation.expires_at,
        };
        let address = state.put_link(&link).await?;
        let name = state.shown_name(team.team(), now).await?;
        let mail = mail::invitation(link.email, language, &address, name.as_ref())?;
        state.send(permit, &mail).await?;
    }
    let secret = ContainsSecret { id: invitation.id.clone() };
    let token = Some(token.expose().to_owned());
    let view = InvitationView { token, ..invitation.into() };
    Ok((StatusCode::CREATED, secret, JsonResponse(view)))
}

impl crate::State {
    /// The name of a team, if it may stand in a mail.
    pub(crate) async fn shown_name(
        &self,
        team: &TeamId,
        now: Timestamp,
    ) -> Result<Option<ShownName>, Problem> {
        let name = self.tenants.team_name(team).await?;
        let name = name.ok_or_else(|| Problem::not_found(TeamDeleted))?;
        Ok(ShownName::of_team(name.name, name.since, now))
    }
}

/// List the team's invitations
///
/// Pending invitations, oldest first, on one page. Test keys list those of the sandbox.
#[utoipa::path(
    get,
    path = "/v1/teams/me/invitations",
    tag = "Teams",
    responses((status = OK, body = Vec<InvitationView>)),
)]
async fn invitations(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<JsonResponse<Vec<InvitationView>>, Problem> {
    let invitations = state.tenants.pending_invitations(&team, state.clock.now()).await?;
    Ok(JsonResponse(invitations.into_iter().map(InvitationView::from).collect()))
}

/// Cancel an invitation
///
/// Cancels a pending invitation: its tokens stop working.
#[utoipa::path(
    delete,
    path = "/v1/teams/me/invitations/{id}",
    tag = "Teams",
    params(("id" = Uuid, Path, description = "Id of the invitation.", example = "0199c0de-0ac3-7000-8000-000000000000")),
    responses((status = NO_CONTENT)),
)]
async fn cancel_invitation(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<StatusCode, Problem> {
    let deleted = state.tenants.delete::<Invitation>(&team, &id, |_| true).await?;
    deleted.map(|_| StatusCode::NO_CONTENT).ok_or_else(|| Problem::not_found(UnknownInvitation(id)))
}

/// The token of an invitation.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct JoinTeam {
    /// Token of the invitation.
    #[schema(
        value_type = String,
        pattern = "^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$",
        example = "Q0tWb7uZr2yKx5cNf8gHj1mPd4sVv9aEwLiToXeRz3Y"
    )]
    token: OneTimeToken,
}

/// The team that a user has joined.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct JoinedTeam {
    /// Id of the team.
    #[schema(value_type = String)]
    team_id: TeamId,
    /// Name of the team.
    team_name: String,
    /// Role of the user.
    role: Role,
}

/// Join a team
///
/// Accepts an invitation to the address that the user is signed in with. The session stays in its team; switch to the
/// other one with `POST /v1/auth/switch-team`.
#[utoipa::path(
    post,
    path = "/v1/teams/join",
    tag = "Teams",
    request_body = JoinTeam,
    responses((status = OK, body = JoinedTeam), (status = NOT_FOUND)),
)]
async fn join_team(
    State(state): State<crate::State>,
    Tenant { caller, .. }: Tenant,
    Extension(context): Extension<AuditContext>,
    Query(NoParameters {}): Query<NoParameters>,
    Json(JoinTeam { token }): Json<JoinTeam>,
) -> Result<JsonResponse<JoinedTeam>, Problem> {
    let ended = || Problem::not_found(EndedInvitation);
    let user = state.tenants.user(&caller.principal().id).await?.ok_or_else(session_ended)?;
    let now = state.clock.now();
    let invitation = state.tenants.invitation_with(&token.hash()).await?;
    let invitation = invitation.filter(|it| it.expires_at > now).ok_or_else(ended)?;
    if invitation.email != user.email {
        return Err(Problem::forbidden(NotInvited::OtherAddress));
    }
    let team = state.tenants.team(&invitation.team_id, now).await?;
    let team = team.ok_or_else(|| Problem::not_found(TeamDeleted))?;
    let entry = |actor| context.succeeded(actor);
    let joined = state.tenants.accept(&invitation, &user.id, now, entry).await;
    let joined = joined.map_err(|it| match it {
        NotChanged::Denied(Denied::Used) => ended(),
        other => not_changed(other),
    })?;
    Ok(JsonResponse(JoinedTeam { team_id: team.id, team_name: team.name, role: joined.role }))
}
