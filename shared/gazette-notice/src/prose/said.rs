//! Collects what the words of a clause say. Their order does not matter.

use super::{
    clauses::Clause,
    mentions::Mention,
    parts::Sentence,
    pieces::{self, Common, Piece},
    vocabulary::{Meaning, Part},
};
use crate::words::starts_with_any;

/// What the words of a clause say.
pub(super) struct Said<'a> {
    pub(super) meanings: Vec<Meaning>,
    pub(super) is_negated: bool,
    pub(super) is_still: bool,
    /// Whether a noun is the predicate: `Nomination de X comme administrateur`.
    pub(super) is_nominal: bool,
    pub(super) pieces: Vec<Piece<'a>>,
    pub(super) common: Common,
    /// Whether the clause starts with a word for the subject of the clause before: `er`, `ses pouvoirs`.
    pub(super) refers_back: bool,
}

impl Said<'_> {
    pub(super) fn has(&self, meaning: Meaning) -> bool {
        self.meanings.contains(&meaning)
    }

    /// Whether it names an office.
    pub(super) fn has_office(&self) -> bool {
        self.common.draft.has_function()
    }

    pub(super) fn office(&self) -> Option<String> {
        self.common.draft.function()
    }
}

/// Reads the words of a clause.
pub(super) fn said<'a>(
    sentence: &Sentence<'a>,
    mentions: &[Mention<'a>],
    clause: &Clause,
) -> Said<'a> {
    let in_mention = |at: usize| {
        clause.mentions.iter().any(|it| (mentions[*it].name.start..mentions[*it].end).contains(&at))
    };
    let mut meanings = Vec::new();
    for at in clause.tokens() {
        match sentence.parts[at] {
            Some(Part::Finite(it)) => meanings.push(it),
            Some(Part::Means(it)) if !in_mention(at) => meanings.push(it),
            Some(Part::Nominal(it)) if clause.finite.is_none() => meanings.push(it),
            _ => {}
        }
    }
    let is_nominal = clause.finite.is_none()
        && clause.tokens().any(|at| matches!(sentence.parts[at], Some(Part::Nominal(_))));
    // `an seine Stelle tritt X`, `al suo posto è eletta X`
    let is_place_of = |at: usize| {
        sentence.is(at, Part::Possessive)
            && matches!(sentence.word(at + 1), "Stelle" | "posto" | "place")
    };
    if clause.tokens().any(is_place_of) {
        meanings.push(Meaning::Appoints);
    }
    // `ha rassegnato le dimissioni`
    if meanings.contains(&Meaning::Has) && !meanings.contains(&Meaning::Appoints) {
        meanings.extend(clause.tokens().filter_map(|at| match sentence.parts[at] {
            Some(Part::Nominal(Meaning::Leaves)) => Some(Meaning::Leaves),
            _ => None,
        }));
    }
    let negates = |at: usize| {
        let word = sentence.word(at);
        starts_with_any(word, &["n'", "n’"])
            || matches!(word, "ne" | "non" | "nicht" | "Non" | "kein" | "keine" | "keinen")
    };
    // `ne détient plus que 10 parts`
    let is_negation = |at: usize| sentence.is(at, Part::Negation) && sentence.word(at + 1) != "que";
    let is_negated = clause.tokens().any(is_negation) && clause.tokens().any(negates)
        || clause.tokens().any(|at| sentence.word(at) == "ni");
    let pieces = pieces::pieces(sentence, clause, mentions);
    let mut common = pieces::common(&office_pieces(clause, &pieces, &meanings));
    // `A und B zeichnen beide mit Einzelunterschrift`
    if !common.draft.has_statement()
        && let Some(shared) = &common.shared
    {
        common.draft = shared.draft.clone();
    }
    let first = clause.tokens().find(|at| {
        !matches!(sentence.parts[*at], Some(Part::And | Part::But | Part::Adverb))
            && !sentence.separates(*at)
    });
    let refers_back = first.is_some_and(|at| {
        let part = sentence.parts[at];
        let is_noun_phrase = part == Some(Part::Article) && sentence.is(at + 1, Part::Possessive);
        matches!(part, Some(Part::Pronoun | Part::Possessive))
            && (part == Some(Part::Possessive)
                || !sentence.tokens.get(at + 1).is_some_and(|it| it.is_capitalised()))
            || is_noun_phrase
            || clause
                .tokens()
                .take(4)
                .any(|it| sentence.is(it, Part::Pronoun) && sentence.is_finite(it.wrapping_sub(1)))
    });
    Said {
        is_still: clause.tokens().any(|at| sentence.is(at, Part::Still)),
        meanings,
        is_nominal,
        is_negated,
        pieces,
        common,
        refers_back,
    }
}

/// The pieces that can state an office. Before an active verb, the company or its body is the subject: `le conseil
/// d'administration a nommé …`.
fn office_pieces<'a>(
    clause: &Clause,
    pieces: &[Piece<'a>],
    meanings: &[Meaning],
) -> Vec<Piece<'a>> {
    let is_active = meanings.contains(&Meaning::Has) && meanings.contains(&Meaning::Appoints);
    let verb = clause.finite.filter(|_| is_active);
    pieces.iter().copied().filter(|it| verb.is_none_or(|verb| it.at > verb)).collect()
}
