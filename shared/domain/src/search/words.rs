//! Words that a list is searched for.

use serde::{Deserialize, Deserializer};

/// How many characters are searched for: an index looks at no more of a name.
const CHARACTERS_AT_MOST: usize = 1_000;
/// How many characters of a text that is too long a refusal repeats.
const REPEATED: usize = 20;

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Words(String);

#[derive(Debug, thiserror::Error)]
#[error("`{beginning}…` has {length} characters; at most {CHARACTERS_AT_MOST} are searched for")]
struct TooLong {
    beginning: String,
    length: usize,
}

impl TryFrom<String> for Words {
    type Error = TooLong;

    fn try_from(given: String) -> Result<Self, TooLong> {
        match given.chars().count() {
            0..=CHARACTERS_AT_MOST => Ok(Self(given)),
            length => Err(TooLong { beginning: given.chars().take(REPEATED).collect(), length }),
        }
    }
}

pub(super) fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let words = Option::<Words>::deserialize(deserializer)?;
    Ok(words.map(|Words(text)| text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_a_greatest_length() {
        assert!(Words::try_from("ü".repeat(1_000)).is_ok());
        let refused = Words::try_from("ü".repeat(1_001)).map(|_| ()).expect_err("too long");
        assert_eq!(
            refused.to_string(),
            format!("`{}…` has 1001 characters; at most 1000 are searched for", "ü".repeat(20))
        );
    }
}
