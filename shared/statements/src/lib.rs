//! What the public sources state of a company: one type for the records of each source.
//!
//! The readers (`sources`) produce these types and the fold (`facts`) uses them; neither depends on the other.
//!
//! Invariant: plain data, no I/O and no clock. Facts are stored in the form in which these types are serialised, so
//! that members may be added and not renamed.

pub mod finma;
pub mod gazette;
pub mod gleif;
mod isin;
mod lei;
pub mod lindas;
pub mod news;
pub mod reports;
pub mod six;
mod source;
mod statement;
pub mod zefix;

pub use isin::{Isin, MalformedIsin};
pub use lei::{Lei, MalformedLei};
pub use source::{Source, UnknownSource};
pub use statement::{CompanyStatement, Statement};
