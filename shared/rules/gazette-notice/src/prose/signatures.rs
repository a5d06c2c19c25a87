//! Signatures whose words are on both sides of a verb, or beside the former signature.

use super::{
    clauses::Clause,
    parts::Sentence,
    pieces::{self, Piece},
    vocabulary::{Meaning, Part},
};
use crate::{
    SignatureKind, signature,
    words::{SIGNATURE, strip_any_prefix},
};

/// The signature that a clause states in more than one piece.
///
/// `becomes`: one signature becomes another, so that the last one is the new one. Otherwise the predicate describes the
/// noun: `la signature est désormais collective à deux`.
pub(super) fn stated(
    sentence: &Sentence<'_>,
    clause: &Clause,
    pieces: &[Piece<'_>],
    becomes: bool,
) -> Option<String> {
    let is_signature = |it: &&Piece<'_>| SIGNATURE.occur_in(it.text);
    if becomes {
        let mut stated = pieces.iter().filter(is_signature);
        let (first, last) = (stated.next()?, stated.next_back()?);
        let text = pieces::statement(last.text)?;
        let text = strip_any_prefix(text, &["une ", "una ", "eine "]).unwrap_or(text);
        return (first.at < last.at).then(|| text.to_owned());
    }
    let verb = clause.finite?;
    if sentence.parts[verb] != Some(Part::Finite(Meaning::Is)) {
        return None;
    }
    let noun = pieces.iter().find(is_signature)?;
    let noun = pieces::statement(noun.text)?;
    if signature::kind(noun) != Some(SignatureKind::Other) {
        return None;
    }
    let described = pieces.iter().filter(|it| it.at > verb).find_map(|it| {
        let text = pieces::strip_introduction(it.text);
        let kind = signature::kind(text)?;
        (kind != SignatureKind::Other && !SIGNATURE.occur_in(text)).then_some(text)
    })?;
    Some(format!("{} {described}", noun.trim()))
}

/// How somebody signs, in words that only mean a signature beside `zeichnet`: `einzeln`, `à deux`.
pub(super) fn manner(pieces: &[Piece<'_>]) -> Option<String> {
    #[rustfmt::skip]
    const MANNERS: [&str; 13] = [
        "allein", "einzeln", "kollektiv", "gemeinsam", "zu zweien", "seul", "conjointement", "à deux", "singolarmente", "congiuntamente", "da solo", "da sola", "a due",
    ];
    pieces.iter().find_map(|piece| {
        let start = MANNERS.iter().filter_map(|it| piece.text.find(it)).min()?;
        Some(piece.text[start..].to_owned())
    })
}
