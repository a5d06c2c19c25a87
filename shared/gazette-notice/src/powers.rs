//! The power to sign, as written and in our words.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::words::{FUNCTION, SIGNATURE, Table};

/// How a person may bind the company.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SignatureKind {
    Sole,
    JointByTwo,
    SoleProcuration,
    JointProcuration,
    None,
    /// Jointly by three or more, or in words we do not know.
    Other,
}

#[rustfmt::skip]
const KINDS: [&[&str]; 5] = [
    // None
    &["ohne zeichnung", "ohne unterschrift", "nicht zeichnungsberechtigt", "sans signature", "sans droit de signature", "senza diritto", "senza firma"],
    // A procuration
    &["prokura", "procura"],
    // Jointly
    &["kollektiv", "collecti", "collettiv", "gemeinsam"],
    // Alone
    &["einzel", "individu"],
    // By more than two
    &["zu dreien", "zu vieren", "à trois", "à quatre", "a tre", "a quattro"],
];

static KIND_WORDS: LazyLock<Table> = LazyLock::new(|| Table::of(KINDS.into_iter()));

/// The kind of a power as written; `None` where the text names none.
pub(super) fn kind(text: &str) -> Option<SignatureKind> {
    let rows = KIND_WORDS.rows_in(text);
    let [is_none, is_procuration, is_joint, is_sole, by_more] =
        std::array::from_fn(|row| rows >> row & 1 == 1);
    if is_none {
        return Some(SignatureKind::None);
    }
    Some(match (is_procuration, is_joint, is_sole) {
        (_, true, _) if by_more => SignatureKind::Other,
        (true, true, _) => SignatureKind::JointProcuration,
        (true, false, true) => SignatureKind::SoleProcuration,
        (false, true, _) => SignatureKind::JointByTwo,
        (false, false, true) => SignatureKind::Sole,
        _ if SIGNATURE.are_in(text) => SignatureKind::Other,
        _ => return None,
    })
}

/// The length of the power at the beginning of the text: `mit Kollektivunterschrift zu zweien` of
/// `mit Kollektivunterschrift zu zweien Muster Hans, von …`. `None` where none stands there.
pub(super) fn leading(text: &str) -> Option<usize> {
    let (at, _) = SIGNATURE.first_in(text)?;
    // An article or preposition and an adjective may stand before it, no more.
    let before = &text[..at];
    if before.contains(',') || before.split(' ').count() > 4 || FUNCTION.are_in(before) {
        return None;
    }
    let mut end = at + word(&text[at..]);
    loop {
        let rest = &text[end..];
        let Some(next) = rest.strip_prefix(' ') else { return Some(end) };
        #[rustfmt::skip]
        const BELONGS: [&str; 15] = [
            "individuelle", "individuelles", "collective", "collectives", "individuale",
            "individuali", "collettiva", "collettive", "zu", "à", "a", "zweien", "dreien", "deux",
            "due",
        ];
        let next = &next[..word(next)];
        if !BELONGS.contains(&next) {
            return Some(end);
        }
        // `à` belongs to `à deux`, and not to `conférée à Muster`.
        let behind = rest[1 + next.len()..].trim_start();
        let counts = ["zweien", "dreien", "vieren", "deux", "trois", "quatre", "due", "tre"];
        if matches!(next, "zu" | "à" | "a") && !counts.contains(&&behind[..word(behind)]) {
            return Some(end);
        }
        end += 1 + next.len();
    }
}

/// The length of the first word.
fn word(text: &str) -> usize {
    text.find([' ', ',', ';']).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_told_apart_in_three_languages() {
        use SignatureKind::*;
        for (text, expected) in [
            ("mit Einzelunterschrift", Some(Sole)),
            ("signature individuelle", Some(Sole)),
            ("con firma individuale", Some(Sole)),
            ("mit Kollektivunterschrift zu zweien mit dem Präsidenten", Some(JointByTwo)),
            ("avec signature collective à deux", Some(JointByTwo)),
            ("con firma collettiva a due", Some(JointByTwo)),
            ("mit Einzelprokura", Some(SoleProcuration)),
            ("avec procuration collective à deux", Some(JointProcuration)),
            ("con procura collettiva a due", Some(JointProcuration)),
            ("ohne Zeichnungsberechtigung", Some(None)),
            ("sans signature", Some(None)),
            ("senza diritto di firma", Some(None)),
            ("mit Kollektivunterschrift zu dreien", Some(Other)),
            ("Präsident", Option::None),
        ] {
            assert_eq!(kind(text), expected, "{text}");
        }
    }

    #[test]
    fn a_power_ends_where_the_names_begin() {
        let leads = |text: &'static str| leading(text).map(|end| &text[..end]);
        assert_eq!(
            leads("mit Kollektivunterschrift zu zweien Muster Max, von"),
            Some("mit Kollektivunterschrift zu zweien")
        );
        assert_eq!(leads("Signature individuelle de X"), Some("Signature individuelle"));
        assert_eq!(
            leads("Procuration collective à deux à X"),
            Some("Procuration collective à deux")
        );
        assert_eq!(leads("Muster Max, von Bern, mit Einzelunterschrift"), None);
    }
}
