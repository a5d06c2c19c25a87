//! Fetches the screening lists and publishes their versions, and screens the monitored subjects again.
//!
//! Invariants: a file that is unreadable, implausibly small, or has more than a tenth fewer entries in force than the one
//! before, changes nothing and fails the job; an entry whose record has an id but cannot be read stays as it was; the same
//! file is published once; a team is notified once of a new or changed hit of a subject, although jobs are delivered twice or a
//! worker is killed.

mod import;
mod rescreening;
mod worker;

pub use import::{Imported, import};
pub use worker::{Error, Worker};
