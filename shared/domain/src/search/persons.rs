//! What a list of persons can be asked.

use std::fmt;

use serde::Deserialize;
use utoipa::{
    IntoParams, PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use super::{PageNumber, PageSize, UnknownSort, sort_named, words};
use crate::{
    Canton,
    persons::{WantedRoleCategory, WantedSigningAuthority},
    text,
};

/// The question behind every list of persons. Filters narrow together; within one filter any of the
/// values may match. What is asked of roles has to be true of one and the same role.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PersonQuery {
    /// Words of first and family name in any order, with or without accents; the last word may be
    /// unfinished; one typo is forgiven from four letters and two from eight.
    #[serde(deserialize_with = "words::read")]
    #[param(max_length = 1000, example = "Samuel Iten")]
    pub q: Option<String>,
    /// Has or had a role of this category; several separated by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<WantedRoleCategory>>, example = json!(["board"]))]
    pub role_category: Vec<WantedRoleCategory>,
    /// Signs or signed in this way; several separated by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<WantedSigningAuthority>>, example = json!(["sole"]))]
    pub signing_authority: Vec<WantedSigningAuthority>,
    /// Of the company of a role: two letters or a name; several separated by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<Canton>>, example = json!(["ZH"]))]
    pub canton: Vec<Canton>,
    /// ISO 3166-1 alpha-2; `CH` for whoever has a place of origin.
    #[param(value_type = Option<String>, pattern = "^[A-Z]{2}$", example = "CH")]
    pub nationality_iso: Option<CountryCode>,
    /// Words of the places of origin, with or without accents.
    #[serde(deserialize_with = "words::read")]
    #[param(max_length = 1000, example = "Bern")]
    pub place_of_origin: Option<String>,
    /// `true`: has a role today (which the filters on roles ask of); `false`: has none any more.
    #[param(example = true)]
    pub is_active: Option<bool>,
    /// Whether firms and authorities that hold an office are listed too.
    #[param(value_type = Option<bool>, example = true)]
    pub include_entities: bool,
    /// What the list is sorted by; `relevance` by default.
    #[param(inline, value_type = Option<PersonSort>, example = "name")]
    pub sort_by: PersonSort,
    /// From the greatest to the least.
    #[param(value_type = Option<bool>, example = true)]
    pub sort_desc: bool,
    /// From 1; beyond the last page the list is empty.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 4294967295_u32, default = 1, example = 1)]
    pub page: PageNumber,
    /// 1 to 100.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20, example = 20)]
    pub page_size: PageSize,
}

/// The order of a list of persons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub enum PersonSort {
    /// The best match first; without a search and among equals, who has the most roles today.
    #[default]
    Relevance,
    /// By family name, then first name.
    Name,
    RoleCount,
}

impl PersonSort {
    /// Every order.
    pub const ALL: [Self; 3] = [Self::Relevance, Self::Name, Self::RoleCount];

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Relevance => "relevance",
            Self::Name => "name",
            Self::RoleCount => "roleCount",
        }
    }
}

impl PartialSchema for PersonSort {
    fn schema() -> RefOr<Schema> {
        text::one_of(Self::ALL.map(Self::name))
    }
}

impl ToSchema for PersonSort {}

impl TryFrom<String> for PersonSort {
    type Error = UnknownSort;

    fn try_from(given: String) -> Result<Self, UnknownSort> {
        sort_named(given, &Self::ALL, Self::name)
    }
}

impl fmt::Display for PersonSort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The two letters of a country, in upper case.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct CountryCode(String);

impl CountryCode {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Text that is no code of a country.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{0}` is not a country; countries are two letters, such as `CH`")]
pub struct MalformedCountry(String);

impl TryFrom<String> for CountryCode {
    type Error = MalformedCountry;

    fn try_from(given: String) -> Result<Self, MalformedCountry> {
        let letters = given.trim();
        if letters.len() == 2 && letters.bytes().all(|it| it.is_ascii_alphabetic()) {
            Ok(Self(letters.to_ascii_uppercase()))
        } else {
            Err(MalformedCountry(given))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_country_is_two_letters() {
        let code = |it: &str| CountryCode::try_from(it.to_owned());
        assert_eq!(code(" de ").map(|it| it.0), Ok("DE".into()));
        for text in ["", "D", "DEU", "D1", "Schweiz", "üü"] {
            assert!(code(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_order_is_known_in_either_spelling() {
        assert_eq!(PersonSort::try_from("role_count".to_owned()), Ok(PersonSort::RoleCount));
        let refusal = PersonSort::try_from("nmae".to_owned()).expect_err("unknown");
        assert_eq!(refusal.to_string(), "`nmae` is not a sort order; the nearest is `name`");
    }
}
