//! Builds a generation from the registry and publishes it.
//!
//! Invariant: readers see the generation before or this one, never half of it.

use std::path::Path;

use futures_util::StreamExt;
use generations::Manifest;
use jiff::Timestamp;
use objects::Objects;
use store::Registry;
use text_index::companies::Builder;

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

/// Reads every company, builds the index, and publishes it as the current generation. `progress` is
/// told how many companies have been read so far. The files are made in
/// a folder `below`, and gone from there in the end: the bucket has them.
pub async fn publish(
    registry: &Registry,
    objects: &Objects,
    below: &Path,
    now: Timestamp,
    progress: impl Fn(u64),
) -> Result<Manifest, Error> {
    let mut builder = Builder::new();
    let mut read = 0;
    let mut pages = std::pin::pin!(registry.every_company());
    while let Some(companies) = pages.next().await {
        for company in companies? {
            builder.push(&company);
            read += 1;
        }
        progress(read);
    }
    let directory = tempfile::TempDir::with_prefix_in("generation-build-", below)?;
    let companies = directory.path().join("companies");
    std::fs::create_dir(&companies)?;
    let build = move || builder.finish(&companies);
    tokio::task::spawn_blocking(build).await.map_err(std::io::Error::other)??;
    Ok(generations::publish(objects, directory.path(), read, 0, now).await?)
}
