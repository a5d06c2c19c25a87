//! What the list of erasures means for files: nothing of an erased company may stay in the bucket, or come to it.
//!
//! The files of sources are copies that are kept for some months, so that records can be read again. A record that states the number
//! of an erased company is left out. In the others, placeholders stand for the names that were erased, by the rules of the
//! facts: namesakes stay. Nothing else of a file is left out.

use std::borrow::Cow;

use facts::{Fact, erasures::Erasures};
use futures_util::{StreamExt, TryStreamExt, stream};
use objects::Objects;
use serde_json::Value;
use sha2::{Digest, Sha256};
use sources::Rejected;
use store::Registry;

use crate::{
    Error, MAX_FILE_BYTES, PARALLEL_OBJECTS, locations,
    quarantine::{QuarantinedRecord, put_if_new},
};

/// Stands for an escaped `&` while a text is searched. In the names of companies, it is no letter either.
const AMPERSAND: &str = "\u{e000}";

/// The part of a file that may be stored. `None`: nothing.
pub(crate) fn storable<'a>(erasures: &Erasures, bytes: &'a [u8]) -> Option<Cow<'a, [u8]>> {
    if erasures.is_empty() {
        return Some(Cow::Borrowed(bytes));
    }
    let rest = match serde_json::from_slice::<Value>(bytes) {
        Ok(json) => {
            let rest = storable_json(erasures, json.clone())?;
            (rest != json).then(|| rest.to_string())
        }
        Err(_) => {
            let text = String::from_utf8_lossy(bytes);
            let rest = match text.trim_start().starts_with('<') {
                // XML of one publication.
                true => storable_text(erasures, &text)?,
                false => {
                    let lines = text.split_inclusive('\n');
                    lines.filter_map(|it| storable_text(erasures, it)).collect()
                }
            };
            (rest != text).then_some(rest)
        }
    };
    Some(rest.map_or(Cow::Borrowed(bytes), |it| Cow::Owned(it.into_bytes())))
}

fn storable_json(erasures: &Erasures, mut json: Value) -> Option<Value> {
    let records = match &mut json {
        Value::Array(records) => Some(records),
        // The records of a page are in a member, next to the links to other pages.
        Value::Object(members) => members
            .values_mut()
            .filter_map(Value::as_array_mut)
            .find(|it| it.iter().any(Value::is_object)),
        _ => None,
    };
    if let Some(records) = records {
        records.retain_mut(|it| {
            let stays = !erasures.states_number(it);
            if stays {
                erasures.redact_record(it);
            }
            stays
        });
    }
    // A single record, or what surrounds the others.
    if erasures.states_number(&json) {
        return None;
    }
    erasures.redact_record(&mut json);
    Some(json)
}

/// A record in a format other than JSON.
fn storable_text(erasures: &Erasures, text: &str) -> Option<String> {
    let mut searched = Value::String(text.replace("&amp;", AMPERSAND));
    if erasures.states_number(&searched) {
        return None;
    }
    match (erasures.redact_record(&mut searched), searched) {
        (true, Value::String(redacted)) => Some(redacted.replace(AMPERSAND, "&amp;")),
        _ => Some(text.to_owned()),
    }
}

/// A record that cannot be read, as it may be stored. `None`: it states the number of an erased company.
pub(crate) fn storable_record(erasures: &Erasures, rejected: Rejected) -> Option<Rejected> {
    let record = match serde_json::from_str::<Value>(&rejected.record) {
        Ok(json) if erasures.states_number(&json) => return None,
        Ok(mut json) => match erasures.redact_record(&mut json) {
            true => json.to_string(),
            false => rejected.record,
        },
        Err(_) => storable_text(erasures, &rejected.record)?,
    };
    let reason = storable_text(erasures, &rejected.reason)?;
    Some(Rejected { record, reason, ..rejected })
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
    let is_named = storable_text(erasures, key).as_deref() != Some(key);
    // A file that is too large to be searched was split: its parts are files too.
    if is_named || size > MAX_FILE_BYTES {
        objects.delete(key).await?;
        return Ok(true);
    }
    let Some(bytes) = objects.get(key).await? else { return Ok(false) };
    let rest = match key.split('/').next() {
        Some("lists") => rest_of_list(erasures, &bytes).map(Cow::Owned),
        Some("quarantine") => return clean_record(objects, erasures, key, &bytes).await,
        // What is stored of a publication that is not understood belongs to the fact that was replaced.
        Some("not-understood") => storable(erasures, &bytes).filter(|it| **it == *bytes),
        _ => storable(erasures, &bytes),
    };
    match rest {
        Some(rest) if *rest == *bytes => return Ok(false),
        Some(rest) => objects.put(key, rest.into_owned()).await?,
        None => objects.delete(key).await?,
    }
    Ok(true)
}

/// Removes what was erased from a record in the quarantine. Returns whether it was changed or deleted.
async fn clean_record(
    objects: &Objects,
    erasures: &Erasures,
    key: &str,
    bytes: &[u8],
) -> Result<bool, Error> {
    let Ok(stored) = serde_json::from_slice::<QuarantinedRecord>(bytes) else {
        let is_clean = storable(erasures, bytes).is_some_and(|it| *it == *bytes);
        if !is_clean {
            objects.delete(key).await?;
        }
        return Ok(!is_clean);
    };
    let rest = storable_record(erasures, stored.rejected.clone());
    if rest.as_ref() == Some(&stored.rejected) {
        return Ok(false);
    }
    // Under another key, which is a digest of the record.
    if let Some(rest) = rest
        && let Some((folder, _)) = key.rsplit_once('/')
    {
        let digest = hex::encode(Sha256::digest(&rest.record));
        let record = QuarantinedRecord { rejected: rest, file: stored.file };
        put_if_new(objects, &format!("{folder}/{digest}.json"), &record).await?;
    }
    objects.delete(key).await?;
    Ok(true)
}

/// A stored list without what was erased. `None` if it cannot be read.
fn rest_of_list(erasures: &Erasures, bytes: &[u8]) -> Option<Vec<u8>> {
    let before: Vec<Fact> = serde_json::from_slice(bytes).ok()?;
    let rest = erasures.apply(before.clone());
    match rest == before {
        true => Some(bytes.to_vec()),
        false => serde_json::to_vec(&rest).ok(),
    }
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
