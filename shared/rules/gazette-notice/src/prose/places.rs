//! The places and the citizenship after a name.

use super::{
    name_spans::{firm_end, is_name_word, run_end},
    parts::{Sentence, place_start},
    tokens::Kind,
    vocabulary::{ALL, Meaning, Part},
};
use crate::{
    given_names::is_given_name,
    nations,
    words::{CITIZEN, FUNCTION, SIGNATURE, starts_with_any},
};

/// The end of the places, brackets and the citizenship after a name, and whether there are places.
pub(super) fn places_end(sentence: &Sentence<'_>, from: usize) -> (usize, bool) {
    let mut end = from;
    let mut has_place = false;
    loop {
        let mut at = end;
        while sentence.tokens.get(at).is_some_and(|it| it.kind == Kind::Bracket) {
            at += 1;
        }
        end = at;
        let has_comma = sentence.tokens.get(at).is_some_and(|it| it.kind == Kind::Comma);
        at += usize::from(has_comma);
        // `A, et B, tous deux de Genève, à Lausanne`
        let rest = sentence.tokens.get(at).map_or("", |it| &sentence.text[it.start..]);
        if starts_with_any(rest, ALL) {
            let skipped = (at + 1..at + 3).find(|it| place_start(sentence, *it).is_some());
            at = skipped.unwrap_or(at);
        }
        // Without a comma, a place follows a name only as `Muster Hans von Bern in Thun`.
        let clause_end = (at..sentence.tokens.len()).find(|it| sentence.separates(*it));
        let clause_end = clause_end.unwrap_or(sentence.tokens.len());
        let is_citizen = has_comma && CITIZEN.occur_in(sentence.slice(at, clause_end)) && {
            let citizen = (at..clause_end).find(|it| CITIZEN.occur_in(sentence.word(*it)));
            citizen.is_some_and(|it| !(at..it).any(|it| sentence.is_finite(it)))
        };
        match place_start(sentence, at) {
            Some(is_origin) if has_comma || (end > from || sentence.word(at) != "di") => {
                end = place_end(sentence, at, is_origin);
                has_place = true;
            }
            _ if is_citizen => {
                end = (at..clause_end).find(|it| sentence.is_finite(*it)).unwrap_or(clause_end);
                has_place = true;
            }
            // `von Thun, Bern und Chur, in Zug`; `in Osaka, Japan, …`
            _ if has_comma && has_place && continues_place(sentence, at, clause_end) => {
                end = clause_end
            }
            _ => return (end, has_place),
        }
    }
}

/// Whether a clause of one capitalised word between places is one more place.
fn continues_place(sentence: &Sentence<'_>, from: usize, to: usize) -> bool {
    let is_single = to == from + 1 && is_name_word(sentence, from);
    is_single
        && (place_start(sentence, to + 1).is_some()
            || nations::country_named(sentence.word(from)).is_some()
            || sentence.word(from).len() <= 2)
}

fn place_end(sentence: &Sentence<'_>, from: usize, is_origin: bool) -> usize {
    #[rustfmt::skip]
    const AFTER_PLACE: [&str; 16] = [
        "mit", "avec", "con", "pour", "als", "comme", "zum", "zur", "ohne", "sans", "senza", "per", "quale", "zu", "als", "beide",
    ];
    let mut at = from + 1;
    while !sentence.separates(at) {
        let part = sentence.parts[at];
        let is_place_word =
            matches!(part, Some(Part::Means(Meaning::Resides | Meaning::Originates)));
        // `domiciliée désormais à Sierre`
        let is_inner_adverb = part == Some(Part::Adverb)
            && at == from + 1
            && sentence.parts[from] == Some(Part::Means(Meaning::Resides));
        if matches!(part, Some(Part::Finite(_) | Part::Means(_) | Part::Adverb | Part::But))
            && !(is_place_word || is_inner_adverb)
            || (AFTER_PLACE.contains(&sentence.word(at)) && at > from + 1)
            || FUNCTION.occur_in(sentence.word(at))
            || SIGNATURE.occur_in(sentence.word(at))
            || (sentence.is(at, Part::And) && starts_next(sentence, at + 1, is_origin))
        {
            break;
        }
        at += 1;
    }
    at
}

/// Whether a person or firm starts after a conjunction within a place: `in Thun und Muster Hans, von Bern`.
fn starts_next(sentence: &Sentence<'_>, at: usize, in_origin: bool) -> bool {
    if (at..at + 2).any(|it| sentence.is(it, Part::Article)) || sentence.is_finite(at) {
        return true;
    }
    if firm_end(sentence, at).is_some() {
        return true;
    }
    let end = run_end(sentence, at);
    let words = (at..end).filter(|it| is_name_word(sentence, *it)).count();
    if words < 2 {
        return false;
    }
    let has_given_name = (at..end).any(|it| is_given_name(sentence.word(it)));
    match place_start(sentence, end + 1).filter(|_| sentence.separates(end)) {
        Some(true) => true,
        Some(false) => !in_origin || has_given_name,
        None => has_given_name || sentence.is_finite(end),
    }
}
