use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

/// Company number (UID) in the Swiss enterprise register, in the form `CHE-107.787.577`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String, example = "CHE-107.787.577", pattern = r"^CHE-\d{3}\.\d{3}\.\d{3}$")]
pub struct Uid(u32);

/// The schema of a company number in a request. The service also accepts lower case, spaces and the suffixes of VAT
/// numbers.
pub struct GivenUid;

impl PartialSchema for GivenUid {
    fn schema() -> RefOr<Schema> {
        let pattern = r"^(CHE-[0-9]{3}\.[0-9]{3}\.[0-9]{3}|(CHE-?)?[0-9]{9})$";
        let description =
            "Company number (UID). The punctuation and the prefix `CHE` are optional.";
        let text = ObjectBuilder::new().schema_type(Type::String).pattern(Some(pattern));
        text.description(Some(description)).examples(["CHE-107.787.577"]).into()
    }
}

impl ToSchema for GivenUid {}

/// The text is not a company number in any accepted form.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("must be a company number of the form `CHE-NNN.NNN.NNN`; got `{0}`")]
pub struct MalformedUid(String);

impl Uid {
    /// Stands for a company that was erased from this service. No company has this number.
    pub const ERASED: Self = Self(0);

    /// The nine digits as a number, below 1,000,000,000.
    pub fn number(self) -> u32 {
        self.0
    }

    /// The company number with these nine digits. `None` from 1,000,000,000.
    pub fn from_number(number: u32) -> Option<Self> {
        (number < 1_000_000_000).then_some(Self(number))
    }

    /// The check digit (ninth digit) for the first eight digits. `None` if there is none: such numbers are
    /// never issued. By eCH-0108: weights 5 4 3 2 7 6 5 4, modulo 11.
    pub fn check_digit(first_eight: u32) -> Option<u32> {
        const WEIGHTS: [u32; 8] = [4, 5, 6, 7, 2, 3, 4, 5];
        let sum: u32 = WEIGHTS
            .iter()
            .scan(first_eight, |rest, weight| {
                let digit = *rest % 10;
                *rest /= 10;
                Some(digit * weight)
            })
            .sum();
        match 11 - sum % 11 {
            11 => Some(0),
            10 => None,
            digit => Some(digit),
        }
    }

    /// Whether the ninth digit is the right check digit.
    pub fn has_valid_check_digit(self) -> bool {
        Self::check_digit(self.0 / 10) == Some(self.0 % 10)
    }
}

/// Letters after a company number: the number of a taxpayer (VAT), or an entry in the commercial register.
const SUFFIXES: [&str; 9] = ["MWST", "TVA", "IVA", "VAT", "TPV", "HR", "RC", "CR", "UID"];

/// Whether the character may stand between the parts of a number: a point, a space, or any dash.
fn separates(it: char) -> bool {
    it.is_whitespace() || matches!(it, '.' | '-' | '‐'..='―' | '−' | '﹣' | '－' | '·' | '/')
}

/// Accepts `CHE-123.456.789`, `CHE123456789`, `CHE-123456789` and the nine digits alone, in upper or lower case, with any
/// dash, points or spaces, with or without the suffixes of VAT numbers (`MWST`, `TVA`, `IVA`) and of the commercial register
/// (`HR`, `RC`).
impl FromStr for Uid {
    type Err = MalformedUid;

    fn from_str(text: &str) -> Result<Self, MalformedUid> {
        let malformed = || MalformedUid(text.to_owned());
        let upper = text.trim().to_ascii_uppercase();
        let number = match upper.strip_prefix("CHE") {
            Some(number) => number.trim_start_matches(separates),
            None => upper.as_str(),
        };
        let end = number.find(|it: char| it.is_ascii_alphabetic()).unwrap_or(number.len());
        let (number, suffixes) = number.split_at(end);
        let mut suffixes = suffixes.split([' ', '.', ',', '/', '-']).filter(|it| !it.is_empty());
        if !suffixes.all(|it| SUFFIXES.contains(&it)) {
            return Err(malformed());
        }
        // A sign before the number, and groups of other lengths, are mistakes.
        let number = number.trim_end_matches(|it| separates(it) || matches!(it, ',' | ';'));
        let groups: Vec<&str> = number.split(separates).filter(|it| !it.is_empty()).collect();
        let is_number = match groups.as_slice() {
            [whole] => whole.len() == 9,
            [_, _, _] => groups.iter().all(|it| it.len() == 3),
            _ => false,
        };
        let digits = groups.concat();
        if !is_number
            || number.starts_with(separates)
            || !digits.bytes().all(|it| it.is_ascii_digit())
        {
            return Err(malformed());
        }
        digits.parse().map(Uid).map_err(|_| malformed())
    }
}

impl fmt::Display for Uid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Uid(n) = self;
        write!(f, "CHE-{:03}.{:03}.{:03}", n / 1_000_000, n / 1_000 % 1_000, n % 1_000)
    }
}

impl TryFrom<String> for Uid {
    type Error = MalformedUid;

    fn try_from(text: String) -> Result<Self, MalformedUid> {
        text.parse()
    }
}

impl From<Uid> for String {
    fn from(uid: Uid) -> String {
        uid.to_string()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn all_accepted_forms_give_the_same_number() {
        let uid: Uid = "CHE-107.787.577".parse().expect("well-formed");
        for form in [
            "CHE107787577",
            "che-107.787.577",
            "CHE-107787577",
            "107787577",
            "107.787.577",
            "CHE 107 787 577",
            "CHE-107.787.577 MWST",
            "CHE-107.787.577TVA",
            " CHE-107.787.577 iva ",
            "CHE‑107.787.577",
            "CHE–107.787.577",
            "CHE—107 787 577",
            "CHE −107.787.577.",
            "CHE-107.787.577/MWST",
            "CHE-107.787.577 HR/MWST",
            "CHE-107.787.577 RC, TVA",
            "CHE-107-787-577",
            "CHE\u{a0}107.\u{202f}787. 577",
            "CHE.107.787.577",
        ] {
            assert_eq!(form.parse(), Ok(uid), "{form}");
        }
    }

    #[test]
    fn other_forms_are_rejected() {
        for text in [
            "",
            "CHE",
            "CHE-1.2.3",
            "CHE-107.787.57a",
            "CHE-107.787.577.000",
            "CHE-10.7787.577",
            "CHE-107.787.5777",
            "DE-107.787.577",
            "-107.787.577",
            "!CHE-107.787.577",
            "CHE-107.787.577 AG",
            "CHE-107787.577",
            "١٠٧٧٨٧٥٧٧",
        ] {
            assert_eq!(text.parse::<Uid>(), Err(MalformedUid(text.to_owned())), "{text}");
        }
    }

    #[test]
    fn check_digit_matches_known_companies() {
        for known in ["CHE-107.787.577", "CHE-101.329.561", "CHE-105.909.036"] {
            assert!(known.parse::<Uid>().expect("well-formed").has_valid_check_digit(), "{known}");
        }
        assert!(!"CHE-107.787.578".parse::<Uid>().expect("well-formed").has_valid_check_digit());
    }

    proptest! {
        #[test]
        fn parsing_the_displayed_number_returns_it(number in 0u32..1_000_000_000) {
            let uid = Uid::from_number(number).expect("nine digits");
            prop_assert_eq!(uid.to_string().parse(), Ok(uid));
        }

        #[test]
        fn parsing_never_panics(text in ".{0,20}") {
            let _ = text.parse::<Uid>();
        }
    }
}
