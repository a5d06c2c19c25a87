//! The search indexes of a generation, on tantivy.
//!
//! Invariant: a directory of files in, identifiers out. No S3, no HTTP, no clock, no background
//! thread; every call blocks until it has its answer. An index is written once, in one segment, and
//! never changed. The *n*-th document is the *n*-th company in the order of relevance, so that the
//! first matches in a posting list are the best ones and nothing has to be scored.
//!
//! | Read this | To learn |
//! |---|---|
//! | [`companies`] | what can be asked |
//! | `companies/schema.rs` | what is kept of a company, and how |
//! | `companies/builder.rs` | how an index is made, and the order of relevance |
//! | `companies/names.rs` | what a search finds |
//! | `companies/ranking.rs` | which of that comes first |
//! | `companies/filters.rs` | which companies a filter keeps |
//! | `documents.rs`, `columns.rs`, `postings.rs` | the three things all of this is made of |

mod best;
pub mod changes;
mod codes;
mod columns;
pub mod companies;
mod documents;
mod error;
mod layout;
mod names;
mod pages;
pub mod persons;
mod postings;
mod segment;
mod tiers;
#[cfg(test)]
mod torn;
mod words;

pub use error::Error;
