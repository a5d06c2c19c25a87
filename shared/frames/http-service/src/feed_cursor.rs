//! Cursors of the change feed.

use std::fmt;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::Deserialize;

/// The sequence number of the last change that a client has read. Clients see an opaque string, base64url of
/// a version and the number, so that its content can change later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct FeedCursor(u64);

const VERSION: u8 = 1;

/// The text is not a valid cursor.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("must be a `nextCursor` of the change feed; got `{0}`")]
pub struct MalformedCursor(String);

impl FeedCursor {
    /// The cursor after the change with this sequence number.
    pub fn after(sequence: u64) -> Self {
        Self(sequence)
    }

    /// The sequence number of the last change that was read.
    pub fn sequence(self) -> u64 {
        self.0
    }
}

impl fmt::Display for FeedCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes = vec![VERSION];
        bytes.extend(self.0.to_be_bytes());
        f.write_str(&URL_SAFE_NO_PAD.encode(bytes))
    }
}

impl TryFrom<String> for FeedCursor {
    type Error = MalformedCursor;

    fn try_from(text: String) -> Result<Self, MalformedCursor> {
        let bytes = URL_SAFE_NO_PAD.decode(&text).ok();
        match bytes.as_deref() {
            Some([VERSION, sequence @ ..]) => match <[u8; 8]>::try_from(sequence) {
                Ok(bytes) => Ok(Self(u64::from_be_bytes(bytes))),
                Err(_) => Err(MalformedCursor(text)),
            },
            _ => Err(MalformedCursor(text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn cursor_round_trips(sequence: u64) {
            let cursor = FeedCursor::after(sequence);
            prop_assert_eq!(FeedCursor::try_from(cursor.to_string()), Ok(cursor));
        }

        #[test]
        fn other_text_is_an_error_or_round_trips(text in "\\PC{0,20}") {
            if let Ok(cursor) = FeedCursor::try_from(text.clone()) {
                prop_assert_eq!(cursor.to_string(), text);
            }
        }
    }
}
