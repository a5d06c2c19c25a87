use std::borrow::Cow;

use domain::Amount;
use jiff::{Timestamp, civil::Date};

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

/// The kind of the values of a column. A value may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text,
    Integer,
    Decimal,
    Amount,
    Date,
    Time,
    Boolean,
}

/// The first characters by which spreadsheet programs recognise a formula, in plain and full width. See OWASP, "CSV
/// Injection".
const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
/// What they skip before a formula, besides what separates cells. A quotation mark counts: within a text, it may begin a cell.
const SKIPPED: [char; 4] = [' ', '\u{a0}', '\u{feff}', '"'];
/// What may begin another cell within a text: a program whose separator is a semicolon or a tab, as in Switzerland, splits the
/// text there, and does not see the quotation marks before it.
const SEPARATORS: [char; 4] = [';', '\t', '\r', '\n'];

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

    /// The value as text of a CSV file. If a spreadsheet program would read a text as a formula, an apostrophe is put
    /// before it. The same applies to the part of a text after a semicolon, a tab or a line break.
    pub(crate) fn into_csv(self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Text(text) => guarded(text),
            Self::Integer(number) => number.to_string(),
            Self::Decimal(number) => number.to_string(),
            Self::Amount(amount) => amount.to_string(),
            Self::Date(date) => date.to_string(),
            Self::Time(time) => time.to_string(),
            Self::Boolean(it) => it.to_string(),
        }
    }
}

fn guarded(text: Cow<'_, str>) -> String {
    let is_formula = |it: &str| it.trim_start_matches(SKIPPED).starts_with(FORMULA);
    // OWASP: a tab or the end of a line before the text may be skipped, too.
    let starts_with_separator = text.starts_with(&SEPARATORS[1..]);
    if !starts_with_separator && !text.split(SEPARATORS).any(is_formula) {
        return text.into_owned();
    }
    let mut guarded = String::with_capacity(text.len() + 2);
    if starts_with_separator {
        guarded.push('\'');
    }
    for part in text.split_inclusive(SEPARATORS) {
        if is_formula(part) {
            guarded.push('\'');
        }
        guarded.push_str(part);
    }
    guarded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_begins_like_a_formula_gets_an_apostrophe() {
        for text in
            ["=1+1", "+41 AG", "-x", "@home AG", " =1", "\u{feff}=1", "＝1", "\tA", "\"=1\""]
        {
            assert_eq!(Cell::Text(text.into()).into_csv(), format!("'{text}"));
        }
        for (text, guarded) in [
            ("A;=1+1", "A;'=1+1"),
            ("Alt AG; @home AG; -x", "Alt AG;' @home AG;' -x"),
            ("A\t+1", "A\t'+1"),
            ("Handel\r\n- Import", "Handel\r\n'- Import"),
            ("A;\"=1;B", "A;'\"=1;B"),
            ("\t=1", "'\t'=1"),
            ("\n=1", "'\n'=1"),
        ] {
            assert_eq!(Cell::Text(text.into()).into_csv(), guarded);
        }
        for text in ["Muster AG", "A=B AG", "", "1-2-3 GmbH", "'Zum Löwen'", "A; B\tC\nD", "; ; "]
        {
            assert_eq!(Cell::Text(text.into()).into_csv(), text);
        }
    }

    #[test]
    fn numbers_are_never_changed() {
        assert_eq!(Cell::Decimal(-7.5).into_csv(), "-7.5");
        assert_eq!(Cell::Amount("-0.01".parse().expect("an amount")).into_csv(), "-0.01");
    }
}
