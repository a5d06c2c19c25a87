//! A significant shareholding in a listed company, as disclosed at the Swiss stock exchange (SIX).

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// A disclosure: a shareholder crossed a threshold of voting rights.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Shareholding {
    pub id: String,
    /// Name of the listed company.
    pub issuer: String,
    pub issuer_id: Option<String>,
    /// Date of the disclosure.
    pub published: Date,
    /// Date of the transaction that triggered it.
    pub transaction: Option<Date>,
    /// Voting rights through shares and other purchase positions, in percent.
    pub purchase_rate: Option<f64>,
    /// Voting rights through sale positions, in percent.
    pub sale_rate: Option<f64>,
    /// The threshold below which the holding fell, in percent; 0 if it fell below none.
    pub below_threshold: Option<f64>,
    /// The direct shareholders.
    pub shareholders: Vec<String>,
    /// The beneficial owners.
    pub beneficial_owners: Vec<String>,
    /// The reasons for the disclosure.
    pub reasons: Vec<String>,
}
