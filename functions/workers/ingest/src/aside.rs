//! What was put aside: records that could not be read, and publications whose text nobody understood.
//! Both are read again when an operator says that the reader has improved, or more companies are known.

use std::{
    collections::{BTreeMap, BTreeSet},
    slice,
};

use domain::{Company, Uid};
use futures_util::{StreamExt, TryStreamExt, stream};
use generations::Generations;
use jiff::{Timestamp, civil::Date};
use objects::Objects;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sources::{Fact, Rejected, Source, Statement, gazette};
use store::Registry;

use crate::{
    COMPANIES_AT_A_TIME, Error, File, NotDone, OBJECTS_AT_A_TIME, places, resolve, taken_in,
};

/// A record that could not be read.
#[derive(Debug, Serialize, Deserialize)]
struct Quarantined {
    #[serde(flatten)]
    rejected: Rejected,
    /// The object of the bucket that held it. That is read again, for a record alone may say too little:
    /// a row lacks its header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

/// A publication whose text makes nothing happen.
#[derive(Debug, Serialize, Deserialize)]
struct NotUnderstood {
    uid: Uid,
    fingerprint: String,
    text: String,
}

fn quarantine_of(source: Source) -> String {
    format!("quarantine/{source}/")
}

fn not_understood_of(source: Source) -> String {
    format!("not-understood/{source}/")
}

/// Under its digest: the same record is kept once.
fn quarantine_key(source: Source, rejected: &Rejected) -> String {
    let digest = hex::encode(Sha256::digest(&rejected.record));
    format!("{}{digest}.json", quarantine_of(source))
}

/// Keeps a record that cannot be read. `true`: it was not kept before.
pub(crate) async fn quarantine(
    objects: &Objects,
    source: Source,
    rejected: &Rejected,
    file: Option<String>,
) -> Result<bool, Error> {
    let key = quarantine_key(source, rejected);
    keep(objects, &key, &Quarantined { rejected: rejected.clone(), file }).await
}

/// Keeps a publication of the gazette whose text is not understood. `true`: it was not kept before.
pub(crate) async fn keep_unclear(objects: &Objects, fact: &Fact) -> Result<bool, Error> {
    let Statement::Shab(publication) = &fact.statement else { return Ok(false) };
    if is_understood(fact) {
        return Ok(false);
    }
    let unclear = NotUnderstood {
        uid: fact.uid,
        fingerprint: fact.fingerprint.clone(),
        text: publication.text.clone(),
    };
    let number = publication.printed_number();
    keep(objects, &format!("{}{number}.json", not_understood_of(fact.source)), &unclear).await
}

/// Whether a publication makes anything happen.
fn is_understood(fact: &Fact) -> bool {
    let folded = sources::fold_with_history(slice::from_ref(fact));
    folded.is_none_or(|(_, history)| history.events.iter().any(|it| !it.event.is_internal()))
}

async fn keep(objects: &Objects, key: &str, what: &impl Serialize) -> Result<bool, Error> {
    let is_new = !objects.exists(key).await?;
    if is_new {
        #[expect(clippy::expect_used, reason = "texts always serialise")]
        let bytes = serde_json::to_vec(what).expect("plain data");
        objects.put(key, bytes).await?;
    }
    Ok(is_new)
}

/// The files of which records are in the quarantine, and the keys of those records.
pub async fn files(
    objects: &Objects,
    source: Source,
) -> Result<BTreeMap<String, Vec<String>>, Error> {
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    // A whole list is read anew every time; an old one says nothing more.
    if source.is_whole_list() {
        return Ok(files);
    }
    let keys = stream::iter(objects.keys(&quarantine_of(source)).await?);
    let kept = keys.map(async |key| Ok::<_, Error>((objects.get(&key).await?, key)));
    let mut kept = std::pin::pin!(kept.buffered(OBJECTS_AT_A_TIME));
    while let Some((kept, key)) = kept.try_next().await? {
        let kept = kept.and_then(|it| serde_json::from_slice::<Quarantined>(&it).ok());
        if let Some(file) = kept.and_then(|it| it.file) {
            files.entry(file).or_default().push(key);
        }
    }
    Ok(files)
}

/// Reads a file again of which these records are in the quarantine: what can be read now is stored, and
/// leaves the quarantine then. How many did. Safe to run twice.
pub async fn read_again(
    registry: &Registry,
    objects: &Objects,
    generations: &Generations,
    source: Source,
    file: &str,
    records: &[String],
    now: Timestamp,
) -> Result<u64, NotDone> {
    let Some(bytes) = objects.get(file).await.map_err(Error::from)? else {
        // Files are kept for some months only; their records stay in the quarantine as they are.
        tracing::warn!(file, "is there no more to be read again");
        return Ok(0);
    };
    let read = resolve::read(source, &bytes).map_err(Error::from)?;
    let batch = read.resolved_in(generations, registry).await?.dated(day(file));
    let key = Some(file.to_owned());
    let file = File { source, batch, key, accept_shrunk: false };
    let (_, rejected) = taken_in(registry, objects, file, now).await?;
    let still: BTreeSet<String> = rejected.iter().map(|it| quarantine_key(source, it)).collect();
    let mut gone = 0;
    for key in records.iter().filter(|it| !still.contains(*it)) {
        objects.delete(key).await.map_err(Error::from)?;
        gone += 1;
    }
    let left = objects.keys(&quarantine_of(source)).await.map_err(Error::from)?.len() as u64;
    let counted = registry.update_source_status(source, |it| it.quarantined = left).await;
    counted.map_err(Error::from)?;
    Ok(gone)
}

/// Under which key a file is kept that came on this day.
pub fn file_key(source: Source, day: Date, bytes: &[u8]) -> String {
    format!("{}{day}/{}", files_of(source), hex::encode(Sha256::digest(bytes)))
}

/// The start of every [`file_key`] of a source.
pub(crate) fn files_of(source: Source) -> String {
    format!("incoming/{source}/")
}

/// The day in a [`file_key`]: what bears no day of its own is as old.
pub(crate) fn day(file: &str) -> Option<Date> {
    file.strip_prefix("incoming/")?.split('/').nth(1)?.parse().ok()
}

/// Reads the publications again that were not understood, and folds the companies again of those that
/// are now. How many are. Safe to run twice.
pub async fn understand_again(
    registry: &Registry,
    objects: &Objects,
    source: Source,
    now: Timestamp,
) -> Result<u64, Error> {
    let localities = places::newest(objects).await?;
    let complete = |it: Company| places::located(&localities, it);
    let keys = objects.keys(&not_understood_of(source)).await?;
    let understood = stream::iter(&keys)
        .map(async |key| {
            let Some(bytes) = objects.get(key).await? else { return Ok(false) };
            let Ok(unclear) = serde_json::from_slice::<NotUnderstood>(&bytes) else {
                return Ok(false);
            };
            let facts = registry.facts(unclear.uid).await?;
            let fact = facts.iter().find(|it| it.fingerprint == unclear.fingerprint);
            let Some(fact) = fact.filter(|it| is_understood(it)) else { return Ok(false) };
            registry.fold_again(unclear.uid, complete).await?;
            for takeover in gazette::takeovers(slice::from_ref(fact)) {
                let uid = takeover.uid;
                registry.record_completed(uid, &[takeover], complete).await?;
            }
            objects.delete(key).await?;
            Ok::<bool, Error>(true)
        })
        .buffer_unordered(COMPANIES_AT_A_TIME);
    let understood: Vec<bool> = understood.try_collect().await?;
    let understood = understood.into_iter().filter(|it| *it).count() as u64;
    let left = keys.len() as u64 - understood;
    registry.update_source_status(source, |it| it.not_understood = left).await?;
    registry.publish_events(now).await?;
    Ok(understood)
}
