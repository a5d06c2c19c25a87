//! Names to filter by that are not values of a fixed list: two names with the same folded form are the same.

use serde::{Deserialize, Deserializer, de::Error};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

use crate::choice::folded_name;

macro_rules! folded_names {
    ($($(#[$doc:meta])* $wanted:ident($what:literal, $max_characters:literal))*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $wanted(pub String);

        impl PartialSchema for $wanted {
            fn schema() -> RefOr<Schema> {
                let text = ObjectBuilder::new().schema_type(Type::String);
                text.min_length(Some(1)).max_length(Some($max_characters)).into()
            }
        }

        impl ToSchema for $wanted {}

        impl<'de> Deserialize<'de> for $wanted {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                read::<D::Error>($what, $max_characters, &String::deserialize(deserializer)?).map(Self)
            }
        }
    )*};
}

folded_names! {
    /// A municipality, folded, with or without the abbreviation of its canton, in any language.
    WantedMunicipality("the name of a municipality", 100)
    /// A tag, folded.
    WantedTag("the name of a tag", 50)
}

pub(super) fn read<E: Error>(what: &str, max_characters: usize, name: &str) -> Result<String, E> {
    if name.chars().count() > max_characters {
        let problem = format!("must have at most {max_characters} characters; got `{name}`");
        return Err(E::custom(problem));
    }
    folded_name(what, name).map_err(E::custom)
}
