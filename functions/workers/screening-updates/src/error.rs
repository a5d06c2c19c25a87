//! Why a list was not published.

use domain::lists::Implausible;
use sources::UnreadableList;

/// Why a list was not published.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Fetch(#[from] fetch::Error),
    #[error(transparent)]
    Unreadable(#[from] UnreadableList),
    #[error(transparent)]
    Implausible(#[from] Implausible),
    /// A version of a list, or what the lists say about all companies.
    #[error(transparent)]
    Published(#[from] screening_lists::Error),
    #[error(transparent)]
    Objects(#[from] objects::Error),
    #[error(transparent)]
    Generation(#[from] generations::Error),
    #[error(transparent)]
    Store(#[from] store::Error),
    /// One subject cannot be read. The text says why.
    #[error("what is stored about a monitored subject cannot be read: {0}")]
    Damaged(String),
    #[error(transparent)]
    NotSent(#[from] jobs::NotSent),
    #[error("a file on this machine could not be read or written")]
    File(#[from] std::io::Error),
}
