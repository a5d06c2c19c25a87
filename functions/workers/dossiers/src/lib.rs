//! Writes the dossiers that were requested with `Prefer: respond-async`.
//!
//! Invariants: a dossier that was deleted is not written; one process at a time writes a dossier (its lease); every
//! dossier ends: after the last attempt it has failed, with the reason.

mod worker;

pub use worker::{Error, Worker};
