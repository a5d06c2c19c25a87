//! The session of a user: what it is, its end, and its team.

use access::{Role, Scope, Tier};
use auth::{AuthMethod, Email, Language, Session, TeamId, User};
use axum::{Extension, Json as JsonResponse, extract::State, response::IntoResponse};
use http::StatusCode;
use http_service::{
    AuditContext, ContainsSecret, Description, Json, Name, NoParameters, Query, Routes, Tenant,
    handler, reads, writes,
};
use jiff::Timestamp;
use problem_details::{Problem, UNAUTHORIZED};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::teams::{TeamView, team_deleted};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(0).with_token(), handler!(current_caller))
        .route(writes(0).by_link(), handler!(update_profile))
        .route(writes(0).by_user().ends_session(), handler!(sign_out))
        .route(writes(0).by_user(), handler!(sign_out_everywhere))
        .route(writes(0).by_link().ends_session(), handler!(switch_team))
}

/// A user.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UserView {
    /// Id of the user.
    #[schema(example = "0199c0de-0ac1-7000-8000-000000000000")]
    id: String,
    /// Name of the user. Absent if none was set.
    name: Option<String>,
    /// E-mail address.
    #[schema(value_type = String, example = "eva.muster@example.ch")]
    pub(crate) email: Email,
    /// Language of mails and pages. Absent if it is not known yet.
    language: Option<Language>,
}

impl From<User> for UserView {
    fn from(user: User) -> Self {
        Self { id: user.id, name: user.name, email: user.email, language: user.language }
    }
}

/// A new session. Only this response contains its token.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SignedIn {
    /// Token of the session (a JWT). Send it as `Authorization: Bearer <token>`.
    pub(crate) token: String,
    /// Always `Bearer`.
    #[schema(example = "Bearer")]
    token_type: &'static str,
    /// Time when the session ends.
    pub(crate) expires_at: Timestamp,
    /// The user.
    pub(crate) user: UserView,
    /// Team that the session acts for.
    pub(crate) team: TeamView,
    /// Id of the session.
    #[serde(skip)]
    pub(crate) session: String,
}

/// The answer about a session that is stored.
pub(crate) async fn new_session(
    state: &crate::State,
    user: User,
    session: &Session,
) -> Result<SignedIn, Problem> {
    let now = state.clock.now();
    let token = state.sessions.token(session, now).await?;
    let team = state.tenants.team(&session.team, now).await?;
    let team = team.ok_or_else(team_deleted)?;
    Ok(SignedIn {
        token: token.expose().to_owned(),
        token_type: "Bearer",
        expires_at: session.expires_at,
        user: user.into(),
        team: team.into(),
        session: session.id.clone(),
    })
}

/// Who calls, and for which team.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CurrentCaller {
    /// The user. Absent for an API key.
    user: Option<UserView>,
    /// The team.
    team: TeamView,
    /// Tier of the team.
    tier: Tier,
    /// Role with which the user acts in the team: with single sign-on at most `admin`, and `member` while an owner has to confirm the
    /// identity provider. Absent for an API key.
    role: Option<Role>,
    /// Kind of the credential.
    auth_method: AuthMethod,
    /// Scopes of the API key, or of the user's role.
    scopes: Vec<Scope>,
}

/// Get the current caller
///
/// User, team, tier and scopes of the session or API key that the request is sent with.
#[utoipa::path(
    get,
    path = "/v1/auth/me",
    tag = "Sign-in",
    responses((status = OK, body = CurrentCaller)),
)]
async fn current_caller(
    State(state): State<crate::State>,
    Tenant { caller, .. }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<JsonResponse<CurrentCaller>, Problem> {
    let team = state.tenants.team(caller.team(), state.clock.now()).await?;
    let user = match caller.role() {
        Some(_) => state.tenants.user(&caller.principal().id).await?,
        None => None,
    };
    Ok(JsonResponse(CurrentCaller {
        user: user.map(UserView::from),
        team: team.ok_or_else(team_deleted)?.into(),
        tier: caller.tier(),
        role: caller.role(),
        auth_method: caller.method(),
        scopes: caller.scopes().to_vec(),
    }))
}

/// Changes of the user's own data.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ProfileUpdate {
    /// Name, 1–100 characters. Default: unchanged.
    #[serde(default)]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 100, example = "Eva Muster")]
    name: Option<Name>,
    /// Language of mails and pages. Default: unchanged.
    #[serde(default)]
    #[schema(example = "de")]
    language: Option<Language>,
}

/// Update the user's profile
///
/// Changes the name of the signed-in user, which members of the same teams see, and the language of e-mails and pages.
/// Returns the profile.
#[utoipa::path(
    put,
    path = "/v1/auth/me",
    tag = "Sign-in",
    request_body = ProfileUpdate,
    responses((status = OK, body = UserView)),
)]
async fn update_profile(
    State(state): State<crate::State>,
    Tenant { caller, .. }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
    Json(update): Json<ProfileUpdate>,
) -> Result<JsonResponse<UserView>, Problem> {
    let changed = state.tenants.change_user(&caller.principal().id, |user| {
        if let Some(Name { 0: name }) = &update.name {
            user.name = Some(name.clone());
        }
        user.language = update.language.or(user.language);
    });
    Ok(JsonResponse(changed.await?.ok_or_else(session_ended)?.into()))
}

/// Sign out
///
/// Ends the session. Its token may be accepted for up to 60 more seconds. An ID token of an identity provider is refused
/// from then on, too; the session at the provider does not end.
#[utoipa::path(
    post,
    path = "/v1/auth/logout",
    tag = "Sign-in",
    responses((status = NO_CONTENT)),
)]
async fn sign_out(
    State(state): State<crate::State>,
    Tenant { caller, .. }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
    Json(NoParameters {}): Json<NoParameters>,
) -> Result<StatusCode, Problem> {
    if let Some(session) = caller.session() {
        state.tenants.end_session(session).await?;
    }
    if let (Some(token), Some(expires_at)) = (caller.id_token(), caller.expires_at()) {
        state.tenants.end_id_token(token, expires_at).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Sign out everywhere
///
/// Ends all sessions of the user in all teams, this one included, and refuses the ID tokens that were issued until now, or up to a minute
/// later, because the clocks of providers differ. With single sign-on, only those in the team of the identity provider. Takes effect within
/// 60 seconds. API keys stay.
#[utoipa::path(
    delete,
    path = "/v1/auth/sessions",
    tag = "Sign-in",
    responses((status = NO_CONTENT)),
)]
async fn sign_out_everywhere(
    State(state): State<crate::State>,
    Tenant { caller, .. }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<StatusCode, Problem> {
    let team = (caller.method() == AuthMethod::Sso).then(|| caller.team());
    state.tenants.end_sessions(&caller.principal().id, team, state.clock.now()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The team of the next session.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SwitchTeam {
    /// Id of a team of the user.
    #[schema(format = "uuid", example = "0199c0de-00ff-7000-8000-000000000000")]
    team_id: String,
}

#[derive(Debug, thiserror::Error)]
#[error("the user is in no team with the id `{0}`")]
struct NotInTeam(TeamId);

/// Switch to another team
///
/// Ends the session and starts a new one in another team of the user. The new session has the same end time. The old
/// token may be accepted for up to 60 more seconds.
#[utoipa::path(
    post,
    path = "/v1/auth/switch-team",
    tag = "Sign-in",
    request_body = SwitchTeam,
    responses((status = OK, body = SignedIn), (status = NOT_FOUND)),
)]
async fn switch_team(
    State(state): State<crate::State>,
    Tenant { caller, .. }: Tenant,
    Extension(context): Extension<AuditContext>,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<SwitchTeam>,
) -> Result<impl IntoResponse, Problem> {
    let (now, user) = (state.clock.now(), caller.principal().id.clone());
    let team = TeamId(request.team_id);
    if !state.tenants.teams_of(&user).await?.iter().any(|it| it.team == team) {
        return Err(Problem::not_found(NotInTeam(team)));
    }
    let session = Session::starting(Uuid::new_v4().to_string(), user.clone(), team, now);
    let expires_at =
        caller.expires_at().map_or(session.expires_at, |it| it.min(session.expires_at));
    let session = Session { expires_at, ..session };
    let old = caller.session().unwrap_or_default();
    let entry = |actor| context.succeeded(actor);
    let switched = state.tenants.switch_session(old, &session, entry).await?;
    switched.ok_or_else(session_ended)?;
    let last = session.team.clone();
    let user = state.tenants.change_user(&user, |it| it.last_team = Some(last.clone())).await?;
    let answer = new_session(&state, user.ok_or_else(session_ended)?, &session).await?;
    Ok((ContainsSecret { id: session.id }, JsonResponse(answer)))
}

/// The session was ended by another request at the same time.
pub(crate) fn session_ended() -> Problem {
    Problem::new(&UNAUTHORIZED, auth::Refusal::SessionEnded)
}
