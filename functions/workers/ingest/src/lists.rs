//! Complete lists, such as FINMA's list of licensed companies. A company that is no longer on the list has
//! lost its licence: [`Coverage::CompleteList`](sources::Coverage::CompleteList).
//!
//! Every list is stored in the bucket under its date, with all companies that were ever on a list. Lists may
//! arrive in any order: each list is compared with the previous one by date, and the next one by date is
//! compared again with the new one.

use std::collections::BTreeSet;

use domain::{Source, Uid, lists::is_shrunk};
use facts::{Fact, facts};
use jiff::civil::Date;
use objects::Objects;
use sources::{Batch, Unreadable, description};

use crate::Error;

/// A list that has been compared with its neighbours.
#[derive(Debug)]
pub(crate) struct List {
    /// Number of companies on the previous list and on this one, if this one is more than a tenth
    /// shorter. An incomplete list would remove the missing companies.
    pub(crate) shrunk: Option<(u64, u64)>,
    key: String,
    facts: Vec<Fact>,
}

/// Compares a list with the previous and the next list by date. The returned facts are those of the list,
/// the removals since the previous list, and the resulting facts of the next list. A list without a date
/// gets the date `today`. What the previous list stated about the companies in `unreadable` stays.
pub(crate) async fn compared(
    objects: &Objects,
    source: Source,
    mut facts: Vec<Fact>,
    unreadable: &BTreeSet<Uid>,
    today: Date,
) -> Result<(Vec<Fact>, List), Error> {
    for fact in &mut facts {
        fact.published = fact.published.or(Some(today));
    }
    let date = facts.iter().filter_map(|it| it.published).max().unwrap_or(today);
    let dates = dates(objects, source).await?;
    let previous = match dates.iter().rfind(|it| **it <= date) {
        Some(previous) => load(objects, source, *previous).await?,
        None => Vec::new(),
    };
    let next_date = dates.iter().find(|it| **it > date).copied();

    let coverage = &description(source).coverage;
    let is_listed = |it: &&Fact| coverage.is_listed(&it.statement);
    let is_unreadable = |it: &&Fact| unreadable.contains(&it.uid) && is_listed(it);
    let kept: Vec<Fact> = previous.iter().filter(is_unreadable).cloned().collect();
    facts.retain(|it| kept.iter().all(|kept| kept.uid != it.uid));
    facts.extend(kept);
    let listed = |facts: &[Fact]| facts.iter().filter(is_listed).count() as u64;
    let (before, now) = (listed(&previous), listed(&facts));
    facts.extend(removals(source, &previous, &facts, date));
    let list = List {
        shrunk: is_shrunk(before, now).then_some((before, now)),
        key: key(source, date),
        facts: facts.clone(),
    };
    if let Some(next_date) = next_date {
        let next = load(objects, source, next_date).await?;
        facts.extend(removals(source, &list.facts, &next, next_date));
        facts.extend(next);
    }
    Ok((facts, list))
}

impl List {
    /// Stores the list for comparison with earlier and later lists.
    pub(crate) async fn save(&self, objects: &Objects) -> Result<(), Error> {
        #[expect(clippy::expect_used, reason = "facts always serialise")]
        let bytes = serde_json::to_vec(&self.facts).expect("plain data");
        Ok(objects.put(&self.key, bytes).await?)
    }
}

/// One fact for each company that is on a list but not on the next one.
fn removals(source: Source, list: &[Fact], next: &[Fact], date: Date) -> Vec<Fact> {
    let uids = |facts: &[Fact]| facts.iter().map(|it| it.uid).collect::<Vec<Uid>>();
    let statements = description(source).coverage.removals(source, uids(list), uids(next));
    facts(Batch { statements, ..Batch::default() }.dated(Some(date)).statements)
}

fn key(source: Source, date: Date) -> String {
    format!("lists/{source}/{date}.json")
}

/// The dates of the stored lists, oldest first.
async fn dates(objects: &Objects, source: Source) -> Result<Vec<Date>, Error> {
    let keys = objects.keys(&format!("lists/{source}/")).await?;
    let date = |it: &String| it.rsplit('/').next()?.strip_suffix(".json")?.parse().ok();
    Ok(keys.iter().filter_map(date).collect())
}

async fn load(objects: &Objects, source: Source, date: Date) -> Result<Vec<Fact>, Error> {
    let key = key(source, date);
    let bytes = objects.get(&key).await?.ok_or(objects::Error::Missing(key))?;
    let unreadable = |reason: String| Unreadable { source_name: source, reason };
    Ok(serde_json::from_slice(&bytes).map_err(|it| unreadable(it.to_string()))?)
}
