//! Dates as notices write them.

use jiff::civil::Date;

/// The months in German, French and Italian, in lower case.
#[rustfmt::skip]
const MONTHS: [[&str; 3]; 12] = [
    ["januar", "janvier", "gennaio"],
    ["februar", "février", "febbraio"],
    ["märz", "mars", "marzo"],
    ["april", "avril", "aprile"],
    ["mai", "mai", "maggio"],
    ["juni", "juin", "giugno"],
    ["juli", "juillet", "luglio"],
    ["august", "août", "agosto"],
    ["september", "septembre", "settembre"],
    ["oktober", "octobre", "ottobre"],
    ["november", "novembre", "novembre"],
    ["dezember", "décembre", "dicembre"],
];

/// Reads a date such as `09. 05. 2000`, `6.3.2001`, `22.8.01`, `3. Mai 2016`, `1er mai 2016` or `3 maggio 2016` at the
/// beginning of the text.
pub(super) fn date(text: &str) -> Option<Date> {
    date_and_rest(text).map(|(date, _)| date)
}

/// As [`date`], and the text after it.
pub(super) fn date_and_rest(text: &str) -> Option<(Date, &str)> {
    let (day, rest) = number(text.trim_start())?;
    if let Some(rest) = rest.strip_prefix('.').map(str::trim_start)
        && let Some((month, rest)) = number(rest)
    {
        let (year, rest) = number(rest.strip_prefix('.')?.trim_start())?;
        return Some((civil(year, month, day)?, rest));
    }
    let rest = ["er", ".", "°", "º"].iter().find_map(|it| rest.strip_prefix(it)).unwrap_or(rest);
    let (month, rest) = month(rest.trim_start())?;
    let (year, rest) = number(rest.trim_start())?;
    Some((civil(year, month, day)?, rest))
}

/// Whether the text starts with the name of a month.
pub(super) fn starts_with_month(text: &str) -> bool {
    month(text).is_some()
}

/// The month that the text starts with, and the rest.
fn month(text: &str) -> Option<(i16, &str)> {
    let end = text.find(|it: char| !it.is_alphabetic()).unwrap_or(text.len());
    // Fast path: no name of a month is longer.
    if !(3..=10).contains(&end) {
        return None;
    }
    let name = text[..end].to_lowercase();
    let month = (1..).zip(MONTHS).find(|(_, names)| names.contains(&name.as_str()))?.0;
    Some((month, &text[end..]))
}

/// The number of at most four digits that the text starts with, and the rest.
fn number(text: &str) -> Option<(i16, &str)> {
    let digits = text.bytes().take(4).take_while(u8::is_ascii_digit).count();
    Some((text[..digits].parse().ok()?, &text[digits..]))
}

fn civil(year: i16, month: i16, day: i16) -> Option<Date> {
    let year = match year {
        0..=49 => year + 2000,
        50..=99 => year + 1900,
        _ => year,
    };
    Date::new(year, month.try_into().ok()?, day.try_into().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use jiff::civil;

    use super::*;

    #[test]
    fn dates_are_read_with_numbers_and_names_of_months() {
        for (text, expected) in [
            ("09. 05. 2000", civil::date(2000, 5, 9)),
            ("6.3.2001, S. 3", civil::date(2001, 3, 6)),
            ("22.8.01", civil::date(2001, 8, 22)),
            ("3. Mai 2016 aufgelöst", civil::date(2016, 5, 3)),
            ("31. März 2016", civil::date(2016, 3, 31)),
            ("1er mai 2016", civil::date(2016, 5, 1)),
            ("31 octobre 2016", civil::date(2016, 10, 31)),
            ("1° Dicembre 1999", civil::date(1999, 12, 1)),
        ] {
            assert_eq!(date(text), Some(expected), "{text}");
        }
        for text in
            ["", "3", "3.5", "31.2.2016", "3 Stammanteile 2016", "Mai 2016", "3. Maien 2016"]
        {
            assert_eq!(date(text), None, "{text}");
        }
    }
}
