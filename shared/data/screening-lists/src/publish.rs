use domain::lists::{List, ListVersion};
use jiff::Timestamp;
use objects::Objects;
use uuid::Uuid;

use crate::{
    EntriesWriter, Error, PublishedVersion,
    version::{Current, current_id, current_key, entries_key, json},
};

/// What became of the records that could not be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unread {
    /// As [`PublishedVersion::kept`].
    pub kept: u64,
    /// As [`PublishedVersion::unsearched`].
    pub unsearched: u64,
}

/// Uploads a version of a list, and makes it the current one. Safe to interrupt at any step: the current version is
/// replaced last.
pub async fn publish(
    objects: &Objects,
    version: ListVersion,
    Unread { kept, unsearched }: Unread,
    entries: EntriesWriter,
    now: Timestamp,
) -> Result<PublishedVersion, Error> {
    let written = entries.finish()?;
    let published = PublishedVersion {
        id: Uuid::now_v7().to_string(),
        version,
        published_at: now,
        size: written.size,
        entries_sha256: written.sha256,
        kept,
        unsearched,
    };
    let list = published.version.list;
    objects.put_file(&entries_key(list, &published.id), written.file.path()).await?;
    published.write(objects).await?;
    objects.put(&current_key(list), json(&Current { id: published.id.clone() })).await?;
    Ok(published)
}

/// The current version of a list. `None` before the first.
pub async fn current(objects: &Objects, list: List) -> Result<Option<PublishedVersion>, Error> {
    let Some(id) = current_id(objects, list).await? else { return Ok(None) };
    match PublishedVersion::read(objects, list, &id).await? {
        Some(version) => Ok(Some(version)),
        None => {
            let reason = "it has no description".to_owned();
            Err(Error::Damaged { list, version: id, reason })
        }
    }
}
