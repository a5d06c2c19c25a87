//! Builds a generation from the registry and publishes it.
//!
//! Invariant: readers see either the previous generation or the new one, never a part of one.

mod builder;
mod worker;

use std::path::Path;

use futures_util::{Stream, StreamExt};
use generations::Manifest;
use jiff::Timestamp;
use objects::Objects;
use store::Registry;
use tokio::sync::mpsc;

pub use builder::Builder;
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
    #[error("a file on this machine could not be read or written")]
    File(#[from] std::io::Error),
}

/// Publishes all recorded events in the change feed, builds the indexes of all companies, and publishes them as
/// the current generation. Calls `progress` with the number of companies read so far. Temporary files are in
/// `folder` and are deleted at the end.
pub async fn publish(
    registry: &Registry,
    objects: &Objects,
    folder: &Path,
    now: Timestamp,
    progress: impl Fn(u64),
) -> Result<Manifest, Error> {
    registry.publish_events(now).await?;
    let as_of_sequence = registry.feed_end().await?;
    let mut builder = Builder::default();
    let mut read = 0;
    let mut pages = read_ahead(registry.every_company());
    while let Some(companies) = pages.recv().await {
        for (company, history) in companies? {
            // An event that is published while this loop runs belongs to the next generation.
            builder.push(&company, &history.published_through(as_of_sequence));
            read += 1;
        }
        progress(read);
    }
    builder.publish(objects, folder, as_of_sequence, now).await
}

/// Reads the stream in a task of its own, so that reading and indexing overlap.
fn read_ahead<T: Send + 'static>(
    pages: impl Stream<Item = T> + Send + 'static,
) -> mpsc::Receiver<T> {
    let (send, receive) = mpsc::channel(PAGES_AHEAD);
    tokio::spawn(async move {
        let mut pages = std::pin::pin!(pages);
        while let Some(page) = pages.next().await {
            // The receiver is gone if indexing failed.
            if send.send(page).await.is_err() {
                return;
            }
        }
    });
    receive
}
