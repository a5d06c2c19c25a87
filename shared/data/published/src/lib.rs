//! What is published as a whole, one version after another, and read by processes that replace it while they run: generations,
//! versions of the screening lists, and what these lists say about all companies.
//!
//! Invariant: an incomplete version is never read. The description of a version is stored after its files, and the pointer
//! after the description; a publisher that is killed has published nothing. The pointer is replaced only if it is still the one
//! that was read when publishing began, so no publisher overtakes another. Every file is compared with its SHA-256 before it is used.
//!
//! | Object | What it is |
//! |---|---|
//! | `{folder}current.json` | the pointer: what is current |
//! | `{versions}{id}/{description}` | the [`Description`]: which files a version consists of, with sizes and SHA-256 |
//! | `{versions}{id}/…` | its files |
//!
//! A folder of files is named by its id and not by its version, so a version may consist of several parts, each with an id of its own:
//! its description then names the parts, and a reader that has a part open passes it on to the next version ([`Source::open`]).
//!
//! A layout is a folder of its own. Versions of the service that write different layouts publish side by side, and each finds its own.
//!
//! | Module | Contents |
//! |---|---|
//! | [`location`](Location) | publishes versions, finds and deletes them |
//! | [`file`](File) | a file of a version: hash, compression, download |
//! | [`reader`](Reader) | the version that a process has open, and when it looks for the next one ([`Freshness`]) |
//! | [`last`](Last) | the version that was read last, beside the current one |
//! | [`temporary`](TemporaryFolder) | the folder for downloads and builds |

mod file;
mod last;
mod location;
mod reader;
mod temporary;

pub use file::File;
pub use last::Last;
pub use location::{Before, Description, Location, POINTER};
pub use reader::{Freshness, Reader, Source};
pub use temporary::{TemporaryDirectory, TemporaryFolder};

/// Why a version was not published or not read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Trying again does not help.
    #[error("`{key}` cannot be read: {reason}")]
    Damaged { key: String, reason: String },
    /// The pointer was replaced since publishing began.
    #[error("`{0}` was replaced by another publisher")]
    Overtaken(String),
    #[error(transparent)]
    Objects(#[from] objects::Error),
    #[error("a file on this machine could not be read or written")]
    File(#[from] std::io::Error),
}

impl Error {
    /// An object is missing, or is not what was published.
    pub fn damaged(key: &str, reason: impl ToString) -> Self {
        Self::Damaged { key: key.to_owned(), reason: reason.to_string() }
    }
}
