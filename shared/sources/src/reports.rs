//! Figures of annual reports: from a file that an operator fills, and from reports in XBRL.
//!
//! Swiss companies have no duty to publish figures for machines. What is read is:
//!
//! - a table or JSON that an operator fills, with these columns or members:
//!
//! | Column | What it holds |
//! |---|---|
//! | `uid` | the company; else one of `lei`, `isin`, `company` (the registered name) |
//! | `fiscalYear` | the year in which the period ends; required |
//! | `periodEnd` | the last day of the period |
//! | `currency` | ISO 4217; required beside any amount |
//! | `revenue`, `operatingIncome`, `netIncome`, `totalAssets`, `equity` | in whole units of the currency, a loss below zero |
//! | `employees` | persons or full-time equivalents, as the report counts |
//! | `reportType` | `annual` where it is left out |
//! | `sourceUrl` | where the report can be read |
//! | `publicationDate` | when it was published |
//! | `description` | a few words |
//!
//!   JSON is an array of such records, or `{"reports": […]}`.
//! - xBRL-JSON and inline XBRL, of them only figures that a taxonomy names without doubt (IFRS, US
//!   GAAP), of the whole group, of the last full year. Swiss GAAP FER has no taxonomy in use.

mod figures;
mod inline_xbrl;
mod operator;
mod xbrl_json;

use domain::Amount;
use statements::{Source, Statement, reports::Report};

use crate::{FetchPolicy, Reader, SourceDescription};
use crate::{
    Mention, Pending, Rejected, Request, Unreadable, Unresolved,
    text::{is_web_address, lossy},
};

/// A file at an address that an operator gives.
pub fn request(address: &str) -> Request {
    Request::get(address)
}

/// The description of the source.
pub(crate) const DESCRIPTION: SourceDescription = SourceDescription {
    interval_minutes: None,
    // XBRL reports are long.
    policy: FetchPolicy::new("reports", 2_000, 64),
    is_complete_list: false,
    depends_on: &[Source::Lindas],
    reader: Reader::Mentioned(read),
};

/// Reads a file in any of the forms above.
pub fn read(bytes: &[u8]) -> Result<Pending, Unreadable> {
    read_from(None, bytes)
}

/// As [`read`], the file having been found at this address, which is the source of those reports that
/// name none.
pub fn read_from(address: Option<&str>, bytes: &[u8]) -> Result<Pending, Unreadable> {
    let unreadable = |reason| Unreadable { source_name: Source::Reports, reason };
    let text = lossy(bytes);
    let read = match text.trim_start().chars().next() {
        Some('<') => inline_xbrl::read(&text),
        Some('{') if xbrl_json::is_one(&text) => xbrl_json::read(&text),
        Some('{' | '[') => operator::read_json(&text),
        _ => operator::read_table(bytes),
    };
    let mut pending = Pending::default();
    for record in read.map_err(unreadable)? {
        let Draft { report, record } = record;
        match report.and_then(|(mention, it)| unresolved(mention, it, address, record.clone())) {
            Ok(unresolved) => pending.unresolved.push(unresolved),
            Err(reason) => pending.rejected.push(Rejected { record, reason }),
        }
    }
    Ok(pending)
}

/// A report as it was read, beside what it was read from.
struct Draft {
    report: Result<(Mention, Report), String>,
    record: String,
}

fn unresolved(
    mention: Mention,
    mut report: Report,
    address: Option<&str>,
    record: String,
) -> Result<Unresolved, String> {
    report.source_url = report.source_url.or_else(|| address.map(str::to_owned));
    check(&report)?;
    Ok(Unresolved {
        mentions: vec![mention],
        published: report.publication_date,
        source: Source::Reports,
        statement: Statement::Report(Box::new(report)),
        record,
    })
}

fn amounts(report: &Report) -> [(&'static str, Option<Amount>); 5] {
    [
        ("revenue", report.revenue),
        ("operatingIncome", report.operating_income),
        ("netIncome", report.net_income),
        ("totalAssets", report.total_assets),
        ("equity", report.equity),
    ]
}

/// What every report has to hold, whoever wrote it.
fn check(report: &Report) -> Result<(), String> {
    if !(1800..=2200).contains(&report.fiscal_year) {
        return Err(format!("fiscalYear: {} is not a year", report.fiscal_year));
    }
    if let Some(end) = report.period_end
        && end.year() != report.fiscal_year
    {
        return Err(format!("periodEnd: {end} is not in the year {}", report.fiscal_year));
    }
    let has_amount = amounts(report).iter().any(|(_, amount)| amount.is_some());
    match &report.currency {
        None if has_amount => return Err("currency: is missing beside amounts".into()),
        Some(it) if it.len() != 3 || !it.bytes().all(|it| it.is_ascii_uppercase()) => {
            return Err(format!("currency: `{it}` is not a code of three capitals"));
        }
        _ => {}
    }
    if !has_amount && report.employees.is_none() {
        return Err("there is no figure".into());
    }
    if report.total_assets.is_some_and(|it| it < Amount::default()) {
        return Err("totalAssets: is negative".into());
    }
    if let Some(url) = report.source_url.as_deref().filter(|it| !is_web_address(it)) {
        return Err(format!("sourceUrl: `{url}` is not an address of the web"));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
