//! Normalisation of names, places and filter values before they are compared.

use deunicode::deunicode;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, schema::Type};

/// Normalises a text to lower-case words of ASCII letters and digits, separated by single spaces:
/// `Müller & Söhne` and `MUELLER, Sohne` both become `muller sohne`.
///
/// Accents are removed, and `ae`, `oe`, `ue` become `a`, `o`, `u`, because people write `ä` either way.
pub fn fold(text: &str) -> String {
    words(text, true)
}

/// What the name of a company ends with while it is in liquidation (Code of Obligations, art. 739), in folded words; also by
/// a composition agreement (Debt Enforcement and Bankruptcy Act, art. 319). What other registers add, and what people type, is
/// a matter of screening.
pub const LIQUIDATION: [&[&str]; 8] = [
    &["in", "liquidation"],
    &["en", "liquidation"],
    &["in", "liquidazione"],
    &["in", "nachlassliquidation"],
    &["en", "liquidation", "concordataire"],
    &["in", "liquidazione", "concordataria"],
    &["in", "liq"],
    &["en", "liq"],
];

/// A folded name without the addition of [`LIQUIDATION`].
pub fn without_liquidation(folded: &str) -> &str {
    let without = |ending: &&[&str]| {
        ending.iter().rev().try_fold(folded, |rest, word| {
            let before = rest.strip_suffix(word)?;
            (before.is_empty() || before.ends_with(' ')).then(|| before.trim_end())
        })
    };
    LIQUIDATION.iter().find_map(without).unwrap_or(folded)
}

/// The lower-case words of a text. `umlauts`: `ae`, `oe`, `ue` become `a`, `o`, `u`.
fn words(text: &str, umlauts: bool) -> String {
    let mut words = String::with_capacity(text.len());
    let ascii = deunicode(text);
    let mut boundary = false;
    for byte in ascii.bytes() {
        if !byte.is_ascii_alphanumeric() {
            boundary = !words.is_empty();
            continue;
        }
        if boundary {
            words.push(' ');
            boundary = false;
        }
        let letter = byte.to_ascii_lowercase();
        let umlaut = umlauts
            && letter == b'e'
            && matches!(words.as_bytes().last(), Some(b'a' | b'o' | b'u'));
        if !umlaut {
            words.push(char::from(letter));
        }
    }
    words
}

/// Words between two others that say what `&` and `+` say, in German, French, Italian and English.
const AND: [&str; 5] = ["and", "e", "ed", "et", "und"];

/// The words of a folded text without those that stand for `&` between two others: `A und W Tiefbau` has the words of
/// `A & W Tiefbau`.
pub fn without_and<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let between = 1..words.len().saturating_sub(1);
    let is_and = |at: usize| between.contains(&at) && AND.contains(&words[at]);
    (0..words.len()).filter(|it| !is_and(*it)).map(|it| words[it]).collect()
}

/// The value whose name, or the first word of its name, is so similar to `given` that it is probably meant: one
/// letter differs, or one of four, if the first one does not. The best of them.
///
/// Only the first 64 characters are compared, because no name is longer and long texts take long to compare.
pub fn near<'a, T>(given: &str, known: impl IntoIterator<Item = (&'a str, T)>) -> Option<T> {
    // Not folded: an `e` in the wrong place (`nmae`) would disappear.
    let given = words(&given.chars().take(64).collect::<String>(), false);
    let distance = |name: &str| {
        let distance = strsim::damerau_levenshtein(&given, name);
        let longer = given.len().max(name.len());
        let starts_alike = given.as_bytes().first() == name.as_bytes().first();
        let is_near = match distance {
            0 | 1 => longer > 2,
            several => several * 4 <= longer && starts_alike,
        };
        is_near.then_some(distance)
    };
    known
        .into_iter()
        .filter_map(|(name, answer)| {
            let name = words(name, false);
            let first = name.split(' ').next().filter(|it| it.len() >= 4);
            let whole = distance(&name).map(|it| (it, 0));
            // The whole name before a part of another.
            let part = first.and_then(distance).map(|it| (it, 1));
            Some((whole.or(part)?, answer))
        })
        // The first of equally similar names, so that the result is deterministic.
        .reduce(|best, next| if next.0 < best.0 { next } else { best })
        .map(|(_, answer)| answer)
}

/// `capitalMin` for `capital_min`.
pub fn in_camel_case(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |mut name, part| {
        let mut characters = part.chars();
        name.extend(characters.next().into_iter().flat_map(char::to_uppercase));
        name.push_str(characters.as_str());
        name
    })
}

/// OpenAPI schema of a text that is one of these values. Operations accept other spellings too; these
/// are the recommended ones.
pub fn one_of<'a>(values: impl IntoIterator<Item = &'a str>) -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(values)).into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn spellings_of_the_same_name_are_normalised_to_the_same_text() {
        for (one, other) in [
            ("Müller & Söhne", "MUELLER, Sohne"),
            ("Nestlé S.A.", "nestle s a"),
            ("Being_Cancelled", "being cancelled"),
            ("Grossbäckerei Straße", "GROSSBAECKEREI STRASSE"),
            ("Société d'investissement", "societe d investissement"),
            ("Œuvre Cœur", "oeuvre coeur"),
        ] {
            assert_eq!(fold(one), fold(other));
        }
    }

    #[test]
    fn words_for_and_count_only_at_the_ends_of_a_text() {
        let words = |it: &str| without_and(&it.split(' ').collect::<Vec<_>>()).join(" ");
        for text in ["a und w tiefbau", "a e w tiefbau", "a w tiefbau", "a and et w tiefbau"] {
            assert_eq!(words(text), "a w tiefbau");
        }
        for text in ["e", "et al", "muller e", "", "und und"] {
            assert_eq!(words(text), text);
        }
    }

    #[test]
    fn only_a_similar_name_is_near() {
        let near = |given, known: &[&'static str]| near(given, known.iter().map(|it| (*it, *it)));
        assert_eq!(near("nmae", &["canton", "name"]), Some("name"));
        assert_eq!(near("Zürih", &["ZH", "Zug", "Zürich"]), Some("Zürich"));
        assert_eq!(
            near("softwear", &["Soft", "Software and IT services"]),
            Some("Software and IT services")
        );
        assert_eq!(near("activ", &["ACTIVE", "active"]), Some("ACTIVE"));
        for (given, known) in [
            ("Banking", "Printing"),
            ("inactive", "ACTIVE"),
            ("XX", "AR"),
            ("limit", "lei"),
            ("name", "page"),
        ] {
            assert_eq!(near(given, &[known]), None, "{given}");
        }
        assert_eq!(near("x", &[]), None);
    }

    proptest! {
        #[test]
        fn normalised_text_is_ascii_words_with_single_spaces(text in ".{0,40}") {
            let folded = fold(&text);
            prop_assert!(folded.bytes().all(|it| it == b' ' || it.is_ascii_digit() || it.is_ascii_lowercase()));
            prop_assert!(!folded.starts_with(' ') && !folded.ends_with(' ') && !folded.contains("  "));
        }
    }
}
