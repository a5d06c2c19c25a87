//! Where companies are: swisstopo's directory of localities, by which every record is completed.
//!
//! Each directory is kept in the bucket under its day; the newest counts. A record is folded from its
//! facts and completed by that directory, and by nothing that was there before: the same files make the
//! same record in any order. A directory that comes after its companies is gone through with all of
//! them, some at a time.

use std::pin::pin;

use domain::{Company, Uid};
use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::civil::Date;
use objects::Objects;
use sources::localities::{self, Localities};
use store::{Registry, Stored};

use crate::{COMPANIES_AT_A_TIME, Error, lists};

const FOLDER: &str = "lists/localities/";
/// About how many records one job completes: some hundred a second on DynamoDB, and fifteen minutes at
/// most.
const RECORDS_A_JOB: usize = 20_000;
/// What the demonstration's records name as their source: they are made up, and so is where they are.
const INVENTED: &str = "demo";

/// What was done of a directory that came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// It is the newest one now: every record has to be completed by it.
    Newest,
    /// There is a newer one, or it says the same as the one there is.
    Known,
}

/// Keeps a directory, which is of this day. Refused is one that lost more than a tenth of the localities,
/// be it that its rows cannot be read any more: every record would lose its place by it. Safe to run twice.
pub async fn keep(objects: &Objects, table: &[u8], day: Date) -> Result<Kept, Error> {
    let localities = localities::read(table)?;
    if let Some(first) = localities.rejected.first() {
        let (rejected, reason) = (localities.rejected.len(), &first.reason);
        tracing::warn!(rejected, reason, "of the localities some cannot be read");
    }
    let key = format!("{FOLDER}{day}.csv");
    let mut before = 0;
    if let Some(newest) = newest_key(objects).await? {
        let kept = objects.get(&newest).await?.unwrap_or_default();
        if newest > key || kept == table {
            return Ok(Kept::Known);
        }
        before = localities::read(&kept)?.count();
    }
    let now = localities.count();
    if now == 0 || lists::is_shrunk(before, now) {
        return Err(Error::ShrunkLocalities { before, now });
    }
    objects.put(&key, table.to_vec()).await?;
    Ok(Kept::Newest)
}

/// The newest directory; before the first, one that knows no place.
pub(crate) async fn newest(objects: &Objects) -> Result<Localities, Error> {
    let Some(key) = newest_key(objects).await? else { return Ok(Localities::default()) };
    let table = objects.get(&key).await?.ok_or_else(|| objects::Error::Missing(key.clone()))?;
    let day = key.strip_prefix(FOLDER).and_then(|it| it.strip_suffix(".csv")?.parse().ok());
    Ok(localities::read(&table)?.dated(day))
}

async fn newest_key(objects: &Objects) -> Result<Option<String>, Error> {
    Ok(objects.keys(FOLDER).await?.pop())
}

/// The record with its place, as far as the directory tells.
pub(crate) fn located(localities: &Localities, mut company: Company) -> Company {
    localities.locate(&mut company);
    company.completed()
}

/// Completes the records behind this company's by the newest directory: about as many as one job can.
/// The last of them, behind which the next job begins; `None` where no record is left. Safe to run
/// twice.
pub async fn locate(
    registry: &Registry,
    objects: &Objects,
    behind: Option<Uid>,
) -> Result<Option<Uid>, Error> {
    let localities = newest(objects).await?;
    let mut pages = pin!(registry.companies_behind(behind));
    let mut gone_through = 0;
    while let Some(companies) = pages.next().await {
        let companies = companies?;
        gone_through += companies.len();
        let last = companies.last().map(|it| it.uid);
        let real = companies.into_iter().filter(|it| it.data_source.as_deref() != Some(INVENTED));
        let folded = stream::iter(real)
            .map(async |it| registry.fold_again(it.uid, |it| located(&localities, it)).await)
            .buffer_unordered(COMPANIES_AT_A_TIME);
        let _: Vec<Stored> = folded.try_collect().await?;
        if gone_through >= RECORDS_A_JOB && last.is_some() {
            return Ok(last);
        }
    }
    Ok(None)
}
