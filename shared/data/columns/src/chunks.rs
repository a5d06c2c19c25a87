//! `chunks.json`: where the columns are.

use serde::{Deserialize, Serialize};

/// The name of its file.
pub const CHUNKS: &str = "chunks.json";

/// Where the columns are in the files of a generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chunks {
    pub(crate) companies: Place,
    pub(crate) changes: Place,
    pub(crate) firms: Place,
}

/// Where the columns of a table are in its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Place {
    pub(crate) rows: u32,
    pub(crate) columns: Vec<Chunk>,
}

/// Where a column is in the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Chunk {
    pub(crate) name: String,
    pub(crate) offset: u64,
    pub(crate) size: u64,
    /// SHA-256 in hexadecimal.
    pub(crate) sha256: String,
    /// The names that the numbers mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) names: Option<Vec<String>>,
}

impl Chunks {
    /// Number of companies.
    pub fn companies(&self) -> u32 {
        self.companies.rows
    }

    /// Number of changes.
    pub fn changes(&self) -> u32 {
        self.changes.rows
    }
}

impl Place {
    pub(crate) fn chunk(&self, column: &str) -> Option<&Chunk> {
        self.columns.iter().find(|it| it.name == column)
    }
}

impl Chunk {
    /// The offset of its end.
    pub(crate) fn end(&self) -> u64 {
        self.offset.saturating_add(self.size)
    }
}
