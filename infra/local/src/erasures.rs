//! Erases users and teams for the operator: at once, and also in audit logs, which no function may change.

use std::time::Duration;

use access::Environment;
use auth::TeamId;
use jiff::Timestamp;
use objects::Objects;
use store::{
    TeamKey, Tenants,
    erasures::{AuditLogs, EraseRefused, Erased, Erasure, Failed},
};
use tokio::time::Instant;

use crate::{CommandError, Context};

/// How long a step may take. The command waits.
const STEP: Duration = Duration::from_secs(3_600);
/// What to do after a failure.
const AGAIN: &str = "not everything was erased; run the command again";

/// Erases a user, named by id or address. One who was erased before is erased in audit logs, and what was interrupted continues.
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
    let started = match user {
        Some(user) => {
            let erased = tenants.erase_user(&user.id, with_teams, keeps_evidence_for, now).await;
            erased.map_err(refused)?;
            // With the teams that are erased with the user.
            let erasures = tenants.erasures().await.context(context)?;
            erasures.into_iter().filter(|it| it.requested_at == now).collect()
        }
        None => {
            let before = tenants.erasures_of_user(name, now).await.context(context)?;
            before.ok_or_else(|| CommandError(format!("there is no user `{name}`")))?
        }
    };
    finish(tenants, objects, started, now).await
}

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
        false if tenants.team(id, now).await.context(context)?.is_none() => {
            return Err(CommandError(format!("no team has the id `{id}`")));
        }
        false => {
            tenants.erase_team(&team, keeps_evidence_for, now).await.map_err(refused)?;
            keeps_evidence_for.map(str::to_owned)
        }
    };
    let erased = Erased::Team { team: id.clone(), keeps_evidence_for };
    finish(tenants, objects, vec![Erasure::new(erased, now)], now).await
}

/// Erases again what is in the list of erasures, and continues what is not finished. Returns the number of users, teams and addresses
/// of the list that were found. They stay with the scheduler, too, which searches again when no process can still write.
pub async fn apply(
    tenants: &Tenants,
    objects: &Objects,
    now: Timestamp,
) -> Result<usize, CommandError> {
    let undone = tenants.undone_erasures(now).await;
    let (undone, number) = undone.context("cannot read the list of erasures")?;
    finish(tenants, objects, undone, now).await?;
    Ok(number)
}

/// Deletes everything. What was started stays with the scheduler, which searches again when no process can still write.
async fn finish(
    tenants: &Tenants,
    objects: &Objects,
    erasures: Vec<Erasure>,
    now: Timestamp,
) -> Result<(), CommandError> {
    for erasure in &erasures {
        let deadline = Instant::now() + STEP;
        let mut is_empty = match &erasure.erased {
            Erased::Team { team, .. } => {
                scheduler::delete_objects(objects, team, deadline).await.context(AGAIN)?
            }
            _ => true,
        };
        is_empty &= tenants.empty(erasure, deadline).await.context(AGAIN)?;
        if !is_empty {
            return Err(CommandError(AGAIN.to_owned()));
        }
    }
    let logs = AuditLogs::BecomeAnonymous;
    let failed = tenants.search_all(erasures.clone(), logs, now).await.context(AGAIN)?;
    for erasure in erasures.iter().filter(|it| !failed.iter().any(|by| by.erased == it.erased)) {
        tenants.put_on_list(erasure, true).await.context(AGAIN)?;
    }
    match failed.into_iter().find_map(|it| it.failed) {
        None => Ok(()),
        Some(Failed { items, first: (partition, sort), reason, .. }) => Err(CommandError(format!(
            "{AGAIN}. {items} items could not be erased, such as `{partition}` `{sort}`: {reason}"
        ))),
    }
}

fn refused(refused: EraseRefused) -> CommandError {
    match refused {
        EraseRefused::LastOwner(teams) => CommandError(format!(
            "the user is the last owner of teams: {teams:?}; give them another owner (change-team), or use --delete-teams for those without other members"
        )),
        other => CommandError::new("nothing was erased", other),
    }
}
