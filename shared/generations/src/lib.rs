//! A generation: the immutable state of the register that lists, counts and statistics are served
//! from. Built once a day, published whole; every process opens those of its indexes that it answers
//! from.
//!
//! Invariant: what is not whole is not opened. The manifest is written after the files it names,
//! and `current` after the manifest; a reader checks the size and the SHA-256 of every file of an
//! index before it opens it, and keeps the generation it has until the next one has passed as far as
//! it was needed.
//!
//! | Object | What it is |
//! |---|---|
//! | `generations/current.json` | which generation is served |
//! | `generations/{id}/manifest.json` | its files, sizes, SHA-256 |
//! | `generations/{id}/companies/…` | the index of companies |
//! | `generations/{id}/changes/…` | the index of changes |
//! | `generations/{id}/persons/…` | the index of persons and their mandates |
//! | `generations/{id}/tenures/…` | the index of auditors and how long they stayed |

mod generation;
mod index;
mod manifest;
mod publish;
mod reader;

use std::sync::Arc;

pub use generation::{Generation, Unavailable};
pub use manifest::{Counts, File, Manifest};
pub use publish::{publish, published};
pub use reader::Generations;

/// Why a generation was not published or not opened.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("no generation has been published yet")]
    None,
    #[error("generation {generation}: {reason}")]
    Torn { generation: String, reason: String },
    /// It was found damaged before, and was not looked at again.
    #[error(transparent)]
    Damaged(Arc<Error>),
    #[error(transparent)]
    Objects(#[from] objects::Error),
    #[error("the index could not be opened")]
    Index(#[from] text_index::Error),
    #[error("a file on this machine could not be read or written")]
    File(#[from] std::io::Error),
}

impl Error {
    /// Whether what was published is damaged, so that it is of no use to ask for it again.
    pub(crate) fn is_damage(&self) -> bool {
        match self {
            Self::Torn { .. } | Self::Damaged(_) | Self::Index(_) => true,
            Self::Objects(failure) => {
                matches!(failure, objects::Error::Missing(_) | objects::Error::Shorter { .. })
            }
            Self::None | Self::File(_) => false,
        }
    }
}
