//! Saved searches, alerts, and their runs.
//!
//! The runs are stored in a partition of their own, because other functions write them.

use access::{TeamLimits, Tier};
use teams::{Alert, LastRun, Reported, SavedSearch, SearchKind, StoredSearch, Webhook};

use crate::{
    Error, Refused, TeamKey, Tenants,
    due::Due,
    keys,
    kind::Kind,
    resources::{Limit, LimitedByTier, Resource, creation},
    table::Write,
    within_tier::SortedByAge,
};

impl Resource for SavedSearch {
    const KIND: Kind = Kind::SavedSearch;

    fn path(&self) -> String {
        self.id.clone()
    }

    fn limits(&self) -> Vec<Limit> {
        vec![Limit::by_tier::<Self>()]
    }

    fn first_due(&self, team: &TeamKey) -> Option<Due> {
        let search = StoredSearch { kind: SearchKind::SavedSearch, id: self.id.clone() };
        Some(Due::first(team, search, self.schedule()?))
    }
}

impl LimitedByTier for SavedSearch {
    fn max(limits: &TeamLimits) -> u32 {
        limits.saved_searches
    }
}

impl SortedByAge for SavedSearch {}

impl Resource for Alert {
    const KIND: Kind = Kind::Alert;

    fn path(&self) -> String {
        self.id.clone()
    }

    fn limits(&self) -> Vec<Limit> {
        vec![Limit::by_tier::<Self>()]
    }

    fn first_due(&self, team: &TeamKey) -> Option<Due> {
        let search = StoredSearch { kind: SearchKind::Alert, id: self.id.clone() };
        Some(Due::first(team, search, self.schedule()?))
    }
}

impl LimitedByTier for Alert {
    fn max(limits: &TeamLimits) -> u32 {
        limits.alerts
    }
}

impl SortedByAge for Alert {}

/// What the scheduled runs of a search have found, as read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadReported {
    pub reported: Option<Reported>,
    revision: usize,
}

impl Tenants {
    /// The last runs of the team's searches of a kind.
    pub async fn last_runs(&self, team: &TeamKey, kind: SearchKind) -> Result<Vec<LastRun>, Error> {
        self.table.query(keys::last_run(team, kind, "")).await
    }

    pub async fn last_run(
        &self,
        team: &TeamKey,
        search: &StoredSearch,
    ) -> Result<Option<LastRun>, Error> {
        self.table.get(keys::last_run(team, search.kind, &search.id)).await
    }

    /// Stores a run that its owner requested.
    pub async fn put_last_run(
        &self,
        team: &TeamKey,
        kind: SearchKind,
        run: &LastRun,
    ) -> Result<(), Error> {
        let put = Write::put_document(keys::last_run(team, kind, &run.id), run)?;
        self.table.transact(vec![put]).await
    }

    /// What the scheduled runs of a search have found.
    pub async fn reported(
        &self,
        team: &TeamKey,
        search: &StoredSearch,
    ) -> Result<ReadReported, Error> {
        let read = self.table.get_revised(keys::reported(team, search)).await?;
        let revision = read.as_ref().map_or(0, |it| it.revision);
        Ok(ReadReported { reported: read.map(|it| it.value), revision })
    }

    /// Stores what the scheduled runs of a search have found, and the last run. [`Error::Changed`]: another process has
    /// changed it since it was read.
    pub async fn put_reported(
        &self,
        team: &TeamKey,
        search: &StoredSearch,
        read: &ReadReported,
        new: &Reported,
        last: Option<&LastRun>,
    ) -> Result<(), Error> {
        let put = Write::put_compressed(keys::reported(team, search), new)?;
        let mut writes = vec![put.revise(read.revision, read.revision + 1)];
        if let Some(last) = last {
            let key = keys::last_run(team, search.kind, &search.id);
            writes.push(Write::put_document(key, last)?);
        }
        self.table.transact(writes).await
    }

    /// Deletes the runs of a search that does not exist any more.
    pub async fn delete_runs(&self, team: &TeamKey, search: &StoredSearch) -> Result<(), Error> {
        let last = keys::last_run(team, search.kind, &search.id);
        self.table.delete_all(vec![last, keys::reported(team, search)]).await
    }

    /// Deletes a saved search and its runs. `false`: it does not exist.
    pub async fn delete_saved_search(&self, team: &TeamKey, id: &str) -> Result<bool, Error> {
        self.delete_search::<SavedSearch>(team, SearchKind::SavedSearch, id).await
    }

    /// Creates an alert of a team of this tier, together with its webhook, if it has one.
    pub async fn create_alert(
        &self,
        team: &TeamKey,
        tier: Tier,
        alert: &Alert,
        webhook: Option<&Webhook>,
    ) -> Result<(), Refused> {
        let mut writes = creation(team, tier, alert)?;
        if let Some(webhook) = webhook {
            writes.extend(creation(team, tier, webhook)?);
        }
        self.create_all(writes).await
    }

    /// Deletes an alert, its webhook and its runs. `false`: it does not exist.
    pub async fn delete_alert(&self, team: &TeamKey, id: &str) -> Result<bool, Error> {
        // First, because a webhook without its alert would get nothing, and could not be deleted.
        self.delete_webhook(team, id, |it| it.alert_id.is_some()).await?;
        self.delete_search::<Alert>(team, SearchKind::Alert, id).await
    }

    /// A run that ends after this finds that the search does not exist, and deletes what it has stored.
    async fn delete_search<T: Resource>(
        &self,
        team: &TeamKey,
        kind: SearchKind,
        id: &str,
    ) -> Result<bool, Error> {
        let Some(_) = self.delete::<T>(team, id, |_| true).await? else { return Ok(false) };
        self.delete_runs(team, &StoredSearch { kind, id: id.to_owned() }).await?;
        Ok(true)
    }
}
