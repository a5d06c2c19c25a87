//! The quarantine: records that cannot be read, and in a folder of their own those that are used without what cannot be read of
//! them.

use std::collections::{BTreeMap, BTreeSet};

use domain::Source;
use futures_util::{StreamExt, TryStreamExt, stream};
use objects::Objects;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sources::{Rejected, description};

use crate::{Error, PARALLEL_OBJECTS};

/// A record that cannot be read, or not as a whole.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct QuarantinedRecord {
    #[serde(flatten)]
    pub(crate) rejected: Rejected,
    /// The object key of the file with the record. The whole file is read again, because a record alone
    /// may not be readable: a table row has no header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
}

fn prefix(source: Source) -> String {
    format!("quarantine/{source}/")
}

/// The folder of the records that are used without what cannot be read, in that of their source.
const INCOMPLETE: &str = "incomplete/";

/// The object key contains a digest of the record, so the same record is stored once.
fn object_key(source: Source, rejected: &Rejected) -> String {
    let digest = hex::encode(Sha256::digest(&rejected.record));
    let folder = if rejected.is_read { INCOMPLETE } else { "" };
    format!("{}{folder}{digest}.json", prefix(source))
}

/// Saves a record that cannot be read as a whole. Returns `true` if it was not there before.
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

/// The files of a source that have records that cannot be read as a whole, by object key, each with the object keys of those
/// records.
pub async fn files(
    objects: &Objects,
    source: Source,
) -> Result<BTreeMap<String, Vec<String>>, Error> {
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    // A complete list is fetched again every time, so an old one adds nothing.
    if description(source).is_complete_list() {
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

/// Number of quarantined records of a source, and of those that are used without what cannot be read.
pub(crate) async fn count(objects: &Objects, source: Source) -> Result<(u64, u64), Error> {
    let all = objects.keys(&prefix(source)).await?.len() as u64;
    let incomplete = objects.keys(&(prefix(source) + INCOMPLETE)).await?.len() as u64;
    Ok((all - incomplete.min(all), incomplete))
}

/// Removes these records, given by their object keys, except those that still cannot be read. Returns the number of
/// removed records.
pub(crate) async fn remove_readable(
    objects: &Objects,
    source: Source,
    records: &[String],
    still_rejected: &[Rejected],
) -> Result<u64, Error> {
    let still_rejected: BTreeSet<String> =
        still_rejected.iter().map(|it| object_key(source, it)).collect();
    let mut removed = 0;
    for key in records.iter().filter(|it| !still_rejected.contains(*it)) {
        objects.delete(key).await?;
        removed += 1;
    }
    Ok(removed)
}
