//! Currencies by which companies are filtered.

use serde::{Deserialize, Deserializer, de::Error};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use crate::{choice::Choice, text};

/// The currencies permitted for the capital of a Swiss company (annex 3 of the Commercial Register Ordinance).
pub const CURRENCIES: [&str; 5] = ["CHF", "EUR", "GBP", "JPY", "USD"];

/// Currency to filter by: its code in ISO 4217.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WantedCurrency(pub &'static str);

impl PartialSchema for WantedCurrency {
    fn schema() -> RefOr<Schema> {
        text::one_of(CURRENCIES)
    }
}

impl ToSchema for WantedCurrency {}

impl<'de> Deserialize<'de> for WantedCurrency {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let given = String::deserialize(deserializer)?;
        let known = CURRENCIES.into_iter().map(|it| (it, it));
        let choice = Choice::of("a currency of companies, such as `CHF`");
        choice.read(&given, known).map(Self).map_err(D::Error::custom)
    }
}
