//! Reading quarantined records again, after the reader has improved or after new companies were registered.

use domain::Source;
use generations::Generations;
use jiff::Timestamp;
use objects::Objects;
use store::Registry;

use crate::{
    Error, File, JobError,
    file::ingest_with_rejects,
    incoming::{self, Content},
    quarantine, resolve,
};

/// Reads a file with quarantined records again. Records that can be read now are stored and then leave the
/// quarantine. Returns their number. Safe to run twice.
pub async fn reprocess_file(
    registry: &Registry,
    objects: &Objects,
    generations: &Generations,
    source: Source,
    file: &str,
    records: &[String],
    now: Timestamp,
) -> Result<u64, JobError> {
    // What was ingested was never too large to be read.
    let Some(Content::Whole(bytes)) = incoming::read(objects, file).await? else {
        // Files expire after some months. Their records stay in the quarantine.
        tracing::warn!(file, "the file has expired and cannot be read again");
        return Ok(0);
    };
    let read = resolve::read(source, &bytes).map_err(Error::from)?;
    let batch = read.resolve_in(generations, registry).await?.dated(incoming::date(file));
    let key = Some(file.to_owned());
    let file = File { source, batch, key, accept_shrunk: false };
    let (_, rejected) = ingest_with_rejects(registry, objects, file, now).await?;
    let readable = quarantine::remove_readable(objects, source, records, &rejected).await?;
    let (quarantined, incomplete) = quarantine::count(objects, source).await?;
    let updated = registry.update_source_status(source, |it| {
        (it.quarantined, it.incomplete) = (quarantined, incomplete);
    });
    let updated = updated.await;
    updated.map_err(Error::from)?;
    Ok(readable)
}
