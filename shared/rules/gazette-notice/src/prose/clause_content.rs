//! Collects what the words of a clause say. Their order does not matter.

use super::{
    clauses::Clause,
    former_names::{FormerNamePair, former_names},
    mentions::Mention,
    parts::Sentence,
    pieces::{self, Common, Piece},
    signatures,
    vocabulary::{ALL, Meaning, Part, is_holder, is_share},
};
use crate::words::{FUNCTION, starts_with_any};

/// What the words of a clause say.
pub(super) struct ClauseContent<'a> {
    pub(super) meanings: Vec<Meaning>,
    pub(super) is_negated: bool,
    /// Whether it says that something is not so: `n'a pas démissionné`.
    pub(super) is_denied: bool,
    /// Whether it takes back an earlier entry, or lifts a limit: `la radiation de X est annulée`.
    pub(super) is_reversal: bool,
    pub(super) is_still: bool,
    /// Whether somebody takes the place of the person before: `an seine Stelle tritt X`.
    pub(super) takes_place: bool,
    /// Whether a noun is the predicate: `Nomination de X comme administrateur`.
    pub(super) is_nominal: bool,
    pub(super) pieces: Vec<Piece<'a>>,
    pub(super) common: Common,
    /// Former names beside names.
    pub(super) former_names: Vec<FormerNamePair>,
    /// Whether the clause starts with a word for the subject of the clause before: `er`, `ses pouvoirs`.
    pub(super) refers_back: bool,
    /// The conjugated verb.
    pub(super) finite: Option<usize>,
    /// The participle after shares that says who gave them: `pour 5 parts cédées par A`.
    pub(super) sold_by: Option<usize>,
    /// Whether it adds an office to those that the person has: `est en outre nommé directeur`.
    pub(super) adds: bool,
    /// Whether it starts with a word such as `neu`.
    pub(super) starts_with_adverb: bool,
}

impl ClauseContent<'_> {
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
pub(super) fn read_clause<'a>(
    sentence: &Sentence<'a>,
    mentions: &[Mention<'a>],
    clause: &Clause,
) -> ClauseContent<'a> {
    let in_mention = |at: usize| {
        clause.mentions.iter().any(|it| (mentions[*it].name.start..mentions[*it].end).contains(&at))
    };
    let former_names = former_names(sentence, mentions, clause);
    let is_between = |at: usize| former_names.iter().any(|it| it.words.contains(&at));
    let mut meanings = Vec::new();
    let sold_by = clause.tokens().find(|it| is_attribute(sentence, clause, *it));
    for at in clause.tokens() {
        match sentence.parts[at] {
            _ if sold_by == Some(at) || is_between(at) => {}
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
            // `Nachfolgerin ist B`
            || matches!(sentence.word(at), "Nachfolger" | "Nachfolgerin" | "successeur" | "Successore")
                && sentence.is_finite(at + 1)
    };
    let takes_place = clause.tokens().any(is_place_of);
    if takes_place {
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
    // `ne détient plus que 10 parts`, `n'est plus titulaire que de 8 parts`
    let is_negation = |at: usize| {
        let is_only =
            (at + 1..at + 4).any(|it| matches!(sentence.word(it), "que" | "che" | "qu'une"));
        sentence.is(at, Part::Negation) && !is_only
    };
    let is_negated = clause.tokens().any(is_negation) && clause.tokens().any(negates)
        || clause
            .tokens()
            .any(|at| matches!(sentence.word(at), "ni" | "Ni" | "weder" | "Weder" | "né" | "Né"));
    let pieces = pieces::pieces(sentence, clause, mentions);
    let mut common = pieces::common(&office_pieces(sentence, clause, &pieces, &meanings));
    // `A und B zeichnen beide mit Einzelunterschrift`
    if !common.draft.has_statement()
        && let Some(shared) = &common.shared
    {
        common.draft = shared.draft.clone();
    }
    let becomes = [Meaning::Alters, Meaning::Replaces].iter().any(|it| meanings.contains(it));
    let is_alone = clause.finite.is_some() && !common.draft.has_function();
    if common.draft.signature.is_some() && (becomes || is_alone) {
        common.draft.signature =
            signatures::stated(sentence, clause, &pieces, becomes).or(common.draft.signature);
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
    // `Beide zeichnen kollektiv zu zweien`, `Firma individualmente`, `Nachfolgerin ist B`
    let start = clause.tokens().next().map_or("", |it| &sentence.text[sentence.tokens[it].start..]);
    let is_about_all = starts_with_any(start, ALL) && clause.mentions.is_empty();
    const ITALIAN: [&str; 9] = [
        "Firma",
        "Firmano",
        "Rimane",
        "Rimangono",
        "Resta",
        "Restano",
        "Conserva",
        "Conservano",
        "Mantiene",
    ];
    let has_no_subject = clause.mentions.is_empty()
        && clause.finite == Some(clause.range.start)
        && ITALIAN.contains(&sentence.word(clause.range.start));
    let refers_back = refers_back || is_about_all || has_no_subject || takes_place;
    let starts_with_adverb = clause
        .tokens()
        .find(|it| sentence.tokens[*it].is_word() && !sentence.is(*it, Part::And))
        .is_some_and(|it| sentence.is(it, Part::Adverb));
    const ADDING: [&str; 14] = [
        "zusätzlich",
        "auch",
        "ebenfalls",
        "zudem",
        "ausserdem",
        "gleichzeitig",
        "outre",
        "également",
        "aussi",
        "inoltre",
        "anche",
        "pure",
        "weiter",
        "parallèlement",
    ];
    let adds = clause.tokens().any(|it| ADDING.contains(&sentence.word(it)));
    ClauseContent {
        finite: clause.finite,
        sold_by,
        adds,
        starts_with_adverb,
        is_denied: !is_negated && is_denied(sentence, clause),
        is_reversal: is_reversal(sentence, clause, &meanings),
        is_still: clause.tokens().any(|at| sentence.is(at, Part::Still)),
        takes_place,
        meanings,
        is_nominal,
        is_negated,
        pieces,
        common,
        former_names,
        refers_back,
    }
}

/// Whether a participle describes the shares before it, of somebody who gets an office or has them: `associé pour 5 parts
/// cédées par A`.
fn is_attribute(sentence: &Sentence<'_>, clause: &Clause, at: usize) -> bool {
    let is_participle =
        matches!(sentence.parts[at], Some(Part::Means(Meaning::Cedes | Meaning::Acquires)));
    let is_followed = matches!(
        sentence.word(at + 1),
        "par" | "de" | "d'" | "da" | "dal" | "dalla" | "von" | "durch" | "auprès"
    );
    if !is_participle || !is_followed || clause.finite.is_none_or(|it| it + 1 >= at) {
        return false;
    }
    let before = || clause.tokens().take_while(move |it| *it < at);
    let follows_shares = before().any(|it| it + 8 >= at && is_share(sentence.word(it)));
    let has_verb = before().any(|it| {
        matches!(
            sentence.parts[it],
            Some(
                Part::Means(Meaning::Appoints)
                    | Part::Finite(Meaning::Appoints | Meaning::Holds | Meaning::Keeps)
            )
        ) || is_holder(sentence.word(it))
            || (FUNCTION.occur_in(sentence.word(it))
                && clause
                    .finite
                    .is_some_and(|verb| verb < it && sentence.is(verb, Part::Finite(Meaning::Is))))
    });
    follows_shares && has_verb
}

/// The pieces that can state an office. Beside an active verb, the company or its body is the subject: `le conseil
/// d'administration a nommé …`, `zum Präsidenten hat der Verwaltungsrat … gewählt`.
fn office_pieces<'a>(
    sentence: &Sentence<'_>,
    clause: &Clause,
    pieces: &[Piece<'a>],
    meanings: &[Meaning],
) -> Vec<Piece<'a>> {
    let acts = |it: &Meaning| matches!(it, Meaning::Ends | Meaning::Leaves | Meaning::Grants);
    let elects = meanings.contains(&Meaning::Appoints);
    let is_active = meanings.contains(&Meaning::Has) && (elects || meanings.iter().any(acts));
    let Some(verb) = clause.finite.filter(|_| is_active) else { return pieces.to_vec() };
    const BODIES: [&str; 9] = [
        "Der Verwaltungsrat",
        "Der Stiftungsrat",
        "Der Vorstand",
        "Die Verwaltung",
        "Le conseil",
        "Le comité",
        "La direction",
        "Il consiglio",
        "Il comitato",
    ];
    let is_subject = |it: &Piece<'_>| match it.at > verb {
        true => it.at == verb + 1 && sentence.is(it.at, Part::Article),
        false if elects => !starts_with_any(it.text, &["Zum ", "Zur ", "Als "]),
        false => starts_with_any(it.text, &BODIES),
    };
    pieces.iter().copied().filter(|it| !is_subject(it)).collect()
}

/// Whether a clause says that something did not happen: `n'est pas radié`, `ist nicht ausgeschieden`, `non è dimissionario`.
fn is_denied(sentence: &Sentence<'_>, clause: &Clause) -> bool {
    let elides = |it: usize| starts_with_any(sentence.word(it), &["n'", "n’"]);
    let has_ne = clause.tokens().any(|it| elides(it) || sentence.word(it) == "ne");
    clause.tokens().any(|at| match sentence.word(at) {
        "pas" => has_ne,
        "nicht" => {
            let next = sentence.parts.get(at + 1).copied().flatten();
            let states = [Meaning::Leaves, Meaning::Ends, Meaning::Appoints, Meaning::Grants];
            sentence.separates(at + 1)
                || matches!(next, Some(Part::Means(it)) if states.contains(&it))
        }
        "non" | "Non" => sentence.is_finite(at + 1),
        _ => false,
    }) && !clause.range.clone().any(|at| sentence.is(at, Part::Negation))
}

/// Whether the subject of a clause is an ending or a limit that ends itself.
fn is_reversal(sentence: &Sentence<'_>, clause: &Clause, meanings: &[Meaning]) -> bool {
    let subject = clause.tokens().find(|it| {
        !sentence.separates(*it)
            && !matches!(sentence.parts[*it], Some(Part::Article | Part::And | Part::Possessive))
    });
    let ends_itself = subject.is_some_and(|at| {
        let lower = sentence.word(at).to_lowercase();
        let part = sentence.parts[at].or_else(|| super::vocabulary::part(&lower, true));
        let is_ending = matches!(
            part,
            Some(Part::Nominal(Meaning::Leaves | Meaning::Ends | Meaning::Restricts))
        );
        is_ending || starts_with_any(sentence.word(at), &["l'extinction", "L'extinction"])
    });
    ends_itself && clause.finite.is_some() && meanings.contains(&Meaning::Ends)
}
