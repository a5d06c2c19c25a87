//! Removing what is on the list from the data of teams.

use std::pin::pin;

use domain::Uid;
use facts::erasures::Erasures;
use futures_util::TryStreamExt;
use jiff::Timestamp;
use serde_json::Value;
use teams::{Dossier, Note, PipelineEntry, Tag, Watch, WatchlistEntry};
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
                } else if is_about_erased(erasures, &row) {
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
            let changes = match read.redacted(|json| redact(erasures, json)) {
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
            if self.table.redact(&read, changes).await? {
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

/// Whether the key of an item has the number of an erased company. Names do not count: `Live` would be in the key of every team.
fn is_about_erased(erasures: &Erasures, row: &Row) -> bool {
    let parts = row.partition.split('#').chain(row.sort.split('#'));
    let mut numbers = parts.filter(|it| it.starts_with("CHE-")).filter_map(|it| it.parse().ok());
    numbers.any(|it: Uid| erasures.has_company(it))
}

/// Redacts an item of a team or a user. Addresses stay: with a placeholder, nobody could sign in and no webhook be reached.
fn redact(erasures: &Erasures, json: &mut Value) -> bool {
    let before = json.clone();
    erasures.redact_members(json);
    put_addresses_back(&before, json);
    *json != before
}

fn put_addresses_back(before: &Value, after: &mut Value) {
    match (before, after) {
        (Value::String(text), after) if is_address(text) => *after = before.clone(),
        (Value::Array(before), Value::Array(after)) => {
            before.iter().zip(after).for_each(|(before, after)| put_addresses_back(before, after));
        }
        (Value::Object(before), Value::Object(after)) => {
            for (name, after) in after {
                if let Some(before) = before.get(name) {
                    put_addresses_back(before, after);
                }
            }
        }
        _ => {}
    }
}

/// Whether a text is an e-mail address or a URL.
fn is_address(text: &str) -> bool {
    !text.contains(char::is_whitespace) && (text.contains('@') || text.contains("://"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn addresses_are_put_back_and_texts_stay_redacted() {
        let before = json!({
            "email": "anna@muster-ag.ch",
            "name": "Muster AG",
            "lists": [{ "url": "https://muster-ag.ch/hook", "note": "Call Muster AG" }],
        });
        let mut after = json!({
            "email": "anna@ERASED COMPANY.ch",
            "name": "ERASED COMPANY",
            "lists": [{ "url": "https://ERASED COMPANY.ch/hook", "note": "Call ERASED COMPANY" }],
        });
        put_addresses_back(&before, &mut after);
        let expected = json!({
            "email": "anna@muster-ag.ch",
            "name": "ERASED COMPANY",
            "lists": [{ "url": "https://muster-ag.ch/hook", "note": "Call ERASED COMPANY" }],
        });
        assert_eq!(after, expected);
    }
}
