//! Removing what is on the list from the data of teams.

use std::pin::pin;

use accounts::{Dossier, Note, PipelineEntry, Tag, Watch, WatchlistEntry};
use domain::Uid;
use facts::erasures::Erasures;
use futures_util::TryStreamExt;
use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

use super::Applied;
use crate::{
    ATTEMPTS, Error, Kind, Resource, TeamKey, Tenants, keys, pause_after_conflict, table::Row,
};

/// Partitions of what a team must keep as evidence, or has stated itself about whom it screens.
const KEPT: [&str; 1] = ["SCREENING#"];

impl Tenants {
    /// Removes what is on the list of the registry from the data of all teams: deletes what a team keeps about an erased company
    /// (watches, tags, notes, entries of pipelines, dossiers), and redacts what mentions it. Evidence of screenings stays. Reads
    /// the whole table. `progress` gets the number of items read so far.
    ///
    /// Safe to interrupt and to run again.
    pub async fn apply_register_erasures(
        &self,
        erasures: &Erasures,
        progress: impl Fn(u64),
    ) -> Result<Applied, Error> {
        let mut applied = Applied::default();
        if erasures.is_empty() {
            return Ok(applied);
        }
        // Numbers of resources are deleted last: each resource that is deleted counts one down.
        let mut named = Vec::new();
        let mut pages = pin!(self.table.scan_all());
        while let Some(page) = pages.try_next().await? {
            applied.read += page.len() as u64;
            for row in page.into_iter().filter(|it| !is_kept(it)) {
                if self.delete_about_erased(erasures, &row).await? {
                    applied.deleted += 1;
                } else if [&row.partition, &row.sort]
                    .into_iter()
                    .any(|it| erasures.redact_text(it).is_some())
                {
                    named.push(row.key());
                } else {
                    applied.redacted += u64::from(self.redact_item(erasures, row).await?);
                }
            }
            progress(applied.read);
        }
        applied.deleted += named.len() as u64;
        self.table.delete_all(named).await?;
        Ok(applied)
    }

    /// Deletes the exports of all teams, which contain what was erased, and returns their number. The sweep deletes their files.
    pub async fn delete_all_exports(&self, now: Timestamp) -> Result<u64, Error> {
        let mut deleted = 0;
        let mut pages = pin!(self.table.scan_all());
        while let Some(page) = pages.try_next().await? {
            for row in page {
                let Some((team, id)) = keys::export_of(&row.key()) else { continue };
                self.delete_ended_export(&team, id, now).await?;
                deleted += 1;
            }
        }
        Ok(deleted)
    }

    /// Deletes a resource about an erased company with its copies. Returns whether the item is one.
    async fn delete_about_erased(&self, erasures: &Erasures, row: &Row) -> Result<bool, Error> {
        let Some(team) = keys::team_of_resource(&row.partition) else { return Ok(false) };
        let Some((kind, path)) = row.sort.split_once('#') else { return Ok(false) };
        let Ok(json) = row.json() else { return Ok(false) };
        let company = json.get("companyUid").and_then(Value::as_str);
        let company = company.and_then(|it| it.parse::<Uid>().ok());
        if !company.is_some_and(|it| erasures.has_company(it)) {
            return Ok(false);
        }
        let is = |it: Kind| it.name() == kind;
        if is(Kind::Watch) {
            self.delete_resource::<Watch>(&team, path).await
        } else if is(Kind::WatchlistEntry) {
            self.delete_resource::<WatchlistEntry>(&team, path).await
        } else if is(Kind::Note) {
            self.delete_resource::<Note>(&team, path).await
        } else if is(Kind::Tag) {
            self.delete_resource::<Tag>(&team, path).await
        } else if is(Kind::PipelineEntry) {
            self.delete_resource::<PipelineEntry>(&team, path).await
        } else if is(Kind::Dossier)
            && let Ok(id) = path.parse::<Uuid>()
        {
            self.delete_dossier(&team, id, |_: &Dossier| true).await.map(|_| true)
        } else {
            Ok(false)
        }
    }

    async fn delete_resource<T: Resource>(
        &self,
        team: &TeamKey,
        path: &str,
    ) -> Result<bool, Error> {
        self.delete::<T>(team, path, |_| true).await.map(|_| true)
    }

    /// Redacts an item of any type. Returns whether something was erased.
    async fn redact_item(&self, erasures: &Erasures, row: Row) -> Result<bool, Error> {
        let key = row.key();
        let mut row = Some(row);
        for conflicts in 0..ATTEMPTS {
            let Some(read) = row else { return Ok(false) };
            let changes = match read.redacted(|json| erasures.redact_members(json)) {
                Ok(changes) => changes,
                Err(Error::Shape(cause)) => {
                    let reason = errors::chain(&*cause);
                    let (partition, sort) = (&key.partition, &key.sort);
                    tracing::error!(partition, sort, reason, "item not searched");
                    return Ok(false);
                }
                Err(failure) => return Err(failure),
            };
            if changes.is_empty() {
                return Ok(false);
            }
            if self.table.set_if_unchanged(&key, changes).await? {
                return Ok(true);
            }
            pause_after_conflict(conflicts).await;
            row = self.table.get_row(key.clone()).await?;
        }
        Err(Error::Changed)
    }
}

fn is_kept(row: &Row) -> bool {
    KEPT.iter().any(|it| row.partition.starts_with(it))
}
