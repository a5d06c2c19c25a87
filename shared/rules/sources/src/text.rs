//! Text functions that all sources use.

use std::borrow::Cow;

/// Removes the byte order mark that some editors add.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// A file as text. Invalid UTF-8 becomes the replacement character, so that only the records that contain
/// it have to be rejected.
pub(crate) fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(without_mark(bytes))
}

/// Whether a text can be an HTTP or HTTPS address. Other schemes must not become links: `javascript:` would
/// run in the user's browser.
pub(crate) fn is_web_address(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(|it| {
        it.starts_with(|first: char| first.is_alphanumeric())
            && !it.contains(|it: char| it.is_whitespace() || it.is_control() || "<>\"".contains(it))
    })
}

/// The text with single spaces between words. `None` if it contains no word.
pub(crate) fn single_spaced(text: &str) -> Option<String> {
    let mut words = text.split_whitespace();
    let first = words.next()?.to_owned();
    Some(words.fold(first, |text, word| text + " " + word))
}
