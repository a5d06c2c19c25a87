//! Readers of screening lists: a file in the format of its publisher becomes [`ListEntry`]s.
//!
//! A list is not a source of facts about companies: its entries are compared with names, and kept apart from the
//! register.
//!
//! | Read this | To learn |
//! |---|---|
//! | [`seco`] | the Swiss sanctions list |
//! | [`opensanctions`] | entities of OpenSanctions, with offices and relatives |
//! | [`targets`] | the simplified table of OpenSanctions |
//! | [`finma_warning`] | warnings of the financial market authority |
//! | [`finma_authorised`] | institutions that it has authorised |
//! | [`exchange`] | how a list is fetched |
//!
//! What all readers guarantee:
//!
//! - Of a record, a member that cannot be read is left out: its entry is on the list without it, and names it in
//!   [`unreadable`](ListEntry::unreadable). Nobody disappears from a list because of a damaged date. A member that decides
//!   whether the entry is in force counts as if it were. An identifier that cannot be read is replaced by one that is
//!   made from the record.
//! - A record without a readable name (or, for objects that have none, number), or of which the format is damaged, is
//!   rejected with its reason. Its entry is still on the list: [`Delta::between`](domain::lists::Delta::between) does not
//!   remove it.
//! - A file that is in another format, is truncated, or contains no record is an error that names what was found.
//!   Entries may already have been passed on then: the caller must not publish them before the reader returns the
//!   version. [`ListVersion::check_size`] detects files that are implausibly small.
//! - Records about the same entry are merged. Order, repetition and the sizes in which the file is read do not
//!   change the result.
//! - A file is read record by record. Each reader documents what it holds in memory.

mod exchange;
pub mod finma_authorised;
pub mod finma_warning;
mod hashed;
pub mod opensanctions;
mod output;
pub mod seco;
pub mod targets;
#[cfg(test)]
mod tests;
mod tree;

use std::io::{self, BufRead};

use domain::lists::{List, ListEntry, ListVersion};
use serde::{Deserialize, Serialize};

use crate::UnreadableList;

pub use exchange::{ListExchange, exchange};

/// What could not be read of a record of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RejectedEntry {
    /// Identifier of the entry. Absent if it cannot be read either.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The beginning of the original record.
    pub record: String,
    /// The invalid members and what is wrong with them.
    pub reason: String,
    /// Whether the rest of the record was read.
    pub is_read: bool,
}

/// A record of a list: an entry, or what could not be read. A record of which members were left out is passed on as both.
pub type ReadEntry = Result<ListEntry, RejectedEntry>;

/// Format of a file of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ListFormat {
    /// XML of SECO: [`seco`].
    Seco,
    /// JSON lines of OpenSanctions: [`opensanctions`].
    FollowTheMoney,
    /// CSV table of OpenSanctions: [`targets`].
    Targets,
    /// JSON of FINMA's warnings: [`finma_warning`].
    FinmaWarning,
    /// CSV table of FINMA's authorised institutions: [`finma_authorised`].
    FinmaAuthorised,
}

impl ListFormat {
    /// Every format.
    pub const ALL: [Self; 5] = [
        Self::Seco,
        Self::FollowTheMoney,
        Self::Targets,
        Self::FinmaWarning,
        Self::FinmaAuthorised,
    ];

    /// The list that is published in this format.
    pub const fn list(self) -> List {
        match self {
            Self::Seco => List::Seco,
            Self::FollowTheMoney | Self::Targets => List::Opensanctions,
            Self::FinmaWarning => List::FinmaWarning,
            Self::FinmaAuthorised => List::FinmaAuthorised,
        }
    }
}

/// Reads a file of a list. `open` opens the file at its beginning; some readers read it twice, so it must return the
/// same bytes each time. `each` gets every entry once, and every record that could not be read as a whole.
pub fn read<R: BufRead>(
    format: ListFormat,
    open: impl FnMut() -> io::Result<R>,
    each: impl FnMut(ReadEntry),
) -> Result<ListVersion, UnreadableList> {
    match format {
        ListFormat::Seco => seco::read(open, each),
        ListFormat::FollowTheMoney => opensanctions::read(open, each),
        ListFormat::Targets => targets::read(open, each),
        ListFormat::FinmaWarning => finma_warning::read(open, each),
        ListFormat::FinmaAuthorised => finma_authorised::read(open, each),
    }
}

/// The whole content of a small file.
#[derive(Clone, Debug, PartialEq)]
pub struct ListFile {
    /// Which file was read.
    pub version: ListVersion,
    /// Its entries in force, sorted by identifier.
    pub entries: Vec<ListEntry>,
    /// Records that could not be read as a whole.
    pub rejected: Vec<RejectedEntry>,
}

/// Reads a file that is in memory.
pub fn read_bytes(format: ListFormat, bytes: &[u8]) -> Result<ListFile, UnreadableList> {
    let (mut entries, mut rejected) = (Vec::new(), Vec::new());
    let version = read(
        format,
        || Ok(bytes),
        |it| match it {
            Ok(entry) => entries.push(entry),
            Err(record) => rejected.push(record),
        },
    )?;
    entries.sort_by(|one, other| one.id.cmp(&other.id));
    Ok(ListFile { version, entries, rejected })
}
