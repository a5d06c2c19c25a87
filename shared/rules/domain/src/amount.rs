use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

/// An amount of money in currency units, exact to four decimals.
///
/// Stored as an integer, so that sums and comparisons are exact. In JSON it is a number. Every JSON
/// reader preserves 15 significant digits: up to a hundred billion francs with four decimals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Amount {
    ten_thousandths: i64,
}

/// The text is not an amount.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("must be an amount such as `100000` or `0.5`, with at most four decimals; got `{0}`")]
pub struct MalformedAmount(String);

impl Amount {
    const PER_UNIT: i64 = 10_000;

    /// The amount of `units` whole currency units.
    pub const fn units(units: i64) -> Self {
        Self { ten_thousandths: units.saturating_mul(Self::PER_UNIT) }
    }

    /// The amount in ten-thousandths of a unit, for storage in an integer column.
    pub const fn ten_thousandths(self) -> i64 {
        self.ten_thousandths
    }

    /// The amount of so many ten-thousandths of a unit.
    pub const fn from_ten_thousandths(ten_thousandths: i64) -> Self {
        Self { ten_thousandths }
    }

    /// The amount as a float. For ratios and scores only.
    pub fn approximate(self) -> f64 {
        self.ten_thousandths as f64 / Self::PER_UNIT as f64
    }
}

/// Parses `100000`, `100'000.00` and `0,5`, but no exponents (`1e6`). An apostrophe separates
/// thousands, as in the gazette. The decimal separator is a point or a comma.
impl FromStr for Amount {
    type Err = MalformedAmount;

    fn from_str(text: &str) -> Result<Self, MalformedAmount> {
        let malformed = || MalformedAmount(text.to_owned());
        let plain: String = text.trim().chars().filter(|it| !matches!(it, '\'' | '’')).collect();
        let (negative, digits) = match plain.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, plain.as_str()),
        };
        let (units, decimals) = digits.split_once(['.', ',']).unwrap_or((digits, ""));
        let decimals = decimals.trim_end_matches('0');
        let all_digits = |it: &str| it.bytes().all(|b| b.is_ascii_digit());
        if units.is_empty() || decimals.len() > 4 || !all_digits(units) || !all_digits(decimals) {
            return Err(malformed());
        }
        let units: i64 = units.parse().map_err(|_| malformed())?;
        let fraction: i64 = format!("{decimals:0<4}").parse().map_err(|_| malformed())?;
        let ten_thousandths = units
            .checked_mul(Self::PER_UNIT)
            .and_then(|it| it.checked_add(fraction))
            .ok_or_else(malformed)?;
        Ok(Self { ten_thousandths: if negative { -ten_thousandths } else { ten_thousandths } })
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.ten_thousandths < 0 { "-" } else { "" };
        let magnitude = self.ten_thousandths.unsigned_abs();
        let (units, fraction) =
            (magnitude / Self::PER_UNIT.unsigned_abs(), magnitude % Self::PER_UNIT.unsigned_abs());
        if fraction == 0 {
            return write!(f, "{sign}{units}");
        }
        let decimals = format!("{fraction:04}");
        write!(f, "{sign}{units}.{}", decimals.trim_end_matches('0'))
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.ten_thousandths % Self::PER_UNIT == 0 {
            return serializer.serialize_i64(self.ten_thousandths / Self::PER_UNIT);
        }
        serializer.serialize_f64(self.approximate())
    }
}

/// Accepts a JSON number or a text: the register's documentation says text, its interface sends numbers.
impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Amount;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an amount such as 100000 or 0.5")
            }

            fn visit_i64<E: serde::de::Error>(self, units: i64) -> Result<Amount, E> {
                units.to_string().parse().map_err(E::custom)
            }

            fn visit_u64<E: serde::de::Error>(self, units: u64) -> Result<Amount, E> {
                units.to_string().parse().map_err(E::custom)
            }

            // The shortest decimal that parses to this float, which is what the sender wrote.
            fn visit_f64<E: serde::de::Error>(self, units: f64) -> Result<Amount, E> {
                units.to_string().parse().map_err(E::custom)
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Amount, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

impl PartialSchema for Amount {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Number)
            .description(Some("Amount in currency units, with at most four decimals."))
            .build()
            .into()
    }
}

impl ToSchema for Amount {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn parses_amounts_in_the_spellings_of_the_register() {
        for (text, written) in [
            ("100000", "100000"),
            ("100'000.00", "100000"),
            ("221267904.50", "221267904.5"),
            ("0,5", "0.5"),
            ("-3.25", "-3.25"),
        ] {
            assert_eq!(text.parse::<Amount>().expect(text).to_string(), written);
        }
        for text in ["", "-", ".5", "1.00001", "1e6", "abc", "1.2.3", "99999999999999999999"] {
            assert!(text.parse::<Amount>().is_err(), "{text}");
        }
    }

    #[test]
    fn json_numbers_and_texts_give_the_same_amount() {
        for json in ["221267904.5", "\"221267904.50\""] {
            let amount: Amount = serde_json::from_str(json).expect(json);
            assert_eq!(serde_json::to_string(&amount).expect("json"), "221267904.5");
        }
        assert_eq!(serde_json::to_string(&Amount::units(100_000)).expect("json"), "100000");
    }

    proptest! {
        #[test]
        fn fifteen_digits_are_preserved_in_json(ten_thousandths in -999_999_999_999_999i64..=999_999_999_999_999) {
            let amount = Amount::from_ten_thousandths(ten_thousandths);
            let json = serde_json::to_string(&amount).expect("json");
            prop_assert_eq!(serde_json::from_str::<Amount>(&json).expect("amount"), amount);
            prop_assert_eq!(amount.to_string().parse::<Amount>(), Ok(amount));
        }
    }
}
