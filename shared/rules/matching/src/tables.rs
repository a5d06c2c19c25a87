//! The files of the vocabulary.

/// The lines of a vocabulary file that are not comments.
pub(crate) fn lines(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines().filter(|line| !line.starts_with('#') && !line.is_empty())
}
