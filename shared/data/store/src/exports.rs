//! Exports, and when the sweep checks each.
//!
//! Invariants: every export has an item that says when it must be swept next, from its creation until it is deleted, so that
//! none is lost if a message is lost or a worker is killed; a change that another one has overtaken is made again on the new
//! state.

use access::Environment;
use auth::TeamId;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use teams::{Export, export::LAST_WRITE};
use uuid::Uuid;

use crate::{
    ATTEMPTS, Error, TeamKey, Tenants,
    companies::readable,
    keys, pause_after_conflict,
    table::{Read, Write},
};

/// An item that the worker has not deleted is deleted by the table this long after its export was created or has expired.
const LONGEST: SignedDuration = SignedDuration::from_hours(14 * 24);

/// An export that is due for the sweep at a time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DueExport {
    pub team: TeamId,
    pub environment: Environment,
    pub export: Uuid,
    pub at: Timestamp,
}

impl DueExport {
    fn new(team: &TeamKey, export: Uuid, at: Timestamp) -> Self {
        let environment = team.environment();
        Self { team: team.team().clone(), environment, export, at }
    }

    /// The partition of its team.
    pub fn team_key(&self) -> TeamKey {
        TeamKey::of_schedule(&self.team, self.environment)
    }

    fn write(&self) -> Result<Write, Error> {
        let write = Write::put_document(self.key(), self)?;
        Ok(write.expiring((self.at + LONGEST).as_second()))
    }

    fn key(&self) -> keys::Key {
        keys::due_export(&self.team_key(), self.export, self.at)
    }
}

fn put(team: &TeamKey, export: &Export, before: usize) -> Result<Write, Error> {
    let write = Write::put_document(keys::export(team, export.id), export)?;
    let expires = export.expires_at.unwrap_or(export.created_at) + LONGEST;
    Ok(write.revise(before, before + 1).expiring(expires.as_second()))
}

impl Tenants {
    /// Stores a new export, which is swept at `due`.
    pub async fn create_export(
        &self,
        team: &TeamKey,
        export: &Export,
        due: Timestamp,
    ) -> Result<(), Error> {
        let due = DueExport::new(team, export.id, due);
        let writes = vec![put(team, export, 0)?, due.write()?];
        for attempt in 0..ATTEMPTS {
            match self.table.try_transact(writes.clone()).await {
                // Its id is new, so that it exists only if it was stored by an attempt whose answer was lost.
                Ok(_) => return Ok(()),
                Err(Error::Changed) => pause_after_conflict(attempt).await,
                Err(failure) => return Err(failure),
            }
        }
        Err(Error::Changed)
    }

    /// The export with this id. `None` if the team has none.
    pub async fn export(&self, team: &TeamKey, id: Uuid) -> Result<Option<Export>, Error> {
        self.table.get(keys::export(team, id)).await
    }

    /// The exports of a team, newest first: at most `limit`, and only those before the one with the id `before`. Consistent.
    pub async fn exports(
        &self,
        team: &TeamKey,
        before: Option<Uuid>,
        limit: usize,
    ) -> Result<Vec<Export>, Error> {
        self.newest(keys::all_exports(team), before, limit).await
    }

    /// Changes an export and returns its new state. `change` runs again if another change was faster, or if the answer to its
    /// own change was lost. `None`: the export does not exist, or `change` returned `None`, which leaves it as it is.
    pub async fn change_export(
        &self,
        team: &TeamKey,
        id: Uuid,
        mut change: impl FnMut(&Export) -> Option<Export>,
    ) -> Result<Option<Export>, Error> {
        for attempt in 0..ATTEMPTS {
            let read: Option<Read<Export>> = self.table.get_revised(keys::export(team, id)).await?;
            let Some(old) = read else { return Ok(None) };
            let Some(new) = change(&old.value) else { return Ok(None) };
            if new == old.value {
                return Ok(Some(new));
            }
            match self.table.transact(vec![put(team, &new, old.revision)?]).await {
                Ok(()) => return Ok(Some(new)),
                Err(Error::Changed) => pause_after_conflict(attempt).await,
                Err(failure) => return Err(failure),
            }
        }
        Err(Error::Changed)
    }

    /// Deletes an export.
    pub async fn delete_export(&self, team: &TeamKey, id: Uuid) -> Result<(), Error> {
        self.table.delete_all(vec![keys::export(team, id)]).await
    }

    /// Deletes an export that has ended, and lets the sweep delete what is left of it now, and when no worker can still write.
    pub async fn delete_ended_export(
        &self,
        team: &TeamKey,
        id: Uuid,
        now: Timestamp,
    ) -> Result<(), Error> {
        // First: if the process is killed in between, the export still exists.
        let due = |at| DueExport::new(team, id, at).write();
        self.table.transact(vec![due(now)?, due(now + LAST_WRITE)?]).await?;
        self.delete_export(team, id).await
    }

    /// The exports of all teams that are due for the sweep now, those that wait longest first. Consistent.
    /// An item that cannot be decoded is left out and logged.
    pub async fn due_exports(&self, now: Timestamp) -> Result<Vec<DueExport>, Error> {
        // After every key with this time.
        let to = format!("{}~", keys::webhook_moment(now));
        let rows = self.table.query_between(keys::due_exports(), to).await?;
        rows.into_iter().filter_map(readable).collect()
    }

    /// Schedules the next sweep of an export.
    pub async fn move_due_export(&self, due: &DueExport, at: Timestamp) -> Result<(), Error> {
        let next = DueExport { at, ..due.clone() };
        // First the new one: if the process is killed in between, the export is swept twice.
        self.table.transact(vec![next.write()?]).await?;
        match next.key() == due.key() {
            true => Ok(()),
            false => self.drop_due_export(due).await,
        }
    }

    /// Ends the sweeps of an export: it is deleted.
    pub async fn drop_due_export(&self, due: &DueExport) -> Result<(), Error> {
        self.table.delete_all(vec![due.key()]).await
    }
}
