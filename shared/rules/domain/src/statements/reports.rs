//! Figures of an annual report.

use crate::Amount;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// The figures of one report. Absent figures were not read; figures are never computed from others.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub report_type: String,
    /// Year in which the period ends.
    pub fiscal_year: i16,
    pub period_end: Option<Date>,
    /// ISO 4217 code of the currency.
    pub currency: Option<String>,
    /// In units of the currency, like all amounts of the report.
    pub revenue: Option<Amount>,
    pub operating_income: Option<Amount>,
    /// Including the share of minority shareholders.
    pub net_income: Option<Amount>,
    pub total_assets: Option<Amount>,
    pub equity: Option<Amount>,
    pub employees: Option<u32>,
    pub source_url: Option<String>,
    pub publication_date: Option<Date>,
    pub description: Option<String>,
}
