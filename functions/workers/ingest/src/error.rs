//! Why a file was not ingested.

use domain::Source;

/// Maximum size of a file that a job reads: that of the largest response that is fetched. A job has 1 GB of memory,
/// and statements take several times the space of their file.
pub const MAX_FILE_BYTES: u64 = 64 * 1024 * 1024;

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

/// Why a file cannot be split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotSplit {
    /// A table, one object, or lines of JSON.
    #[error("only an array of JSON records can be split")]
    NoArray,
    /// The end of the file is missing.
    #[error("the array of JSON records has no end")]
    NoEnd,
    /// One record is larger than a file may be.
    #[error("a record of it is larger than {} bytes", MAX_FILE_BYTES)]
    LargeRecord,
    /// Withdrawals are found by comparing the whole list.
    #[error("a complete list cannot be split")]
    CompleteList,
}
