//! Ingesting a file.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Instant,
};

use domain::{
    Source, Uid,
    statements::{CompanyStatement, Statement},
};
use facts::{Fact, facts, takeovers};
use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use objects::Objects;
use serde::Serialize;
use sources::{Batch, Rejected, description};
use store::{Registry, Stored};

use crate::{
    Error, PARALLEL_COMPANIES, PARALLEL_OBJECTS, coverage, erased,
    lists::{self, List},
    locations, not_understood, quarantine,
    unreadable::log_unreadable,
};

/// A file whose records have been read.
#[derive(Debug)]
pub struct File {
    pub source: Source,
    pub batch: Batch,
    /// The object key of the file, so that its quarantined records can be read again. `None` if the file
    /// is not in the bucket.
    pub key: Option<String>,
    /// Accept a complete list that is more than a tenth shorter than the previous one. Otherwise such a
    /// list is refused.
    pub accept_shrunk: bool,
}

/// What ingesting a file changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Number of records in the file.
    pub read: u64,
    /// Number of companies that had no record before.
    pub new: u64,
    /// Number of companies with a record for which the file has a new fact.
    pub changed: u64,
    /// Number of companies for which all facts were already known.
    pub unchanged: u64,
    /// Number of records that could not be read or stored.
    pub quarantined: u64,
    /// Number of records that are used without a member that cannot be read.
    pub incomplete: u64,
    /// Number of records that were left out because they are about an erased company, or cannot be read and state its number.
    pub erased: u64,
}

/// Ingests a file that is not in the bucket. Safe to run twice, and again after a crash.
pub async fn ingest(
    registry: &Registry,
    objects: &Objects,
    source: Source,
    batch: Batch,
    now: Timestamp,
) -> Result<Report, Error> {
    let file = File { source, batch, key: None, accept_shrunk: false };
    ingest_file(registry, objects, file, now).await
}

/// Ingests a file. Safe to run twice, and again after a crash.
pub async fn ingest_file(
    registry: &Registry,
    objects: &Objects,
    file: File,
    now: Timestamp,
) -> Result<Report, Error> {
    ingest_with_rejects(registry, objects, file, now).await.map(|(report, _)| report)
}

/// As [`ingest_file`]; also returns the records that went to the quarantine.
pub(crate) async fn ingest_with_rejects(
    registry: &Registry,
    objects: &Objects,
    File { source, batch, key, accept_shrunk }: File,
    now: Timestamp,
) -> Result<(Report, Vec<Rejected>), Error> {
    let Batch { statements, rejected, unreadable } = batch;
    let mut report = Report { read: records(&statements, &rejected), ..Report::default() };
    let erasures = registry.erasures().await?;
    let facts = facts(statements);
    // Before an acquirer is erased: what its publications state about others stays.
    let takeovers = takeovers(&facts);
    let received = facts.len() + rejected.len();
    let rejected = rejected.into_iter().filter_map(|it| erased::storable_record(&erasures, it));
    let mut rejected: Vec<Rejected> = rejected.collect();
    let mut facts = erasures.apply(facts);
    report.erased = (received - facts.len() - rejected.len()) as u64;
    facts.extend(erasures.apply(takeovers));
    let (facts, list) = compared_with_lists(objects, source, facts, &unreadable, now).await?;
    let mut facts = erasures.apply(facts);
    facts.iter_mut().for_each(|it| it.read_at = Some(now));
    if let Some((before, now)) = list.as_ref().and_then(|it| it.shrunk)
        && !accept_shrunk
    {
        return Err(Error::Shrunk { source_name: source, before, now });
    }
    let started = Instant::now();
    let run = description(source).is_indexed.then(|| source.name());
    if let Some(run) = run {
        registry.start_run(run, now).await?;
    }
    let status = registry.update_source_status(source, |it| it.last_started_at = Some(now)).await?;
    let coverage = coverage::of(&facts, &status);
    let newly_not_understood =
        count_true(facts.iter().map(|it| not_understood::save(objects, it))).await?;
    let today = now.to_zoned(TimeZone::UTC).date();
    let dates = facts.iter().filter_map(|it| it.published);
    // A publication date in the future would stop fetching until that date.
    let newest = dates.filter(|it| *it <= today).max();
    let is_news = |it: &&Fact| matches!(it.statement, Statement::News(_));
    let news: Vec<Fact> = facts.iter().filter(is_news).cloned().collect();
    let localities = locations::newest(objects).await?;
    let complete = |company| locations::with_location(&localities, company);
    let outcomes = stream::iter(by_company(facts))
        .map(async |(uid, facts)| {
            match registry.record_facts_and_complete(uid, &facts, complete).await {
                // The item is too large for the table, or what is stored of the company cannot be decoded. The other
                // companies of the file are stored.
                Err(store::Error::Unwritable(cause)) => Ok(Err(not_stored(&facts, &*cause))),
                Err(store::Error::Shape(cause)) => {
                    log_unreadable(uid, &*cause);
                    Ok(Err(not_stored(&facts, &*cause)))
                }
                outcome => outcome.map(Ok),
            }
        })
        .buffer_unordered(PARALLEL_COMPANIES);
    let outcomes: Vec<Result<Stored, Vec<Rejected>>> = outcomes.try_collect().await?;
    // Also the news that were already known: an earlier run may have crashed before this line.
    registry.record_news(&news).await?;
    if let Some(list) = list {
        list.save(objects).await?;
    }
    for outcome in outcomes {
        match outcome {
            Ok(Stored::New) => report.new += 1,
            Ok(Stored::Changed) => report.changed += 1,
            Ok(Stored::Unchanged) => report.unchanged += 1,
            Err(not_stored) => rejected.extend(not_stored),
        }
    }
    let (read, unread): (Vec<&Rejected>, Vec<_>) = rejected.iter().partition(|it| it.is_read);
    let save = async |records: &[&Rejected]| {
        count_true(records.iter().map(|it| quarantine::save(objects, source, it, key.clone())))
            .await
    };
    let (newly_quarantined, newly_incomplete) = (save(&unread).await?, save(&read).await?);
    let duration = SignedDuration::try_from(started.elapsed()).unwrap_or_default();
    report.quarantined = unread.len() as u64;
    report.incomplete = read.len() as u64;
    registry
        .update_source_status(source, |status| {
            status.read += report.read;
            status.readable += report.read - report.quarantined;
            status.stored += report.new + report.changed;
            status.quarantined += newly_quarantined;
            status.incomplete += newly_incomplete;
            status.erased += report.erased;
            status.not_understood += newly_not_understood;
            status.cover(&coverage);
            status.newest_publication = status.newest_publication.max(newest);
            status.last_completed_at = Some(now.saturating_add(duration).unwrap_or(now));
            status.last_failure = None;
        })
        .await?;
    registry.publish_events(now).await?;
    if let Some(run) = run {
        registry.finish_run(run, report.new + report.changed > 0).await?;
    }
    Ok((report, rejected))
}

/// Number of records in a file.
pub(crate) fn records(statements: &[CompanyStatement], rejected: &[Rejected]) -> u64 {
    (statements.len() + rejected.iter().filter(|it| !it.is_read).count()) as u64
}

/// Awaits all futures and counts how many return `true`.
async fn count_true(
    futures: impl Iterator<Item = impl Future<Output = Result<bool, Error>>>,
) -> Result<u64, Error> {
    let futures: Vec<_> = futures.collect();
    let results = stream::iter(futures).buffer_unordered(PARALLEL_OBJECTS);
    results.try_fold(0, async |count, it| Ok(count + u64::from(it))).await
}

/// Facts that were read but cannot be stored, as records for the quarantine.
fn not_stored(facts: &[Fact], cause: &(dyn std::error::Error + 'static)) -> Vec<Rejected> {
    let reason = format!("cannot be stored: {}", errors::chain(cause));
    let record = |it: &Fact| {
        // Without the time, so that the same fact is the same record when it is read again.
        let fact = Fact { read_at: None, ..it.clone() };
        serde_json::to_string(&fact).unwrap_or(fact.fingerprint)
    };
    facts.iter().map(|it| Rejected::new(record(it), reason.clone())).collect()
}

/// Compares a complete list with the stored lists (`lists::compared`). Other files are returned unchanged.
pub(crate) async fn compared_with_lists(
    objects: &Objects,
    source: Source,
    facts: Vec<Fact>,
    unreadable: &BTreeSet<Uid>,
    now: Timestamp,
) -> Result<(Vec<Fact>, Option<List>), Error> {
    if !description(source).is_complete_list() {
        return Ok((facts, None));
    }
    let today = now.to_zoned(TimeZone::UTC).date();
    let (facts, list) = lists::compared(objects, source, facts, unreadable, today).await?;
    Ok((facts, Some(list)))
}

/// Groups facts by company. The publication of an acquirer also states a fact about the company that it
/// takes over.
pub(crate) fn by_company(mut facts: Vec<Fact>) -> BTreeMap<Uid, Vec<Fact>> {
    facts.extend(takeovers(&facts));
    let mut companies: BTreeMap<Uid, Vec<Fact>> = BTreeMap::new();
    for fact in facts {
        let known: &mut Vec<Fact> = companies.entry(fact.uid).or_default();
        // A file may contain a fact twice, but a transaction must not write the same item twice.
        if !known
            .iter()
            .any(|it| it.fingerprint == fact.fingerprint && it.published == fact.published)
        {
            known.push(fact);
        }
    }
    companies
}
