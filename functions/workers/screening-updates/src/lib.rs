//! Fetches the screening lists and publishes their versions, and screens the monitored subjects, the watched companies and
//! their officers again.
//!
//! Invariants: a file that is unreadable, implausibly small, or has more than a tenth fewer entries in force than the one
//! before, changes nothing and fails the job; an entry whose record has an id but cannot be read stays as it was; the same
//! file is published once; a team is notified once of a new or changed hit, although jobs are delivered twice or a worker is
//! killed; one that cannot be screened is retried alone, and the others go on.

mod companies;
mod evidence;
mod import;
mod rescreening;
mod subjects;
mod worker;

pub use import::{Imported, import};
pub use worker::{Error, Worker};
