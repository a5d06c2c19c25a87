//! Auditors by which companies are filtered.

use serde::{Deserialize, Deserializer};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

use super::folded_names;
use crate::Uid;

const MAX_CHARACTERS: usize = 200;

/// Auditor to filter by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WantedAuditor {
    /// The firm with this company number.
    Number(Uid),
    /// The firms with this name, folded.
    Name(String),
}

impl PartialSchema for WantedAuditor {
    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String);
        text.min_length(Some(1)).max_length(Some(MAX_CHARACTERS)).into()
    }
}

impl ToSchema for WantedAuditor {}

impl<'de> Deserialize<'de> for WantedAuditor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let given = String::deserialize(deserializer)?;
        if let Ok(uid) = given.trim().parse() {
            return Ok(Self::Number(uid));
        }
        let what = "the company number or the name of an auditor";
        folded_names::read(what, MAX_CHARACTERS, &given).map(Self::Name)
    }
}
