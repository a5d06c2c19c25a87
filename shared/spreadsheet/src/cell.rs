use std::borrow::Cow;

use domain::Amount;
use jiff::{Timestamp, civil::Date};

use crate::Kind;

/// A value of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell<'a> {
    /// No source states the value.
    Empty,
    /// Text from a source.
    Text(Cow<'a, str>),
    /// A whole number.
    Integer(u64),
    /// A number with decimals.
    Decimal(f64),
    /// An amount in units of its currency.
    Amount(Amount),
    /// A day.
    Date(Date),
    /// A moment, in UTC.
    Time(Timestamp),
    /// Yes or no.
    Boolean(bool),
}

/// The first characters by which spreadsheet programs recognise a formula, in plain and full width, and those that they
/// skip before one. See OWASP, "CSV Injection".
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

impl Cell<'_> {
    /// The kind of the value. `None` if there is none.
    pub fn kind(&self) -> Option<Kind> {
        Some(match self {
            Self::Empty => return None,
            Self::Text(_) => Kind::Text,
            Self::Integer(_) => Kind::Integer,
            Self::Decimal(_) => Kind::Decimal,
            Self::Amount(_) => Kind::Amount,
            Self::Date(_) => Kind::Date,
            Self::Time(_) => Kind::Time,
            Self::Boolean(_) => Kind::Boolean,
        })
    }

    /// The value as text of a CSV file. Text that a spreadsheet program would read as a formula begins with an apostrophe.
    pub(crate) fn into_csv(self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Text(text) if is_formula(&text) => format!("'{text}"),
            Self::Text(text) => text.into_owned(),
            Self::Integer(number) => number.to_string(),
            Self::Decimal(number) => number.to_string(),
            Self::Amount(amount) => amount.to_string(),
            Self::Date(date) => date.to_string(),
            Self::Time(time) => time.to_string(),
            Self::Boolean(it) => it.to_string(),
        }
    }
}

fn is_formula(text: &str) -> bool {
    text.trim_start_matches([' ', '\u{a0}', '\u{feff}']).starts_with(FORMULA)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_begins_like_a_formula_gets_an_apostrophe() {
        for text in ["=1+1", "+41 AG", "-x", "@home AG", "\t=1", " =1", "\u{feff}=1", "＝1", "\n=1"]
        {
            assert_eq!(Cell::Text(text.into()).into_csv(), format!("'{text}"));
        }
        for text in ["Muster AG", "A=B AG", "", "1-2-3 GmbH", "'Zum Löwen'"] {
            assert_eq!(Cell::Text(text.into()).into_csv(), text);
        }
    }

    #[test]
    fn numbers_are_never_changed() {
        assert_eq!(Cell::Decimal(-7.5).into_csv(), "-7.5");
        assert_eq!(Cell::Amount("-0.01".parse().expect("an amount")).into_csv(), "-0.01");
    }
}
