//! Normalisation of names, places and filter values before they are compared.

use deunicode::deunicode;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, schema::Type};

/// Normalises a text to lower-case words of ASCII letters and digits, separated by single spaces:
/// `Müller & Söhne` and `MUELLER, Sohne` both become `muller sohne`.
///
/// Accents are removed, and `ae`, `oe`, `ue` become `a`, `o`, `u`, because people write `ä` either way.
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

/// The value whose name is most similar to `given`. `None` if `known` is empty. Only the first 64
/// characters are compared, because no name is longer and long texts take long to compare.
pub fn nearest<'a, T>(given: &str, known: impl IntoIterator<Item = (&'a str, T)>) -> Option<T> {
    let given = fold(&given.chars().take(64).collect::<String>());
    let distance = |name: &str| strsim::normalized_damerau_levenshtein(&given, &fold(name));
    known
        .into_iter()
        .map(|(name, answer)| (distance(name), answer))
        // The first of equally similar names, so that the result is deterministic.
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, answer)| answer)
}

/// OpenAPI schema of a text that is one of these values. Operations accept other spellings too; these
/// are the recommended ones.
pub(crate) fn one_of<'a>(values: impl IntoIterator<Item = &'a str>) -> RefOr<Schema> {
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
    fn nearest_returns_the_most_similar_name() {
        assert_eq!(nearest("nmae", [("name", 1), ("canton", 2)]), Some(1));
        assert_eq!(nearest::<()>("x", []), None);
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
