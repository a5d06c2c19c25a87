//! The public sources of a Swiss company: bytes in a published format in, facts with their
//! provenance out, and the fold of facts into a record.
//!
//! Invariant: no I/O and no clock, so that every file can be replayed.
//!
//! | Read this | To learn |
//! |---|---|
//! | [`Fact`] | what a source states of one company on one day |
//! | [`fold`](fold()) | how facts become the record |
//! | [`gazette`] | the gazette's publications, and the entries in their text |
//! | [`zefix`] | the commercial register's public REST interface |

mod fact;
mod fold;
pub mod gazette;
mod repair;
pub mod zefix;

pub use fact::{Batch, Fact, Rejected, Source, Statement, UnknownSource, Unreadable};
pub use fold::fold;

/// Reads a file of a source. A record that cannot be read is among [`Batch::rejected`]; a file that
/// cannot be read at all is an error, and nothing of it counts.
pub fn read(source: Source, bytes: &[u8]) -> Result<Batch, Unreadable> {
    match source {
        Source::Shab => gazette::read(bytes),
        Source::Zefix => zefix::read(bytes),
    }
}
