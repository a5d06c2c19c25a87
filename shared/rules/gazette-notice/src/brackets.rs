//! The bracketed parts of an item: register numbers, former details and notes.

use std::borrow::Cow;

use super::{
    CompanyNumber, punctuation,
    words::{FORMER, starts_with_any, strip_any_prefix},
};

/// An item without the bracketed parts that were read, and their content.
pub(super) struct WithoutBrackets<'a> {
    pub(super) text: Cow<'a, str>,
    /// Former details: the text after `bisher:`.
    pub(super) before: Option<String>,
    /// Whether a bracket refers to an earlier entry.
    pub(super) was_entered: bool,
    pub(super) uid: Option<CompanyNumber>,
    /// Number in the former cantonal registers.
    pub(super) ch_id: Option<String>,
}

/// Words in brackets before what a correction takes back: `à Onex (et non à Lancy)`.
#[rustfmt::skip]
pub(super) const DENIALS: [&str; 16] = [
    "et non ", "et pas ", "non in ", "non a ", "non à ", "non:", "nicht in ", "nicht von ", "nicht:", "und nicht ", "e non ", "statt ", "anstatt ", "au lieu d", "anziché ", "invece ",
];

/// Words in brackets before a detail that ends, while the person stays: `Mitglied [gestrichen: Delegierter]`.
#[rustfmt::skip]
const DELETIONS: [&str; 12] = [
    "gestrichen:", "gelöscht:", "entfällt:", "nicht mehr:", "biffé:", "biffée:", "radié:", "radiée:", "supprimé:", "supprimée:", "stralciato:", "cancellato:",
];

/// Removes register numbers, former details and notes in brackets from an item.
///
/// Other round brackets stay: they are part of a clause.
pub(super) fn read_brackets(item: &str) -> WithoutBrackets<'_> {
    let mut result = WithoutBrackets {
        text: Cow::Borrowed(item),
        before: None,
        was_entered: false,
        uid: None,
        ch_id: None,
    };
    let text = punctuation::remove_groups(item, |group| {
        let inner = group[1..group.len() - 1].trim();
        if inner.len() <= 40 {
            if let Some(uid) = CompanyNumber::parse(inner) {
                result.uid = Some(uid);
                return true;
            }
            if inner.starts_with("CH-") || inner.starts_with("CHE-") {
                result.ch_id = Some(inner.to_owned());
                return true;
            }
        }
        let is_former = FORMER.find_first(inner).is_some_and(|(at, _)| at <= 12);
        // `[gestrichen: 09.05.2008]` is a day.
        let is_ended = || {
            let detail = strip_any_prefix(inner, &DELETIONS).map(str::trim_start);
            detail.is_some_and(|it| it.starts_with(char::is_alphabetic))
        };
        if is_former || is_ended() {
            let details = inner.split_once(':').map_or(inner, |(_, details)| details).trim();
            result.was_entered = true;
            // Only the first bracket counts: a second one states still earlier details.
            if group.starts_with('[') && !details.is_empty() && result.before.is_none() {
                result.before = Some(details.to_owned());
            }
            return true;
        }
        // `in Thun (nicht: Bern)`
        let is_denied = starts_with_any(inner, &DENIALS);
        result.was_entered |= is_denied;
        let is_note = starts_with_any(
            inner,
            &["neu", "nouveau", "nouvelle", "nuovo", "nuova", "inscrit", "déjà inscrit"],
        ) && inner.len() <= 20;
        group.starts_with('[') || is_note || is_denied
    });
    // An unclosed bracket ends with the item.
    result.text = match text.find('[') {
        Some(at) if FORMER.occur_in(&text[at..]) => {
            let details = text[at + 1..].split_once(':').map_or("", |(_, details)| details).trim();
            result.was_entered = true;
            result.before = result.before.or_else(|| Some(details.to_owned()));
            Cow::Owned(text[..at].trim_end().to_owned())
        }
        _ => text,
    };
    result
}
