use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::lists::PartialDate;

/// How much weight a name has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NameQuality {
    /// The name under which the list shows the entry.
    Primary,
    /// Another name, a former name, or a spelling in another language or script.
    Alias,
    /// A name that the list marks as unreliable or ambiguous, such as a nickname, or a spelling that mixes scripts.
    Weak,
}

/// A name of an entry.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListName {
    /// Weight of the name.
    pub quality: NameQuality,
    /// The full name, without titles.
    pub text: String,
    /// Language: code of ISO 639 in lower case, as the list states it. Absent if it states none.
    pub language: Option<String>,
    /// Script: code of ISO 15924, such as `Cyrl`. Absent if the list states none.
    pub script: Option<String>,
}

impl ListName {
    /// A name of which the list states neither language nor script.
    pub fn new(quality: NameQuality, text: &str) -> Self {
        Self { quality, text: text.to_owned(), language: None, script: None }
    }
}

/// An address of an entry.
#[skip_serializing_none]
#[derive(
    Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "camelCase")]
pub struct ListAddress {
    /// The whole address as one text. Absent if the list states only its parts.
    pub text: Option<String>,
    /// Person or company that receives the mail.
    pub care_of: Option<String>,
    /// Street and number.
    pub street: Option<String>,
    /// Post office box.
    pub post_box: Option<String>,
    /// Postal code.
    pub postal_code: Option<String>,
    /// Town.
    pub city: Option<String>,
    /// Province, state or other area.
    pub region: Option<String>,
    /// Country: ISO 3166-1 alpha-2 code, or the name if the list states no code.
    pub country: Option<String>,
}

impl ListAddress {
    /// Whether nothing is stated.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A text in the languages in which the list states it.
#[skip_serializing_none]
#[derive(
    Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
pub struct Translations {
    /// German.
    pub de: Option<String>,
    /// French.
    pub fr: Option<String>,
    /// Italian.
    pub it: Option<String>,
    /// English.
    pub en: Option<String>,
    /// A language that the list does not state.
    pub other: Option<String>,
}

impl Translations {
    /// Whether the text is stated in no language.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The text in English, or else in German, French, Italian or the language that is not stated.
    pub fn any(&self) -> Option<&str> {
        let texts = [&self.en, &self.de, &self.fr, &self.it, &self.other];
        texts.into_iter().find_map(|it| it.as_deref())
    }
}

/// Programme of sanctions, or kind of licence, because of which an entry is on the list.
#[skip_serializing_none]
#[derive(
    Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "camelCase")]
pub struct Programme {
    /// Identifier of the programme in the list. Absent if the list states none.
    pub id: Option<String>,
    /// Short name, such as a country.
    #[serde(default, skip_serializing_if = "Translations::is_empty")]
    pub key: Translations,
    /// Full name, such as the title of the ordinance.
    #[serde(default, skip_serializing_if = "Translations::is_empty")]
    pub name: Translations,
    /// Identifier of the measure within the programme.
    pub measure_id: Option<String>,
    /// What the measure is, such as the article of the ordinance.
    #[serde(default, skip_serializing_if = "Translations::is_empty")]
    pub measure: Translations,
    /// Authority that ordered the sanctions first, such as UN or EU.
    pub origin: Option<String>,
}

/// A public office or function that a person has or had.
#[skip_serializing_none]
#[derive(
    Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "camelCase")]
pub struct ListPosition {
    /// Title of the office.
    pub title: String,
    /// Country of the office: ISO 3166-1 alpha-2 code. Absent if the list states none.
    pub country: Option<String>,
    /// First day in office, if it is known.
    pub from: Option<PartialDate>,
    /// Last day in office, if it is known.
    pub to: Option<PartialDate>,
    /// Whether the person is in office, in the words of the list.
    pub status: Option<String>,
}

/// What another entry is to this one: `relative` (member of the family), `associate` (close associate outside the
/// family), `owner` (owns this entry), `owned` (is owned by this entry), `officer` (directs, manages or is a member or
/// employee of this entry), `organisation` (this entry directs or manages it, or is its member or employee),
/// `representative` (represents this entry, or is represented by it) or `linked` (linked in another way, or in a way
/// that the list does not state).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RelationKind {
    /// Member of the family.
    Relative,
    /// Close associate who is not of the family.
    Associate,
    /// Owns this entry.
    Owner,
    /// Is owned by this entry.
    Owned,
    /// Directs, manages or is a member or employee of this entry.
    Officer,
    /// Is an organisation that this entry directs or manages, or of which it is a member or employee.
    Organisation,
    /// Represents this entry, or is represented by it.
    Representative,
    /// Linked in another way, or in a way that the list does not state.
    Linked,
}

/// A relation of an entry to another entry.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListRelation {
    /// The relation of the other entry to this one.
    pub kind: RelationKind,
    /// Identifier of the other entry. It may have left the list.
    pub id: String,
    /// Name of the other entry, looked up in the same version of the list for the evidence of a screening. Absent if the
    /// list does not contain the other entry, and in screenings from before this field existed.
    pub name: Option<String>,
    /// Role of the other entry towards this one in the words of the list, such as `mother`.
    pub role: Option<String>,
    /// Role of this entry towards the other one in the words of the list. Lists state one of the two roles.
    pub own_role: Option<String>,
    /// First day of the relation, if it is known.
    pub from: Option<PartialDate>,
    /// Last day of the relation, if it is known.
    pub to: Option<PartialDate>,
}

impl ListRelation {
    /// A relation of which only its kind is known.
    pub fn new(kind: RelationKind, id: &str) -> Self {
        Self {
            kind,
            id: id.to_owned(),
            name: None,
            role: None,
            own_role: None,
            from: None,
            to: None,
        }
    }
}
