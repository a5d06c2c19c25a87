//! Generations: immutable snapshots of the register from which lists, counts and statistics are served.
//!
//! A generation is built when the registry has changed, and published as a whole. Each process opens only the indexes it needs.
//!
//! Invariant: an incomplete generation is never opened (crate `published`). A reader checks every file of an index before it
//! opens the index, except for records and columns, of which it checks each block or column that it reads, and serves the previous generation until the indexes in use are open in the next one.
//!
//! | Object | What it is |
//! |---|---|
//! | `generations/{layout}/current.json` | id of the current generation of a [`Layout`] |
//! | `generations/{layout}/{id}/manifest.json` | its files with sizes and SHA-256 |
//! | `…/{id}/companies/…` | the index of companies |
//! | `…/{id}/changes/…` | the index of changes |
//! | `…/{id}/persons/…` | the index of persons and their roles |
//! | `…/{id}/tenures/…` | the index of auditor tenures |
//! | `…/{id}/columns/…` | the columns that analyses read |
//! | `…/{id}/records/…` | the full records, for exports and snapshots, as lines and as tables |
//! | `…/{id}/names/…` | the names of companies and officers, for screening |
//! | `…/{id}/histories/…` | the histories of companies, from which the next generation is built |

mod blocks;
mod generation;
mod index;
mod manifest;
mod publish;
mod reader;
mod records;

use std::sync::Arc;

pub use columns::Tables;
pub use generation::{COLUMNS, Generation, Unavailable};
pub use manifest::{Contents, Counts, Coverage, Layout, Manifest, Months};
pub use publish::{delete_previous, kept_for, publish, published};
pub use published::{File, TemporaryFolder};
pub use reader::Generations;
pub use records::{Batch, HISTORIES, NAMES, RECORDS, Records};

/// Why a generation was not published or not opened.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("no generation has been published yet")]
    None,
    /// An object is damaged, or another publisher was faster.
    #[error(transparent)]
    Published(published::Error),
    /// The index was found damaged earlier and is not opened again.
    #[error(transparent)]
    Damaged(Arc<Error>),
    #[error(transparent)]
    Objects(#[from] objects::Error),
    #[error("the index could not be opened")]
    Index(#[from] text_index::Error),
    #[error("the columns of the generation could not be read")]
    Columns(#[from] columns::Error),
    #[error("the records of the generation could not be read")]
    Records(#[from] ::records::Error),
    #[error("a file on this machine could not be read or written")]
    File(#[from] std::io::Error),
}

impl From<published::Error> for Error {
    fn from(failure: published::Error) -> Self {
        match failure {
            published::Error::Objects(failure) => Self::Objects(failure),
            published::Error::File(failure) => Self::File(failure),
            failure => Self::Published(failure),
        }
    }
}

impl Error {
    /// Whether a file could not be read or written here, for example because the disk is full.
    pub(crate) fn is_of_this_machine(&self) -> bool {
        matches!(
            self,
            Self::File(_)
                | Self::Objects(objects::Error::File(_))
                | Self::Columns(columns::Error::File(_))
                | Self::Index(
                    text_index::Error::Unwritable { .. } | text_index::Error::Unanswered(_)
                )
        )
    }

    /// Whether the published files are damaged, so that trying again does not help.
    pub(crate) fn is_damage(&self) -> bool {
        match self {
            failure if failure.is_of_this_machine() => false,
            Self::Index(text_index::Error::Unreachable(_)) => false,
            Self::Published(failure) => matches!(failure, published::Error::Damaged { .. }),
            Self::Damaged(_) | Self::Index(_) => true,
            Self::Objects(failure) => {
                matches!(failure, objects::Error::Missing(_) | objects::Error::Shorter { .. })
            }
            Self::Columns(failure) => matches!(failure, columns::Error::Damaged { .. }),
            Self::Records(failure) => matches!(failure, ::records::Error::Damaged { .. }),
            Self::None | Self::File(_) => false,
        }
    }
}
