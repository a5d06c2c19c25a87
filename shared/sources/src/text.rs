//! What texts of every source need before they are read.

/// A file without the byte order mark that some editors leave.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}
