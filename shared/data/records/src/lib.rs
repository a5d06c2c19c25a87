//! The full records of a generation: one JSON object a line, in the order of the company numbers, compressed. The names of
//! companies and officers, and their histories, are written in the same format, into folders of their own.
//!
//! Exports and snapshots read records from here and never scan the table, and so does the indexer, when it builds the next
//! generation. The same companies always give the same bytes.
//!
//! # Format
//!
//! | File | What it is |
//! |---|---|
//! | `00000.ndjson.zst`, `00001.ndjson.zst`, … | the records of [`COMPANIES_PER_FILE`] companies each |
//! | `blocks.json` | the table of blocks ([`Blocks`]) |
//!
//! A file is a sequence of blocks. A block is a Zstandard frame (RFC 8878) with at most [`COMPANIES_PER_BLOCK`] records, so
//! that `zstd -d` reads a whole file, and a program that needs few companies reads only their blocks. The table has
//! the SHA-256 of each block, and the manifest of the generation that of the table: every byte is checked before it is used.
//!
//! Reading order: `writer` (records in any order → files), `blocks` (which bytes to read, and what they contain).

mod blocks;
mod writer;

pub use blocks::{Block, Blocks, Record};
pub use writer::Writer;

/// Name of the table of blocks.
pub const BLOCKS: &str = "blocks.json";
/// Maximum number of companies in a block: about 1 MB of records, 150 kB compressed.
pub const COMPANIES_PER_BLOCK: usize = 512;
/// Maximum number of companies in a file.
pub const COMPANIES_PER_FILE: usize = 100 * COMPANIES_PER_BLOCK;

/// Why records could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("a file on this machine could not be read or written")]
    File(#[from] std::io::Error),
    #[error("company {0} was added twice")]
    Repeated(domain::Uid),
    #[error("a record cannot be written as JSON")]
    Json(#[from] serde_json::Error),
    /// The bytes are not those that were written.
    #[error("the block at byte {offset} of `{file}` is damaged: {reason}")]
    Damaged { file: String, offset: u64, reason: String },
}

/// How a line begins: all before the company number. The number has a fixed width, so lines sort as numbers do.
const LINE_START: &[u8] = br#"{"uid":"CHE-"#;
/// Length of the start of a line with the number, as in `{"uid":"CHE-105.909.036`.
const KEY: usize = LINE_START.len() + "105.909.036".len();

/// The company of a line.
fn uid_of(line: &[u8]) -> Option<domain::Uid> {
    let number = line.get(LINE_START.len() - "CHE-".len()..KEY)?;
    std::str::from_utf8(number).ok()?.parse().ok()
}
