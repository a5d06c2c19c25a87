use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use statements::{CompanyStatement, Source};

/// Content of a file: statements and the records that could not be read.
#[derive(Debug, Default)]
pub struct Batch {
    pub statements: Vec<CompanyStatement>,
    pub rejected: Vec<Rejected>,
}

impl Batch {
    /// Sets the publication date of all statements that have none. For lists without dates, pass the date
    /// of the file.
    #[must_use]
    pub fn dated(mut self, day: Option<Date>) -> Self {
        for it in &mut self.statements {
            it.published = it.published.or(day);
        }
        self
    }
}

/// A record that could not be read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rejected {
    /// The original record as text.
    pub record: String,
    /// The invalid field and what is wrong with it.
    pub reason: String,
}

/// Error: the file is not in the format of its source.
#[derive(Debug, thiserror::Error)]
#[error("not a {source_name} file: {reason}")]
pub struct Unreadable {
    pub source_name: Source,
    pub reason: String,
}
