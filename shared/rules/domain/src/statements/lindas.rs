//! A company in the commercial register's linked data.

use std::collections::BTreeSet;

use crate::Uid;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// A company as described in the linked data service (LINDAS).
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Organisation {
    /// The URI of the company, which ends with its `ehraid`.
    pub entity: String,
    pub uid: Uid,
    pub legal_name: String,
    /// Names in other languages, sorted.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub names: BTreeSet<String>,
    pub chid: Option<String>,
    pub ehraid: Option<u64>,
    /// Code of the legal form (eCH-0097), such as `0106`.
    pub legal_form: Option<String>,
    /// The municipality of the legal seat: its number at the Federal Statistical Office.
    pub municipality: Option<u32>,
    pub municipality_name: Option<String>,
    pub street_address: Option<String>,
    pub postal_code: Option<String>,
    pub locality: Option<String>,
    pub region: Option<String>,
    pub purpose: Option<String>,
}
