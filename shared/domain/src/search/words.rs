//! Search texts.

use serde::{Deserialize, Deserializer};

/// Maximum number of characters of a search text. The index does not look at more.
const MAX_CHARACTERS: usize = 1_000;
/// Number of characters of a rejected text that the error repeats.
const QUOTED_CHARACTERS: usize = 20;

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Words(String);

#[derive(Debug, thiserror::Error)]
#[error(
    "must have at most {MAX_CHARACTERS} characters; got {length}, beginning with `{beginning}…`"
)]
struct TooLong {
    beginning: String,
    length: usize,
}

impl TryFrom<String> for Words {
    type Error = TooLong;

    fn try_from(given: String) -> Result<Self, TooLong> {
        match given.chars().count() {
            0..=MAX_CHARACTERS => Ok(Self(given)),
            length => {
                Err(TooLong { beginning: given.chars().take(QUOTED_CHARACTERS).collect(), length })
            }
        }
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
