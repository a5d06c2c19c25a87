//! A legal entity in the Global LEI Index (GLEIF), its parents, and the reasons for not reporting a parent.

use std::collections::BTreeSet;

use crate::{Isin, Lei, Uid};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// Registers that assign the numbers of Swiss companies: the UID register and the commercial register.
const SWISS_REGISTERS: [&str; 2] = ["RA000548", "RA000549"];

/// One entity: its level 1 record ("who is who") and, if read, its level 2 data ("who owns whom").
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entity {
    pub lei: Lei,
    pub legal_name: String,
    /// Trading and earlier names, sorted.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub other_names: BTreeSet<String>,
    /// ISO 3166 code of the country, with the subdivision if there is one.
    pub jurisdiction: Option<String>,
    /// GLEIF code of the register in which the entity is entered, such as `RA000548`.
    pub registered_at: Option<String>,
    /// The entity's number in that register.
    pub registered_as: Option<String>,
    /// Code of the legal form (ISO 20275).
    pub legal_form: Option<String>,
    /// `GENERAL`, `BRANCH`, `FUND`, `SOLE_PROPRIETOR` …
    pub category: Option<String>,
    /// `ACTIVE` or `INACTIVE`.
    pub status: Option<String>,
    /// Date on which the entity was founded.
    pub creation_date: Option<Date>,
    pub successor: Option<Lei>,
    /// Status of the identifier: `ISSUED`, `LAPSED`, `DUPLICATE` …
    pub registration_status: Option<String>,
    pub initial_registration: Option<Date>,
    pub last_update: Option<Date>,
    pub next_renewal: Option<Date>,
    /// Securities of the entity, sorted. Empty for issuers of very many securities.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub isins: BTreeSet<Isin>,
    /// Whether there are so many securities that `isins` contains none.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_many_isins: bool,
    /// Level 2 data. Absent if it was not read; the parents are then unknown.
    pub group: Option<Group>,
}

/// Level 2 data of one entity: its parents and children.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Group {
    pub direct_parent: Option<RelatedEntity>,
    pub ultimate_parent: Option<RelatedEntity>,
    /// The head office, if the entity is a branch.
    pub head_office: Option<RelatedEntity>,
    /// The reasons that the entity reports for naming no parent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exceptions: Vec<Exception>,
    /// The entities that name this one as their direct parent, sorted by LEI; at most [`MAX_CHILDREN`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<RelatedEntity>,
    /// Total number of children. Absent if `children` lists all of them.
    pub children_total: Option<usize>,
    /// What the parents that are in no Swiss register report about their own parents, and these about theirs; nearest first,
    /// at most [`MAX_PARENTS_ABROAD`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parents_abroad: Vec<ParentAbroad>,
}

/// A parent that is in no Swiss register, with its own parents or the reasons for naming none.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ParentAbroad {
    pub lei: Lei,
    pub direct_parent: Option<RelatedEntity>,
    pub ultimate_parent: Option<RelatedEntity>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exceptions: Vec<Exception>,
    /// Whether parents may be missing: they were not looked up, or a report about one cannot be read.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_incomplete: bool,
}

/// Maximum number of [`Group::parents_abroad`]. As many as the greatest depth to which owners are followed.
pub const MAX_PARENTS_ABROAD: usize = 20;

/// Maximum number of children in a [`Group`], so that a fact fits into one item of the table.
pub const MAX_CHILDREN: usize = 400;

/// A parent, child or head office of an entity.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RelatedEntity {
    pub lei: Lei,
    /// Absent if the level 1 record of this entity was not read.
    pub name: Option<String>,
    /// As [`Entity::jurisdiction`]. Absent if the level 1 record of this entity was not read.
    #[serde(default)]
    pub jurisdiction: Option<String>,
    /// Absent if the entity is not in the Swiss register.
    pub uid: Option<Uid>,
    /// Start of the relationship.
    pub since: Option<Date>,
    /// Share in percent. About one relationship in ten states it.
    pub percentage: Option<f64>,
}

/// The reasons for which an entity reports no parent.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Exception {
    pub lei: Lei,
    pub category: Category,
    /// `NO_KNOWN_PERSON`, `NATURAL_PERSONS`, `NON_CONSOLIDATING`, `NO_LEI` …
    pub reasons: Vec<String>,
    /// Explanations: URLs or texts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<String>,
}

/// One record of the official level 2 files about one entity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Report {
    Relationship(Relationship),
    Exception(Exception),
}

/// A relationship of level 2, as the child reports it: a row of the relationship records (RR-CDF).
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Relationship {
    pub child: Lei,
    pub parent: Lei,
    pub kind: Kind,
    /// `ACTIVE`, `INACTIVE` or `NULL`.
    pub status: Option<String>,
    /// Status of the report: `PUBLISHED`, `LAPSED`, `ANNULLED` …
    pub registration_status: Option<String>,
    #[serde(default)]
    pub periods: Vec<Period>,
    /// Percent.
    pub percentage: Option<f64>,
    pub last_update: Option<Date>,
}

/// The role of the parent in a relationship.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kind {
    #[serde(rename = "IS_DIRECTLY_CONSOLIDATED_BY")]
    DirectParent,
    #[serde(rename = "IS_ULTIMATELY_CONSOLIDATED_BY")]
    UltimateParent,
    #[serde(rename = "IS_INTERNATIONAL_BRANCH_OF")]
    HeadOffice,
    #[serde(rename = "IS_FUND-MANAGED_BY")]
    FundManager,
    #[serde(rename = "IS_SUBFUND_OF")]
    UmbrellaFund,
    #[serde(rename = "IS_FEEDER_TO")]
    MasterFund,
}

/// A period of a relationship.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Period {
    /// `RELATIONSHIP_PERIOD`, `ACCOUNTING_PERIOD`, `DOCUMENT_FILING_PERIOD`.
    pub kind: Option<String>,
    pub start: Option<Date>,
    pub end: Option<Date>,
}

impl Relationship {
    /// Whether it exists and its report was not withdrawn.
    pub fn is_active(&self) -> bool {
        let withdrawn = ["ANNULLED", "DUPLICATE", "RETIRED", "PENDING_VALIDATION"];
        self.status.as_deref() == Some("ACTIVE")
            && !self.registration_status.as_deref().is_some_and(|it| withdrawn.contains(&it))
            // Some files contain entities that are their own parent.
            && self.child != self.parent
    }

    /// The start of the relationship.
    pub fn since(&self) -> Option<Date> {
        let is_of_relationship = |it: &&Period| it.kind.as_deref() == Some("RELATIONSHIP_PERIOD");
        self.periods.iter().filter(is_of_relationship).filter_map(|it| it.start).min()
    }
}

impl Report {
    /// The entity that reports it.
    pub fn lei(&self) -> Lei {
        match self {
            Self::Relationship(it) => it.child,
            Self::Exception(it) => it.lei,
        }
    }
}

/// The parent that an [`Exception`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Category {
    #[serde(rename = "DIRECT_ACCOUNTING_CONSOLIDATION_PARENT")]
    DirectParent,
    #[serde(rename = "ULTIMATE_ACCOUNTING_CONSOLIDATION_PARENT")]
    UltimateParent,
}

/// Whether a register, given by its GLEIF code, assigns the numbers of Swiss companies.
pub fn is_swiss_register(register: &str) -> bool {
    SWISS_REGISTERS.contains(&register)
}

impl Entity {
    /// The entity's UID. `None` if the entity is in no Swiss register.
    ///
    /// # Errors
    ///
    /// The number is malformed or has the wrong check digit: it could belong to another company.
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

    /// Whether the identifier can be used for the entity: it is not a duplicate, not withdrawn and not still
    /// awaiting validation.
    pub fn is_valid(&self) -> bool {
        !matches!(
            self.registration_status.as_deref(),
            Some("DUPLICATE" | "ANNULLED" | "CANCELLED" | "PENDING_VALIDATION")
        )
    }
}
