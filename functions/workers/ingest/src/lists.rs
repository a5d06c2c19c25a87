//! Whole lists: who is on one no more has lost what it granted.
//!
//! Every list is kept in the bucket under its day, with all who were ever on one. So it is measured by
//! the list before it, whenever it comes; and the list after it is read again, since what that said
//! before was measured by another.

use jiff::civil::Date;
use objects::Objects;
use sources::{Batch, Fact, Source, Unreadable, finma};

use crate::Error;

/// A list in its place among the others.
#[derive(Debug)]
pub(crate) struct List {
    /// How many companies the list before has and how many this one, where it lost more than a tenth:
    /// half a list must not say that the other half lost its licence.
    pub(crate) shrunk: Option<(u64, u64)>,
    key: String,
    facts: Vec<Fact>,
}

/// Finds a list's place. The facts are what it says, of those too who left it, and what follows for the
/// list after it. A list that bears no day is of `today`.
pub(crate) async fn placed(
    objects: &Objects,
    source: Source,
    batch: Batch,
    today: Date,
) -> Result<(Batch, List), Error> {
    let mut batch = batch.dated(Some(today));
    let day = batch.facts.iter().filter_map(|it| it.published).max().unwrap_or(today);
    let days = days(objects, source).await?;
    let before = match days.iter().rfind(|it| **it <= day) {
        Some(before) => kept(objects, source, *before).await?,
        None => Vec::new(),
    };
    let after = days.iter().find(|it| **it > day).copied();

    let granted = |facts: &[Fact]| facts.iter().filter(|it| finma::is_licensed(it)).count() as u64;
    let (had, has) = (granted(&before), granted(&batch.facts));
    batch.facts.extend(gone(&before, &batch, day));
    let list = List {
        shrunk: is_shrunk(had, has).then_some((had, has)),
        key: key(source, day),
        facts: batch.facts.clone(),
    };
    if let Some(after) = after {
        let facts = kept(objects, source, after).await?;
        let next = Batch { facts, rejected: Vec::new() };
        batch.facts.extend(gone(&list.facts, &next, after));
        batch.facts.extend(next.facts);
    }
    Ok((batch, list))
}

/// Whether a list that had so many lost more than a tenth of them.
pub(crate) fn is_shrunk(had: u64, has: u64) -> bool {
    has * 10 < had * 9
}

impl List {
    /// Keeps the list, for those that come before and after it.
    pub(crate) async fn keep(&self, objects: &Objects) -> Result<(), Error> {
        #[expect(clippy::expect_used, reason = "facts always serialise")]
        let bytes = serde_json::to_vec(&self.facts).expect("plain data");
        Ok(objects.put(&self.key, bytes).await?)
    }
}

/// Facts that who is on a list is not on the next.
fn gone(list: &[Fact], next: &Batch, day: Date) -> Vec<Fact> {
    let facts = finma::withdrawn(list.iter().map(|it| it.uid), next);
    Batch { facts, rejected: Vec::new() }.dated(Some(day)).facts
}

fn key(source: Source, day: Date) -> String {
    format!("lists/{source}/{day}.json")
}

/// The days of the lists that are kept, in order.
async fn days(objects: &Objects, source: Source) -> Result<Vec<Date>, Error> {
    let keys = objects.keys(&format!("lists/{source}/")).await?;
    let day = |it: &String| it.rsplit('/').next()?.strip_suffix(".json")?.parse().ok();
    Ok(keys.iter().filter_map(day).collect())
}

async fn kept(objects: &Objects, source: Source, day: Date) -> Result<Vec<Fact>, Error> {
    let key = key(source, day);
    let bytes = objects.get(&key).await?.ok_or(objects::Error::Missing(key))?;
    let unreadable = |reason: String| Unreadable { source_name: source, reason };
    Ok(serde_json::from_slice(&bytes).map_err(|it| unreadable(it.to_string()))?)
}
