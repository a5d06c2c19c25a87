//! The object keys of fetched files: `incoming/{source}/{date}/{SHA-256 of the content}`.

use bytes::Bytes;
use domain::Source;
use jiff::civil::Date;
use objects::Objects;
use sha2::{Digest, Sha256};

use crate::{Error, MAX_FILE_BYTES};

/// The object key of a file that was fetched on this date.
pub fn key(source: Source, date: Date, bytes: &[u8]) -> String {
    format!("{}{date}/{}", prefix(source), hex::encode(Sha256::digest(bytes)))
}

/// The common prefix of the keys of a source.
pub(crate) fn prefix(source: Source) -> String {
    format!("incoming/{source}/")
}

/// The date in a [`key`]. Facts that have no date of their own get this date.
pub(crate) fn date(key: &str) -> Option<Date> {
    key.strip_prefix("incoming/")?.split('/').nth(1)?.parse().ok()
}

/// The content of a file, or its size if it is too large to be read at once. `None` if it does not exist.
pub(crate) async fn read(objects: &Objects, key: &str) -> Result<Option<Content>, Error> {
    match objects.size(key).await? {
        Some(size) if size > MAX_FILE_BYTES => Ok(Some(Content::Large { size })),
        Some(_) => Ok(objects.get(key).await?.map(Content::Whole)),
        None => Ok(None),
    }
}

/// What [`read`] returns.
pub(crate) enum Content {
    Whole(Bytes),
    /// Not downloaded.
    Large {
        size: u64,
    },
}
