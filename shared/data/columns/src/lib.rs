//! The columns of a generation: what analyses of the whole register read, as files.
//!
//! Invariant: the same companies give the same bytes, in any order. Every byte is compared with its SHA-256
//! before it is used: a damaged column is an error that names it, never another value. Only the columns that are needed are
//! fetched, each once. What no source states has no value.
//!
//! | File | Contents |
//! |---|---|
//! | `companies.parquet` | a row for each company, in the order of the documents of the index of companies |
//! | `changes.parquet` | a row for each change, by the row of its company, then by day, then by sequence number |
//! | `firms.parquet` | a row for each audit firm: `key` (its company number, or else its normalised name) and `name`, sorted by key |
//! | `chunks.json` | of each column: where it is in its file, its SHA-256, and the names that its numbers mean |
//!
//! The columns, their order and their meaning are those of [`Companies`](analytics::columns::Companies) and
//! [`Changes`](analytics::columns::Changes). How values are stored:
//!
//! | Column | Type in Parquet | Value |
//! |---|---|---|
//! | `uid` | unsigned 32-bit | the nine digits of the company number |
//! | `founding`, `registration`, `deletion`, `auditorSince`, `lastChange`, `waiverSince`, `day` | date | |
//! | `capital`, `oldCapital`, `newCapital` | signed 64-bit | ten-thousandths |
//! | `currency` | unsigned 32-bit | the ASCII codes of its letters: the last one + 256 × the second one + 65,536 × the first one |
//! | `legalForm` | unsigned 32-bit | the code of eCH-0097 without zeros at its beginning |
//! | `noga` | unsigned 32-bit | the digits that are known, after a 1 |
//! | `officers`, `leaders`, `signers`, `soleSigners`, `employees`, `atAddress`, `quality`, `industryConfidence`, `changes` | unsigned 32-bit | the number |
//! | `auditor`, `fromAuditor`, `toAuditor` | unsigned 32-bit | the row of the firm, from 0 |
//! | `status`, `reason`, `canton`, `auditorCategory`, `optedOut`, `finma`, `auditKind`, `auditBasis`, `kind`, `legalEvent`, `fromCanton`, `toCanton`, `leading` | unsigned 32-bit | the position, from 0, in a list of names, which `chunks.json` and the metadata of the file contain |
//!
//! The changes of a company are as many rows as its column `changes` says, after those of the companies before it. Each file has one
//! group of rows, so that a column is one range of bytes.
//!
//! | Read this | To learn |
//! |---|---|
//! | `value.rs` | how a value becomes an integer |
//! | `layout.rs` | the columns of both tables |
//! | `builder.rs`, `stored.rs` | how rows wait in memory, and in which order they are written |
//! | `table.rs`, `decode.rs` | one table as a Parquet file, and one column of it |
//! | `chunks.rs` | `chunks.json` |
//! | `reader.rs` | what is fetched, and when |

mod builder;
mod chunks;
mod decode;
mod layout;
mod reader;
mod stored;
mod table;
#[cfg(test)]
mod tests;
mod value;

pub use builder::Builder;
pub use chunks::{CHUNKS, Chunks};
pub use reader::{Columns, Tables};

/// Why columns were not written or not read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Trying again does not help.
    #[error("the column `{column}` of `{table}` cannot be read: {reason}")]
    Damaged { table: &'static str, column: String, reason: String },
    #[error(transparent)]
    Objects(#[from] objects::Error),
    #[error("the index does not have the companies of the columns")]
    OtherCompanies,
    #[error("a column could not be written")]
    Unwritable(#[from] parquet::errors::ParquetError),
    #[error("a file on this machine could not be read or written")]
    File(#[from] std::io::Error),
}
