//! The search indexes of a generation, on tantivy.
//!
//! Invariant: a directory of files in, answers out. No S3, no HTTP, no clock, no background thread;
//! every call blocks until it has its answer. An index is written once, in one segment, and never
//! changed. The *n*-th document is the *n*-th in the order that its list has by itself, so that the
//! first matches in a posting list are the best ones and nothing has to be scored:
//!
//! | Index | Its order | It answers |
//! |---|---|---|
//! | [`companies`] | by relevance: status, then size | identifiers |
//! | [`changes`] | publication date, then sequence, newest first | whole events |
//! | [`persons`] | people before firms, then who has the most roles | persons and their roles |
//! | [`tenures`] | those that last before those that ended, the longest first | whole rows |
//!
//! | Read this | To learn |
//! |---|---|
//! | `*/schema.rs` | what is kept, and how |
//! | `*/builder.rs` | how an index is made |
//! | `names.rs`, `words.rs` | how the words of a search match |
//! | `companies/names.rs`, `ranking.rs` | which companies a search finds, and which of them come first |
//! | `*/filters.rs` | what a filter keeps |
//! | `companies/places.rs` | how the companies near a place are found without a look at the others |
//! | `documents.rs`, `columns.rs`, `postings.rs` | the three things all of this is made of |
//! | `layout.rs`, `segment.rs` | how they lie in files |

mod best;
pub mod changes;
mod codes;
mod columns;
pub mod companies;
mod daily;
mod documents;
mod error;
mod layout;
mod names;
pub mod persons;
mod postings;
mod segment;
pub mod tenures;
mod tiers;
#[cfg(test)]
mod torn;
mod words;

pub use error::Error;
