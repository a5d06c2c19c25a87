use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use statements::{CompanyStatement, Source};

/// What a file held.
#[derive(Debug, Default)]
pub struct Batch {
    pub statements: Vec<CompanyStatement>,
    pub rejected: Vec<Rejected>,
}

impl Batch {
    /// The same, every statement without a day having this one: lists that bear no date are as old as
    /// their file, which is for its fetcher to know.
    #[must_use]
    pub fn dated(mut self, day: Option<Date>) -> Self {
        for it in &mut self.statements {
            it.published = it.published.or(day);
        }
        self
    }
}

/// A record that could not be read, as it was, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rejected {
    /// The record's bytes as text.
    pub record: String,
    /// The member and the rule it breaks.
    pub reason: String,
}

/// A file that is not in its source's format at all.
#[derive(Debug, thiserror::Error)]
#[error("not a {source_name} file: {reason}")]
pub struct Unreadable {
    pub source_name: Source,
    pub reason: String,
}
