//! How names, places and filter values are folded before they are compared.

use deunicode::deunicode;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, schema::Type};

/// Lower-case words of ASCII letters and digits, one space between them: `Müller & Söhne` and
/// `MUELLER, Sohne` become `muller sohne`.
///
/// Accents go, and `ae`, `oe`, `ue` become the plain vowel on both sides of a comparison, because
/// the register, its users and their keyboards write `ä` in either way.
pub fn fold(text: &str) -> String {
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
        let umlaut = letter == b'e' && matches!(words.as_bytes().last(), Some(b'a' | b'o' | b'u'));
        if !umlaut {
            words.push(char::from(letter));
        }
    }
    words
}

/// The answer whose name is nearest to what was given; `None` where there are no names. Looks at the
/// first 64 characters: comparing takes as long as the texts are, and no name is longer.
pub fn nearest<'a, T>(given: &str, known: impl IntoIterator<Item = (&'a str, T)>) -> Option<T> {
    let given = fold(&given.chars().take(64).collect::<String>());
    let distance = |name: &str| strsim::normalized_damerau_levenshtein(&given, &fold(name));
    known
        .into_iter()
        .map(|(name, answer)| (distance(name), answer))
        // The first of equals, so that the answer does not depend on the order of evaluation.
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, answer)| answer)
}

/// The schema of a text that is one of these. Other spellings are accepted too; these are the ones to
/// send.
pub(crate) fn one_of<'a>(values: impl IntoIterator<Item = &'a str>) -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(values)).into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn spellings_of_one_name_fold_to_one() {
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
    fn nearest_is_the_first_of_the_closest() {
        assert_eq!(nearest("nmae", [("name", 1), ("canton", 2)]), Some(1));
        assert_eq!(nearest::<()>("x", []), None);
    }

    proptest! {
        #[test]
        fn a_folded_text_is_ascii_words_with_single_spaces(text in ".{0,40}") {
            let once = fold(&text);
            prop_assert!(once.bytes().all(|it| it == b' ' || it.is_ascii_digit() || it.is_ascii_lowercase()));
            prop_assert!(!once.starts_with(' ') && !once.ends_with(' ') && !once.contains("  "));
        }
    }
}
