use std::{
    error, io,
    path::{Path, PathBuf},
};

/// Why an index cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file is missing, truncated or damaged. Fetch the generation again.
    #[error("the index in {} is incomplete or damaged", directory.display())]
    Unreadable { directory: PathBuf, source: Box<dyn error::Error + Send + Sync> },
    /// The directory holds a valid index that another version of this program wrote.
    #[error("the index in {} was written by another version of this program", directory.display())]
    OtherLayout { directory: PathBuf },
    /// The disk is full, or the directory is in use.
    #[error("an index cannot be written to {}", directory.display())]
    Unwritable { directory: PathBuf, source: Box<dyn error::Error + Send + Sync> },
    /// A block of records is not the one that was written.
    #[error("the block at byte {offset} of the records in {} is damaged", folder.display())]
    Damaged { folder: PathBuf, offset: u64, source: Box<dyn error::Error + Send + Sync> },
    /// The bucket did not answer.
    #[error("records of the index could not be read")]
    Unreachable(#[source] Box<dyn error::Error + Send + Sync>),
    /// Reading from an open index failed.
    #[error("the index cannot be read")]
    Unanswered(#[from] io::Error),
}

impl Error {
    pub(crate) fn unwritable(
        directory: &Path,
        source: impl Into<Box<dyn error::Error + Send + Sync>>,
    ) -> Self {
        Self::Unwritable { directory: directory.to_owned(), source: source.into() }
    }
}
