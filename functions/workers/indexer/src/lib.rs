//! Builds a generation from the registry and publishes it.
//!
//! Invariant: readers see the generation before or this one, never half of it.

mod worker;

use std::{collections::BTreeSet, path::Path, thread};

use domain::{Company, History, auditors, history::Recorded, persons::Role};
use futures_util::{Stream, StreamExt};
use generations::{Counts, Manifest};
use jiff::Timestamp;
use objects::Objects;
use store::Registry;
use text_index::{
    changes, companies, persons,
    tenures::{self, TenureRow},
};
use tokio::sync::mpsc;

pub use worker::Worker;

/// How many pages of companies are read ahead of the indexes that take them in.
const PAGES_AHEAD: usize = 4;

/// Why no generation was published.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error(transparent)]
    Index(#[from] text_index::Error),
    #[error(transparent)]
    Generation(#[from] generations::Error),
    #[error("a file on this machine could not be read or written")]
    File(#[from] std::io::Error),
}

/// Gives every event its place in the feed, reads every company and what happened to it, builds the
/// indexes, and publishes them as the current generation. `progress` is told how many companies have
/// been read so far. The files are made in a folder `below`, and gone from there in the end: the
/// bucket has them.
pub async fn publish(
    registry: &Registry,
    objects: &Objects,
    below: &Path,
    now: Timestamp,
    progress: impl Fn(u64),
) -> Result<Manifest, Error> {
    registry.publish_events(now).await?;
    let as_of_sequence = registry.feed_end().await?;
    let mut builder = Builder::default();
    let mut read = 0;
    let mut pages = ahead(registry.every_company());
    while let Some(companies) = pages.recv().await {
        for (company, history) in companies? {
            // What was published after the reading began belongs to the next generation, whole.
            builder.push(&company, &history.told_until(as_of_sequence));
            read += 1;
        }
        progress(read);
    }
    builder.publish(objects, below, as_of_sequence, now).await
}

/// The same, read on while whoever asked is busy with what was read.
fn ahead<T: Send + 'static>(pages: impl Stream<Item = T> + Send + 'static) -> mpsc::Receiver<T> {
    let (send, receive) = mpsc::channel(PAGES_AHEAD);
    tokio::spawn(async move {
        let mut pages = std::pin::pin!(pages);
        while let Some(page) = pages.next().await {
            // Nobody asks any more where something failed.
            if send.send(page).await.is_err() {
                return;
            }
        }
    });
    receive
}

/// A generation on its way: takes every company once, in any order.
#[derive(Default)]
pub struct Builder {
    companies_taken: u64,
    counts: Counts,
    companies: companies::Builder,
    changes: changes::Builder,
    persons: persons::Builder,
    tenures: tenures::Builder,
}

impl Builder {
    /// A company and what happened to it. An event that has no place in the feed yet is left out of the
    /// changes.
    pub fn push(&mut self, company: &Company, history: &History) {
        let told = history.newest_events(false).count();
        self.companies_taken += 1;
        self.count(company, history, told as u64);
        self.companies.push_with_changes(company, u32::try_from(told).unwrap_or(u32::MAX));
        let told = history.events.iter().chain(&history.replaced);
        for event in told.filter_map(Recorded::published) {
            self.changes.push(&event);
        }
        for mandate in &history.mandates {
            self.persons.push(&Role::new(company, mandate.clone()));
        }
        for (one, other) in &history.same_persons {
            self.persons.same(*one, *other);
        }
        for tenure in auditors::tenures(company, history, company.sources.first().cloned()) {
            let row = TenureRow::new(tenure, company.uid, &company.name, company.canton);
            self.tenures.push(row);
        }
    }

    fn count(&mut self, company: &Company, history: &History, told: u64) {
        let Counts { changes, publications, .. } = &mut self.counts;
        *changes += told;
        let references = history.events.iter().map(|it| &it.event.source.reference);
        *publications += references.collect::<BTreeSet<_>>().len() as u64;
        let filled = [
            (&mut self.counts.enriched, company.is_enriched()),
            (&mut self.counts.with_canton, company.canton.is_some()),
            (&mut self.counts.with_status, company.status.is_some()),
            (&mut self.counts.with_legal_form, company.legal_form.is_some()),
            (&mut self.counts.with_capital, company.share_capital.is_some()),
            (&mut self.counts.with_industry, company.industry.is_some()),
            (&mut self.counts.with_coordinates, company.latitude.is_some()),
            (&mut self.counts.with_auditor, company.auditor_name.is_some()),
        ];
        for (count, is_filled) in filled {
            *count += u64::from(is_filled);
        }
    }

    /// Builds the indexes in a folder `below` and publishes them as the current generation, which holds
    /// the feed up to `as_of_sequence`.
    pub async fn publish(
        self,
        objects: &Objects,
        below: &Path,
        as_of_sequence: u64,
        now: Timestamp,
    ) -> Result<Manifest, Error> {
        let read = self.companies_taken;
        let directory = tempfile::TempDir::with_prefix_in("generation-build-", below)?;
        let path = directory.path().to_owned();
        let build = move || self.finish(&path);
        let counts = tokio::task::spawn_blocking(build).await.map_err(std::io::Error::other)??;
        let published =
            generations::publish(objects, directory.path(), read, counts, as_of_sequence, now);
        Ok(published.await?)
    }

    /// Builds the index of companies beside the others: they take about as long together, and more at the
    /// same time would take more memory than a function has.
    fn finish(self, directory: &Path) -> Result<Counts, Error> {
        let Self { companies_taken: _, counts, companies, changes, persons, tenures } = self;
        let folder = |index: &str| {
            let path = directory.join(index);
            std::fs::create_dir(&path).map(|()| path)
        };
        let of_companies = folder("companies")?;
        thread::scope(|scope| {
            let building = scope.spawn(move || companies.finish(&of_companies));
            changes.finish(&folder("changes")?)?;
            let persons = persons.finish(&folder("persons")?)?.persons;
            tenures.finish(&folder("tenures")?)?;
            building.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            Ok(Counts { persons, ..counts })
        })
    }
}
