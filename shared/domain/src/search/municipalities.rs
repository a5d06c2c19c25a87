//! Municipalities to filter by.

use serde::{Deserialize, Deserializer, de::Error};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

use crate::choice::folded_name;

/// Maximum number of characters. No municipality has a longer name.
const MAX_CHARACTERS: usize = 100;

/// A municipality to filter by: its folded name, with or without the abbreviation of its canton, in any language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedMunicipality(pub String);

impl PartialSchema for WantedMunicipality {
    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String);
        text.min_length(Some(1)).max_length(Some(MAX_CHARACTERS)).into()
    }
}

impl ToSchema for WantedMunicipality {}

impl<'de> Deserialize<'de> for WantedMunicipality {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        if name.chars().count() > MAX_CHARACTERS {
            let problem = format!("must have at most {MAX_CHARACTERS} characters; got `{name}`");
            return Err(D::Error::custom(problem));
        }
        folded_name("the name of a municipality", &name).map(Self).map_err(D::Error::custom)
    }
}
