use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// Legal entity identifier (ISO 17442): 18 letters or digits and 2 check digits. The check digits are valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Lei([u8; 20]);

/// The text is not a legal entity identifier.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MalformedLei {
    #[error("`{0}` is not an LEI: eighteen letters or digits and two check digits")]
    Shape(String),
    #[error("`{0}` is not an LEI: its check digits are wrong")]
    CheckDigits(String),
}

impl Lei {
    /// Stands for an entity that was erased from this service. No issuer assigns it.
    pub const ERASED: Self = Self(*b"00000000000000000098");

    /// The identifier that begins with these 18 letters or digits, with the check digits computed.
    pub fn with_check_digits(first_18: &str) -> Result<Self, MalformedLei> {
        let without = format!("{first_18}00");
        let check_digits = 98 - remainder(without.to_ascii_uppercase().as_bytes());
        format!("{first_18}{check_digits:02}").parse()
    }

    /// The 20 characters, letters in upper case.
    pub fn as_str(&self) -> &str {
        // Upper-case letters and digits by construction.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// Remainder of ISO 7064, modulo 97-10: letters count as 10 to 35. It is 1 if the check digits are valid.
fn remainder(characters: &[u8]) -> u32 {
    characters.iter().fold(0, |rest, it| match char::from(*it).to_digit(36) {
        Some(value) if value < 10 => (rest * 10 + value) % 97,
        Some(value) => (rest * 100 + value) % 97,
        None => rest,
    })
}

/// Accepts upper and lower case, with spaces before and after.
impl FromStr for Lei {
    type Err = MalformedLei;

    fn from_str(text: &str) -> Result<Self, MalformedLei> {
        let upper = text.trim().to_ascii_uppercase();
        let shape = || MalformedLei::Shape(text.to_owned());
        let characters: [u8; 20] = upper.as_bytes().try_into().map_err(|_| shape())?;
        let (entity, check) = characters.split_at(18);
        if !entity.iter().all(u8::is_ascii_alphanumeric) || !check.iter().all(u8::is_ascii_digit) {
            return Err(shape());
        }
        match remainder(&characters) {
            1 => Ok(Self(characters)),
            _ => Err(MalformedLei::CheckDigits(text.to_owned())),
        }
    }
}

impl fmt::Display for Lei {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl TryFrom<String> for Lei {
    type Error = MalformedLei;

    fn try_from(text: String) -> Result<Self, MalformedLei> {
        text.parse()
    }
}

impl From<Lei> for String {
    fn from(lei: Lei) -> String {
        lei.as_str().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn text_with_wrong_check_digits_or_of_another_shape_is_rejected() {
        // The identifier of the Global Legal Entity Identifier Foundation.
        let lei: Lei = "506700GE1G29325QX363".parse().expect("valid");
        assert_eq!(lei.to_string(), "506700GE1G29325QX363");
        assert_eq!("506700ge1g29325qx363 ".parse(), Ok(lei));
        let wrong = "506700GE1G29325QX364".parse::<Lei>();
        assert!(matches!(wrong, Err(MalformedLei::CheckDigits(_))), "{wrong:?}");
        for text in ["", "506700GE1G29325QX36", "506700GE1G29325QX36A", "506700GE1G-9325QX363"] {
            assert!(matches!(text.parse::<Lei>(), Err(MalformedLei::Shape(_))), "{text}");
        }
    }

    #[test]
    fn check_digits_are_computed() {
        for known in ["506700GE1G29325QX363", "5493001KJTIIGC8Y1R12", "999900SUBSIDIARY0002"] {
            assert_eq!(Lei::with_check_digits(&known[..18]), known.parse(), "{known}");
        }
        assert!(Lei::with_check_digits("SHORT").is_err());
    }

    proptest! {
        #[test]
        fn one_changed_character_is_rejected(at in 0usize..18, digit in "[0-9]", letter in "[A-Z]") {
            let text = "506700GE1G29325QX363";
            let with = if text.as_bytes()[at].is_ascii_digit() { digit } else { letter };
            let changed = format!("{}{with}{}", &text[..at], &text[at + 1..]);
            prop_assert_eq!(changed.parse::<Lei>().is_ok(), changed == text);
        }

        #[test]
        fn parsing_never_panics(text in any::<String>()) {
            let _ = text.parse::<Lei>();
        }
    }
}
