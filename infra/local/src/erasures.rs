//! Erases users and teams for the operator: at once, and also in audit logs, which no function may change.

use std::time::Duration;

use access::Environment;
use auth::{Email, TeamId};
use jiff::Timestamp;
use objects::Objects;
use store::{
    TeamKey, Tenants,
    erasures::{AuditLogs, EraseRefused, Erased, Erasure},
};
use tokio::time::Instant;

use crate::{CommandError, Context};

/// How long a step may take. The command waits.
const STEP: Duration = Duration::from_secs(3_600);

/// Erases a user. A user who was erased before, by id, is erased in audit logs.
pub async fn erase_user(
    tenants: &Tenants,
    objects: &Objects,
    name: &str,
    with_teams: bool,
    keeps_evidence_for: Option<&str>,
    now: Timestamp,
) -> Result<(), CommandError> {
    let context = "cannot erase the user";
    let user = tenants.user_named(name).await.context(context)?;
    let Some(user) = user else {
        if name.parse::<Email>().is_ok() || !tenants.is_user_erased(name).await.context(context)? {
            return Err(CommandError(format!(
                "there is no user `{name}`; name an erased one by id"
            )));
        }
        // The address has gone with the user. Nothing of it is in audit logs.
        let (team, user) = (Vec::new(), name.to_owned());
        let email = NO_EMAIL.parse::<Email>().context(context)?;
        let erased = Erased::User { user, email, teams: team };
        return finish(tenants, objects, vec![Erasure::new(erased, now)]).await;
    };
    tenants.erase_user(&user.id, with_teams, keeps_evidence_for, now).await.map_err(refused)?;
    // With the teams that are erased with the user.
    let erasures = tenants.erasures().await.context(context)?;
    let started = erasures.into_iter().filter(|it| it.requested_at == now).collect();
    finish(tenants, objects, started).await
}

/// An address that nobody has.
const NO_EMAIL: &str = "nobody@erased.invalid";

/// Erases a team. Of a team that was erased before, also the audit log.
#[expect(clippy::disallowed_methods, reason = "the operator erases any team")]
pub async fn erase_team(
    tenants: &Tenants,
    objects: &Objects,
    id: &TeamId,
    keeps_evidence_for: Option<&str>,
    now: Timestamp,
) -> Result<(), CommandError> {
    let context = "cannot erase the team";
    let team = TeamKey::as_operator(id.clone(), Environment::Live);
    let keeps_evidence_for = match tenants.is_erased(id).await.context(context)? {
        // As the team has decided.
        true => tenants.evidence_kept_for(id).await.context(context)?,
        false if tenants.team(id).await.context(context)?.is_none() => {
            return Err(CommandError(format!("no team has the id `{id}`")));
        }
        false => {
            tenants.erase_team(&team, keeps_evidence_for, now).await.map_err(refused)?;
            keeps_evidence_for.map(str::to_owned)
        }
    };
    let erased = Erased::Team { team: id.clone(), keeps_evidence_for };
    finish(tenants, objects, vec![Erasure::new(erased, now)]).await
}

/// Erases again what is in the list of erasures. Returns the number of users, teams and addresses that were found.
pub async fn apply(tenants: &Tenants, objects: &Objects) -> Result<usize, CommandError> {
    let undone = tenants.undone_erasures().await.context("cannot read the list of erasures")?;
    let number = undone.len();
    finish(tenants, objects, undone.clone()).await?;
    for erasure in &undone {
        tenants.end_erasure(erasure).await.context("cannot end an erasure")?;
    }
    Ok(number)
}

/// Deletes everything. What was started stays with the scheduler, which searches again when no process can still write.
async fn finish(
    tenants: &Tenants,
    objects: &Objects,
    erasures: Vec<Erasure>,
) -> Result<(), CommandError> {
    let context = "not everything was erased; run the command again";
    for erasure in &erasures {
        if let Erased::Team { team, .. } = &erasure.erased {
            scheduler::delete_objects(objects, team).await.context(context)?;
        }
        tenants.empty(erasure, Instant::now() + STEP).await.context(context)?;
    }
    tenants.search_all(&erasures, AuditLogs::BecomeAnonymous).await.context(context)
}

fn refused(refused: EraseRefused) -> CommandError {
    match refused {
        EraseRefused::LastOwner(teams) => CommandError(format!(
            "the user is the last owner of teams: {teams:?}; give them another owner (change-team), or use --delete-teams for those without other members"
        )),
        other => CommandError::new("nothing was erased", other),
    }
}
