//! Why a file was not ingested.

use statements::Source;

use crate::{incoming::MAX_FILE_BYTES, split::CannotSplit};

/// Why a file was not ingested.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error(transparent)]
    Objects(#[from] objects::Error),
    #[error(transparent)]
    Unreadable(#[from] sources::Unreadable),
    #[error(transparent)]
    UnreadableList(#[from] sources::UnreadableList),
    /// A job reads a whole file into memory. Nothing of the file was stored.
    #[error("`{key}` has {size} bytes, more than {MAX_FILE_BYTES}, and cannot be split: {reason}")]
    TooLarge { key: String, size: u64, reason: CannotSplit },
    /// Nothing of the file was stored.
    #[error("{source_name} shrank from {before} companies to {now}: a part of it is missing")]
    Shrunk { source_name: Source, before: u64, now: u64 },
    /// The previous directory remains in use.
    #[error("the localities shrank from {before} to {now}: a part of them is missing")]
    ShrunkLocalities { before: u64, now: u64 },
    /// The known relationships remain unchanged.
    #[error("{table} of GLEIF shrank from {before} rows to {now}: a part of them is missing")]
    ShrunkRelationships { table: &'static str, before: u64, now: u64 },
}
