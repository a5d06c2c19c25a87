//! A legal entity, its parents and its reasons for having none.

use std::collections::BTreeSet;

use domain::Uid;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::{Isin, Lei};

/// The two registers that number Swiss companies: the enterprise register, and the commercial
/// register.
const SWISS_REGISTERS: [&str; 2] = ["RA000548", "RA000549"];

/// What level 1 says of one entity.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entity {
    pub lei: Lei,
    pub legal_name: String,
    /// Trading and earlier names, sorted.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub other_names: BTreeSet<String>,
    /// ISO 3166, with the subdivision where there is one.
    pub jurisdiction: Option<String>,
    /// The register that numbers the entity, such as `RA000548`.
    pub registered_at: Option<String>,
    /// The entity's number there.
    pub registered_as: Option<String>,
    /// ISO 20275.
    pub legal_form: Option<String>,
    /// `GENERAL`, `BRANCH`, `FUND`, `SOLE_PROPRIETOR` …
    pub category: Option<String>,
    /// `ACTIVE` or `INACTIVE`.
    pub status: Option<String>,
    /// The day of formation; not that of the identifier.
    pub creation_date: Option<Date>,
    pub successor: Option<Lei>,
    /// `ISSUED`, `LAPSED`, `DUPLICATE` …: the state of the identifier.
    pub registration_status: Option<String>,
    pub initial_registration: Option<Date>,
    pub last_update: Option<Date>,
    pub next_renewal: Option<Date>,
    /// Securities, sorted; none of an issuer of so many that they tell nothing.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub isins: BTreeSet<Isin>,
    /// Absent where level 2 was not looked at: nothing is then said of parents.
    pub group: Option<Group>,
}

/// What level 2 says of one entity.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Group {
    pub direct_parent: Option<Relative>,
    pub ultimate_parent: Option<Relative>,
    /// Of a branch: whose it is.
    pub head_office: Option<Relative>,
    /// Why there is no parent, in the entity's own words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exceptions: Vec<Exception>,
    /// Those that name this entity as their direct parent, in order, [`MOST_CHILDREN`] at most.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<Relative>,
    /// How many children there are, where they are more than are listed.
    pub children_total: Option<usize>,
}

/// How many children a [`Group`] lists, so that a fact fits into an item of the table.
pub const MOST_CHILDREN: usize = 400;

/// Another entity, and since when and how far it consolidates or is consolidated.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Relative {
    pub lei: Lei,
    /// Absent where level 1 was not read for it.
    pub name: Option<String>,
    /// Of a Swiss company.
    pub uid: Option<Uid>,
    pub since: Option<Date>,
    /// Percent, where the entity says it: about one relationship in ten.
    pub percentage: Option<f64>,
}

/// Why an entity names no parent.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Exception {
    pub lei: Lei,
    pub category: Category,
    /// `NO_KNOWN_PERSON`, `NATURAL_PERSONS`, `NON_CONSOLIDATING`, `NO_LEI` …
    pub reasons: Vec<String>,
    /// Where that is explained: an address or a text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<String>,
}

/// Which parent is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Category {
    #[serde(rename = "DIRECT_ACCOUNTING_CONSOLIDATION_PARENT")]
    DirectParent,
    #[serde(rename = "ULTIMATE_ACCOUNTING_CONSOLIDATION_PARENT")]
    UltimateParent,
}

/// Whether this register numbers Swiss companies.
pub fn is_swiss_register(register: &str) -> bool {
    SWISS_REGISTERS.contains(&register)
}

impl Entity {
    /// The company number, if a Swiss register numbers the entity; a number that cannot be one is an
    /// error, since it would lead to another company.
    pub fn uid(&self) -> Option<Result<Uid, String>> {
        if !self.registered_at.as_deref().is_some_and(is_swiss_register) {
            return None;
        }
        let given = self.registered_as.as_deref().unwrap_or_default();
        Some(match given.parse::<Uid>() {
            Ok(uid) if uid.has_valid_check_digit() => Ok(uid),
            Ok(uid) => Err(format!("registeredAs: {uid} has the wrong check digit")),
            Err(error) => Err(format!("registeredAs: {error}")),
        })
    }

    /// Whether the identifier is the entity's own: not one that was given twice or by mistake.
    pub fn is_valid(&self) -> bool {
        !matches!(
            self.registration_status.as_deref(),
            Some("DUPLICATE" | "ANNULLED" | "CANCELLED" | "PENDING_VALIDATION")
        )
    }
}
