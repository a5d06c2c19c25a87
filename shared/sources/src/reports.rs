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

use domain::{Amount, Company};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::{
    Mention, Pending, Rejected, Request, Source, Statement, Unreadable, Unresolved,
    fact::fingerprint, text::lossy,
};

/// The figures of one report. An absent one was not read; none is ever computed.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub report_type: String,
    /// The year in which the period ends.
    pub fiscal_year: i16,
    pub period_end: Option<Date>,
    /// ISO 4217.
    pub currency: Option<String>,
    /// In whole units of the currency, as are all amounts.
    pub revenue: Option<Amount>,
    pub operating_income: Option<Amount>,
    /// With the share of other shareholders.
    pub net_income: Option<Amount>,
    pub total_assets: Option<Amount>,
    pub equity: Option<Amount>,
    pub employees: Option<u32>,
    pub source_url: Option<String>,
    pub publication_date: Option<Date>,
    pub description: Option<String>,
}

/// A file at an address that an operator gives.
pub fn request(address: &str) -> Request {
    Request::get(address)
}

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
    report.check()?;
    Ok(Unresolved {
        mentions: vec![mention],
        published: report.publication_date,
        source: Source::Reports,
        fingerprint: fingerprint(&report)?,
        statement: Statement::Report(Box::new(report)),
        record,
    })
}

impl Report {
    fn amounts(&self) -> [(&'static str, Option<Amount>); 5] {
        [
            ("revenue", self.revenue),
            ("operatingIncome", self.operating_income),
            ("netIncome", self.net_income),
            ("totalAssets", self.total_assets),
            ("equity", self.equity),
        ]
    }

    /// What every report has to hold, whoever wrote it.
    fn check(&self) -> Result<(), String> {
        if !(1800..=2200).contains(&self.fiscal_year) {
            return Err(format!("fiscalYear: {} is not a year", self.fiscal_year));
        }
        if let Some(end) = self.period_end
            && end.year() != self.fiscal_year
        {
            return Err(format!("periodEnd: {end} is not in the year {}", self.fiscal_year));
        }
        let has_amount = self.amounts().iter().any(|(_, amount)| amount.is_some());
        match &self.currency {
            None if has_amount => return Err("currency: is missing beside amounts".into()),
            Some(it) if it.len() != 3 || !it.bytes().all(|it| it.is_ascii_uppercase()) => {
                return Err(format!("currency: `{it}` is not a code of three capitals"));
            }
            _ => {}
        }
        if !has_amount && self.employees.is_none() {
            return Err("there is no figure".into());
        }
        if self.total_assets.is_some_and(|it| it < Amount::default()) {
            return Err("totalAssets: is negative".into());
        }
        if let Some(url) = self.source_url.as_deref().filter(|it| !crate::text::is_web_address(it))
        {
            return Err(format!("sourceUrl: `{url}` is not an address of the web"));
        }
        Ok(())
    }

    /// Which of two reports is of the later period.
    pub(crate) fn period(&self) -> (i16, Option<Date>) {
        (self.fiscal_year, self.period_end)
    }

    /// Fills what a record has of reports.
    pub(crate) fn enrich(&self, company: &mut Company) {
        company.employee_count = self.employees;
    }
}

#[cfg(test)]
mod tests;
