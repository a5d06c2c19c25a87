//! Builds a generation from the registry and publishes it.
//!
//! Invariant: readers see either the previous generation or the new one, never a part of one. A generation contains
//! every change of the feed up to its last one.
//!
//! | Module | Content |
//! |---|---|
//! | here | reading the registry |
//! | `builder` | the indexes of a generation |
//! | `tables` | the records as Parquet files |
//! | `sequences` | checks that no change is missing |
//! | `unreadable` | companies that cannot be decoded |
//! | `worker` | what each job does |

mod builder;
mod sequences;
mod tables;
mod unreadable;
mod worker;

use std::path::Path;

use futures_util::{Stream, StreamExt};
use generations::Manifest;
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use objects::Objects;
use screened_companies::CompanyScreenings;
use store::Registry;
use tokio::{sync::mpsc, task::JoinHandle};

pub use builder::{About, Builder};
pub use worker::Worker;

/// Number of pages of companies that are read ahead of indexing.
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
    #[error(transparent)]
    Records(#[from] records::Error),
    #[error("the table of records could not be written")]
    Table(#[from] spreadsheet::ParquetError),
    #[error(transparent)]
    Objects(#[from] objects::Error),
    #[error("a file on this machine could not be read or written")]
    File(#[from] std::io::Error),
    #[error("{missing} of the {last} changes of the feed are missing, the first is number {first}")]
    MissingChanges { missing: usize, first: u64, last: u64 },
    #[error("change {sequence} of the feed occurs twice")]
    RepeatedChange { sequence: u64 },
    #[error("there are changes after number {last}, the last one of the feed")]
    LaterChanges { last: u64 },
    #[error(
        "{left_out} of {companies} companies cannot be decoded, the first is {first}: {reason}"
    )]
    TooManyUnreadable { left_out: usize, companies: usize, first: String, reason: String },
}

impl Error {
    /// Whether the generation would have been incomplete.
    fn is_refusal(&self) -> bool {
        match self {
            Self::MissingChanges { .. }
            | Self::RepeatedChange { .. }
            | Self::LaterChanges { .. }
            | Self::TooManyUnreadable { .. } => true,
            Self::Store(_)
            | Self::Index(_)
            | Self::Generation(_)
            | Self::Records(_)
            | Self::Table(_)
            | Self::Objects(_)
            | Self::File(_) => false,
        }
    }
}

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
    let published = read_and_publish(registry, objects, folder, now, progress).await;
    if let Err(error) = published.as_ref()
        && error.is_refusal()
    {
        tracing::error!(metric = "GenerationRefused", %error, "the generation is not published");
    }
    published
}

async fn read_and_publish(
    registry: &Registry,
    objects: &Objects,
    folder: &Path,
    now: Timestamp,
    progress: impl Fn(u64),
) -> Result<Manifest, Error> {
    // Before anything else: a change during the build leads to the next generation.
    let registry_version = registry.version(now).await?;
    registry.publish_events(now).await?;
    let as_of_sequence = registry.feed_end().await?;
    let last_day = last_day(registry, as_of_sequence, now).await?;
    let screened = CompanyScreenings::new(objects.clone()).current().await;
    let mut builder = Builder::new(last_day).with_screened(screened);
    let (mut read, mut unreadable) = (0, Vec::new());
    let (mut pages, reading) = read_ahead(registry.every_company());
    while let Some(companies) = pages.recv().await {
        for company in companies? {
            match company {
                // An event that is published while this loop runs belongs to the next generation.
                Ok((company, history)) => {
                    builder.push(&company, &history.published_through(as_of_sequence))?;
                }
                Err(company) => unreadable.push(company),
            }
            read += 1;
        }
        progress(read as u64);
    }
    reading.await.map_err(std::io::Error::other)?;
    unreadable::quarantine(objects, &unreadable, read).await?;
    unreadable::add_events(registry, &unreadable, &mut builder, as_of_sequence).await?;
    let left_out = unreadable.len() as u64;
    let about = About { built_at: now, registry_version, as_of_sequence, left_out };
    builder.publish(objects, folder, about).await
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
