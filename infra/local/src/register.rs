//! How data gets into the register: the demo companies, imported files, and the generation that is
//! published from them.
//!
//! | Module | Contents |
//! |---|---|
//! | here | publishing a generation |
//! | [`demo`] | loads the demo register |
//! | [`erasures`] | erases companies and persons from tables and bucket |
//! | [`import`] | imports files of a source, and reprocesses quarantined records |
//! | [`lists`] | the invented screening lists |
//! | [`localities`] | imports swisstopo's directory of localities |

pub mod demo;
pub mod erasures;
pub mod import;
pub mod lists;
pub mod localities;

use std::path::Path;

use generations::Manifest;
use indicatif::{ProgressBar, ProgressStyle};
use jiff::Timestamp;

use crate::{
    CommandError, Context,
    cloud::Cloud,
    data_directory::{DataDirectory, RegistryMarker},
};

/// Changes the register of a data directory, and publishes it. No other process may use the directory.
pub async fn change_and_publish(
    data: &Path,
    change: impl AsyncFnOnce(&Cloud) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    change_and_publish_then(data, change, async |_: &Cloud| Ok(())).await
}

/// As [`change_and_publish`], with something that can only be done after the publication.
pub async fn change_and_publish_then(
    data: &Path,
    change: impl AsyncFnOnce(&Cloud) -> Result<(), CommandError>,
    then: impl AsyncFnOnce(&Cloud) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    let (directory, RegistryMarker { companies, .. }) = DataDirectory::lock_existing(data)?;
    let (cloud, _) = Cloud::in_folder(directory.path()).await?;
    let manifest = with_marker(&directory, companies, async {
        change(&cloud).await?;
        let manifest = publish(&cloud, &std::env::temp_dir(), companies as u64).await?;
        then(&cloud).await?;
        Ok(manifest)
    });
    let manifest = manifest.await?;
    println!("published generation {} with {} companies", manifest.id, manifest.companies);
    Ok(())
}

/// Runs a change that publishes a generation. While it runs, the directory is marked as unpublished: if the
/// process dies, the next start publishes.
pub async fn with_marker(
    directory: &DataDirectory,
    companies: usize,
    change_and_publish: impl Future<Output = Result<Manifest, CommandError>>,
) -> Result<Manifest, CommandError> {
    directory.put_registry(&RegistryMarker { companies, published: false })?;
    let manifest = change_and_publish.await?;
    directory.put_registry(&RegistryMarker { companies, published: true })?;
    Ok(manifest)
}

/// Builds a generation from the whole registry and publishes it. `expected` is the approximate number of
/// companies, for the progress bar. The files are built in a new directory inside `temporary`.
pub async fn publish(
    cloud: &Cloud,
    temporary: &Path,
    expected: u64,
) -> Result<Manifest, CommandError> {
    let bar = progress_bar("indexing", expected);
    let (registry, objects, now) = (&cloud.registry, &cloud.objects, now());
    let published =
        indexer::publish(registry, objects, temporary, now, |it| bar.set_position(it)).await;
    let manifest = published.context("cannot publish a generation")?;
    bar.finish_and_clear();
    Ok(manifest)
}

fn progress_bar(message: &'static str, length: u64) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if let Ok(style) =
        ProgressStyle::with_template("{msg:>9} [{bar:40}] {human_pos}/{human_len} {eta}")
    {
        bar.set_style(style);
    }
    bar.set_message(message);
    bar
}

#[expect(clippy::disallowed_methods, reason = "commands pass the time to everything they call")]
fn now() -> Timestamp {
    Timestamp::now()
}
