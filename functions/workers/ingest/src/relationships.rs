//! Parent companies and securities from GLEIF. Those tables contain LEIs only, so they are joined with the
//! LEI records that were fetched before and are in the bucket.

use domain::{Source, lists::is_shrunk};
use jiff::{ToSpan, civil::Date};
use objects::Objects;
use sources::gleif::{Counts, Excerpt};

use crate::{Error, incoming};

/// The object with the number of rows of the previous tables.
const COUNTS: &str = "lists/gleif/counts.json";

/// The LEI records that were fetched last: the pages of the newest date and of the date before, because a
/// fetch may run past midnight.
pub(crate) async fn companies(objects: &Objects) -> Result<Excerpt, Error> {
    let keys = objects.keys(&incoming::prefix(Source::Gleif)).await?;
    let dated: Vec<(Date, &String)> =
        keys.iter().filter_map(|key| Some((incoming::date(key)?, key))).collect();
    let newest = dated.iter().map(|(date, _)| *date).max();
    let mut excerpt = Excerpt::of_day(newest);
    let first = newest.map(|it| it.saturating_sub(1.day()));
    for (_, key) in dated.into_iter().filter(|(date, _)| Some(*date) >= first) {
        let bytes = objects.get(key).await?;
        let bytes = bytes.ok_or_else(|| objects::Error::Missing(key.clone()))?;
        excerpt.add_level1(&bytes)?;
    }
    Ok(excerpt)
}

/// Refuses the tables if one is more than a tenth shorter than before. An incomplete table would remove the
/// parents of the missing companies.
pub(crate) async fn check_counts(objects: &Objects, now: Counts) -> Result<(), Error> {
    let before = objects.get(COUNTS).await?;
    let before: Counts = before.and_then(|it| serde_json::from_slice(&it).ok()).unwrap_or_default();
    for (table, before, now) in [
        ("the relationships", before.relationships, now.relationships),
        ("the exceptions", before.exceptions, now.exceptions),
        ("the securities", before.isins, now.isins),
    ] {
        if is_shrunk(before, now) {
            return Err(Error::ShrunkRelationships { table, before, now });
        }
    }
    Ok(())
}

/// Saves the number of rows for the next [`check_counts`].
pub(crate) async fn save_counts(objects: &Objects, counts: Counts) -> Result<(), Error> {
    #[expect(clippy::expect_used, reason = "numbers always serialise")]
    let bytes = serde_json::to_vec(&counts).expect("plain data");
    Ok(objects.put(COUNTS, bytes).await?)
}
