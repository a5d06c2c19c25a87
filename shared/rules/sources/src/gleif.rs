//! Legal entity identifiers (LEI): entities (level 1), their parents (level 2) and reasons for not
//! reporting a parent (reporting exceptions).
//!
//! Formats: the tables of the golden copy (LEI-CDF 3.1, RR-CDF 2.1, reporting exceptions 2.1), read row
//! by row because level 1 has more than three million rows, and the JSON of `api.gleif.org/api/v1`.
//! Licence: CC0 1.0.
//!
//! Level 2 contains identifiers only. A load therefore has four steps:
//!
//! 1. level 1 of all Swiss companies, page by page
//! 2. the rows of the [`relationships`], [`exceptions`] and [`isins`] tables that contain a Swiss company
//! 3. level 1 of the other entities in these rows
//! 4. [`join`]
//!
//! An [`Excerpt`] collects the result of steps 1 to 3 and can be stored as a file.
//!
//! An operator can also import the official files of level 2 as they are. Their records identify companies by LEI, which is
//! looked up among the companies whose level 1 is known.

mod api;
mod excerpt;
mod join;
mod level1;
mod level2;
mod official;

use std::time::Duration;

use domain::{
    Source, Uid,
    statements::{CompanyStatement, Statement, gleif::Entity},
};
use jiff::civil::Date;

pub(crate) use api::exchange;
pub use api::{Answer, MAX_LEIS_PER_REQUEST, names_request, read_answer};
pub use domain::statements::gleif::{Kind, Period, Relationship};
pub use excerpt::{Counts, Excerpt};
pub use join::{Level1, join};
pub use level1::{isins, level1};
pub use level2::{exceptions, relationships};

use crate::{
    Coverage, FetchPolicy, Page, Reader, Rejected, Request, RequiredSetting, Schedule,
    SourceDescription,
};

/// Limits for the golden copy and the table of securities: archives of 30 to 60 MB, published for bulk
/// download.
pub const GOLDEN_COPY_POLICY: FetchPolicy = FetchPolicy {
    timeout: Duration::from_secs(180),
    ..FetchPolicy::new(Source::Gleif.name(), 2_000, 256)
};

/// Request for a file of the golden copy: a ZIP archive with one table.
pub fn golden_copy(file: GoldenCopy) -> Request {
    let name = match file {
        GoldenCopy::Level1 => "lei2",
        GoldenCopy::Relationships => "rr",
        GoldenCopy::Exceptions => "repex",
    };
    Request::get(format!(
        "https://goldencopy.gleif.org/api/v2/golden-copies/publishes/{name}/latest.csv"
    ))
}

/// A file of the golden copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoldenCopy {
    Level1,
    Relationships,
    Exceptions,
}

/// Request for the securities (ISIN) of all entities, for [`isins`]: a ZIP archive with one table.
pub fn isin_request() -> Request {
    Request::get("https://mapping.gleif.org/api/v2/isin-lei/latest/download")
}

/// The description of the source.
pub(crate) const DESCRIPTION: SourceDescription = SourceDescription {
    title: "Global Legal Entity Identifier Foundation",
    states: "LEI, ISIN, parents and subsidiaries",
    formats: &[
        "JSON of the API: LEI records, relationship records, reporting exceptions",
        "CSV table of level 1 (golden copy)",
        "CSV table of relationship records (golden copy)",
        "CSV table of reporting exceptions (golden copy)",
    ],
    reader: Reader::Mentioned(official::read),
    coverage: Coverage::Part,
    is_indexed: true,
    depends_on: &[Source::Lindas],
    schedule: Schedule::Daily,
    requires: RequiredSetting::Nothing,
    // Documented limit: 60 requests per minute and user.
    policy: FetchPolicy::new(Source::Gleif.name(), 1_000, 16),
    first_pages: |_| vec![Page::Gleif { address: None, number: 0 }],
    has_relationship_files: true,
};

fn statement(uid: Uid, entity: Entity) -> CompanyStatement {
    CompanyStatement {
        uid,
        source: Source::Gleif,
        published: entity.last_update,
        statement: Statement::Gleif(Box::new(entity)),
    }
}

fn rejected(entity: &Entity, reason: String) -> Rejected {
    let record = serde_json::to_string(entity).unwrap_or_else(|_| entity.lei.to_string());
    Rejected::new(record, reason)
}

/// The date of a text that starts with a date and may continue with a time.
struct Day(Date);

impl std::str::FromStr for Day {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let day = text.get(..10).and_then(|it| it.parse().ok());
        day.map(Self).ok_or_else(|| format!("`{text}` is not a date"))
    }
}

#[cfg(test)]
mod tests;
