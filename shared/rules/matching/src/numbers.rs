//! Numbers in names: digits, ordinals, Roman numerals and words.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// Words and the number they mean.
const WORDS: &[(&str, u32)] = &[
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("first", 1),
    ("second", 2),
    ("third", 3),
    ("fourth", 4),
    ("fifth", 5),
    ("sixth", 6),
    ("seventh", 7),
    ("eighth", 8),
    ("ninth", 9),
    ("tenth", 10),
    ("zwei", 2),
    ("drei", 3),
    ("vier", 4),
    ("fuenf", 5),
    ("erste", 1),
    ("zweite", 2),
    ("dritte", 3),
    ("vierte", 4),
    ("deux", 2),
    ("trois", 3),
    ("quatre", 4),
    ("cinq", 5),
    ("premier", 1),
    ("premiere", 1),
    ("deuxieme", 2),
    ("troisieme", 3),
    ("due", 2),
    ("tre", 3),
    ("quattro", 4),
    ("cinque", 5),
    ("seconda", 2),
    ("terza", 3),
];

/// Words after which a single letter is a Roman numeral.
const NUMBERED: &[&str] = &[
    "fund",
    "funds",
    "fonds",
    "partners",
    "series",
    "serie",
    "capital",
    "trust",
    "block",
    "phase",
    "holding",
    "holdings",
    "invest",
    "investment",
    "investments",
    "equity",
    "class",
    "tranche",
    "lot",
    "unit",
    "part",
    "venture",
    "ventures",
    "opportunities",
    "opportunity",
    "growth",
    "portfolio",
    "estate",
    "property",
    "properties",
    "immobilien",
    "beteiligung",
    "verwaltungs",
    "cayman",
    "financing",
    "funding",
    "issuer",
    "securities",
    "company",
    "fondo",
    "sicav",
    "solutions",
];

/// The number that a word in folded form writes with digits: `007`, `1st`, `2eme`.
pub(crate) fn digits(word: &str) -> Option<u32> {
    let end = word.bytes().position(|it| !it.is_ascii_digit()).unwrap_or(word.len());
    if end == 0 {
        return None;
    }
    let (number, suffix) = word.split_at(end);
    let is_ordinal = ["", "st", "nd", "rd", "th", "er", "re", "e", "eme", "o", "a", "ter", "te"]
        .contains(&suffix);
    // Nine digits fit; longer numbers are numbers of registers, of which the last nine distinguish.
    let start = number.len().saturating_sub(9);
    if is_ordinal { number[start..].parse().ok() } else { None }
}

/// The number that a word in folded form means.
pub(crate) fn word(word: &str) -> Option<u32> {
    FOLDED.get(word).copied()
}

/// [`WORDS`] in folded form.
static FOLDED: LazyLock<FxHashMap<String, u32>> = LazyLock::new(|| {
    WORDS.iter().map(|(word, number)| (crate::transliteration::fold(word), *number)).collect()
});

/// The number of a Roman numeral up to 39 in folded form. A single letter is one only after a word such as `Fund`.
pub(crate) fn roman(numeral: &str, before: &str) -> Option<u32> {
    let is_numeral = numeral.bytes().all(|it| matches!(it, b'i' | b'v' | b'x'));
    if !is_numeral || numeral.len() > 7 || (numeral.len() == 1 && !NUMBERED.contains(&before)) {
        return None;
    }
    (1..40).find(|&number| roman_numeral(number) == numeral)
}

fn roman_numeral(number: u32) -> String {
    let ones = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"];
    "x".repeat(number as usize / 10) + ones[number as usize % 10]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_each_notation() {
        assert_eq!(digits("007"), Some(7));
        assert_eq!(digits("1st"), Some(1));
        assert_eq!(digits("a320"), None);
        assert_eq!(word("three"), Some(3));
        assert_eq!(roman("xiv", "fund"), Some(14));
        assert_eq!(roman("v", "partners"), Some(5));
        assert_eq!(roman("v", "malcolm"), None);
        assert_eq!(roman("iiii", "fund"), None);
    }
}
