//! Licences of a company, from the list published by the Swiss Financial Market Supervisory Authority (FINMA).

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// All licences of one company. An empty set means that the company was in an earlier list and is no longer
/// in the current one.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Licensee {
    pub name: Option<String>,
    pub city: Option<String>,
    #[serde(default)]
    pub licences: BTreeSet<Licence>,
    /// The page of the list, if it is not that of the authority.
    pub page: Option<String>,
}

/// A type of licence, as FINMA words it in each language.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Licence {
    pub en: String,
    pub de: Option<String>,
    pub fr: Option<String>,
    pub it: Option<String>,
}
