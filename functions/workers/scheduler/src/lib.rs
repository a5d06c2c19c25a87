//! Sends the saved searches, alerts and digests that are due, one job each.
//!
//! Invariants: what is due is found by its due time, so the cost depends on what is due and not on the number of teams; a
//! period is sent at least once, and always as the same job; after an interruption, only the newest missed period is
//! sent.
//!
//! Also deletes what erased users and teams have left ([`store::erasures`]).

mod erasures;
mod worker;

pub use erasures::delete_objects;
pub use worker::{Error, Worker};
