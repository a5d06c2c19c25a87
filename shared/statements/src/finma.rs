//! The licences of a company, in the list of the financial market authority.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// Every licence of one company. Without any, the company was in an earlier list and is no longer.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Licensee {
    pub name: Option<String>,
    pub city: Option<String>,
    #[serde(default)]
    pub licences: BTreeSet<Licence>,
}

/// A type of licence, in the authority's words.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Licence {
    pub en: String,
    pub de: Option<String>,
    pub fr: Option<String>,
    pub it: Option<String>,
}
