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

use domain::{
    Amount, Source,
    statements::{Statement, reports::Report},
};

use crate::{
    Coverage, Exchange, FetchPolicy, Fetched, Mention, Page, Pending, Reader, Request,
    RequiredSetting, Schedule, SourceDescription, Unreadable, Unresolved,
    left_out::LeftOut,
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

/// Reads a file in any supported format. Only a record without a readable company, year or type is rejected, and one of
/// which no figure can be read.
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
        let Draft { report, record, mut left_out } = record;
        let read = report.and_then(|(mention, it)| unresolved(mention, it, address, &mut left_out));
        pending.push(record, read, left_out);
    }
    Ok(pending)
}

/// An unchecked report, the original record and what was left out of it.
struct Draft {
    report: Result<(Mention, Report), String>,
    record: String,
    left_out: LeftOut,
}

fn unresolved(
    mention: Mention,
    mut report: Report,
    address: Option<&str>,
    left_out: &mut LeftOut,
) -> Result<Unresolved, String> {
    report.source_url = report.source_url.or_else(|| address.map(str::to_owned));
    check(&mut report, left_out)?;
    Ok(Unresolved {
        mentions: vec![mention],
        published: report.publication_date,
        source: Source::Reports,
        statement: Statement::Report(Box::new(report)),
        record: None,
        left_out: LeftOut::default(),
    })
}

/// Checks the rules that apply to reports of all formats, and leaves out what breaks them.
fn check(report: &mut Report, left_out: &mut LeftOut) -> Result<(), String> {
    if !(1800..=2200).contains(&report.fiscal_year) {
        return Err(format!("fiscalYear: {} is not a year", report.fiscal_year));
    }
    if let Some(end) = report.period_end
        && end.year() != report.fiscal_year
    {
        // Either may be the wrong one.
        return Err(format!("periodEnd: {end} is not in the year {}", report.fiscal_year));
    }
    // What a report is about. It may be about half a year.
    if report.report_type.chars().nth(MAX_TYPE).is_some() {
        return Err(format!("reportType: is longer than {MAX_TYPE} characters"));
    }
    if report.total_assets.is_some_and(|it| it < Amount::default()) {
        left_out.add("totalAssets: is negative".into());
        report.total_assets = None;
    }
    let is_code = |it: &String| it.len() == 3 && it.bytes().all(|it| it.is_ascii_uppercase());
    if let Some(given) = report.currency.take_if(|it| !is_code(it)) {
        left_out.add(format!("currency: `{given}` is not a code of three capital letters"));
    }
    let is_without_currency = report.currency.is_none();
    let amounts = [
        &mut report.revenue,
        &mut report.operating_income,
        &mut report.net_income,
        &mut report.total_assets,
        &mut report.equity,
    ];
    let mut has_amount = false;
    for amount in amounts {
        has_amount |= amount.is_some();
        if is_without_currency {
            *amount = None;
        }
    }
    if has_amount && is_without_currency && !left_out.has(&["currency"]) {
        left_out.add("currency: is missing, but there are amounts".into());
    }
    if report.employees.is_none() && (!has_amount || is_without_currency) {
        return Err("contains no figure".into());
    }
    for (member, text, max) in [
        ("sourceUrl", &mut report.source_url, MAX_ADDRESS),
        ("description", &mut report.description, MAX_DESCRIPTION),
    ] {
        if text.take_if(|it| it.chars().nth(max).is_some()).is_some() {
            left_out.add(format!("{member}: is longer than {max} characters"));
        }
    }
    if let Some(url) = report.source_url.take_if(|it| !is_web_address(it)) {
        left_out.add(format!("sourceUrl: `{url}` is not an HTTP or HTTPS address"));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
