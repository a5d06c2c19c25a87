//! Erases the own user, and the own team.

use auth::TeamId;
use axum::extract::State;
use http::StatusCode;
use http_service::{Description, Query, Routes, Tenant, Text, handler, manages, writes};
use problem_details::Problem;
use serde::Deserialize;
use store::erasures::{EraseRefused, TeamNeeded};
use utoipa::IntoParams;

use crate::{sessions::session_ended, teams::TeamDeleted};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(writes(0).by_link(), handler!(delete_user))
        .route(manages(0).by_owner().by_link(), handler!(delete_team))
}

#[derive(Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct DeleteUserQuery {
    /// Whether teams of which the user is the only member are deleted, too. Default: `false`, which answers 409 if there are any.
    #[param(default = false, example = true)]
    delete_teams: bool,
    /// As `keepEvidenceFor` of `DELETE /v1/teams/me`, for these teams.
    #[param(value_type = Option<String>, min_length = 1, max_length = 100, example = "Art. 7 AMLA")]
    keep_evidence_for: Option<Text<100>>,
}

#[derive(Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct DeleteTeamQuery {
    /// Legal duty because of which the evidence and the decisions of screenings must be kept, 1–100 characters, without personal
    /// data. Nobody but the operator can read them, until they expire. Default: none, which deletes them.
    #[param(value_type = Option<String>, min_length = 1, max_length = 100, example = "Art. 7 AMLA")]
    keep_evidence_for: Option<Text<100>>,
}

/// Why a user is not deleted, with what has to be done before.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.join("; "))]
struct TeamsNeedTheUser(Vec<String>);

#[derive(Debug, thiserror::Error)]
#[error(
    "the team `{name}` (`{id}`) has a subscription that goes on; cancel it with the payment provider first (`POST /v1/billing/portal-session`)"
)]
struct StillSubscribed {
    id: TeamId,
    name: String,
}

/// Delete the user
///
/// Deletes the signed-in user with everything that is stored about the user: profile, memberships, private notes, settings,
/// notification preferences, and invitations to the address. What the user has created for a team stays with the team, without
/// the name of its author. Sessions end within 60 seconds; everything else is deleted within two days. Entries of audit logs stay
/// until they expire. A team with other members needs another owner first, or has to be deleted; otherwise the status is 409.
/// The address can sign up again, as a new user.
#[utoipa::path(
    delete,
    path = "/v1/auth/me",
    tag = "Sign-in",
    params(DeleteUserQuery),
    responses((status = NO_CONTENT), (status = CONFLICT)),
)]
async fn delete_user(
    State(state): State<crate::State>,
    Tenant { caller, .. }: Tenant,
    Query(query): Query<DeleteUserQuery>,
) -> Result<StatusCode, Problem> {
    let DeleteUserQuery { delete_teams, keep_evidence_for } = query;
    let duty = keep_evidence_for.as_ref().map(|it| it.0.as_str());
    let (id, now) = (&caller.principal().id, state.clock.now());
    match state.tenants.erase_user(id, delete_teams, duty, now).await {
        Ok(left) => {
            for team in &left {
                state.tell_owners(team).await;
            }
            Ok(StatusCode::NO_CONTENT)
        }
        Err(EraseRefused::Unknown) => Err(session_ended()),
        Err(refused) => Err(state.not_erased(refused).await?),
    }
}

/// Delete the team
///
/// Deletes the team of the session, with everything that is stored about it, in both environments: notes, tags, watches,
/// searches, webhooks, screenings, dossiers, exports, API keys, invitations and single sign-on. Its members stay users. Keys and
/// sessions of the team end within 60 seconds; everything else is deleted within two days. Entries of its audit log stay until
/// they expire. A subscription has to be cancelled first; otherwise the status is 409.
#[utoipa::path(
    delete,
    path = "/v1/teams/me",
    tag = "Teams",
    params(DeleteTeamQuery),
    responses((status = NO_CONTENT), (status = NOT_FOUND), (status = CONFLICT)),
)]
async fn delete_team(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    Query(DeleteTeamQuery { keep_evidence_for }): Query<DeleteTeamQuery>,
) -> Result<StatusCode, Problem> {
    let duty = keep_evidence_for.as_ref().map(|it| it.0.as_str());
    match state.tenants.erase_team(&team, duty, state.clock.now()).await {
        Ok(()) => Ok(StatusCode::NO_CONTENT),
        Err(EraseRefused::Unknown) => Err(Problem::not_found(TeamDeleted)),
        Err(refused) => Err(state.not_erased(refused).await?),
    }
}

impl crate::State {
    async fn name_of(&self, team: &TeamId) -> Result<String, Problem> {
        let name = self.tenants.team_name(team).await?;
        Ok(name.map(|it| it.name).unwrap_or_default())
    }

    /// The problem of a user or team that cannot be deleted now.
    async fn not_erased(&self, refused: EraseRefused) -> Result<Problem, Problem> {
        Ok(match refused {
            EraseRefused::Unknown => session_ended(),
            EraseRefused::Failed(failure) => failure.into(),
            EraseRefused::Subscribed(id) => {
                let name = self.name_of(&id).await?;
                Problem::conflict(StillSubscribed { id, name })
            }
            EraseRefused::LastOwner(teams) => {
                let mut reasons = Vec::with_capacity(teams.len());
                for needed in teams {
                    let (TeamNeeded::WithoutOthers(id) | TeamNeeded::WithoutOwner(id)) = &needed;
                    let name = self.name_of(id).await?;
                    reasons.push(match needed {
                        TeamNeeded::WithoutOthers(_) => format!(
                            "the user is the only member of the team `{name}` (`{id}`): send `deleteTeams=true` to delete it with the user"
                        ),
                        TeamNeeded::WithoutOwner(_) => format!(
                            "the user is the last owner of the team `{name}` (`{id}`): make another member an owner, or delete the team (`DELETE /v1/teams/me`)"
                        ),
                    });
                }
                Problem::conflict(TeamsNeedTheUser(reasons))
            }
        })
    }
}
