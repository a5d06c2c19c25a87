use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// International securities identification number (ISO 6166): 2 letters, 9 letters or digits and a check
/// digit. The check digit is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Isin([u8; 12]);

/// The text is not a securities identification number.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MalformedIsin {
    #[error("`{0}` is not an ISIN such as `CH0012032048`")]
    Shape(String),
    #[error("`{0}` is not an ISIN: its check digit is wrong")]
    CheckDigit(String),
}

impl Isin {
    /// The 12 characters, letters in upper case.
    pub fn as_str(&self) -> &str {
        // Upper-case letters and digits by construction.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// Luhn sum over the digits, with letters written as 10 to 35. It is a multiple of 10 if the check digit is valid.
fn luhn(characters: &[u8]) -> u32 {
    let digits = characters.iter().flat_map(|it| {
        let value = char::from(*it).to_digit(36).unwrap_or_default();
        let tens = (value >= 10).then_some(value / 10);
        tens.into_iter().chain([value % 10])
    });
    let digits: Vec<u32> = digits.collect();
    let doubled = |(at, digit): (usize, &u32)| match at % 2 {
        0 => *digit,
        _ => digit * 2 / 10 + digit * 2 % 10,
    };
    digits.iter().rev().enumerate().map(doubled).sum()
}

/// Accepts upper and lower case, with spaces before and after.
impl FromStr for Isin {
    type Err = MalformedIsin;

    fn from_str(text: &str) -> Result<Self, MalformedIsin> {
        let shape = || MalformedIsin::Shape(text.to_owned());
        let upper = text.trim().to_ascii_uppercase();
        let characters: [u8; 12] = upper.as_bytes().try_into().map_err(|_| shape())?;
        let well_formed = characters[..2].iter().all(u8::is_ascii_alphabetic)
            && characters[2..11].iter().all(u8::is_ascii_alphanumeric)
            && characters[11].is_ascii_digit();
        if !well_formed {
            return Err(shape());
        }
        match luhn(&characters).is_multiple_of(10) {
            true => Ok(Self(characters)),
            false => Err(MalformedIsin::CheckDigit(text.to_owned())),
        }
    }
}

impl fmt::Display for Isin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl TryFrom<String> for Isin {
    type Error = MalformedIsin;

    fn try_from(text: String) -> Result<Self, MalformedIsin> {
        text.parse()
    }
}

impl From<Isin> for String {
    fn from(isin: Isin) -> String {
        isin.as_str().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn text_with_a_wrong_check_digit_or_of_another_shape_is_rejected() {
        for text in ["CH0012032048", "ch0012032048", "US0378331005", "CH0012221716"] {
            assert!(text.parse::<Isin>().is_ok(), "{text}");
        }
        let wrong = "CH0012032047".parse::<Isin>();
        assert!(matches!(wrong, Err(MalformedIsin::CheckDigit(_))), "{wrong:?}");
        for text in ["", "CH001203204", "120012032048", "CH00120320488"] {
            assert!(matches!(text.parse::<Isin>(), Err(MalformedIsin::Shape(_))), "{text}");
        }
    }

    proptest! {
        #[test]
        fn parsing_never_panics(text in any::<String>()) {
            let _ = text.parse::<Isin>();
        }
    }
}
