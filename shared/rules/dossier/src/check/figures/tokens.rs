//! The words of a text, and which number, unit, year, month or day a word states.

use auth::Language;

use super::Day;
use domain::wording::MONTHS;

/// Words without the signs around them, and signs of percent.
pub(super) fn tokens(said: &str) -> Vec<String> {
    let said = said.replace('%', " % ");
    let separates = |it: char| it.is_whitespace() || "()«»“”„\"‹›;!?…".contains(it);
    let words = said.split(separates);
    let trimmed = words.map(|it| match it {
        PERCENT => it,
        _ => it.trim_matches(|it: char| !it.is_alphanumeric()),
    });
    trimmed.filter(|it| !it.is_empty()).map(str::to_owned).collect()
}

pub(super) const PERCENT: &str = "%";
/// Codes of currencies.
const CURRENCIES: &[&str] = &["CHF", "EUR", "USD", "GBP", "JPY", "SEK", "NOK", "DKK", "CAD", "AUD"];

/// The unit that a word names, before or after a number.
pub(super) fn unit(token: &str) -> Option<&'static str> {
    match token {
        "%" | "Prozent" | "percent" | "pour" | "per" => Some(PERCENT),
        "Franken" | "francs" | "franchi" | "Fr" => Some("CHF"),
        "Euro" | "euros" | "euro" => Some("EUR"),
        code => CURRENCIES.iter().find(|it| **it == code).copied(),
    }
}

/// Whether a number of four digits after this word is a year. After others it may be a quantity.
pub(super) fn announces_year(before: &str) -> bool {
    let before = before.to_lowercase();
    let word = before.rsplit(['\'', '’']).next().unwrap_or_default();
    let words = [
        "in", "im", "en", "nel", "since", "seit", "depuis", "dal", "jahr", "jahre", "year",
        "année", "an", "anno",
    ];
    words.contains(&word)
}

/// What a number may mean. `None` if it is no number.
pub(super) fn forms(token: &str) -> Option<Vec<String>> {
    let plain: String = token.chars().filter(|it| !matches!(it, '\'' | '’')).collect();
    if !plain.chars().all(|it| it.is_ascii_digit() || it == '.' || it == ',') {
        return None;
    }
    let separators: Vec<(usize, char)> =
        plain.char_indices().filter(|it| !it.1.is_ascii_digit()).collect();
    let digits = |it: &str| it.chars().filter(char::is_ascii_digit).collect::<String>();
    let Some((last, sign)) = separators.last().copied() else {
        return Some(vec![canonical(&plain, "")]);
    };
    let (before, after) = (&plain[..last], &plain[last + 1..]);
    let whole = canonical(&digits(&plain), "");
    let decimal = canonical(&digits(before), after);
    let is_repeated = separators.iter().filter(|it| it.1 == sign).count() > 1;
    Some(match (is_repeated, after.len() == 3, separators.len()) {
        (true, _, _) => vec![whole],
        (false, true, 1) => vec![whole, decimal],
        _ => vec![decimal],
    })
}

/// A number without superfluous zeros.
pub(super) fn canonical(whole: &str, decimals: &str) -> String {
    let whole = whole.trim_start_matches('0');
    let decimals = decimals.trim_end_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    if decimals.is_empty() { whole.to_owned() } else { format!("{whole}.{decimals}") }
}

pub(super) fn day_of_month(token: &str) -> Option<i8> {
    let digits = token.trim_end_matches(|it: char| !it.is_ascii_digit());
    let ending = &token[digits.len()..];
    let is_ordinal = ["", "er", "º", "°", "st", "nd", "rd", "th", "."].contains(&ending);
    let day: i8 = digits.parse().ok()?;
    (is_ordinal && digits.len() <= 2 && (1..=31).contains(&day)).then_some(day)
}

pub(super) fn year(token: &str) -> Option<i16> {
    let is_year = token.len() == 4 && token.bytes().all(|it| it.is_ascii_digit());
    is_year.then(|| token.parse().ok()).flatten()
}

/// The month that a word names. In German and English, months have a capital letter.
pub(super) fn month(token: &str, language: Language) -> Option<i8> {
    let months = language.of([&MONTHS[0], &MONTHS[1], &MONTHS[2], &MONTHS[3]]);
    let is_named = |it: &&str| match language {
        Language::De | Language::En => *it == token,
        Language::Fr | Language::It => *it == token.to_lowercase(),
    };
    let at = months.iter().position(is_named)?;
    i8::try_from(at + 1).ok()
}

/// `2001-05-03`, `03.05.2001` or `3/5/2001`.
pub(super) fn numeric_date(token: &str) -> Option<Day> {
    let parts: Vec<&str> = token.split(['-', '.', '/']).collect();
    let [first, second, third] = parts[..] else { return None };
    if !parts.iter().all(|it| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit())) {
        return None;
    }
    let (year, month, day) = match (first.len(), third.len()) {
        (4, 1..=2) => (first, second, third),
        (1..=2, 4) => (third, second, first),
        _ => return None,
    };
    Some(Day { year: year.parse().ok(), month: month.parse().ok(), day: day.parse().ok() })
}
