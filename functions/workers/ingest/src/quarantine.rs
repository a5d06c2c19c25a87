//! The quarantine: records that cannot be read. An operator can have them read again, after the reader has
//! improved or after new companies were registered.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::{StreamExt, TryStreamExt, stream};
use generations::Generations;
use jiff::Timestamp;
use objects::Objects;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sources::{Rejected, description};
use statements::Source;
use store::Registry;

use crate::{
    Error, File, JobError, PARALLEL_OBJECTS, file::ingest_with_rejects, incoming, resolve,
};

/// A record that cannot be read.
#[derive(Debug, Serialize, Deserialize)]
struct QuarantinedRecord {
    #[serde(flatten)]
    rejected: Rejected,
    /// The object key of the file with the record. The whole file is read again, because a record alone
    /// may not be readable: a table row has no header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

fn prefix(source: Source) -> String {
    format!("quarantine/{source}/")
}

/// The object key contains a digest of the record, so the same record is stored once.
fn object_key(source: Source, rejected: &Rejected) -> String {
    let digest = hex::encode(Sha256::digest(&rejected.record));
    format!("{}{digest}.json", prefix(source))
}

/// Saves a record that cannot be read. Returns `true` if it was not in the quarantine before.
pub(crate) async fn save(
    objects: &Objects,
    source: Source,
    rejected: &Rejected,
    file: Option<String>,
) -> Result<bool, Error> {
    let key = object_key(source, rejected);
    put_if_new(objects, &key, &QuarantinedRecord { rejected: rejected.clone(), file }).await
}

/// Writes an object as JSON unless it exists. Returns `true` if it did not exist.
pub(crate) async fn put_if_new(
    objects: &Objects,
    key: &str,
    content: &impl Serialize,
) -> Result<bool, Error> {
    let is_new = !objects.exists(key).await?;
    if is_new {
        #[expect(clippy::expect_used, reason = "structs of strings always serialise")]
        let bytes = serde_json::to_vec(content).expect("plain data");
        objects.put(key, bytes).await?;
    }
    Ok(is_new)
}

/// The files of a source that have quarantined records, by object key, each with the object keys of those
/// records.
pub async fn files(
    objects: &Objects,
    source: Source,
) -> Result<BTreeMap<String, Vec<String>>, Error> {
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    // A complete list is fetched again every time, so an old one adds nothing.
    if description(source).is_complete_list {
        return Ok(files);
    }
    let keys = stream::iter(objects.keys(&prefix(source)).await?);
    let records = keys.map(async |key| Ok::<_, Error>((objects.get(&key).await?, key)));
    let mut records = std::pin::pin!(records.buffered(PARALLEL_OBJECTS));
    while let Some((record, key)) = records.try_next().await? {
        let record = record.and_then(|it| serde_json::from_slice::<QuarantinedRecord>(&it).ok());
        if let Some(file) = record.and_then(|it| it.file) {
            files.entry(file).or_default().push(key);
        }
    }
    Ok(files)
}

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
    let Some(bytes) = objects.get(file).await.map_err(Error::from)? else {
        // Files expire after some months. Their records stay in the quarantine.
        tracing::warn!(file, "the file has expired and cannot be read again");
        return Ok(0);
    };
    let read = resolve::read(source, &bytes).map_err(Error::from)?;
    let batch = read.resolve_in(generations, registry).await?.dated(incoming::date(file));
    let key = Some(file.to_owned());
    let file = File { source, batch, key, accept_shrunk: false };
    let (_, rejected) = ingest_with_rejects(registry, objects, file, now).await?;
    let still_rejected: BTreeSet<String> =
        rejected.iter().map(|it| object_key(source, it)).collect();
    let mut readable = 0;
    for key in records.iter().filter(|it| !still_rejected.contains(*it)) {
        objects.delete(key).await.map_err(Error::from)?;
        readable += 1;
    }
    let left = objects.keys(&prefix(source)).await.map_err(Error::from)?.len() as u64;
    let updated = registry.update_source_status(source, |it| it.quarantined = left).await;
    updated.map_err(Error::from)?;
    Ok(readable)
}
