//! Contributions in kind, and acquisitions of assets from the shareholders.

use super::{ENDED, has_any};
use crate::changes::Change;

/// A contribution in kind or an acquisition of assets from the shareholders, with what the sentence says of it.
pub(super) fn contribution(
    is_labelled: bool,
    label: &str,
    text: &str,
    current: &str,
) -> Option<Change> {
    #[rustfmt::skip]
    const BRINGS: [&str; 33] = [
        "übernimmt", "übernommen", "übernahm", "einbring", "eingebracht", "bringt", "gemäss vertrag", "gemäss sacheinlage", "gemäss sachübernahme", "gemäss öffentlich", "wofür", "sacheinlagevertrag", "beabsichtigt",
        "reprend", "repris", "fait apport", "apporte", "a apporté", "selon contrat", "selon convention", "selon traité", "selon bilan", "reçoit", "libéré", "assume", "riprende", "ripreso", "conferisce", "conferit", "secondo contratto", "giusta contratto", "in cambio", "en contrepartie",
    ];
    let lower_label = label.to_lowercase();
    if has_any(current, &ENDED)
        || has_any(&lower_label, &ENDED)
        || has_any(current, &["keine sach", "aucun apport", "nessun conferimento"])
    {
        return None;
    }
    // The label alone can precede `siehe Statuten`.
    let is_stated =
        has_any(current, &BRINGS) || (is_labelled && text.contains(|it: char| it.is_ascii_digit()));
    is_stated.then(|| {
        let said = match is_labelled || label.is_empty() {
            true => text.trim().to_owned(),
            false => format!("{label}: {text}"),
        };
        Change::Contribution { terms: said[..said.floor_char_boundary(MAX_TERMS)].to_owned() }
    })
}

/// Maximum length of the terms of a contribution, in bytes.
const MAX_TERMS: usize = 1_000;
