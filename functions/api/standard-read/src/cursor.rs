//! Places in the change feed, as clients keep them.

use std::fmt;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::Deserialize;

/// The place behind which a client goes on reading. Opaque on the wire: base64url of a version and the
/// place, so that what it holds may change without anybody having built on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Cursor(u64);

const VERSION: u8 = 1;

/// Text that is no cursor.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{0}` is not a cursor of this feed; send a `nextCursor` as it was answered")]
pub(crate) struct MalformedCursor(String);

impl Cursor {
    pub(crate) fn behind(sequence: u64) -> Self {
        Self(sequence)
    }

    pub(crate) fn after(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes = vec![VERSION];
        bytes.extend(self.0.to_be_bytes());
        f.write_str(&URL_SAFE_NO_PAD.encode(bytes))
    }
}

impl TryFrom<String> for Cursor {
    type Error = MalformedCursor;

    fn try_from(text: String) -> Result<Self, MalformedCursor> {
        let bytes = URL_SAFE_NO_PAD.decode(&text).ok();
        match bytes.as_deref() {
            Some([VERSION, place @ ..]) => match <[u8; 8]>::try_from(place) {
                Ok(place) => Ok(Self(u64::from_be_bytes(place))),
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
        fn a_cursor_is_read_as_it_was_written(place: u64) {
            let cursor = Cursor::behind(place);
            prop_assert_eq!(Cursor::try_from(cursor.to_string()), Ok(cursor));
        }

        #[test]
        fn other_text_is_refused_or_reads_the_same(text in "\\PC{0,20}") {
            if let Ok(cursor) = Cursor::try_from(text.clone()) {
                prop_assert_eq!(cursor.to_string(), text);
            }
        }
    }
}
