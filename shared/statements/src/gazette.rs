//! A publication of the Swiss gazette of commerce: the notice, and the company before and after it.

use domain::{Amount, Canton, Uid};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// A publication of the rubric HR. Members that we never use are not kept.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Publication {
    /// The identifier in the portal, a UUID; of an invented publication it begins with [`INVENTED`].
    pub id: String,
    pub rubric: Rubric,
    /// The number without its rubric: `1000000002` of `HR02-1000000002`.
    pub number: u64,
    pub state: State,
    pub date: Date,
    /// `de`, `fr` or `it`.
    pub language: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cantons: Vec<Canton>,
    pub title: Option<Title>,
    pub journal_number: Option<String>,
    pub journal_date: Option<Date>,
    pub text: String,
    /// The publication before this one.
    pub previous: Option<Previous>,
    /// Nothing for a new entry.
    pub before: Option<Commons>,
    /// Nothing for a deletion.
    pub after: Option<Commons>,
    pub deletion_date: Option<Date>,
    /// Bankruptcy and liquidation as the office flagged them. What else changed is told by the two
    /// blocks: those flags are wrong too often.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub status_changes: Vec<StatusChange>,
}

/// How the identifiers of the demonstration's publications begin, so that nothing that follows from
/// them is taken for the gazette's word.
pub const INVENTED: &str = "demo-";

/// What a publication is about.
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
    /// The code before the publication's number.
    pub fn code(self) -> &'static str {
        match self {
            Self::NewEntry => "HR01",
            Self::Mutation => "HR02",
            Self::Deletion => "HR03",
        }
    }
}

/// Whether the publication stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum State {
    Published,
    /// Withdrawn: what it states does not count.
    Cancelled,
}

/// The title in the languages of the portal.
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
    /// The number of the issue.
    pub issue: Option<u32>,
    pub number: Option<u64>,
}

/// The company as a block of the publication gives it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Commons {
    pub name: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub translations: Vec<String>,
    pub uid: Uid,
    /// The number of the old register, `CH03640000000`.
    pub code13: Option<String>,
    pub seat: Option<String>,
    /// eCH-0097.
    pub legal_form: Option<String>,
    pub address: Option<Address>,
    pub purpose: Option<String>,
    pub capital: Option<Capital>,
    pub opting_out: Option<bool>,
    /// An auditor that one block names and the other not is no proof of a change: the text decides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub auditors: Vec<Named>,
    pub head_office: Option<Named>,
}

/// An address as the portal takes it apart. The same one is taken apart differently from one
/// publication to the next: see [`Address::is_same`].
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

impl Address {
    /// Whether both are made of the same words, in whichever members.
    pub fn is_same(&self, other: &Self) -> bool {
        self.words() == other.words()
    }

    fn words(&self) -> Vec<String> {
        let members = [
            &self.address_line1,
            &self.address_line2,
            &self.street,
            &self.house_number,
            &self.post_office_box_text,
            &self.post_office_box_number,
            &self.swiss_zip_code,
            &self.foreign_zip_code,
            &self.town,
            &self.country,
        ];
        let members = members.into_iter().flatten();
        let mut words: Vec<String> = members
            .flat_map(|it| it.split(|it: char| !it.is_alphanumeric()))
            .filter(|it| !it.is_empty())
            .map(str::to_lowercase)
            .collect();
        words.sort();
        words
    }
}

/// The capital in whole units of its currency, francs where none is given.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Capital {
    pub nominal: Option<Amount>,
    pub paid: Option<Amount>,
    pub currency: Option<String>,
}

/// Another company, as a block names it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Named {
    pub name: String,
    pub uid: Option<Uid>,
    pub country: Option<String>,
}

/// A change of status, as flagged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum StatusChange {
    BankruptcyOpened,
    /// Suspended for want of assets.
    BankruptcySuspended,
    BankruptcyRevoked,
    BankruptcyClosed,
    BankruptcySummary,
    LiquidationOpened,
    /// For a lack in the organisation (OR 731b).
    LiquidationByCourt,
    /// For want of a domicile (153b of the ordinance).
    LiquidationByOffice,
    LiquidationRevoked,
    Suspension,
    ReEntry,
    Reapplication,
}

impl Publication {
    /// The number as it is printed, `HR02-1000000002`.
    pub fn printed_number(&self) -> String {
        format!("{}-{}", self.rubric.code(), self.number)
    }

    /// The company after the publication, or before its deletion.
    pub fn company(&self) -> Option<&Commons> {
        self.after.as_ref().or(self.before.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_taken_apart_otherwise_is_the_same() {
        let one = Address {
            street: Some("Seestrasse".into()),
            house_number: Some("1".into()),
            ..Default::default()
        };
        let other = Address { address_line1: Some("Seestrasse 1,".into()), ..Default::default() };
        assert!(one.is_same(&other) && !one.is_same(&Address::default()));
    }
}
