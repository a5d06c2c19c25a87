use domain::lists::{List, ListVersion};
use jiff::Timestamp;
use objects::Objects;
use published::{Description, Error, File, Location};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::writer::{ENTRIES, EntriesWriter};

/// A published version of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PublishedVersion {
    /// A UUIDv7, so that ids sort by time. Another one for the same file if it was read by another version of the reader.
    pub id: String,
    /// Which file was read.
    #[serde(flatten)]
    pub version: ListVersion,
    /// When it was published.
    pub published_at: Timestamp,
    /// Size of the compressed entries in bytes.
    pub size: u64,
    /// SHA-256 of the compressed entries, in hexadecimal.
    pub entries_sha256: String,
    /// Number of entries that could not be read in this version; for them, the entries of earlier versions are used.
    pub kept: u64,
    /// Number of records that could not be read, and whose entries are in no earlier version: nobody finds them.
    pub unsearched: u64,
}

impl Description for PublishedVersion {
    const NAME: &'static str = "version.json";

    fn folder(&self) -> String {
        folder(self.version.list)
    }

    fn id(&self) -> &str {
        &self.id
    }
}

impl PublishedVersion {
    /// The file with the entries.
    pub(crate) fn entries(&self) -> File {
        let (path, sha256) = (ENTRIES.to_owned(), self.entries_sha256.clone());
        File { path, size: self.size, sha256, compressed: None }
    }
}

fn folder(list: List) -> String {
    format!("screening/{list}/")
}

/// Where the versions of a list are published.
pub(crate) fn location(objects: &Objects, list: List) -> Location {
    Location::new(objects, folder(list), "versions/")
}

/// The current version of a list. `None` before the first.
pub async fn current(objects: &Objects, list: List) -> Result<Option<PublishedVersion>, Error> {
    location(objects, list).current().await
}

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
    let (location, id) = (location(objects, version.list), Uuid::now_v7().to_string());
    let before = location.begin().await?;
    let folder = entries.finish()?;
    let entries = location.put_file(&id, ENTRIES, &folder.path().join(ENTRIES), false).await?;
    let published = PublishedVersion {
        id,
        version,
        published_at: now,
        size: entries.size,
        entries_sha256: entries.sha256,
        kept,
        unsearched,
    };
    location.publish(&published, &before).await?;
    Ok(published)
}
