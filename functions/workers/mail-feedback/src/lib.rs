//! Stores what mail servers and readers report about mails: bounces and complaints, after which an address gets fewer mails or
//! none, and deliveries, which end that. Counts the mails of a day that mail servers refuse.
//!
//! Invariants: a report that arrives twice changes nothing; only the address that a mail was sent to is changed, never one that a
//! mail server names.

mod worker;

pub use worker::{Error, Worker};
