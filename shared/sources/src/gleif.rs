//! Legal entity identifiers: who bears which (level 1), who consolidates whom (level 2), and why
//! somebody names no parent (reporting exceptions).
//!
//! Formats: the golden copy's tables (LEI-CDF 3.1, RR-CDF 2.1, reporting exceptions 2.1), read row by
//! row as the first has more than three million, and the JSON of `api.gleif.org/api/v1`. Licence:
//! CC0 1.0.
//!
//! Level 2 knows identifiers only. A load is therefore: level 1 of the Swiss companies, page by page;
//! of the golden copy's [`relationships`], [`exceptions`] and [`isins`] the rows that name them; level 1
//! of whom those name; then [`join`]. An [`Excerpt`] gathers it all, and is a file of its own.

mod api;
mod excerpt;
mod join;
mod level1;
mod level2;

use std::time::Duration;

use domain::Uid;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use statements::{CompanyStatement, Lei, Source, Statement, gleif::Entity};

pub use api::{Answer, NAMES_AT_A_TIME, names_request, next, read_answer, request};
pub use excerpt::{Counts, Excerpt};
pub use join::{Level1, join};
pub use level1::{isins, level1};
pub use level2::{exceptions, relationships};

use crate::{Batch, Rejected, Request, Unreadable, text::without_mark};
use crate::{FetchPolicy, Reader, SourceDescription, description::DAILY};

/// Limits for the golden copy and the table of securities: archives of 30 to 60 MB, published three times a day
/// for bulk download.
pub const GOLDEN_COPY_POLICY: FetchPolicy =
    FetchPolicy { timeout: Duration::from_secs(180), ..FetchPolicy::new("gleif", 2_000, 256) };

/// The file of level 1, relationships or exceptions: an archive with one table in it.
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

/// The table of which entity issued which security, for [`isins`]: an archive with one table in it.
pub fn isin_request() -> Request {
    Request::get("https://mapping.gleif.org/api/v2/isin-lei/latest/download")
}

/// A relationship of level 2: the child says that the parent consolidates or manages it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Relationship {
    pub child: Lei,
    pub parent: Lei,
    pub kind: Kind,
    /// `ACTIVE`, `INACTIVE` or `NULL`.
    pub status: Option<String>,
    /// `PUBLISHED`, `LAPSED`, `ANNULLED` …: the state of the statement.
    pub registration_status: Option<String>,
    #[serde(default)]
    pub periods: Vec<Period>,
    /// Percent.
    pub percentage: Option<f64>,
    pub last_update: Option<Date>,
}

/// What the parent is to the child.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kind {
    #[serde(rename = "IS_DIRECTLY_CONSOLIDATED_BY")]
    DirectParent,
    #[serde(rename = "IS_ULTIMATELY_CONSOLIDATED_BY")]
    UltimateParent,
    #[serde(rename = "IS_INTERNATIONAL_BRANCH_OF")]
    HeadOffice,
    #[serde(rename = "IS_FUND-MANAGED_BY")]
    FundManager,
    #[serde(rename = "IS_SUBFUND_OF")]
    UmbrellaFund,
    #[serde(rename = "IS_FEEDER_TO")]
    MasterFund,
}

/// A span of time that a relationship names.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Period {
    /// `RELATIONSHIP_PERIOD`, `ACCOUNTING_PERIOD`, `DOCUMENT_FILING_PERIOD`.
    pub kind: Option<String>,
    pub start: Option<Date>,
    pub end: Option<Date>,
}

/// The description of the source.
pub(crate) const DESCRIPTION: SourceDescription = SourceDescription {
    interval_minutes: DAILY,
    // Documented limit: 60 requests per minute and user.
    policy: FetchPolicy::new("gleif", 1_000, 16),
    is_complete_list: false,
    depends_on: &[Source::Lindas],
    reader: Reader::Identified(read),
};

/// Reads a file of level 1 on its own, table or JSON: facts without parents. Entities that are not
/// numbered by a Swiss register are passed over; one that is, and not by a valid number, is rejected.
/// An [`Excerpt`] is read to facts with parents.
pub fn read(bytes: &[u8]) -> Result<Batch, Unreadable> {
    let bytes = without_mark(bytes);
    if let Some(excerpt) = Excerpt::read(bytes)? {
        return Ok(excerpt.joined());
    }
    let mut batch = Batch::default();
    let mut add = |entity: Entity| match entity.uid() {
        None => {}
        Some(uid) => match uid {
            Ok(uid) => batch.statements.push(statement(uid, entity)),
            Err(reason) => batch.rejected.push(rejected(&entity, reason)),
        },
    };
    let mut unread = Vec::new();
    if bytes.trim_ascii_start().starts_with(b"{") {
        let answer = read_answer(bytes)?;
        answer.entities.into_iter().for_each(&mut add);
        unread = answer.rejected;
    } else {
        for record in level1(bytes, |_| false)? {
            match record {
                Ok(entity) => add(entity),
                Err(broken) => unread.push(broken),
            }
        }
    }
    batch.rejected.append(&mut unread);
    Ok(batch)
}

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
    Rejected { record, reason }
}

/// The day of a date or a point in time, as both kinds of file write them.
fn day(text: &str) -> Result<Date, String> {
    let day = text.get(..10).and_then(|it| it.parse().ok());
    day.ok_or_else(|| format!("`{text}` is not a date"))
}

#[cfg(test)]
mod tests;
