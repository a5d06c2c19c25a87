//! Imports files of a source, and reprocesses quarantined records.

use std::path::{Path, PathBuf};

use domain::Source;
use generations::Generations;
use ingest::{
    File, incoming, not_understood, quarantine, reprocess_file,
    resolve::{self, Read},
};
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use jobs::IngestJob;
use sources::Batch;

use super::now;
use crate::{CommandError, Context, cloud::Cloud, data_directory::ServerInfo};

/// A file of a source that has been read, but not stored.
pub struct Import {
    pub source: Source,
    pub path: PathBuf,
    pub read: Read,
    /// Date of the file, for a complete list that contains no date itself.
    day: Option<Date>,
}

/// Reads a file of a source.
pub fn read_file(source: Source, path: &Path) -> Result<Import, CommandError> {
    let name = path.to_string_lossy();
    let bytes = std::fs::read(path).context(&name)?;
    let read = resolve::read(source, &bytes).context(&name)?;
    let day = modified_on(path).filter(|_| sources::description(source).is_complete_list());
    Ok(Import { source, path: path.to_owned(), read, day })
}

/// The day on which a file was last modified.
pub(super) fn modified_on(path: &Path) -> Option<Date> {
    let modified = std::fs::metadata(path).and_then(|it| it.modified()).ok()?;
    Some(day_of(Timestamp::try_from(modified).ok()?))
}

pub(super) fn today() -> Date {
    day_of(now())
}

fn day_of(moment: Timestamp) -> Date {
    moment.to_zoned(TimeZone::UTC).date()
}

/// Stores the files' records, and prints what changed.
pub async fn import(
    cloud: &Cloud,
    imports: Vec<Import>,
    accept_shrunk: bool,
) -> Result<(), CommandError> {
    for Import { source, path, read, day } in imports {
        let name = path.to_string_lossy();
        let batch = resolve_companies(cloud, &name, read, day).await?;
        let rejected = batch.rejected.clone();
        let key = match rejected.is_empty() {
            true => None,
            false => Some(store_file(cloud, source, &path, day).await?),
        };
        let file = File { source, batch, key, accept_shrunk };
        let stored = ingest::ingest_file(&cloud.registry, &cloud.objects, file, now()).await;
        let report = stored.context(&name)?;
        println!(
            "{source} {name}: {} records read; companies: {} added, {} changed, {} unchanged; {} records quarantined",
            report.read, report.new, report.changed, report.unchanged, report.quarantined
        );
        for record in rejected {
            let kept = if record.is_read { "left out" } else { "quarantined" };
            println!("  {kept}: {}", record.reason);
        }
    }
    Ok(())
}

/// Hands the files to a running server, whose workers import them.
pub async fn import_through_server(
    server: &ServerInfo,
    imports: Vec<Import>,
    accept_shrunk: bool,
) -> Result<(), CommandError> {
    let cloud = Cloud::of_server(&server.endpoints);
    for Import { source, path, day, .. } in imports {
        let key = store_file(&cloud, source, &path, day).await?;
        let job = IngestJob::ImportFile { source, key, offset: 0, accept_shrunk };
        cloud.ingest_queue.send(&job).await.context(path.display())?;
        println!("{source} {}: the running server imports it", path.display());
    }
    Ok(())
}

/// Prints what an import of the files would change.
pub async fn preview(cloud: &Cloud, imports: Vec<Import>) -> Result<(), CommandError> {
    for Import { source, path, read, day } in imports {
        let name = path.to_string_lossy();
        let batch = resolve_companies(cloud, &name, read, day).await?;
        let now = now();
        let preview = ingest::preview(&cloud.registry, &cloud.objects, source, batch, now).await;
        let preview = preview.context(&name)?;
        let report = &preview.report;
        println!(
            "{source} {name}: {} records read; companies: {} to add, {} to change, {} unchanged; {} records to quarantine",
            report.read, report.new, report.changed, report.unchanged, report.quarantined
        );
        for (uid, (company, members)) in preview.changes {
            println!("  {uid} {company}: {}", members.join(", "));
        }
        for record in preview.rejected {
            let kept = if record.is_read { "to leave out" } else { "to quarantine" };
            println!("  {kept}: {}", record.reason);
        }
        if let Some((before, now)) = preview.shrunk {
            println!(
                "  the import would fail without --accept-shrunk: the list has {now} companies, the one before had {before}"
            );
        }
    }
    Ok(())
}

/// Reads the quarantined records of a source and its publications that had no effect again, stores what
/// can be read now, and prints how many that were.
pub async fn reprocess(cloud: &Cloud, source: Source) -> Result<(), CommandError> {
    let folder = tempfile::tempdir().context(source)?;
    let generations = Generations::new(cloud.objects.clone(), folder.path());
    let (registry, objects, now) = (&cloud.registry, &cloud.objects, now());
    let publications = not_understood::reprocess(registry, objects, source, now).await;
    let publications = publications.context(source)?;
    let files = quarantine::files(objects, source).await.context(source)?;
    let mut records = 0;
    for (file, keys) in files {
        let read = reprocess_file(registry, objects, &generations, source, &file, &keys, now).await;
        records += read.context(source)?;
    }
    println!(
        "{source}: {records} quarantined records and {publications} publications could be read this time"
    );
    Ok(())
}

/// The facts in a file, with each company that a record names looked up in the published generation.
async fn resolve_companies(
    cloud: &Cloud,
    name: &str,
    read: Read,
    day: Option<Date>,
) -> Result<Batch, CommandError> {
    let folder = tempfile::tempdir().context(name)?;
    let generations = Generations::new(cloud.objects.clone(), folder.path());
    let resolved = read.resolve_in(&generations, &cloud.registry).await;
    Ok(resolved.context(name)?.dated(day))
}

/// Stores a file with quarantined records in the bucket, so that `reprocess` can read it again. Returns its
/// key.
async fn store_file(
    cloud: &Cloud,
    source: Source,
    path: &Path,
    day: Option<Date>,
) -> Result<String, CommandError> {
    let bytes = std::fs::read(path).context(path.display())?;
    let key = incoming::key(source, day.unwrap_or_else(today), &bytes);
    cloud.objects.put(&key, bytes).await.context(path.display())?;
    Ok(key)
}
