//! What the public sources state about a company: one module of types per source.
//!
//! The readers in `sources` produce these types, and `facts` folds them into a company record. Neither of the
//! two crates depends on the other.
//!
//! Invariants: plain data, no I/O, no clock. Facts are stored as the JSON of these types, so members can be
//! added but not renamed.

pub mod demo;
pub mod finma;
pub mod gazette;
pub mod gleif;
pub mod lindas;
pub mod news;
pub mod reports;
pub mod six;
mod statement;
pub mod zefix;

pub use self::statement::{CompanyStatement, Statement};
