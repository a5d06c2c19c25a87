//! Dates, numbers and long texts as readers of a language write them.

use auth::Language;
use domain::{Amount, wording};
use jiff::civil::Date;

use super::words::Words;

/// Maximum number of characters of a short text, such as a name or a role.
pub(super) const SHORT: usize = 400;
/// Maximum number of characters of a long text, such as the purpose.
pub(super) const LONG: usize = 6_000;

impl Words {
    /// `31.12.2026`, or in English `31 Dec 2026`. A line does not end within a date.
    pub(super) fn date(self, date: Date) -> String {
        match self.0 {
            Language::En => date.strftime("%-d\u{a0}%b\u{a0}%Y").to_string(),
            Language::De | Language::Fr | Language::It => date.strftime("%d.%m.%Y").to_string(),
        }
    }

    /// `1’234’567.50`, or in English `1,234,567.50`.
    pub(super) fn amount(self, amount: Amount) -> String {
        let tenths = amount.ten_thousandths();
        let units = self.grouped(tenths.unsigned_abs() / 10_000);
        let decimals = format!("{:04}", tenths.unsigned_abs() % 10_000);
        let decimals = decimals.trim_end_matches('0');
        let sign = if tenths < 0 { "−" } else { "" };
        match decimals {
            "" => format!("{sign}{units}"),
            // Money has two decimals or none.
            _ => format!("{sign}{units}.{decimals:0<2}"),
        }
    }

    /// `1’234’567`, or in English `1,234,567`.
    pub(super) fn grouped(self, number: u64) -> String {
        wording::number(self.0, number)
    }

    /// With a sign and two decimals: `+0.42`, `−0.20`, `0.00`.
    pub(super) fn signed(self, number: f64) -> String {
        let rounded = format!("{:.2}", number.abs());
        let sign = match number {
            _ if rounded == "0.00" => "",
            0.0.. => "+",
            _ => "−",
        };
        format!("{sign}{rounded}")
    }
}

/// A text of at most `limit` characters, on one line, with the apostrophes of the document. `…` is in the place of what is left out.
pub(super) fn cut(text: &str, limit: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ").replace('\'', "’");
    match text.char_indices().nth(limit) {
        None => text,
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_as_in_switzerland() {
        let (de, en) = (Words(Language::De), Words(Language::En));
        let amount = |text: &str| text.parse::<Amount>().expect("an amount");
        assert_eq!(de.amount(amount("12000000")), "12’000’000");
        assert_eq!(en.amount(amount("100000.5")), "100,000.50");
        assert_eq!(de.amount(amount("-0.0125")), "−0.0125");
        assert_eq!(de.grouped(0), "0");
        assert_eq!(de.grouped(999), "999");
        assert_eq!(en.signed(-0.204), "−0.20");
        assert_eq!(en.signed(-0.004), "0.00");
    }

    #[test]
    fn dates_follow_the_language() {
        let day = jiff::civil::date(2026, 3, 1);
        assert_eq!(Words(Language::Fr).date(day), "01.03.2026");
        assert_eq!(Words(Language::En).date(day), "1\u{a0}Mar\u{a0}2026");
    }

    #[test]
    fn long_texts_end_with_an_ellipsis() {
        assert_eq!(cut(" a \n b ", 10), "a b");
        assert_eq!(cut("äöü", 3), "äöü");
        assert_eq!(cut("äö ü", 3), "äö…");
    }

    #[test]
    fn apostrophes_of_sources_are_those_of_the_document() {
        assert_eq!(
            cut("conseil d'administration, CHF 1'000", 40),
            "conseil d’administration, CHF 1’000"
        );
    }
}
