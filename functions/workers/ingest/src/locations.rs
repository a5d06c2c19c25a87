//! The locations of companies. Every record is completed from swisstopo's directory of localities.
//!
//! Each directory is stored in the bucket under its date, and the newest one is used. A record is folded from
//! its facts and then completed from the newest directory only, so the same files lead to the same record in
//! any order. After a new directory arrives, all records are completed again, some thousand in each job.

use std::pin::pin;

use domain::{Company, Uid};
use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::civil::Date;
use objects::Objects;
use sources::localities::{self, Localities};
use store::{Registry, Stored};

use crate::{Error, PARALLEL_COMPANIES, lists};

const PREFIX: &str = "lists/localities/";
/// About the number of records that one job updates. DynamoDB takes some hundred a second, and a job may
/// run for fifteen minutes.
const RECORDS_PER_JOB: usize = 20_000;
/// The data source of the demo records. Their locations are invented and must not be replaced.
const DEMO: &str = "demo";

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
        before = localities::read(&stored)?.count();
    }
    let now = localities.count();
    if now == 0 || lists::is_shrunk(before, now) {
        return Err(Error::ShrunkLocalities { before, now });
    }
    objects.put(&key, table.to_vec()).await?;
    Ok(Saved::Newest)
}

/// The newest directory. Empty if there is none.
pub(crate) async fn newest(objects: &Objects) -> Result<Localities, Error> {
    let Some(key) = newest_key(objects).await? else { return Ok(Localities::default()) };
    let table = objects.get(&key).await?.ok_or_else(|| objects::Error::Missing(key.clone()))?;
    let date = key.strip_prefix(PREFIX).and_then(|it| it.strip_suffix(".csv")?.parse().ok());
    Ok(localities::read(&table)?.dated(date))
}

async fn newest_key(objects: &Objects) -> Result<Option<String>, Error> {
    Ok(objects.keys(PREFIX).await?.pop())
}

/// The record with its location, as far as the directory contains it.
pub(crate) fn with_location(localities: &Localities, mut company: Company) -> Company {
    localities.locate(&mut company);
    company.completed()
}

/// Updates the locations of the companies after `after`, in order of UID: about as many as one job can.
/// Returns the last updated company, or `None` when no company is left. Safe to run twice.
pub async fn update(
    registry: &Registry,
    objects: &Objects,
    after: Option<Uid>,
) -> Result<Option<Uid>, Error> {
    let localities = newest(objects).await?;
    let mut pages = pin!(registry.companies_after(after));
    let mut updated = 0;
    while let Some(companies) = pages.next().await {
        let companies = companies?;
        updated += companies.len();
        let last = companies.last().map(|it| it.uid);
        let real = companies.into_iter().filter(|it| it.data_source.as_deref() != Some(DEMO));
        let folded = stream::iter(real)
            .map(async |it| {
                registry.rebuild_record(it.uid, |it| with_location(&localities, it)).await
            })
            .buffer_unordered(PARALLEL_COMPANIES);
        let _: Vec<Stored> = folded.try_collect().await?;
        if updated >= RECORDS_PER_JOB && last.is_some() {
            return Ok(last);
        }
    }
    Ok(None)
}
