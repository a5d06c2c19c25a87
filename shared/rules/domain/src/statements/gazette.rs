//! A publication of the Swiss Official Gazette of Commerce (SHAB): the notice, and the company before and after
//! it.

use crate::{Amount, Canton, Uid};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// A publication of the rubric HR (commercial register). Members that the project does not use are left out.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Publication {
    /// The identifier in the portal, a UUID. Identifiers of the demo register start with [`ID_PREFIX`](crate::statements::demo::ID_PREFIX).
    pub id: String,
    pub rubric: Rubric,
    /// The number without the rubric: `1000000002` for `HR02-1000000002`.
    pub number: u64,
    pub state: State,
    /// Date of publication.
    pub date: Date,
    /// Language of the text: `de`, `fr` or `it`.
    pub language: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cantons: Vec<Canton>,
    pub title: Option<Title>,
    pub journal_number: Option<String>,
    pub journal_date: Option<Date>,
    /// The notice as published.
    pub text: String,
    /// The company's publication before this one, where the notice names it.
    pub previous: Option<Previous>,
    /// The company before the publication. Absent for a registration.
    pub before: Option<CompanyBlock>,
    /// The company after the publication. Absent for a deletion.
    pub after: Option<CompanyBlock>,
    pub deletion_date: Option<Date>,
    /// Bankruptcy, liquidation and similar changes as flagged by the register office. The flags for other
    /// changes are left out because they are often wrong; compare `before` and `after` instead.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub status_changes: Vec<StatusChange>,
}

/// The kind of a publication.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Rubric {
    #[serde(rename = "HR01")]
    NewEntry,
    #[serde(rename = "HR02")]
    Mutation,
    #[serde(rename = "HR03")]
    Deletion,
}

impl Rubric {
    /// The code in front of the publication's number, such as `HR02`.
    pub fn code(self) -> &'static str {
        match self {
            Self::NewEntry => "HR01",
            Self::Mutation => "HR02",
            Self::Deletion => "HR03",
        }
    }
}

/// Whether a publication is in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum State {
    Published,
    /// Withdrawn by the gazette: its content does not count.
    Cancelled,
}

/// The title in each language of the portal.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Title {
    pub de: Option<String>,
    pub fr: Option<String>,
    pub it: Option<String>,
    pub en: Option<String>,
}

/// A reference to an earlier publication.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Previous {
    pub date: Option<Date>,
    /// Number of the gazette's issue.
    pub issue: Option<u32>,
    pub number: Option<u64>,
}

/// The company's data in one block of a publication (`commonsActual` or `commonsNew`).
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompanyBlock {
    pub name: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub translations: Vec<String>,
    pub uid: Uid,
    /// Identifier in the old register (CH-ID), such as `CH03640000000`.
    pub code13: Option<String>,
    pub seat: Option<String>,
    /// Code of the legal form (eCH-0097), such as `0106`.
    pub legal_form: Option<String>,
    pub address: Option<Address>,
    pub purpose: Option<String>,
    pub capital: Option<Capital>,
    /// Whether the company has waived the limited audit.
    pub opting_out: Option<bool>,
    /// Often incomplete: an auditor that only one block names is no proof of a change. The text decides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub auditors: Vec<NamedCompany>,
    /// The head office, if the company is a branch.
    pub head_office: Option<NamedCompany>,
}

/// An address in the portal's members. The portal may split the same address differently in the next
/// publication.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Address {
    pub address_line1: Option<String>,
    pub address_line2: Option<String>,
    pub street: Option<String>,
    pub house_number: Option<String>,
    pub post_office_box_text: Option<String>,
    pub post_office_box_number: Option<String>,
    pub swiss_zip_code: Option<String>,
    pub foreign_zip_code: Option<String>,
    pub town: Option<String>,
    pub country: Option<String>,
}

/// The capital in units of its currency; in Swiss francs if no currency is given.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Capital {
    pub nominal: Option<Amount>,
    /// The part of the capital that is paid in.
    pub paid: Option<Amount>,
    pub currency: Option<String>,
}

/// Another company that a block names.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedCompany {
    pub name: String,
    pub uid: Option<Uid>,
    pub country: Option<String>,
}

/// A change of status, as flagged by the register office.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum StatusChange {
    BankruptcyOpened,
    /// Suspended for lack of assets.
    BankruptcySuspended,
    BankruptcyRevoked,
    BankruptcyClosed,
    BankruptcySummary,
    LiquidationOpened,
    /// Ordered because of a defect in the company's organisation (Code of Obligations, art. 731b).
    LiquidationByCourt,
    /// Ordered because the company has no legal domicile (Commercial Register Ordinance, art. 153b).
    LiquidationByOffice,
    LiquidationRevoked,
    Suspension,
    ReEntry,
    Reapplication,
}

impl Publication {
    /// The number as printed, such as `HR02-1000000002`.
    pub fn printed_number(&self) -> String {
        format!("{}-{}", self.rubric.code(), self.number)
    }

    /// The company after the publication; for a deletion, the company before it.
    pub fn company(&self) -> Option<&CompanyBlock> {
        self.after.as_ref().or(self.before.as_ref())
    }
}
