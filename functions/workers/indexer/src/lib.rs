//! Builds a generation from the registry and publishes it.
//!
//! Invariant: readers see the generation before or this one, never half of it.

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
/// told how many companies have been read so far.
pub async fn publish(
    registry: &Registry,
    objects: &Objects,
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
    // Below the temporary folder, and gone with it: the bucket has the files.
    let directory = tempfile::TempDir::with_prefix("generation-build-")?;
    let companies = directory.path().join("companies");
    std::fs::create_dir(&companies)?;
    let build = move || builder.finish(&companies);
    tokio::task::spawn_blocking(build).await.map_err(std::io::Error::other)??;
    Ok(generations::publish(objects, directory.path(), read, 0, now).await?)
}
