use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// An international securities identification number (ISIN, ISO 6166): two letters, nine letters or digits and a
/// check digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Isin([u8; 12]);

/// The text is not an ISIN.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{0}` is not an ISIN such as `CH0012032048`")]
pub struct MalformedIsin(String);

impl Isin {
    /// The twelve characters.
    pub fn as_str(&self) -> &str {
        // Upper-case letters and digits by construction.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// The Luhn sum (ISO 6166) over the digits, where letters count as the numbers 10 to 35. A valid ISIN has a sum
/// divisible by 10.
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

impl FromStr for Isin {
    type Err = MalformedIsin;

    fn from_str(text: &str) -> Result<Self, MalformedIsin> {
        let malformed = || MalformedIsin(text.to_owned());
        let upper = text.trim().to_ascii_uppercase();
        let characters: [u8; 12] = upper.as_bytes().try_into().map_err(|_| malformed())?;
        let well_formed = characters[..2].iter().all(u8::is_ascii_alphabetic)
            && characters[2..11].iter().all(u8::is_ascii_alphanumeric)
            && characters[11].is_ascii_digit();
        if !well_formed || !luhn(&characters).is_multiple_of(10) {
            return Err(malformed());
        }
        Ok(Self(characters))
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
    fn wrong_check_digit_or_shape_is_rejected() {
        for text in ["CH0012032048", "ch0012032048", "US0378331005", "CH0012221716"] {
            assert!(text.parse::<Isin>().is_ok(), "{text}");
        }
        for text in ["", "CH0012032047", "CH001203204", "120012032048", "CH00120320488"] {
            assert!(text.parse::<Isin>().is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn parsing_never_panics(text in any::<String>()) {
            let _ = text.parse::<Isin>();
        }
    }
}
