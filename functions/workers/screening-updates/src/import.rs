//! From a file of a list to its published version.

use std::collections::BTreeSet;

use bytes::Bytes;
use domain::{
    lists::{Delta, Digests, List, ListVersion, Minimum},
    statements::demo,
};
use jiff::Timestamp;
use objects::Objects;
use screening_lists::{EntriesWriter, PublishedVersion, StoredEntries, Unread, current, publish};
use sha2::{Digest, Sha256};
use sources::lists::{ListFormat, RejectedEntry, read};

use crate::Error;

/// What became of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Imported {
    /// The current version was read from the same file, with the same result.
    Unchanged,
    /// The new version, and how it differs from the one before.
    Published(Box<PublishedVersion>, Delta),
}

/// The result of reading a file.
struct ReadFile {
    version: ListVersion,
    entries: EntriesWriter,
    rejected: Vec<RejectedEntry>,
}

/// Stores a file as it was received. The same file is stored once.
pub(crate) async fn store_file(objects: &Objects, list: List, bytes: Bytes) -> Result<(), Error> {
    let key = format!("screening/{list}/files/{}", hex::encode(Sha256::digest(&bytes)));
    if !objects.exists(&key).await? {
        objects.put(&key, bytes).await?;
    }
    Ok(())
}

/// Reads a file and publishes the version, unless nothing has changed. `minimum` is the size below which the file is
/// refused; without it, neither its size nor a loss of entries is checked.
pub async fn import(
    objects: &Objects,
    format: ListFormat,
    bytes: Bytes,
    minimum: Option<Minimum>,
    now: Timestamp,
) -> Result<Imported, Error> {
    let read = tokio::task::spawn_blocking(move || read_file(format, &bytes, false));
    publish_file(objects, read.await.map_err(std::io::Error::other)??, minimum, now).await
}

/// The same for a file of an invented list, of any size. Its entries bear no address of the publisher, and every answer says that
/// they are invented.
pub async fn import_invented(
    objects: &Objects,
    format: ListFormat,
    bytes: Bytes,
    now: Timestamp,
) -> Result<Imported, Error> {
    let read = tokio::task::spawn_blocking(move || read_file(format, &bytes, true));
    publish_file(objects, read.await.map_err(std::io::Error::other)??, None, now).await
}

async fn publish_file(
    objects: &Objects,
    ReadFile { version, mut entries, rejected }: ReadFile,
    minimum: Option<Minimum>,
    now: Timestamp,
) -> Result<Imported, Error> {
    let list = version.list;
    let before = current(objects, list).await?;
    if let Some(minimum) = minimum {
        version.check_size(minimum, before.as_ref().map(|it| &it.version))?;
    }
    store_rejected(objects, &version, &rejected).await?;
    let mut unread = Unread::default();
    let mut unreadable = BTreeSet::new();
    for RejectedEntry { id, .. } in rejected.into_iter().filter(|it| !it.is_read) {
        match id {
            Some(id) => drop(unreadable.insert(id)),
            None => unread.unsearched += 1,
        }
    }
    let mut digests = Digests::new();
    if let Some(before) = &before {
        let mut stored = StoredEntries::download(objects, before.clone()).await?;
        stored.for_each(|_, entry| {
            digests.insert(entry.id.clone(), entry.digest());
            if unreadable.contains(&entry.id) && !entries.digests().contains_key(&entry.id) {
                entries.push(&entry)?;
                unread.kept += 1;
            }
            Ok(())
        })?;
    }
    unread.unsearched +=
        unreadable.iter().filter(|it| !entries.digests().contains_key(*it)).count() as u64;
    let delta = Delta::between(&digests, entries.digests(), &unreadable);
    let is_same_file = before.is_some_and(|it| it.version.sha256 == version.sha256);
    if is_same_file && delta.is_empty() {
        tracing::info!(%list, "the list has not changed");
        return Ok(Imported::Unchanged);
    }
    let published = publish(objects, version, unread, entries, now).await?;
    tracing::info!(
        %list,
        version = published.id,
        active = published.version.active,
        rejected = published.version.rejected,
        incomplete = published.version.incomplete,
        kept = published.kept,
        unsearched = published.unsearched,
        added = delta.added.len(),
        removed = delta.removed.len(),
        changed = delta.changed.len(),
        "list published"
    );
    Ok(Imported::Published(Box::new(published), delta))
}

fn read_file(format: ListFormat, bytes: &[u8], is_invented: bool) -> Result<ReadFile, Error> {
    let mut entries = EntriesWriter::new()?;
    let (mut rejected, mut failed) = (Vec::new(), None);
    let mut version = read(
        format,
        || Ok(bytes),
        |it| match it {
            Ok(mut entry) => {
                if is_invented {
                    let (list, id) = (entry.list, &entry.id);
                    entry.source_url = Some(format!("{}lists/{list}/{id}", demo::SITE));
                }
                failed = failed.take().or_else(|| entries.push(&entry).err());
            }
            Err(record) => rejected.push(record),
        },
    )?;
    version.demo = is_invented;
    match failed {
        Some(failure) => Err(failure.into()),
        None => Ok(ReadFile { version, entries, rejected }),
    }
}

/// Stores the records that cannot be read as a whole, with their reasons, next to the file.
async fn store_rejected(
    objects: &Objects,
    version: &ListVersion,
    rejected: &[RejectedEntry],
) -> Result<(), Error> {
    if rejected.is_empty() {
        return Ok(());
    }
    let (incomplete, unreadable) = (version.incomplete, version.rejected);
    match unreadable {
        0 => tracing::info!(list = %version.list, incomplete, "records lack what cannot be read"),
        _ => tracing::warn!(list = %version.list, unreadable, incomplete, "records cannot be read"),
    }
    let key = format!("screening/{}/rejected/{}.json", version.list, version.sha256);
    let records = serde_json::to_vec(rejected).map_err(std::io::Error::other)?;
    Ok(objects.put(&key, records).await?)
}
