//! Runs saved searches and alerts, and notifies their teams of what is new.
//!
//! Invariants: a period of a search leads to at most one notification, and every new company is in one, whether its job is
//! delivered once, twice, late or in another order, and wherever a process is killed. A run first stores what
//! it found together with its report, then stores the notification, whose id is derived from the period, and queues its mail, and only then
//! marks the report as delivered. A run that finds an undelivered report delivers it before anything else.

mod notification;
mod search;
mod worker;

pub use worker::{Error, Worker};
