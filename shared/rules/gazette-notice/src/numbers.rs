//! Company numbers and decimal numbers as notices write them.

use serde::{Deserialize, Serialize};

/// Company number (UID) in the Swiss enterprise register: the nine digits of `CHE-107.787.577`.
///
/// The check digit is not verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CompanyNumber(u32);

impl CompanyNumber {
    /// The company number with these nine digits. `None` from 1,000,000,000.
    pub fn from_digits(digits: u32) -> Option<Self> {
        (digits < 1_000_000_000).then_some(Self(digits))
    }

    /// The nine digits as a number.
    pub fn digits(self) -> u32 {
        self.0
    }

    /// Parses `CHE-123.456.789`, `CHE123456789`, `CHE-123456789` and the nine digits alone, in upper or
    /// lower case, with or without the suffix of a VAT number (`MWST`, `TVA`, `IVA`).
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let text = ["MWST", "TVA", "IVA"]
            .iter()
            .find_map(|suffix| {
                let (number, end) = text.split_at_checked(text.len().checked_sub(suffix.len())?)?;
                end.eq_ignore_ascii_case(suffix).then(|| number.trim_end())
            })
            .unwrap_or(text);
        let text = match text.split_at_checked(3) {
            Some((start, rest)) if start.eq_ignore_ascii_case("CHE") => {
                rest.strip_prefix(['-', ' ']).unwrap_or(rest)
            }
            _ => text,
        };
        let is_separator = |at: usize| matches!(text.as_bytes().get(at), Some(b'.' | b' '));
        let has_separators = text.len() == 11 && is_separator(3) && is_separator(7);
        if text.len() != 9 && !has_separators {
            return None;
        }
        let mut digits = 0;
        for (at, character) in text.char_indices() {
            if !(has_separators && (at == 3 || at == 7)) {
                digits = digits * 10 + character.to_digit(10)?;
            }
        }
        Some(Self(digits))
    }
}

/// A number such as `10'000.--` or `0,5`, exact to four decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Decimal {
    ten_thousandths: i64,
}

impl Decimal {
    /// The number in ten-thousandths: 5,000 for `0.5`.
    pub const fn ten_thousandths(self) -> i64 {
        self.ten_thousandths
    }

    /// The number of so many ten-thousandths.
    pub const fn from_ten_thousandths(ten_thousandths: i64) -> Self {
        Self { ten_thousandths }
    }

    /// Parses `100000`, `100'000.00` and `0,5`. An apostrophe separates thousands; a point or a comma
    /// precedes the decimals. `None` if more than four decimals are not zero or the number is too large.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (whole, decimals) = text.split_once(['.', ',']).unwrap_or((text, ""));
        let digits_of = |part| {
            let characters = str::chars(part).filter(|it| !matches!(it, '\'' | '’'));
            characters.map(|it| it.to_digit(10))
        };
        let mut value: i64 = 0;
        let mut append = |digit: u32| {
            value = value.checked_mul(10)?.checked_add(digit.into())?;
            Some(())
        };
        let mut digits = digits_of(whole);
        append(digits.next()??)?;
        for digit in digits {
            append(digit?)?;
        }
        let mut decimals = digits_of(decimals);
        for _ in 0..4 {
            append(decimals.next().unwrap_or(Some(0))?)?;
        }
        let is_exact = decimals.all(|it| it == Some(0));
        is_exact.then_some(Self { ten_thousandths: value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_spellings_of_a_company_number_give_the_same_number() {
        for text in [
            "CHE-107.787.577",
            "CHE107787577",
            "che-107.787.577",
            "CHE-107787577",
            "107787577",
            "107.787.577",
            "CHE 107 787 577",
            "CHE-107.787.577 MWST",
            "CHE-107.787.577tva",
            " CHE-107.787.577 iva ",
        ] {
            let digits = CompanyNumber::parse(text).map(CompanyNumber::digits);
            assert_eq!(digits, Some(107_787_577), "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_company_number() {
        for text in [
            "",
            "CHE",
            "CHE-1.2.3",
            "CHE-107.787.57a",
            "CHE-107.787.577.000",
            "CHE-10.7787.577",
            "CHE-107.787.5777",
            "CH-020.3.000.000-2",
            "DE-107.787.577",
            "١٠٧٧٨٧٥٧٧",
            "ééé",
            "12345678é",
        ] {
            assert_eq!(CompanyNumber::parse(text), None, "{text}");
        }
    }

    #[test]
    fn decimal_numbers_are_exact_to_four_decimals() {
        for (text, ten_thousandths) in [
            ("100000", 1_000_000_000),
            ("100'000.00", 1_000_000_000),
            ("1’000", 10_000_000),
            ("221267904.50", 2_212_679_045_000),
            ("0,5", 5_000),
            ("1.00010000", 10_001),
            ("922337203685477.5807", i64::MAX),
        ] {
            let number = Decimal::parse(text).map(Decimal::ten_thousandths);
            assert_eq!(number, Some(ten_thousandths), "{text}");
        }
        for text in
            ["", "'", ".5", "1.00001", "1e6", "abc", "1.2.3", "1.0.0", "922337203685477.5808"]
        {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
    }
}
