//! Removing what is on the list from the registry.

use std::{collections::BTreeSet, pin::pin};

use domain::{Company, Uid, changes::PublishedEvent, statements::Statement};
use facts::{
    Fact,
    erasures::{Erasures, Redacted},
};
use futures_util::TryStreamExt;

use super::Applied;
use crate::{
    ATTEMPTS, Error, News, Registry,
    change_feed::{Chunk, End},
    companies::readable,
    keys::{self, Key},
    pause_after_conflict,
    table::{Row, Write},
};

impl Registry {
    /// Removes what is on the list from the table: all items of erased companies, and their names and numbers from what others
    /// state. Reads the whole table. `complete` is that of [`Registry::record_facts_and_complete`]; `progress` gets the number of
    /// items read so far.
    ///
    /// Safe to interrupt and to run again.
    pub async fn apply_erasures(
        &self,
        complete: impl Fn(Company) -> Company,
        progress: impl Fn(u64),
    ) -> Result<Applied, Error> {
        let mut applied = Applied::default();
        let erasures = self.erasures().await?;
        if erasures.is_empty() {
            return Ok(applied);
        }
        self.end_held_erasures().await?;
        let mut mentioning = BTreeSet::new();
        let mut pages = pin!(self.table.scan_all());
        while let Some(page) = pages.try_next().await? {
            applied.read += page.len() as u64;
            let mut deleted = Vec::new();
            for row in page {
                match place(&row) {
                    Place::Company(uid) if erasures.has_company(uid) => deleted.push(row.key()),
                    Place::Company(uid) => {
                        if self.redact_of_company(&erasures, row, &mut applied).await? {
                            mentioning.insert(uid);
                        }
                    }
                    Place::Marked(uid) if erasures.has_company(uid) => deleted.push(row.key()),
                    Place::Chunk => self.redact_chunk(&erasures, row, &mut applied).await?,
                    Place::Event => self.redact_event_item(&erasures, row, &mut applied).await?,
                    Place::News => {
                        let (key, redacted) = (row.key(), self.redact_news(&erasures, row).await?);
                        deleted.extend(redacted.then_some(key));
                    }
                    Place::Marked(_) | Place::Other => {}
                }
            }
            applied.deleted += deleted.len() as u64;
            self.table.delete_all(deleted).await?;
            progress(applied.read);
        }
        for uid in mentioning {
            applied.redacted += u64::from(self.redact_company(&erasures, uid, &complete).await?);
        }
        Ok(applied)
    }

    /// Redacts an item of a company, if it is one from which nothing is folded. Returns whether it is another one that mentions
    /// something that was erased.
    async fn redact_of_company(
        &self,
        erasures: &Erasures,
        row: Row,
        applied: &mut Applied,
    ) -> Result<bool, Error> {
        if row.sort.starts_with("NEWS#") || row.sort.starts_with("SHAREHOLDING#") {
            let key = row.key();
            let Some(fact) = readable::<Fact>(row).transpose()? else { return Ok(false) };
            let redacted = erasures.redact(fact.clone());
            if redacted.as_ref() != Some(&fact) {
                let mut writes = vec![Write::delete(key)];
                if let Some(redacted) = redacted {
                    writes.push(Write::put_document(keys::fact(&redacted), &redacted)?);
                }
                self.table.transact(writes).await?;
                applied.redacted += 1;
            }
            return Ok(false);
        }
        // A damaged item stays as it is: the company is in the quarantine.
        let Ok(mut json) = row.json() else { return Ok(false) };
        Ok(erasures.redact_json(&mut json))
    }

    /// Redacts the events of a part of the feed. The end of the feed is written with it, unchanged, so that nothing is appended
    /// meanwhile.
    async fn redact_chunk(
        &self,
        erasures: &Erasures,
        row: Row,
        applied: &mut Applied,
    ) -> Result<(), Error> {
        let key = row.key();
        let redacted = |chunk: &Chunk| -> Vec<PublishedEvent> {
            chunk.events.iter().map(|it| erasures.redact_event(it.clone())).collect()
        };
        let Some(scanned) = readable::<Chunk>(row).transpose()? else { return Ok(()) };
        if redacted(&scanned) == scanned.events {
            return Ok(());
        }
        for conflicts in 0..ATTEMPTS {
            // The scan may have read the last chunk before others were appended. The end is read first.
            let end = self.feed_end().await?;
            let Some(chunk) = self.table.get::<Chunk>(key.clone()).await? else { return Ok(()) };
            let put = Write::put_document(key.clone(), &Chunk { events: redacted(&chunk) })?;
            let revision = usize::try_from(end).unwrap_or(usize::MAX);
            let same_end = Write::put_document(keys::feed_end(), &End { sequence: end })?;
            match self.table.transact(vec![put, same_end.revise(revision, revision)]).await {
                Err(Error::Changed) => pause_after_conflict(conflicts).await,
                Err(failure) => return Err(failure),
                Ok(()) => {
                    applied.redacted += 1;
                    return Ok(());
                }
            }
        }
        Err(Error::Changed)
    }

    async fn redact_event_item(
        &self,
        erasures: &Erasures,
        row: Row,
        applied: &mut Applied,
    ) -> Result<(), Error> {
        let key = row.key();
        let Some(event) = readable::<PublishedEvent>(row).transpose()? else { return Ok(()) };
        let redacted = erasures.redact_event(event.clone());
        if redacted != event {
            // Nobody else writes it: an event is published once.
            self.table.put_documents([(key, redacted)]).await?;
            applied.redacted += 1;
        }
        Ok(())
    }

    /// Stores a news item without what was erased. Returns whether the item is to be deleted.
    async fn redact_news(&self, erasures: &Erasures, row: Row) -> Result<bool, Error> {
        let key = row.key();
        let Some(news) = readable::<News>(row).transpose()? else { return Ok(false) };
        if erasures.has_company(news.uid) {
            return Ok(true);
        }
        let statement = Statement::News(Box::new(news.item.clone()));
        let fact = Fact::of_news(news.uid, news.source, statement);
        let Some(redacted) = erasures.redact(fact).as_ref().and_then(News::of) else {
            return Ok(true);
        };
        if redacted.item == news.item {
            return Ok(false);
        }
        let provenance = match erasures.redact_as(&news.provenance, &[]) {
            Redacted::Changed(it) => it,
            _ => news.provenance.clone(),
        };
        let redacted = News { provenance, ..redacted };
        let published = redacted.item.published_at;
        let new: Key = keys::news(published, redacted.uid, &redacted.fingerprint);
        self.table.put_documents([(new.clone(), redacted)]).await?;
        Ok(new != key)
    }
}

/// What an item of the registry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Of a company.
    Company(Uid),
    /// A company whose events wait, or that has changed.
    Marked(Uid),
    /// A part of the feed.
    Chunk,
    Event,
    News,
    /// States nothing about companies and persons.
    Other,
}

/// Reads from the key of an item what it is. `None`: it states nothing about companies and persons.
type PlaceOf = fn(&Row) -> Option<Place>;

/// Every kind of partition of the registry, by the pattern in the table at the top of [`keys`].
const PARTITIONS: &[(&str, PlaceOf)] = &[
    ("COMPANY#{uid}", |row| {
        Some(Place::Company(keys::company_number(&row.partition).parse().ok()?))
    }),
    ("OUTBOX#{shard}", |row| Some(Place::Marked(row.sort.parse().ok()?))),
    ("CHANGED#{day}#{shard}", |row| Some(Place::Marked(row.sort.parse().ok()?))),
    ("FEED#{(sequence - 1) / 100}", |_| Some(Place::Chunk)),
    ("EVENT#{id}", |_| Some(Place::Event)),
    ("NEWS#{month}", |_| Some(Place::News)),
    ("FEED", |_| None),
    ("SOURCE#{source}", |_| None),
    ("RUNS", |_| None),
    ("ERASED", |_| None),
    ("JOB#{id}", |_| None),
];

fn place(row: &Row) -> Place {
    let shape = |partition: &str| {
        let mut segments = partition.split('#');
        (segments.next().map(str::to_owned), segments.count())
    };
    let of_row = shape(&row.partition);
    let found = PARTITIONS.iter().find(|(pattern, _)| shape(pattern) == of_row);
    found.and_then(|(_, place)| place(row)).unwrap_or(Place::Other)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::PARTITIONS;

    #[test]
    fn every_documented_partition_of_the_registry_is_searched_or_states_nothing_about_anybody() {
        let rows = include_str!("../keys.rs").lines().filter_map(|it| it.strip_prefix("//! | "));
        let documented: BTreeSet<&str> = rows
            .filter_map(|row| match row.split(" | ").collect::<Vec<_>>()[..] {
                ["registry", _, partition, _] => Some(partition.trim_matches('`')),
                _ => None,
            })
            .collect();
        let known: BTreeSet<&str> = PARTITIONS.iter().map(|it| it.0).collect();
        assert_eq!(known, documented);
    }
}
