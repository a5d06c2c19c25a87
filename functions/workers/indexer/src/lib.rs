//! Builds a generation from the registry and publishes it.
//!
//! Invariant: readers see either the previous generation or the new one, never a part of one. A generation contains
//! every change of the feed up to its last one. It is the same whether it was built from the registry alone, or from the
//! previous generation and the companies that have changed since.
//!
//! | Module | Content |
//! |---|---|
//! | here | reading the registry |
//! | `previous` | reading the previous generation |
//! | `builder` | the indexes of a generation |
//! | `tables` | the records as Parquet files |
//! | `coverage` | since when the register is known |
//! | `sequences` | checks that no change is missing |
//! | `unreadable` | companies that cannot be decoded |
//! | `worker` | what each job does |
//! | `error` | which failures another attempt may mend |

mod builder;
mod coverage;
mod error;
mod previous;
mod sequences;
mod tables;
mod unreadable;
mod worker;

use std::path::Path;

use facts::erasures::Erasures;
use futures_util::{Stream, StreamExt};
use generations::Manifest;
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use objects::Objects;
use screening_results::CompanyScreenings;
use store::{Decoded, Registry, Unreadable};
use tokio::{sync::mpsc, task::JoinHandle};

pub use builder::{About, Builder};
pub use error::Error;
pub use worker::Worker;

/// Number of pages of companies that are read ahead of indexing.
const PAGES_AHEAD: usize = 4;

/// Publishes all recorded events in the change feed, builds the indexes of all companies, and publishes them as
/// the current generation. Calls `progress` with the number of companies read so far. Temporary files are in
/// `folder` and are deleted at the end.
///
/// A few companies that cannot be decoded are left out (`unreadable`). If more cannot be decoded, or if a change of
/// the feed is missing, nothing is published.
pub async fn publish(
    registry: &Registry,
    objects: &Objects,
    folder: &Path,
    now: Timestamp,
    progress: impl Fn(u64),
) -> Result<Manifest, Error> {
    let published = Run { registry, objects, folder, now }.build_whole(progress).await;
    if let Err(error) = published.as_ref()
        && error.is_refusal()
    {
        tracing::error!(
            metric = "GenerationRefused",
            error = errors::chain(error),
            "the generation is not published"
        );
    }
    published
}

/// As [`publish`], but reads only the companies that have changed since the previous generation was built, and the others
/// from that generation. Reads all from the registry if this is not possible, or if the result would be incomplete.
pub async fn update(
    registry: &Registry,
    objects: &Objects,
    folder: &Path,
    now: Timestamp,
) -> Result<Manifest, Error> {
    let previous = match generations::published(objects).await {
        Err(generations::Error::Objects(failure)) => return Err(failure.into()),
        // What cannot be read is replaced.
        Err(_) | Ok(None) => None,
        Ok(Some(previous)) => match previous::was_refused(objects, &previous).await? {
            true => None,
            false => Some(previous),
        },
    };
    if let Some(previous) = previous {
        match (Run { registry, objects, folder, now }).build_from(&previous).await {
            Ok(Some(manifest)) => return Ok(manifest),
            Ok(None) => {}
            Err(failure) if failure.is_temporary() => return Err(failure),
            Err(failure) => {
                let failure = errors::chain(&failure);
                tracing::error!(
                    metric = "GenerationNotUpdated",
                    failure,
                    "all companies are read again"
                );
                // If the time of the function does not suffice for both, the next attempt begins with all companies.
                previous::refuse(objects, &previous).await?;
            }
        }
    }
    publish(registry, objects, folder, now, |_| ()).await
}

/// What a run works with.
struct Run<'a> {
    registry: &'a Registry,
    objects: &'a Objects,
    folder: &'a Path,
    now: Timestamp,
}

/// A generation that is being built, and what was read for it.
struct Building {
    builder: Builder,
    registry_version: u64,
    as_of_sequence: u64,
    /// Number of companies that were read.
    read: usize,
    unreadable: Vec<Unreadable>,
    /// Companies on this list are left out, also if the previous generation has them.
    erasures: Erasures,
}

impl Building {
    fn push(&mut self, company: Decoded) -> Result<(), Error> {
        self.read += 1;
        match company {
            Ok((company, _)) if self.erasures.has_company(company.uid) => {}
            // An event that is published during the run belongs to the next generation.
            Ok((company, history)) => {
                self.builder.push(&company, &history.published_through(self.as_of_sequence))?;
            }
            Err(company) => self.unreadable.push(company),
        }
        Ok(())
    }
}

impl Run<'_> {
    async fn build_whole(&self, progress: impl Fn(u64)) -> Result<Manifest, Error> {
        let mut building = self.start().await?;
        let (mut pages, reading) = read_ahead(self.registry.every_company());
        while let Some(companies) = pages.recv().await {
            companies?.into_iter().try_for_each(|it| building.push(it))?;
            progress(building.read as u64);
        }
        reading.await.map_err(std::io::Error::other)?;
        self.finish(building).await
    }

    async fn start(&self) -> Result<Building, Error> {
        let Self { registry, now, .. } = *self;
        // Before anything else: a change during the build leads to the next generation.
        let registry_version = registry.version(now).await?;
        registry.publish_events(now).await?;
        let as_of_sequence = registry.feed_end().await?;
        let last_day = last_day(registry, as_of_sequence, now).await?;
        let screened = CompanyScreenings::new(self.objects.clone()).current().await;
        let builder = Builder::new(last_day).with_screened(screened);
        let (read, unreadable) = (0, Vec::new());
        let erasures = registry.erasures().await?;
        Ok(Building { builder, registry_version, as_of_sequence, read, unreadable, erasures })
    }

    async fn finish(&self, building: Building) -> Result<Manifest, Error> {
        let Building { mut builder, registry_version, as_of_sequence, read, unreadable, erasures } =
            building;
        unreadable::quarantine(self.objects, &unreadable, read).await?;
        unreadable::add_events(self.registry, &unreadable, &mut builder, as_of_sequence, &erasures)
            .await?;
        let left_out = unreadable.len() as u64;
        let about = About { built_at: self.now, registry_version, as_of_sequence, left_out };
        let manifest = builder.publish(self.objects, self.folder, about).await?;
        unreadable::release(self.objects, &unreadable).await?;
        Ok(manifest)
    }
}

/// The day of the last change of the feed: the register is known up to that day, not up to today.
async fn last_day(registry: &Registry, end: u64, now: Timestamp) -> Result<Date, Error> {
    let last = registry.feed(end.saturating_sub(1), 1).await?.events.pop();
    Ok(last.map_or_else(|| now.to_zoned(TimeZone::UTC).date(), |it| it.event.date))
}

/// Reads the stream in a task of its own, so that reading and indexing overlap. The task must be awaited at the end: if
/// it was interrupted, the pages are incomplete.
fn read_ahead<T: Send + 'static>(
    pages: impl Stream<Item = T> + Send + 'static,
) -> (mpsc::Receiver<T>, JoinHandle<()>) {
    let (send, receive) = mpsc::channel(PAGES_AHEAD);
    let reading = tokio::spawn(async move {
        let mut pages = std::pin::pin!(pages);
        while let Some(page) = pages.next().await {
            // The receiver is gone if indexing failed.
            if send.send(page).await.is_err() {
                return;
            }
        }
    });
    (receive, reading)
}
