//! Makes the deliveries of webhooks.
//!
//! Invariants: a delivery waits in the table until it is recorded as delivered or failed, so it is made at least once,
//! wherever a worker is killed; every attempt has the same id; webhooks do not delay each other.
//!
//! | Read this | To learn |
//! |---|---|
//! | `worker` | what a job does |
//! | `replay` | how changes of an earlier time are delivered again |
//! | `notification` | the notification of a team whose webhook was disabled |

mod notification;
mod replay;
mod worker;

pub use worker::{Error, Worker};
