//! The public sources of a Swiss company: bytes in a published format in, statements out.
//!
//! Invariant: no I/O and no clock, so that every file can be replayed.
//!
//! | Read this | To learn |
//! |---|---|
//! | [`gazette`] | the gazette's publications |
//! | [`zefix`] | the commercial register's public REST interface |
//! | [`lindas`] | the same register as linked data: every company, few members |
//! | [`gleif`] | legal entity identifiers, parents, reasons for having none |
//! | [`finma`] | licences of the financial market authority |
//! | [`six`] | notices of the Swiss exchange, significant shareholders |
//! | [`news`] | feeds of publishers |
//! | [`reports`] | figures of annual reports |
//! | [`Page`] | what is asked of a source next |
//! | [`Pending`] | records that name their company otherwise than by its number |
//! | [`localities`] | where a commune or postal address lies |
//! | [`noga`] | the official list of economic activities |

mod batch;
mod description;
pub mod finma;
pub mod gazette;
pub mod gleif;
pub mod lindas;
pub mod localities;
mod mention;
pub mod news;
pub mod noga;
mod page;
mod reference;
mod repair;
pub mod reports;
mod request;
pub mod six;
mod table;
mod text;
mod xml;
pub mod zefix;

pub use batch::{Batch, Rejected, Unreadable};
pub use description::{FetchPolicy, Reader, SourceDescription, description};
pub use mention::{Mention, Pending, Unresolved};
pub use page::Page;
pub use reference::UnreadableList;
pub use request::{Method, Request};
use statements::Source;

/// Reads a file of a source. A record that cannot be read is among [`Batch::rejected`]; a file that
/// cannot be read at all is an error, and nothing of it counts.
pub fn read(source: Source, bytes: &[u8]) -> Result<Batch, Unreadable> {
    match description(source).reader {
        Reader::Identified(read) => read(bytes),
        Reader::Mentioned(read) => Ok(read(bytes)?.resolved(|_| None)),
    }
}
