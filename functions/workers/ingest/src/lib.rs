//! Reads a source's file into the registry: facts are stored, records follow from them, and what
//! cannot be read is kept aside with the reason.
//!
//! Invariant: a file that comes twice, in any order, or after a run that died on the way, leaves the
//! same registry. Nothing is dropped.

pub mod account;
pub mod aside;
mod groups;
mod lists;
pub mod places;
pub mod resolve;
mod worker;

use std::{collections::BTreeMap, time::Instant};

use domain::{Company, Uid};
use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use objects::Objects;
use serde::Serialize;
use sources::{Batch, Fact, Rejected, Source, Statement, gazette};
use store::{Registry, Stored};

use lists::List;
pub use worker::{NotDone, Worker};

/// How many companies are written at the same time.
const COMPANIES_AT_A_TIME: usize = 16;
/// How many objects of the bucket are asked for or put at the same time.
const OBJECTS_AT_A_TIME: usize = 16;

/// Why a file was not ingested.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error(transparent)]
    Objects(#[from] objects::Error),
    #[error(transparent)]
    Unreadable(#[from] sources::Unreadable),
    #[error(transparent)]
    UnreadableList(#[from] sources::UnreadableList),
    /// Nothing of the file was stored.
    #[error("{source_name} shrank from {before} companies to {now}: a part of it is missing")]
    Shrunk { source_name: Source, before: u64, now: u64 },
    /// The directory before goes on to count.
    #[error("the localities shrank from {before} to {now}: a part of them is missing")]
    ShrunkLocalities { before: u64, now: u64 },
    /// Who consolidates whom stays as it is known.
    #[error("{table} of GLEIF shrank from {before} rows to {now}: a part of them is missing")]
    ShrunkGroups { table: &'static str, before: u64, now: u64 },
}

/// What a file did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Records in the file.
    pub read: u64,
    /// Companies that had no record before.
    pub new: u64,
    /// Companies of which something new was said.
    pub changed: u64,
    /// Companies of which all was known already.
    pub unchanged: u64,
    /// Records that could not be read.
    pub quarantined: u64,
}

/// A file that was read, on its way in.
#[derive(Debug)]
pub struct File {
    pub source: Source,
    pub batch: Batch,
    /// The object of the bucket that holds it, to be read again if a record of it cannot be read today.
    pub key: Option<String>,
    /// Whether an operator knows that a whole list lost more than a tenth of what it had. Otherwise
    /// such a list is refused.
    pub accept_shrunk: bool,
}

/// Stores what a file says. Safe to run twice, and to run again after it died.
pub async fn ingest(
    registry: &Registry,
    objects: &Objects,
    source: Source,
    batch: Batch,
    now: Timestamp,
) -> Result<Report, Error> {
    take_in(registry, objects, File { source, batch, key: None, accept_shrunk: false }, now).await
}

/// The same of a file with what an operator says of it.
pub async fn take_in(
    registry: &Registry,
    objects: &Objects,
    file: File,
    now: Timestamp,
) -> Result<Report, Error> {
    taken_in(registry, objects, file, now).await.map(|(report, _)| report)
}

/// The same, with the records that are in the quarantine now.
pub(crate) async fn taken_in(
    registry: &Registry,
    objects: &Objects,
    File { source, batch, key, accept_shrunk }: File,
    now: Timestamp,
) -> Result<(Report, Vec<Rejected>), Error> {
    let mut report =
        Report { read: (batch.facts.len() + batch.rejected.len()) as u64, ..Report::default() };
    let (Batch { mut facts, mut rejected }, list) = placed(objects, source, batch, now).await?;
    facts.iter_mut().for_each(|it| it.read_at = Some(now));
    if let Some((before, now)) = list.as_ref().and_then(|it| it.shrunk)
        && !accept_shrunk
    {
        return Err(Error::Shrunk { source_name: source, before, now });
    }
    let begun = Instant::now();
    registry.update_source_status(source, |it| it.last_started_at = Some(now)).await?;
    let newly_unclear = count(facts.iter().map(|it| aside::keep_unclear(objects, it))).await?;
    let today = now.to_zoned(TimeZone::UTC).date();
    let days = facts.iter().filter_map(|it| it.published);
    let newest = days.filter(|it| *it <= today).max();
    let is_news = |it: &&Fact| matches!(it.statement, Statement::News(_));
    let news: Vec<Fact> = facts.iter().filter(is_news).cloned().collect();
    let localities = places::newest(objects).await?;
    let complete = |company| places::located(&localities, company);
    let outcomes = stream::iter(by_company(facts))
        .map(async |(uid, facts)| {
            match registry.record_completed(uid, &facts, complete).await {
                // Too large for the table: the other companies of the file do not wait for this one.
                Err(store::Error::Unwritable(cause)) => Ok(Err(unstored(&facts, &*cause))),
                outcome => outcome.map(Ok),
            }
        })
        .buffer_unordered(COMPANIES_AT_A_TIME);
    let outcomes: Vec<Result<Stored, Vec<Rejected>>> = outcomes.try_collect().await?;
    // Those that were known too: a run may have died here.
    registry.record_news(&news).await?;
    if let Some(list) = list {
        list.keep(objects).await?;
    }
    for outcome in outcomes {
        match outcome {
            Ok(Stored::New) => report.new += 1,
            Ok(Stored::Changed) => report.changed += 1,
            Ok(Stored::Unchanged) => report.unchanged += 1,
            Err(unstored) => rejected.extend(unstored),
        }
    }
    let aside = rejected.iter().map(|it| aside::quarantine(objects, source, it, key.clone()));
    let newly_quarantined = count(aside).await?;
    let took = SignedDuration::try_from(begun.elapsed()).unwrap_or_default();
    report.quarantined = rejected.len() as u64;
    registry
        .update_source_status(source, |status| {
            status.read += report.read;
            status.readable += report.read - report.quarantined;
            status.stored += report.new + report.changed;
            status.quarantined += newly_quarantined;
            status.not_understood += newly_unclear;
            status.newest_publication = status.newest_publication.max(newest);
            status.last_completed_at = Some(now.saturating_add(took).unwrap_or(now));
            status.last_failure = None;
        })
        .await?;
    registry.publish_events(now).await?;
    Ok((report, rejected))
}

/// How many of these are so.
async fn count(
    asked: impl Iterator<Item = impl Future<Output = Result<bool, Error>>>,
) -> Result<u64, Error> {
    let asked: Vec<_> = asked.collect();
    let answers = stream::iter(asked).buffer_unordered(OBJECTS_AT_A_TIME);
    answers.try_fold(0, async |count, is_so| Ok(count + u64::from(is_so))).await
}

/// What was read and cannot be stored, for the quarantine.
fn unstored(facts: &[Fact], cause: &(dyn std::error::Error + 'static)) -> Vec<Rejected> {
    let reason = format!("cannot be stored: {}", errors::chain(cause));
    let record = |it: &Fact| serde_json::to_string(it).unwrap_or_else(|_| it.fingerprint.clone());
    facts.iter().map(|it| Rejected { record: record(it), reason: reason.clone() }).collect()
}

/// What a file says; of a whole list, what it says in its place among the others.
async fn placed(
    objects: &Objects,
    source: Source,
    batch: Batch,
    now: Timestamp,
) -> Result<(Batch, Option<List>), Error> {
    if !source.is_whole_list() {
        return Ok((batch, None));
    }
    let today = now.to_zoned(TimeZone::UTC).date();
    let (batch, list) = lists::placed(objects, source, batch, today).await?;
    Ok((batch, Some(list)))
}

/// What a file would change, without changing it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preview {
    pub report: Report,
    /// For each company that would change, its name and the members that would.
    pub changes: BTreeMap<Uid, (String, Vec<String>)>,
    pub rejected: Vec<Rejected>,
    /// How many companies the list before has and how many this one, where it would be refused.
    pub shrunk: Option<(u64, u64)>,
}

/// Compares what a file says with what is known.
pub async fn preview(
    registry: &Registry,
    objects: &Objects,
    source: Source,
    batch: Batch,
    now: Timestamp,
) -> Result<Preview, Error> {
    let report = Report {
        read: (batch.facts.len() + batch.rejected.len()) as u64,
        quarantined: batch.rejected.len() as u64,
        ..Report::default()
    };
    let (batch, list) = placed(objects, source, batch, now).await?;
    let mut preview = Preview {
        report,
        changes: BTreeMap::new(),
        rejected: batch.rejected,
        shrunk: list.and_then(|it| it.shrunk),
    };
    let localities = places::newest(objects).await?;
    for (uid, facts) in by_company(batch.facts) {
        let mut all = registry.facts(uid).await?;
        let known = all.len();
        for fact in facts {
            if !store::is_known(&fact, &all) {
                all.push(fact);
            }
        }
        if all.len() == known {
            preview.report.unchanged += 1;
            continue;
        }
        let before = registry.company(uid).await?;
        let after = sources::fold(&store::without_repetitions(&all));
        // What others say of a company does not enter it in the register.
        if before.is_none() && after.is_some() {
            preview.report.new += 1;
        } else {
            preview.report.changed += 1;
        }
        if let Some(after) = after {
            let after = places::located(&localities, after);
            let members = differing_members(before.as_ref(), &after);
            preview.changes.insert(uid, (after.name, members));
        }
    }
    Ok(preview)
}

/// The wire names of the members in which two records differ; all that are filled for a new one.
fn differing_members(before: Option<&Company>, after: &Company) -> Vec<String> {
    let members = |company: &Company| match serde_json::to_value(company) {
        Ok(serde_json::Value::Object(members)) => members,
        _ => serde_json::Map::new(),
    };
    let (before, after) = (before.map(members).unwrap_or_default(), members(after));
    let names = before.keys().chain(after.keys()).filter(|it| before.get(*it) != after.get(*it));
    let mut names: Vec<String> = names.cloned().collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// What a file says of each company, be it in the notice of another.
fn by_company(mut facts: Vec<Fact>) -> BTreeMap<Uid, Vec<Fact>> {
    facts.extend(gazette::takeovers(&facts));
    let mut companies: BTreeMap<Uid, Vec<Fact>> = BTreeMap::new();
    for fact in facts {
        let known: &mut Vec<Fact> = companies.entry(fact.uid).or_default();
        // A file may say the same twice; a transaction may not.
        if !known
            .iter()
            .any(|it| it.fingerprint == fact.fingerprint && it.published == fact.published)
        {
            known.push(fact);
        }
    }
    companies
}
