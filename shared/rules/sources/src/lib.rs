//! Readers of the public data sources: bytes in the format of a source become statements about companies.
//!
//! Invariant: no I/O and no clock, so that every file can be processed again with the same result.
//!
//! | Read this | To learn |
//! |---|---|
//! | [`gazette`] | publications of the Swiss Official Gazette of Commerce |
//! | [`zefix`] | the public REST API of the commercial register |
//! | [`lindas`] | the same register as linked data: all active companies, few fields |
//! | [`gleif`] | legal entity identifiers, parents, reasons for not reporting a parent |
//! | [`finma`] | licences of the financial market authority |
//! | [`six`] | notices and significant shareholders of the Swiss exchange |
//! | [`news`] | feeds of publishers |
//! | [`reports`] | figures of annual reports |
//! | [`description`] | everything that other crates must know about a source |
//! | [`Page`] | what to fetch next from a source, and how |
//! | [`Pending`] | records that identify their company by LEI, ISIN or name instead of its UID |
//! | [`lists`] | screening lists: sanctions, politically exposed persons, warnings, licences |
//! | [`localities`] | coordinates of communes and postal addresses |
//! | [`noga`] | the official list of economic activities |

mod batch;
#[cfg(test)]
mod damage;
mod description;
mod exchange;
pub mod finma;
pub mod gazette;
pub mod gleif;
mod left_out;
pub mod lindas;
pub mod lists;
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
#[cfg(test)]
mod tests;
mod text;
mod xml;
pub mod zefix;

pub use batch::{Batch, Rejected, Unreadable};
pub use description::{
    Coverage, FetchPolicy, Reader, RequiredSetting, STALE_AFTER_INTERVALS, Schedule,
    SourceDescription,
};
use domain::Source;
pub use exchange::{Exchange, FetchRun, Fetched, Response};
pub use mention::{Mention, Pending, Unresolved};
pub use page::Page;
pub use reference::UnreadableList;
pub use request::{Method, Request};

/// The description of a source.
pub fn description(source: Source) -> &'static SourceDescription {
    match source {
        Source::Zefix => &zefix::DESCRIPTION,
        Source::Shab => &gazette::DESCRIPTION,
        Source::Lindas => &lindas::DESCRIPTION,
        Source::Gleif => &gleif::DESCRIPTION,
        Source::Finma => &finma::DESCRIPTION,
        Source::Six => &six::DESCRIPTION,
        Source::News => &news::DESCRIPTION,
        Source::Reports => &reports::DESCRIPTION,
    }
}

/// Reads a file of a source. Records that cannot be read are in [`Batch::rejected`]. A file that is not
/// in the format of the source is an error. Records without a UID are rejected: use
/// [`Reader::Mentioned`] to look up their companies.
pub fn read(source: Source, bytes: &[u8]) -> Result<Batch, Unreadable> {
    match description(source).reader {
        Reader::Identified(read) => read(bytes),
        Reader::Mentioned(read) => Ok(read(bytes)?.resolve(|_| None)),
    }
}

impl Page {
    /// The source of the page.
    pub fn source(&self) -> Source {
        self.exchange().source
    }

    /// The requests of the page, and what their responses mean.
    pub fn exchange(&self) -> Exchange<'_> {
        match self {
            Self::Shab { first, last, number } => gazette::exchange(*first, *last, *number),
            Self::Zefix { day } => zefix::exchange_of_day(*day),
            Self::ZefixCompanies { uids } => zefix::exchange_of_companies(uids),
            Self::Lindas { after, day } => lindas::exchange(after.as_deref(), *day),
            Self::Gleif { address, number } => gleif::exchange(address.as_deref(), *number),
            Self::Finma => finma::exchange(),
            Self::Six { list, first, last, number } => six::exchange(*list, *first, *last, *number),
            Self::News { address, number } => news::exchange(address, *number),
            Self::Reports { address } => reports::exchange(address),
        }
    }
}
