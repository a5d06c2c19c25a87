//! Legal entity identifiers: who bears which (level 1), who consolidates whom (level 2), and why
//! somebody names no parent (reporting exceptions).
//!
//! Formats: the golden copy's tables (LEI-CDF 3.1, RR-CDF 2.1, reporting exceptions 2.1), read row by
//! row as the first has more than three million, and the JSON of `api.gleif.org/api/v1`. Licence:
//! CC0 1.0.
//!
//! Level 2 knows identifiers only. A load is therefore: level 1 of the Swiss companies, page by page;
//! of the golden copy's [`relationships`], [`exceptions`] and [`isins`] the rows that name them; level 1
//! of whom those name; then [`join`]. An [`Excerpt`] gathers it all, and is a file of its own.

mod api;
mod excerpt;
mod join;
mod level1;
mod level2;

use std::collections::BTreeSet;

use domain::{
    Company, Uid,
    company::{Affiliation, AffiliationKind},
};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

pub use api::{Answer, NAMES_AT_A_TIME, names_request, next, read_answer, request};
pub use excerpt::{Counts, Excerpt};
pub use join::{Level1, join};
pub use level1::{isins, level1};
pub use level2::{exceptions, relationships};

use crate::{
    Batch, Fact, Isin, Lei, Request, Source, Statement, Unreadable, fact::fingerprint,
    text::without_mark,
};

/// The file of level 1, relationships or exceptions: an archive with one table in it.
pub fn golden_copy(file: GoldenCopy) -> Request {
    let name = match file {
        GoldenCopy::Level1 => "lei2",
        GoldenCopy::Relationships => "rr",
        GoldenCopy::Exceptions => "repex",
    };
    Request::get(format!(
        "https://goldencopy.gleif.org/api/v2/golden-copies/publishes/{name}/latest.csv"
    ))
}

/// A file of the golden copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoldenCopy {
    Level1,
    Relationships,
    Exceptions,
}

/// The table of which entity issued which security, for [`isins`]: an archive with one table in it.
pub fn isin_request() -> Request {
    Request::get("https://mapping.gleif.org/api/v2/isin-lei/latest/download")
}

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

/// A relationship of level 2: the child says that the parent consolidates or manages it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Relationship {
    pub child: Lei,
    pub parent: Lei,
    pub kind: Kind,
    /// `ACTIVE`, `INACTIVE` or `NULL`.
    pub status: Option<String>,
    /// `PUBLISHED`, `LAPSED`, `ANNULLED` …: the state of the statement.
    pub registration_status: Option<String>,
    #[serde(default)]
    pub periods: Vec<Period>,
    /// Percent.
    pub percentage: Option<f64>,
    pub last_update: Option<Date>,
}

/// What the parent is to the child.
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

/// A span of time that a relationship names.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Period {
    /// `RELATIONSHIP_PERIOD`, `ACCOUNTING_PERIOD`, `DOCUMENT_FILING_PERIOD`.
    pub kind: Option<String>,
    pub start: Option<Date>,
    pub end: Option<Date>,
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

/// Reads a file of level 1 on its own, table or JSON: facts without parents. Entities that are not
/// numbered by a Swiss register are passed over; one that is, and not by a valid number, is rejected.
/// An [`Excerpt`] is read to facts with parents.
pub fn read(bytes: &[u8]) -> Result<Batch, Unreadable> {
    let bytes = without_mark(bytes);
    if let Some(excerpt) = Excerpt::read(bytes)? {
        return Ok(excerpt.joined());
    }
    let mut batch = Batch::default();
    let mut add = |entity: Entity| match entity.uid() {
        None => {}
        Some(uid) => match uid.and_then(|uid| fact(uid, &entity)) {
            Ok(fact) => batch.facts.push(fact),
            Err(reason) => batch.rejected.push(entity.rejected(reason)),
        },
    };
    let mut rejected = Vec::new();
    if bytes.trim_ascii_start().starts_with(b"{") {
        let answer = read_answer(bytes)?;
        answer.entities.into_iter().for_each(&mut add);
        rejected = answer.rejected;
    } else {
        for record in level1(bytes, |_| false)? {
            match record {
                Ok(entity) => add(entity),
                Err(broken) => rejected.push(broken),
            }
        }
    }
    batch.rejected.append(&mut rejected);
    Ok(batch)
}

fn fact(uid: Uid, entity: &Entity) -> Result<Fact, String> {
    Ok(Fact {
        uid,
        source: Source::Gleif,
        published: entity.last_update,
        publication: None,
        fingerprint: fingerprint(entity)?,
        read_at: None,
        statement: Statement::Gleif(Box::new(entity.clone())),
    })
}

/// The day of a date or a point in time, as both kinds of file write them.
fn day(text: &str) -> Result<Date, String> {
    let day = text.get(..10).and_then(|it| it.parse().ok());
    day.ok_or_else(|| format!("`{text}` is not a date"))
}

fn is_swiss_register(register: &str) -> bool {
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

    /// Before which other statement of the same company this one goes: a company may bear several
    /// identifiers, of which one is kept up.
    pub(crate) fn rank(&self) -> (bool, bool, bool) {
        let status = self.registration_status.as_deref();
        (self.is_valid(), self.status.as_deref() != Some("INACTIVE"), status == Some("ISSUED"))
    }

    fn rejected(&self, reason: String) -> crate::Rejected {
        let record = serde_json::to_string(self).unwrap_or_else(|_| self.lei.to_string());
        crate::Rejected { record, reason }
    }

    /// The public page of the record.
    pub(crate) fn reference(&self) -> String {
        format!("https://search.gleif.org/#/record/{}", self.lei)
    }

    /// Fills what the register does not know. Nothing that the register says is replaced.
    pub(crate) fn enrich(&self, company: &mut Company) {
        company.lei = Some(self.lei.to_string());
        company.founding_date = company.founding_date.or(self.creation_date);
    }

    /// Fills the security.
    pub(crate) fn issue(&self, company: &mut Company) {
        // Of several, which is the share cannot be told.
        if let (Some(isin), 1) = (self.isins.first(), self.isins.len()) {
            company.isin = Some(isin.to_string());
        }
    }
}

impl Group {
    /// Fills the parents and those abroad that the company consolidates, `published` being the day of the statement.
    pub(crate) fn enrich(&self, company: &mut Company, published: Option<Date>) {
        let lei = |it: &Option<Relative>| it.as_ref().map(|it| it.lei.to_string());
        company.direct_parent_lei = lei(&self.direct_parent);
        company.ultimate_parent_lei = lei(&self.ultimate_parent);
        company.ultimate_parent_name = self.ultimate_parent.as_ref().and_then(|it| it.name.clone());
        company.gleif_parent_enriched_at = published.map(domain::changes::midnight);
        let parent = self.direct_parent.iter().map(|it| (AffiliationKind::ConsolidatedBy, it));
        let children = self.children.iter().map(|it| (AffiliationKind::Consolidates, it));
        // One of the register states by itself who consolidates it.
        let abroad = parent.chain(children).filter(|(_, it)| it.uid.is_none());
        company.affiliations.retain(|it| {
            !matches!(it.kind, AffiliationKind::ConsolidatedBy | AffiliationKind::Consolidates)
        });
        company.affiliations.extend(abroad.filter_map(|(kind, it)| {
            Some(Affiliation { kind, uid: None, name: it.name.clone()? })
        }));
    }
}

#[cfg(test)]
mod tests;
