//! Sends notifications by e-mail, each at once or together in a daily digest.
//!
//! Invariants: a mail waits in the table until it was sent, so a job that is killed or fails loses none; a mail that is sent
//! again has the same id; mails go only to an address that its owner has confirmed, or that a member of the team signs in
//! with; each owner of a team is told once what has happened with its single sign-on; mails above the limits of a day wait for
//! the next one; after a complaint of the reader, the preferences ask for no more mails.

mod owners;
mod worker;

pub use worker::{Error, Worker};
