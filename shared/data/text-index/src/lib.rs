//! The search indexes of a generation, on tantivy.
//!
//! Invariant: reads and writes files in one directory. No S3, no HTTP, no clock, no background threads. Finding blocks until it
//! has its answer; reading the records that were found may wait for a [`Storage`] of the caller. An index is written once, in
//! one segment, and never changed. Its documents are in the default order of the list, so that the first matches in a
//! posting list are the best ones and nothing has to be scored:
//!
//! | Index | Document order | Records |
//! |---|---|---|
//! | [`companies`] | relevance: status, then size | none: company numbers are a column |
//! | [`changes`] | publication date, then sequence, newest first | whole events |
//! | [`persons`] | people before firms, then by number of roles | persons; their roles |
//! | [`tenures`] | current before ended, longest first | whole rows |
//!
//! | Read this | To learn |
//! |---|---|
//! | `*/schema.rs` | the fields of an index |
//! | `*/builder.rs` | how an index is built |
//! | `names.rs`, `words.rs` | how the words of a search match |
//! | `companies/names.rs`, `ranking.rs` | which companies a search finds, and their order |
//! | `*/filters.rs` | how filters work |
//! | `companies/places.rs` | how companies near a point are found without scanning all companies |
//! | `documents.rs`, `columns.rs`, `postings.rs` | the three building blocks: sets of documents, columns, terms |
//! | `layout.rs`, `segment.rs`, `opened.rs` | how the fields are stored in files |
//! | `stored.rs` | how records are stored, and read one by one |
//! | `spool.rs` | where records wait while an index is built |

mod best;
pub mod changes;
mod codes;
mod columns;
pub mod companies;
mod daily;
#[cfg(test)]
mod damage;
mod documents;
mod error;
mod layout;
mod names;
mod opened;
pub mod persons;
mod postings;
mod segment;
mod spool;
mod stored;
pub mod tenures;
mod tiers;
mod words;

pub use error::Error;
pub use stored::{BLOCKS, LocalBlocks, ReadBlocks, Storage, Unreachable};
