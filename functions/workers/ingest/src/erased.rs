//! What the list of erasures means for files: nothing of an erased company may stay in the bucket, or come to it.
//!
//! The files of sources are copies that are kept for some months, so that records can be read again. Of a file that mentions an
//! erased company or person, only the other records are kept; if records cannot be told apart, nothing.

use facts::{Fact, erasures::Erasures};
use futures_util::{StreamExt, TryStreamExt, stream};
use objects::Objects;
use serde_json::Value;
use store::Registry;

use crate::{Error, MAX_FILE_BYTES, PARALLEL_OBJECTS, locations};

/// The part of a file that may be stored. `None`: nothing.
pub(crate) fn storable(erasures: &Erasures, bytes: &[u8]) -> Option<Vec<u8>> {
    if !mentions(erasures, bytes) {
        return Some(bytes.to_vec());
    }
    let mut json: Value = serde_json::from_slice(bytes).ok()?;
    let records = match &mut json {
        Value::Array(records) => records,
        // The records of a page are in a member, next to the links to other pages.
        Value::Object(members) => members.values_mut().find_map(Value::as_array_mut)?,
        _ => return None,
    };
    records.retain(|it| !erasures.redact_json(&mut it.clone()));
    let rest = serde_json::to_vec(&json).ok()?;
    (!mentions(erasures, &rest)).then_some(rest)
}

/// Whether a file contains something that was erased. Escapes in JSON could hide it from a search of the text.
pub(crate) fn mentions(erasures: &Erasures, bytes: &[u8]) -> bool {
    if erasures.is_empty() {
        return false;
    }
    if let Ok(mut json) = serde_json::from_slice::<Value>(bytes) {
        return erasures.redact_json(&mut json);
    }
    let text = String::from_utf8_lossy(bytes).replace("&amp;", "&");
    erasures.redact_text(&text).is_some()
}

/// Removes what was erased from the files in the bucket that the ingest keeps: fetched files, the quarantine, publications that
/// are not understood, and complete lists. Returns the number of files that were changed or deleted. Safe to run again.
pub async fn apply_erasures(objects: &Objects, erasures: &Erasures) -> Result<u64, Error> {
    if erasures.is_empty() {
        return Ok(0);
    }
    let mut changed = 0;
    for prefix in ["incoming/", "quarantine/", "not-understood/", "lists/"] {
        let cleaned = stream::iter(objects.keys(prefix).await?)
            .map(async |key| clean(objects, erasures, &key).await)
            .buffer_unordered(PARALLEL_OBJECTS);
        changed += cleaned.try_fold(0, async |sum, it| Ok(sum + u64::from(it))).await?;
    }
    Ok(changed)
}

/// Removes what was erased from one file. Returns whether it was changed or deleted.
pub(crate) async fn clean(
    objects: &Objects,
    erasures: &Erasures,
    key: &str,
) -> Result<bool, Error> {
    if erasures.is_empty() {
        return Ok(false);
    }
    let Some(size) = objects.size(key).await? else { return Ok(false) };
    let is_named = erasures.redact_text(key).is_some();
    // A file that is too large to be searched was split: its parts are files too.
    if is_named || size > MAX_FILE_BYTES {
        objects.delete(key).await?;
        return Ok(true);
    }
    let Some(bytes) = objects.get(key).await? else { return Ok(false) };
    if !mentions(erasures, &bytes) {
        return Ok(false);
    }
    let rest = match key.split('/').next() {
        Some("incoming") => storable(erasures, &bytes),
        Some("lists") => rest_of_list(erasures, &bytes),
        // One record.
        _ => None,
    };
    match rest {
        Some(rest) => objects.put(key, rest).await?,
        None => objects.delete(key).await?,
    }
    Ok(true)
}

/// A stored list without what was erased. `None` if it cannot be read.
fn rest_of_list(erasures: &Erasures, bytes: &[u8]) -> Option<Vec<u8>> {
    let facts: Vec<Fact> = serde_json::from_slice(bytes).ok()?;
    serde_json::to_vec(&erasures.apply(facts)).ok()
}

/// Removes what was erased from the registry: [`Registry::apply_erasures`], with the locations of the companies.
pub async fn apply_to_registry(
    registry: &Registry,
    objects: &Objects,
    progress: impl Fn(u64),
) -> Result<store::Applied, Error> {
    let localities = locations::newest(objects).await?;
    let complete = |company| locations::with_location(&localities, company);
    Ok(registry.apply_erasures(complete, progress).await?)
}
