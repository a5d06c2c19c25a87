use std::{error, io, path::PathBuf};

/// Why an index cannot be made or asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file is missing, torn or not ours: fetch the generation again.
    #[error("the index in {} is incomplete or damaged", directory.display())]
    Unreadable { directory: PathBuf, source: Box<dyn error::Error + Send + Sync> },
    /// The directory holds a sound index of another version of this program.
    #[error("the index in {} has another layout than this program reads", directory.display())]
    OtherLayout { directory: PathBuf },
    /// The disk is full, or the directory is in use.
    #[error("an index cannot be written to {}", directory.display())]
    Unwritable { directory: PathBuf, source: Box<dyn error::Error + Send + Sync> },
    /// An index that was opened does not answer any more.
    #[error("the index does not answer")]
    Unanswered(#[from] io::Error),
}
