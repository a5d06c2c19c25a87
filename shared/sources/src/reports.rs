//! Figures of annual reports, from files that an operator writes and from reports in XBRL.
//!
//! Swiss companies are not required to publish machine-readable figures. Supported formats:
//!
//! - a table or JSON with these columns or fields:
//!
//! | Column | Content |
//! |---|---|
//! | `uid` | the company; or one of `lei`, `isin`, `company` (the registered name) |
//! | `fiscalYear` | the year in which the period ends; required |
//! | `periodEnd` | the last day of the period |
//! | `currency` | ISO 4217; required if there is an amount |
//! | `revenue`, `operatingIncome`, `netIncome`, `totalAssets`, `equity` | in units of the currency; a loss is negative |
//! | `employees` | persons or full-time equivalents, as in the report |
//! | `reportType` | at most 50 characters; default: `annual` |
//! | `sourceUrl` | address of the report, at most 2,000 characters |
//! | `publicationDate` | date of publication |
//! | `description` | short description, at most 2,000 characters |
//!
//!   JSON is an array of such records, or `{"reports": […]}`.
//! - xBRL-JSON and inline XBRL: the consolidated figures of the last full year, if they use an IFRS or
//!   US GAAP concept with an unambiguous meaning. There is no taxonomy in use for Swiss GAAP FER.

mod figures;
mod inline_xbrl;
mod operator;
mod xbrl_json;

use domain::Amount;
use statements::{Source, Statement, reports::Report};

use crate::{
    Coverage, Exchange, FetchPolicy, Fetched, Mention, Page, Pending, Reader, Rejected, Request,
    RequiredSetting, Schedule, SourceDescription, Unreadable, Unresolved,
    text::{is_web_address, lossy},
};

/// Maximum length of the description of a report, in characters. A longer text is not a description, and the answers
/// about a company are limited in bytes.
const MAX_DESCRIPTION: usize = 2_000;
/// The same for the type of a report.
const MAX_TYPE: usize = 50;
/// The same for the address of a report.
const MAX_ADDRESS: usize = 2_000;

/// How the file at this address is fetched.
pub(crate) fn exchange(address: &str) -> Exchange<'static> {
    Exchange::single(Source::Reports, Request::get(address), |response| {
        Ok(Fetched::new(response.bytes, None))
    })
}

/// The description of the source.
pub(crate) const DESCRIPTION: SourceDescription = SourceDescription {
    title: "annual reports",
    states: "key figures and number of employees of a fiscal year",
    formats: &["CSV table", "JSON", "xBRL-JSON", "inline XBRL"],
    reader: Reader::Mentioned(read),
    coverage: Coverage::Part,
    is_indexed: true,
    depends_on: &[Source::Lindas],
    schedule: Schedule::DailyIfSet,
    requires: RequiredSetting::ReportFiles,
    // XBRL reports are large.
    policy: FetchPolicy::new(Source::Reports.name(), 2_000, 64),
    first_pages: |run| {
        run.addresses.iter().cloned().map(|address| Page::Reports { address }).collect()
    },
    has_relationship_files: false,
};

/// Reads a file in any supported format.
pub fn read(bytes: &[u8]) -> Result<Pending, Unreadable> {
    read_from(None, bytes)
}

/// As [`read`]. `address` becomes the `source_url` of reports that have none.
pub fn read_from(address: Option<&str>, bytes: &[u8]) -> Result<Pending, Unreadable> {
    let unreadable = |reason| Unreadable { source_name: Source::Reports, reason };
    let text = lossy(bytes);
    let read = match text.trim_start().chars().next() {
        Some('<') => inline_xbrl::read(&text),
        Some('{') if xbrl_json::is_xbrl_json(&text) => xbrl_json::read(&text),
        Some('{' | '[') => operator::read_json(&text),
        _ => operator::read_table(bytes),
    };
    let mut pending = Pending::default();
    for record in read.map_err(unreadable)? {
        let Draft { report, record } = record;
        match report.and_then(|(mention, it)| unresolved(mention, it, address, record.clone())) {
            Ok(unresolved) => pending.unresolved.push(unresolved),
            Err(reason) => pending.rejected.push(Rejected::new(record, reason)),
        }
    }
    Ok(pending)
}

/// An unchecked report and the original record.
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
        record: Some(record),
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

/// Checks the rules that apply to reports of all formats.
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
        None if has_amount => return Err("currency: is missing, but there are amounts".into()),
        Some(it) if it.len() != 3 || !it.bytes().all(|it| it.is_ascii_uppercase()) => {
            return Err(format!("currency: `{it}` is not a code of three capital letters"));
        }
        _ => {}
    }
    if !has_amount && report.employees.is_none() {
        return Err("contains no figure".into());
    }
    if report.total_assets.is_some_and(|it| it < Amount::default()) {
        return Err("totalAssets: is negative".into());
    }
    for (member, text, max) in [
        ("reportType", Some(&report.report_type), MAX_TYPE),
        ("sourceUrl", report.source_url.as_ref(), MAX_ADDRESS),
        ("description", report.description.as_ref(), MAX_DESCRIPTION),
    ] {
        if text.is_some_and(|it| it.chars().nth(max).is_some()) {
            return Err(format!("{member}: is longer than {max} characters"));
        }
    }
    if let Some(url) = report.source_url.as_deref().filter(|it| !is_web_address(it)) {
        return Err(format!("sourceUrl: `{url}` is not an HTTP or HTTPS address"));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
