//! The locations of companies. Every record is completed from swisstopo's directory of localities.
//!
//! Each directory is stored in the bucket under its date, and the newest one is used. A record is folded from
//! its facts and then completed from the newest directory only, so the same files lead to the same record in
//! any order. After a new directory arrives, all records are completed again, some thousand in each job.

use std::pin::pin;

use domain::{Company, Uid, lists::is_shrunk};
use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::{Timestamp, civil::Date};
use objects::Objects;
use sources::localities::{self, Localities};
use store::{Registry, Stored};

use crate::{Error, PARALLEL_COMPANIES, unreadable::log_unreadable};

const PREFIX: &str = "lists/localities/";
/// The object with the date of the directory from which all records were completed last.
const UPDATED_FROM: &str = "lists/localities-updated-from";
/// Name of the runs that update locations.
const RUN: &str = "locations";

/// The result of saving a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saved {
    /// The directory is the newest one. All records must be updated.
    Newest,
    /// A newer directory exists, or the newest one has the same content. Nothing was saved.
    AlreadyKnown,
}

/// Saves a directory with this date. A directory that is more than a tenth shorter than the previous one is
/// refused, also if its rows can no longer be read: records would lose their locations. Safe to run twice.
pub async fn save(objects: &Objects, table: &[u8], date: Date) -> Result<Saved, Error> {
    let localities = localities::read(table)?;
    if let Some(first) = localities.rejected.first() {
        let (rejected, reason) = (localities.rejected.len(), &first.reason);
        tracing::warn!(rejected, reason, "some localities cannot be read");
    }
    let key = format!("{PREFIX}{date}.csv");
    let mut before = 0;
    if let Some(newest) = newest_key(objects).await? {
        let stored = objects.get(&newest).await?.unwrap_or_default();
        if newest > key || stored == table {
            return Ok(Saved::AlreadyKnown);
        }
        before = localities::read(&stored)?.len() as u64;
    }
    let now = localities.len() as u64;
    if now == 0 || is_shrunk(before, now) {
        return Err(Error::ShrunkLocalities { before, now });
    }
    objects.put(&key, table.to_vec()).await?;
    Ok(Saved::Newest)
}

/// The newest directory. Empty if there is none.
pub(crate) async fn newest(objects: &Objects) -> Result<Localities, Error> {
    let Some(key) = newest_key(objects).await? else { return Ok(Localities::default()) };
    let table = objects.get(&key).await?.ok_or_else(|| objects::Error::Missing(key.clone()))?;
    Ok(localities::read(&table)?.dated(date_of(&key)))
}

/// The date in the object key of a directory.
fn date_of(key: &str) -> Option<Date> {
    key.strip_prefix(PREFIX)?.strip_suffix(".csv")?.parse().ok()
}

async fn newest_key(objects: &Objects) -> Result<Option<String>, Error> {
    Ok(objects.keys(PREFIX).await?.pop())
}

/// The record with its location, as far as the directory contains it.
pub(crate) fn with_location(localities: &Localities, mut company: Company) -> Company {
    localities.locate(&mut company);
    company.completed()
}

/// Whether a directory is stored that not all records were completed from.
pub async fn is_update_needed(objects: &Objects) -> Result<bool, Error> {
    let newest = newest_key(objects).await?.and_then(|it| date_of(&it));
    Ok(newest > updated_from(objects).await?)
}

/// The date of the directory of the last finished update.
async fn updated_from(objects: &Objects) -> Result<Option<Date>, Error> {
    let date = objects.get(UPDATED_FROM).await?.and_then(|it| String::from_utf8(it.into()).ok());
    Ok(date.and_then(|it| it.parse().ok()))
}

/// How far an update of all records has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The last company that was updated. `None`: none yet.
    pub after: Option<Uid>,
    /// The date of the newest directory when the update started. A newer one that arrives meanwhile needs another
    /// update.
    pub directory: Option<Date>,
}

/// Updates the locations of the next companies in the order of the table, at most `limit`. Returns how far it came, or `None` when no
/// company is left. Safe to run twice.
pub async fn update(
    registry: &Registry,
    objects: &Objects,
    Progress { after, directory }: Progress,
    limit: usize,
    now: Timestamp,
) -> Result<Option<Progress>, Error> {
    registry.start_run(RUN, now).await?;
    let directory = match after {
        None => newest_key(objects).await?.and_then(|it| date_of(&it)),
        Some(_) => directory,
    };
    let localities = newest(objects).await?;
    let mut pages = pin!(registry.companies_after(after));
    let (mut updated, mut has_changes, mut last) = (0, false, None);
    while let Some(companies) = pages.next().await {
        let mut companies = companies?;
        companies.truncate(limit - updated);
        updated += companies.len();
        last = companies.last().map(|it| it.uid);
        let folded = stream::iter(companies)
            .map(async |it| {
                match registry.rebuild_record(it.uid, |it| with_location(&localities, it)).await {
                    Err(store::Error::Shape(cause)) => {
                        log_unreadable(it.uid, &*cause);
                        Ok(Stored::Unchanged)
                    }
                    stored => stored,
                }
            })
            .buffer_unordered(PARALLEL_COMPANIES);
        let stored: Vec<Stored> = folded.try_collect().await?;
        has_changes |= stored.iter().any(|it| *it != Stored::Unchanged);
        if updated == limit {
            break;
        }
        last = None;
    }
    registry.finish_run(RUN, has_changes).await?;
    if let (None, Some(directory)) = (last, directory) {
        objects.put(UPDATED_FROM, directory.to_string()).await?;
    }
    Ok(last.map(|last| Progress { after: Some(last), directory }))
}
