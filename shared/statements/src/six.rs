//! A significant shareholding in a listed company.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// A report of a shareholder who crossed a threshold of voting rights.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Shareholding {
    pub id: String,
    /// The company whose shares these are, as it reports.
    pub issuer: String,
    pub issuer_id: Option<String>,
    pub published: Date,
    pub transaction: Option<Date>,
    /// Percent of the voting rights through shares and other purchase positions.
    pub purchase_rate: Option<f64>,
    /// Percent of the voting rights that sale positions could take away.
    pub sale_rate: Option<f64>,
    /// The threshold in percent below which the holder fell; 0 is none.
    pub below_threshold: Option<f64>,
    /// Who holds directly.
    pub shareholders: Vec<String>,
    /// To whom it belongs in the end.
    pub beneficial_owners: Vec<String>,
    /// Why it was reported.
    pub reasons: Vec<String>,
}
