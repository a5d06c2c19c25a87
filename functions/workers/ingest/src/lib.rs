//! Fetches files from the sources and ingests them into the registry. Facts are stored, the records of the
//! companies are folded from them, and records that cannot be read go to the quarantine.
//!
//! Invariant: a file that is ingested twice, in any order with other files, or again after a crash, leads to
//! the same registry. No record is dropped.
//!
//! | Module | Content |
//! |---|---|
//! | [`worker`] | what each job does |
//! | [`file`] | ingesting a file |
//! | [`preview`](mod@preview) | what a file would change, for a dry run |
//! | [`incoming`] | the object keys of fetched files |
//! | `split` | splitting a file that is too large to be read at once |
//! | [`quarantine`] | records that cannot be read |
//! | [`erased`] | what the list of erasures means for files |
//! | `coverage` | how much of the texts of publications is understood |
//! | `reprocess` | reading quarantined records again |
//! | [`not_understood`] | gazette publications without any recognised change |
//! | [`resolve`] | finding the company of a record that has no UID |
//! | `lists` | complete lists: a company that is no longer listed has lost its licence |
//! | [`locations`] | completing records from the directory of localities |
//! | `relationships` | parent companies and securities from GLEIF |

pub mod coverage;
pub mod erased;
mod error;
pub mod file;
pub mod incoming;
mod job_error;
mod lists;
pub mod locations;
pub mod not_understood;
pub mod preview;
pub mod quarantine;
mod relationships;
mod reprocess;
pub mod resolve;
mod split;
mod unreadable;
pub mod worker;

pub use error::{CannotSplit, Error, MAX_FILE_BYTES};
pub use file::{File, Report, ingest, ingest_file};
pub use job_error::JobError;
pub use preview::{Preview, preview};
pub use reprocess::reprocess_file;
pub use worker::{STORED_PER_JOB, Worker};

/// Number of companies that are written in parallel.
const PARALLEL_COMPANIES: usize = 16;
/// Number of objects of the bucket that are read or written in parallel.
const PARALLEL_OBJECTS: usize = 16;
