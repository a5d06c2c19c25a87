//! Industry filters: NOGA codes and names of divisions.

use serde::Deserialize;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use crate::{
    choice::{Choice, UnknownValue},
    noga, text,
};

/// NOGA section to filter by: a letter, `A` to `U`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct NogaSection(pub char);

impl TryFrom<String> for NogaSection {
    type Error = String;

    fn try_from(given: String) -> Result<Self, String> {
        match given.trim().to_ascii_uppercase().as_str() {
            letter if letter.len() == 1 && ("A"..="U").contains(&letter) => {
                Ok(Self(char::from(letter.as_bytes()[0])))
            }
            _ => Err(format!("must be a NOGA section, a letter from A to U; got `{given}`")),
        }
    }
}

/// The first digits of a NOGA code to filter by: two to `DIGITS`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct NogaPrefix<const DIGITS: usize>(pub String);

impl<const DIGITS: usize> TryFrom<String> for NogaPrefix<DIGITS> {
    type Error = String;

    fn try_from(given: String) -> Result<Self, String> {
        // NOGA codes may have a point before the third and the fifth digit.
        let points = given.char_indices().filter(|(_, it)| *it == '.').map(|(at, _)| at);
        let digits = if points.clone().all(|at| at == 2 || at == 5) {
            given.replace('.', "")
        } else {
            given.clone()
        };
        let well_formed =
            (2..=DIGITS).contains(&digits.len()) && digits.bytes().all(|it| it.is_ascii_digit());
        if well_formed {
            return Ok(Self(digits));
        }
        let rule = if DIGITS == 2 { "division, two digits" } else { "code, two to six digits" };
        Err(format!("must be a NOGA {rule}; got `{given}`"))
    }
}

/// Industry to filter by: the name of a NOGA division. Case and accents do not matter.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct WantedIndustry(pub &'static noga::Division);

impl PartialSchema for WantedIndustry {
    fn schema() -> RefOr<Schema> {
        text::one_of(noga::DIVISIONS.iter().map(|it| it.name))
    }
}

impl ToSchema for WantedIndustry {}

const INDUSTRY: Choice = Choice::of("the name of a NOGA division").listed_at("/v1/reference/noga");

impl TryFrom<String> for WantedIndustry {
    type Error = UnknownValue;

    fn try_from(given: String) -> Result<Self, UnknownValue> {
        let english = noga::DIVISIONS.iter().map(|it| (it.name, it));
        let official = noga::DIVISIONS.iter().flat_map(|it| it.official.map(|name| (name, it)));
        INDUSTRY.read(&given, english.chain(official)).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noga_codes_have_two_to_six_digits() {
        assert_eq!(NogaPrefix::<6>::try_from("62.01".to_owned()), Ok(NogaPrefix("6201".into())));
        assert!(NogaPrefix::<2>::try_from("620".to_owned()).is_err());
        assert!(NogaPrefix::<2>::try_from("0.5".to_owned()).is_err());
        assert!(NogaSection::try_from("k".to_owned()) == Ok(NogaSection('K')));
        assert!(NogaSection::try_from("Z".to_owned()).is_err());
    }
}
