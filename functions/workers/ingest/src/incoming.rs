//! The object keys of fetched files: `incoming/{source}/{date}/{SHA-256 of the content}`.

use jiff::civil::Date;
use sha2::{Digest, Sha256};
use statements::Source;

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
