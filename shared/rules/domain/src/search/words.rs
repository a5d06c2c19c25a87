//! Search texts.

use serde::{Deserialize, Deserializer};

use crate::characters::{UnsuitableText, check_search};

/// Maximum number of characters of a search text. The index does not look at more.
const MAX_CHARACTERS: usize = 1_000;
/// Number of characters of a rejected text that the error repeats.
const QUOTED_CHARACTERS: usize = 20;

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Words(String);

#[derive(Debug, thiserror::Error)]
enum InvalidWords {
    #[error(
        "must have at most {MAX_CHARACTERS} characters; got {length}, beginning with `{beginning}…`"
    )]
    TooLong { beginning: String, length: usize },
    #[error(transparent)]
    Unsuitable(#[from] UnsuitableText),
}

impl TryFrom<String> for Words {
    type Error = InvalidWords;

    fn try_from(given: String) -> Result<Self, InvalidWords> {
        let length = given.chars().count();
        if length > MAX_CHARACTERS {
            let beginning = given.chars().take(QUOTED_CHARACTERS).collect();
            return Err(InvalidWords::TooLong { beginning, length });
        }
        check_search(&given)?;
        Ok(Self(given))
    }
}

/// Deserialises an optional search text.
pub(super) fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let words = Option::<Words>::deserialize(deserializer)?;
    Ok(words.map(|Words(text)| text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_over_1000_characters_are_rejected() {
        assert!(Words::try_from("ü".repeat(1_000)).is_ok());
        assert!(Words::try_from("Muster\tAG".to_owned()).is_ok());
        assert!(Words::try_from("Muster\0AG".to_owned()).is_err());
        let error = Words::try_from("ü".repeat(1_001)).map(|_| ()).expect_err("too long");
        assert_eq!(
            error.to_string(),
            format!(
                "must have at most 1000 characters; got 1001, beginning with `{}…`",
                "ü".repeat(20)
            )
        );
    }
}
