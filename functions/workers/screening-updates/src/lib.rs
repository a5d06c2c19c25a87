//! Fetches the screening lists and publishes their versions, screens the monitored subjects and the watched companies with
//! their officers and parents again, and keeps what the lists say about every company of the register.
//!
//! Invariants: a file that is unreadable, implausibly small, or has more than a tenth fewer entries in force than the one
//! before, changes nothing and fails the job; an entry whose record has an id but cannot be read stays as it was; the same
//! file is published once; a team is notified once of a new or changed hit, although jobs are delivered twice or a worker is
//! killed; one that cannot be screened is retried alone, and the others go on.

mod companies;
mod error;
mod evidence;
mod import;
mod register;
mod rescreening;
mod subjects;
mod update;
mod worker;

pub use error::Error;
pub use import::{Imported, import, import_invented};
pub use register::BLOCKS_PER_PART;
pub use worker::Worker;
