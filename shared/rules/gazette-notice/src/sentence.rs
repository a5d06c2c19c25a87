//! A sentence of a notice.

/// A sentence, with or without a label: `Firma neu: Muster AG`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sentence<'a> {
    /// Empty if the sentence has no label.
    pub(super) label: &'a str,
    pub(super) text: &'a str,
}
