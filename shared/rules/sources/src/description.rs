use std::time::Duration;

use domain::{
    Source, Uid,
    statements::{CompanyStatement, Statement},
};
use jiff::Timestamp;

use crate::{Batch, FetchRun, Page, Pending, Unreadable};

/// Everything about a source that other crates depend on. Each source describes itself in its module.
#[derive(Debug)]
pub struct SourceDescription {
    /// Publisher and kind of data.
    pub title: &'static str,
    /// What its records state about a company.
    pub states: &'static str,
    /// File formats that the reader accepts. `fixtures/{source}/` contains an example of each.
    pub formats: &'static [&'static str],
    pub reader: Reader,
    /// Whether a file lists all companies of the source.
    pub coverage: Coverage,
    /// Whether the search indexes contain what the source states, so that an import needs a new generation.
    pub is_indexed: bool,
    /// Sources that have to be loaded first, so that companies can be found.
    pub depends_on: &'static [Source],
    pub schedule: Schedule,
    /// Settings of the operator without which the source is not fetched.
    pub requires: RequiredSetting,
    /// How requests to the source are limited.
    pub policy: FetchPolicy,
    /// The first pages of a scheduled fetch. Their responses lead to the next pages: [`Page::exchange`].
    pub first_pages: fn(&FetchRun<'_>) -> Vec<Page>,
    /// Whether the last page is followed by the bulk files of relationships: [`gleif::Excerpt`](crate::gleif::Excerpt).
    pub has_relationship_files: bool,
}

/// How a file of a source becomes statements.
#[derive(Debug)]
pub enum Reader {
    /// Every record has the UID of its company.
    Identified(fn(&[u8]) -> Result<Batch, Unreadable>),
    /// Records may identify their company by LEI, ISIN or name, so that it has to be looked up.
    Mentioned(fn(&[u8]) -> Result<Pending, Unreadable>),
}

/// Which companies a file of a source contains.
#[derive(Debug)]
pub enum Coverage {
    /// Some companies. The file states nothing about the others.
    Part,
    /// All companies of the source. A company that is missing from the newest list is no longer part of it:
    /// this is then the statement about it, which the reader itself never returns.
    CompleteList { removed: fn() -> Statement },
}

/// When a source is fetched. `template.yaml` contains the times of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    Hourly,
    Daily,
    Weekly,
    /// Daily, but most operators set no addresses, so that no run is expected.
    DailyIfSet,
}

/// Settings of the operator that a fetch requires, in addition to the contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequiredSetting {
    Nothing,
    /// The account for the API of the commercial register.
    RegisterAccount,
    /// Addresses of news feeds.
    NewsFeeds,
    /// Addresses of files with figures of annual reports.
    ReportFiles,
}

/// A source is stale after this many of its intervals without a completed run.
pub const STALE_AFTER_INTERVALS: u32 = 2;

impl SourceDescription {
    /// Whether a file lists all companies of the source.
    pub fn is_complete_list(&self) -> bool {
        matches!(self.coverage, Coverage::CompleteList { .. })
    }

    /// Minutes between two expected runs.
    pub fn interval_minutes(&self) -> Option<u32> {
        match self.schedule {
            Schedule::Hourly => Some(60),
            Schedule::Daily => Some(24 * 60),
            Schedule::Weekly => Some(7 * 24 * 60),
            Schedule::DailyIfSet => None,
        }
    }

    /// Whether the last completed run is so long ago that several are missing. Never for a source without a schedule.
    pub fn is_stale(&self, completed: Timestamp, now: Timestamp) -> bool {
        let minutes = now.duration_since(completed).as_mins();
        let most = self.interval_minutes().map(|it| i64::from(it * STALE_AFTER_INTERVALS));
        most.is_some_and(|most| minutes > most)
    }
}

impl Coverage {
    /// Whether the statement means that its company is on the list.
    pub fn is_listed(&self, statement: &Statement) -> bool {
        match self {
            Self::Part => true,
            Self::CompleteList { removed } => *statement != removed(),
        }
    }

    /// Statements about the companies of an earlier list that are missing from the current one (`listed`).
    /// None if files are not complete lists. The caller must check that the current list is complete: a very
    /// short list is probably truncated.
    pub fn removals(
        &self,
        source: Source,
        earlier: impl IntoIterator<Item = Uid>,
        listed: impl IntoIterator<Item = Uid>,
    ) -> Vec<CompanyStatement> {
        let Self::CompleteList { removed } = self else { return Vec::new() };
        let listed: std::collections::BTreeSet<Uid> = listed.into_iter().collect();
        let missing = earlier.into_iter().filter(|uid| !listed.contains(uid));
        let statement =
            |uid| CompanyStatement { uid, source, published: None, statement: removed() };
        missing.map(statement).collect()
    }
}

/// Limits for requests to a host. A limit that the source documents is kept; the other numbers are our
/// own choice, so that a full load is done overnight without straining the source.
#[derive(Clone, Copy, Debug)]
pub struct FetchPolicy {
    /// Name of the source in error messages.
    pub name: &'static str,
    /// Minimum pause between a response and the next request to the same host.
    pub min_interval: Duration,
    /// Maximum size of a response in bytes, after decompression.
    pub max_bytes: usize,
    /// Maximum time for a response, to its last byte.
    pub timeout: Duration,
}

impl FetchPolicy {
    pub(crate) const fn new(
        name: &'static str,
        min_interval_ms: u64,
        max_mebibytes: usize,
    ) -> Self {
        Self {
            name,
            min_interval: Duration::from_millis(min_interval_ms),
            max_bytes: max_mebibytes * 1024 * 1024,
            timeout: Duration::from_secs(60),
        }
    }
}
