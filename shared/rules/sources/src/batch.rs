use std::collections::BTreeSet;

use domain::{Source, Uid, statements::CompanyStatement};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::left_out::LeftOut;

/// Content of a file: statements, and the records that could not be read or not as a whole.
#[derive(Debug, Default)]
pub struct Batch {
    pub statements: Vec<CompanyStatement>,
    pub rejected: Vec<Rejected>,
    /// Companies that a complete list contains, but with records that cannot be read.
    pub unreadable: BTreeSet<Uid>,
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

impl Batch {
    /// Adds what was read of a record, and what was not.
    pub(crate) fn push(
        &mut self,
        record: impl FnOnce() -> String,
        read: Result<CompanyStatement, String>,
        left_out: LeftOut,
    ) {
        match read {
            Ok(statement) => {
                self.statements.push(statement);
                self.rejected.extend(Rejected::in_part(&left_out, record));
            }
            Err(reason) => {
                self.rejected.push(Rejected::new(record(), left_out.before(&reason)));
            }
        }
    }
}

/// A record that could not be read, or not as a whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rejected {
    /// The original record as text.
    pub record: String,
    /// The invalid members and what is wrong with them.
    pub reason: String,
    /// Whether the rest of the record was read and is used. Otherwise nothing identifies what it is about.
    pub is_read: bool,
}

impl Rejected {
    /// A record of which nothing is used.
    pub fn new(record: String, reason: String) -> Self {
        Self { record, reason, is_read: false }
    }

    /// A record of which something was left out, and the rest is used. `None`: nothing was left out.
    pub(crate) fn in_part(left_out: &LeftOut, record: impl FnOnce() -> String) -> Option<Self> {
        let reason = left_out.reason()?;
        Some(Self { record: record(), reason, is_read: true })
    }
}

/// Error: the file is not in the format of its source.
#[derive(Debug, thiserror::Error)]
#[error("not a {source_name} file: {reason}")]
pub struct Unreadable {
    pub source_name: Source,
    pub reason: String,
}
