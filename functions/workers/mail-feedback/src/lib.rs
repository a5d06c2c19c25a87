//! Stores what mail servers and readers report about mails: bounces and complaints, after which an address gets fewer mails or
//! none, and deliveries, which end that.
//!
//! Invariants: a report that arrives twice changes nothing; only the address that a mail was sent to is changed, never one that a
//! mail server names.

mod worker;

pub use worker::Worker;
