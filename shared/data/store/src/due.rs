//! What runs by itself, sorted by the time at which it is due.
//!
//! One item for each schedule, of its next period. It appears with the resource that runs, with the preferences that ask
//! for a digest, or with a mail that waits. A change starts a new schedule with its own item; the scheduler drops the item of the old one when it is
//! due.

use std::collections::HashSet;

use access::Environment;
use auth::{Owner, TeamId};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use teams::{Alert, Frequency, SavedSearch, Schedule, SearchKind, StoredSearch, Task};

use crate::{
    Error, TeamKey, Tenants,
    companies::readable,
    keys::{self, Key},
    table::Write,
};

/// A digest that is requested less than this before it is due is sent the next day. Otherwise the scheduler could drop the
/// item of the schedule that ended, which has the same key, after the new one has been written.
const MARGIN: SignedDuration = SignedDuration::from_mins(1);

/// What is due at a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Due {
    pub team: TeamId,
    pub environment: Environment,
    #[serde(flatten)]
    pub task: Task,
    pub schedule: Schedule,
    pub at: Timestamp,
}

impl Due {
    /// The first period of a search.
    pub(crate) fn first(team: &TeamKey, search: StoredSearch, schedule: Schedule) -> Self {
        Self {
            team: team.team().clone(),
            environment: team.environment(),
            task: Task::Search(search),
            schedule,
            at: schedule.first(),
        }
    }

    /// The next digest of an owner.
    pub(crate) fn digest(
        team: &TeamKey,
        owner: &Owner,
        schedule: Schedule,
        now: Timestamp,
    ) -> Self {
        Self {
            team: team.team().clone(),
            environment: team.environment(),
            task: Task::Digest(owner.clone()),
            schedule,
            at: schedule.next_after(now + MARGIN),
        }
    }

    /// When it is looked for mails that still wait for an owner: at full hours, so that those of an hour share one item.
    fn mails(team: &TeamKey, owner: &Owner, now: Timestamp) -> Self {
        let schedule = Schedule::new(Frequency::Hourly, Timestamp::UNIX_EPOCH);
        Self {
            team: team.team().clone(),
            environment: team.environment(),
            task: Task::Mails(owner.clone()),
            schedule,
            at: schedule.next_after(now + MARGIN),
        }
    }

    fn team_key(&self) -> TeamKey {
        TeamKey::of_schedule(&self.team, self.environment)
    }

    pub fn key(&self) -> Key {
        keys::due(&self.team_key(), &self.task, self.at)
    }

    pub(crate) fn put(&self) -> Result<Write, Error> {
        Write::put_document(self.key(), self)
    }
}

impl Tenants {
    /// What is due, of one of [`keys::DUE_SHARDS`] partitions, in the order of the due times. A schedule that cannot be decoded is
    /// left out and logged. It stays due, and runs as soon as it can be decoded.
    pub async fn due(&self, shard: u32, now: Timestamp) -> Result<Vec<Due>, Error> {
        // After every key with this time.
        let to = format!("{}~", keys::due_moment(now));
        let rows = self.table.query_between(keys::due_from(shard), to).await?;
        rows.into_iter().filter_map(readable).collect()
    }

    /// Lets the scheduler send a job for the owners of these mails, if the mails still wait at the next full hour.
    pub async fn schedule_mails(
        &self,
        owners: &[(TeamKey, Owner)],
        now: Timestamp,
    ) -> Result<(), Error> {
        let due = owners.iter().map(|(team, owner)| Due::mails(team, owner, now));
        self.table.put_documents(due.map(|it| (it.key(), it))).await
    }

    /// Whether the schedule still exists: the search was neither deleted nor scheduled otherwise, the digest is still wanted at
    /// this time of day, or mails still wait.
    ///
    /// Also `true` if an item of the team that says so cannot be decoded, which is logged: the schedule continues, and only the
    /// job that is sent for it fails.
    pub async fn is_scheduled(&self, due: &Due) -> Result<bool, Error> {
        match self.present_schedule(due).await {
            // `false` would end the schedule, and an error would stop those of all teams.
            Err(Error::Shape(cause)) => {
                let (Key { partition, sort }, reason) = (due.key(), errors::chain(&*cause));
                tracing::error!(
                    metric = "UnreadableRecord",
                    partition,
                    sort,
                    reason,
                    "schedule not checked"
                );
                Ok(true)
            }
            schedule => Ok(schedule? == Some(due.schedule)),
        }
    }

    /// The keys of those of these schedules whose searches exceed what the present tiers of their teams allow.
    pub async fn paused_schedules(
        &self,
        due: &[Due],
        now: Timestamp,
    ) -> Result<HashSet<Key>, Error> {
        let mut paused = HashSet::new();
        for kind in [SearchKind::SavedSearch, SearchKind::Alert] {
            let of_kind: Vec<(&Due, &StoredSearch)> = due
                .iter()
                .filter_map(|it| match &it.task {
                    Task::Search(search) if search.kind == kind => Some((it, search)),
                    _ => None,
                })
                .collect();
            let teams = of_kind.iter().map(|(it, _)| it.team_key());
            let within = match kind {
                SearchKind::SavedSearch => {
                    self.within_present_tiers::<SavedSearch>(teams, now).await?
                }
                SearchKind::Alert => self.within_present_tiers::<Alert>(teams, now).await?,
            };
            for (due, search) in of_kind {
                if within.get(&due.team_key()).is_some_and(|it| !it.includes(&search.id)) {
                    paused.insert(due.key());
                }
            }
        }
        Ok(paused)
    }

    /// The schedule that the team wants now for what is due. `None`: none any more.
    async fn present_schedule(&self, due: &Due) -> Result<Option<Schedule>, Error> {
        let team = due.team_key();
        Ok(match &due.task {
            Task::Search(StoredSearch { kind: SearchKind::SavedSearch, id }) => {
                let search = self.resource::<SavedSearch>(&team, id).await?;
                search.and_then(|it| it.schedule())
            }
            Task::Search(StoredSearch { kind: SearchKind::Alert, id }) => {
                let alert = self.resource::<Alert>(&team, id).await?;
                alert.and_then(|it| it.schedule())
            }
            Task::Digest(owner) => self.notification_preferences(&team, owner).await?.digest(),
            Task::Mails(owner) => {
                let preferences = self.notification_preferences(&team, owner).await?;
                let waits = preferences.digest().is_none()
                    && !self.pending_mails(&team, owner).await?.is_empty();
                waits.then_some(due.schedule)
            }
        })
    }

    /// Moves a schedule on to its next period. Does nothing if another process has done so.
    pub async fn move_on(&self, due: &Due, next: Timestamp) -> Result<(), Error> {
        let next = Due { at: next, ..due.clone() };
        let writes = vec![Write::delete(due.key()).if_present(), next.put()?];
        match self.table.try_transact(writes).await {
            Ok(_) | Err(Error::Changed) => Ok(()),
            Err(failure) => Err(failure),
        }
    }

    /// Removes a schedule that does not exist any more.
    pub async fn drop_schedule(&self, due: &Due) -> Result<(), Error> {
        self.table.delete_all(vec![due.key()]).await
    }
}
