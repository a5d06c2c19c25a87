//! What texts of every source need before they are read.

use std::borrow::Cow;

/// A file without the byte order mark that some editors leave.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// A file as text. What is not UTF-8 becomes the mark that is put in place of it: a record that holds
/// the mark is damaged, and the others stand.
pub(crate) fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(without_mark(bytes))
}

/// Whether this can be an address of the web. Nothing else may become a link: `javascript:` would run
/// in a reader's browser.
pub(crate) fn is_web_address(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(|it| {
        it.starts_with(|first: char| first.is_alphanumeric())
            && !it.contains(|it: char| it.is_whitespace() || it.is_control() || "<>\"".contains(it))
    })
}
