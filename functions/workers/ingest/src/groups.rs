//! Who consolidates whom: level 2 of GLEIF knows identifiers only, so it is read beside the level 1 that
//! was fetched before it and lies in the bucket.

use jiff::{ToSpan, civil::Date};
use objects::Objects;
use sources::{Source, gleif::Excerpt};

use crate::{Error, aside};

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
