//! Query parameters of a list of persons.

use std::fmt;

use serde::Deserialize;
use utoipa::{
    IntoParams, PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use super::{
    PageNumber, PageSize, Values, WantedRoleCategory, WantedSigningAuthority, sorting::sort_named,
    words,
};
use crate::{Canton, choice::UnknownValue, text};

/// Query of a list of persons. A person must match all filters; within one filter, any of the values.
/// Filters on roles must match the same role.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PersonQuery {
    /// Words of the first and family name in any order, with or without accents. The last word may be
    /// incomplete. If fewer than five persons match exactly, typos are allowed: one in words of four to seven
    /// letters, two in longer words. At most 1,000 characters.
    #[serde(deserialize_with = "words::read")]
    #[param(max_length = 1000, example = "Samuel Iten")]
    pub q: Option<String>,
    /// Category of a current or former role, which can have several. Separate several values by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<WantedRoleCategory>>, max_items = 100, example = json!(["board"]))]
    pub role_category: Values<WantedRoleCategory>,
    /// Signing authority of a current or former role. Separate several values by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<WantedSigningAuthority>>, max_items = 100, example = json!(["sole"]))]
    pub signing_authority: Values<WantedSigningAuthority>,
    /// Code of the canton of a company in which the person has a role, such as `ZH`, or its name in German, French, Italian
    /// or English. Separate several values by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<Canton>>, max_items = 100, example = json!(["ZH"]))]
    pub canton: Values<Canton>,
    /// Nationality: ISO 3166-1 alpha-2 code. `CH` includes all persons with a Swiss place of origin.
    #[param(value_type = Option<String>, pattern = "^[A-Za-z]{2}$", example = "CH")]
    pub nationality_iso: Option<CountryCode>,
    /// Words of the places of origin, with or without accents. At most 1,000 characters.
    #[serde(deserialize_with = "words::read")]
    #[param(max_length = 1000, example = "Bern")]
    pub place_of_origin: Option<String>,
    /// `true`: only persons with a current role; filters on roles then apply to current roles. `false`: only
    /// persons without a current role.
    #[param(example = true)]
    pub is_active: Option<bool>,
    /// Include firms and authorities that have a role.
    #[param(value_type = Option<bool>, example = true)]
    pub include_entities: bool,
    /// Sort order. The default is `relevance`: best match first, then most current roles.
    #[param(inline, value_type = Option<PersonSort>, example = "name")]
    pub sort_by: PersonSort,
    /// `true`: descending.
    #[param(value_type = Option<bool>, example = true)]
    pub sort_desc: bool,
    /// Page number, starting at 1. Pages after the last one are empty.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 4294967295_u32, default = 1, example = 1)]
    pub page: PageNumber,
    /// Maximum number of items per page, 1 to 100.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20, example = 20)]
    pub page_size: PageSize,
}

/// Sort order of a list of persons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub enum PersonSort {
    /// Best match first; without a search text and among equal matches, most current roles first.
    #[default]
    Relevance,
    /// By family name, then first name.
    Name,
    /// By number of roles.
    RoleCount,
}

impl PersonSort {
    /// Every sort order.
    pub const ALL: [Self; 3] = [Self::Relevance, Self::Name, Self::RoleCount];

    /// Name in requests.
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
    type Error = UnknownValue;

    fn try_from(given: String) -> Result<Self, UnknownValue> {
        sort_named(&given, &Self::ALL, Self::name)
    }
}

impl fmt::Display for PersonSort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Code of a country: two upper-case letters.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct CountryCode(String);

impl CountryCode {
    /// The two letters.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The text is not a country code.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("must be a country code of two letters such as `CH`; got `{0}`")]
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
    fn country_codes_have_two_letters() {
        let code = |it: &str| CountryCode::try_from(it.to_owned());
        assert_eq!(code(" de ").map(|it| it.0), Ok("DE".into()));
        for text in ["", "D", "DEU", "D1", "Schweiz", "üü"] {
            assert!(code(text).is_err(), "{text}");
        }
    }

    #[test]
    fn parses_camel_case_and_snake_case() {
        assert_eq!(PersonSort::try_from("role_count".to_owned()), Ok(PersonSort::RoleCount));
        let error = PersonSort::try_from("nmae".to_owned()).expect_err("unknown");
        assert_eq!(
            error.to_string(),
            "must be a sort order such as `name`; got `nmae`. Did you mean `name`?"
        );
    }
}
