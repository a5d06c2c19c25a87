//! Signing authority: its kind, and where its text ends.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::words::{FUNCTION, SIGNATURE, WordTable};

/// How a person may sign for the company.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SignatureKind {
    /// Signs alone.
    Sole,
    /// Signs with one other person.
    JointByTwo,
    /// Commercial power of attorney (Prokura), signing alone.
    SoleProcuration,
    /// Commercial power of attorney (Prokura), signing with others.
    JointProcuration,
    /// The notice says that the person may not sign.
    None,
    /// Signs with two or more others, or in an unknown way.
    Other,
}

#[rustfmt::skip]
const KINDS: [&[&str]; 5] = [
    // None
    &["ohne zeichnung", "ohne unterschrift", "nicht zeichnungsberechtigt", "sans signature", "sans droit de signature", "senza diritto", "senza firma"],
    // Procuration
    &["prokura", "procura"],
    // Joint
    &["kollektiv", "collecti", "collettiv", "gemeinsam", "conjoint", "congiunt", "zu zweien", "à deux", "a due"],
    // Sole
    &["einzel", "individu", "seul", "singol", "da solo", "da sola", "allein"],
    // Joint by more than two
    &["zu dreien", "zu vieren", "à trois", "à quatre", "a tre", "a quattro"],
];

static KIND_WORDS: LazyLock<WordTable> = LazyLock::new(|| WordTable::of(KINDS.into_iter()));

/// The kind of a signature as written; `None` if the text names none.
pub(super) fn kind(text: &str) -> Option<SignatureKind> {
    let rows = KIND_WORDS.matching_rows(text);
    let [is_none, is_procuration, is_joint, is_sole, is_by_more_than_two] =
        std::array::from_fn(|row| rows >> row & 1 == 1);
    if is_none {
        return Some(SignatureKind::None);
    }
    Some(match (is_procuration, is_joint, is_sole) {
        (_, true, _) if is_by_more_than_two => SignatureKind::Other,
        (true, true, _) => SignatureKind::JointProcuration,
        (true, false, true) => SignatureKind::SoleProcuration,
        (false, true, _) => SignatureKind::JointByTwo,
        (false, false, true) => SignatureKind::Sole,
        _ if SIGNATURE.occur_in(text) => SignatureKind::Other,
        _ => return None,
    })
}

/// The length of the signature at the beginning of the text, in bytes. `None` if the text does not start
/// with one.
///
/// In `mit Einzelprokura Muster Hans, von …`, the signature is `mit Einzelprokura`.
pub(super) fn leading_length(text: &str) -> Option<usize> {
    let (at, found_end) = SIGNATURE.find_first(text)?;
    // At most an article or preposition and an adjective may precede it.
    let before = &text[..at];
    if before.contains(',') || before.split(' ').count() > 4 || FUNCTION.occur_in(before) {
        return None;
    }
    let found_end = text[..found_end].trim_end().len();
    let mut end = found_end + word_length(&text[found_end..]);
    loop {
        let rest = &text[end..];
        let Some(next) = rest.strip_prefix(' ') else { return Some(end) };
        #[rustfmt::skip]
        const CONTINUATIONS: [&str; 15] = [
            "individuelle", "individuelles", "collective", "collectives", "individuale",
            "individuali", "collettiva", "collettive", "zu", "à", "a", "zweien", "dreien", "deux",
            "due",
        ];
        let next = &next[..word_length(next)];
        if !CONTINUATIONS.contains(&next) {
            return Some(end);
        }
        // `à` is part of the signature in `à deux`, but not in `conférée à Muster`.
        let following = rest[1 + next.len()..].trim_start();
        let counts = ["zweien", "dreien", "vieren", "deux", "trois", "quatre", "due", "tre"];
        if matches!(next, "zu" | "à" | "a")
            && !counts.contains(&&following[..word_length(following)])
        {
            return Some(end);
        }
        end += 1 + next.len();
    }
}

/// The length of the first word.
fn word_length(text: &str) -> usize {
    text.find([' ', ',', ';']).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signature_kinds_are_recognised_in_three_languages() {
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
    fn signature_ends_before_the_name() {
        let leading = |text: &'static str| leading_length(text).map(|end| &text[..end]);
        assert_eq!(
            leading("mit Kollektivunterschrift zu zweien Muster Max, von"),
            Some("mit Kollektivunterschrift zu zweien")
        );
        assert_eq!(leading("Signature individuelle de X"), Some("Signature individuelle"));
        assert_eq!(
            leading("Procuration collective à deux à X"),
            Some("Procuration collective à deux")
        );
        assert_eq!(leading("Muster Max, von Bern, mit Einzelunterschrift"), None);
    }
}
