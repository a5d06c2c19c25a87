//! Who consolidates whom: level 2 of GLEIF knows identifiers only, so it is read beside the level 1 that
//! was fetched before it and lies in the bucket.

use jiff::{ToSpan, civil::Date};
use objects::Objects;
use sources::{
    Source,
    gleif::{Counts, Excerpt},
};

use crate::{Error, aside, lists};

/// How many rows there were the last time.
const COUNTS: &str = "lists/gleif/counts.json";

/// Level 1 of the companies, as it was fetched last: on the newest day of which a page is kept, and the
/// day before, for a walk may go on past midnight.
pub(crate) async fn companies(objects: &Objects) -> Result<Excerpt, Error> {
    let keys = objects.keys(&aside::files_of(Source::Gleif)).await?;
    let dated: Vec<(Date, &String)> =
        keys.iter().filter_map(|key| Some((aside::day(key)?, key))).collect();
    let newest = dated.iter().map(|(day, _)| *day).max();
    let mut excerpt = Excerpt::of_day(newest);
    let first = newest.map(|it| it.saturating_sub(1.day()));
    for (_, key) in dated.into_iter().filter(|(day, _)| Some(*day) >= first) {
        let bytes = objects.get(key).await?;
        let bytes = bytes.ok_or_else(|| objects::Error::Missing(key.clone()))?;
        excerpt.add_level1(&bytes)?;
    }
    Ok(excerpt)
}

/// Refuses tables of which one lost more than a tenth of what it had: half a table must not say that the
/// other half has no parents.
pub(crate) async fn check(objects: &Objects, now: Counts) -> Result<(), Error> {
    let before = objects.get(COUNTS).await?;
    let before: Counts = before.and_then(|it| serde_json::from_slice(&it).ok()).unwrap_or_default();
    for (table, before, now) in [
        ("the relationships", before.relationships, now.relationships),
        ("the exceptions", before.exceptions, now.exceptions),
        ("the securities", before.isins, now.isins),
    ] {
        if lists::is_shrunk(before, now) {
            return Err(Error::ShrunkGroups { table, before, now });
        }
    }
    Ok(())
}

/// Keeps how many rows there are, for those that come after.
pub(crate) async fn keep(objects: &Objects, counts: Counts) -> Result<(), Error> {
    #[expect(clippy::expect_used, reason = "numbers always serialise")]
    let bytes = serde_json::to_vec(&counts).expect("plain data");
    Ok(objects.put(COUNTS, bytes).await?)
}
