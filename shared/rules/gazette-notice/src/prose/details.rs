//! Clauses about a detail of a person: the residence, the place of origin, the name.

use super::{
    clause_content::ClauseContent,
    clauses::Clause,
    naming::Named,
    reading::Reading,
    vocabulary::{Meaning, Part},
};
use crate::{
    brackets::DENIALS, given_names::is_given_name, nations, singular::singular,
    words::starts_with_any,
};

/// Reads a clause about a detail of its subjects. Returns false if it is not about one.
pub(super) fn read(
    reading: &mut Reading<'_, '_>,
    clause: &Clause,
    content: &ClauseContent<'_>,
    named: &[Named],
    subjects: &[usize],
) -> bool {
    let is_other = content.is_negated
        || [Meaning::Appoints, Meaning::Leaves, Meaning::Ends, Meaning::Grants]
            .into_iter()
            .any(|it| content.has(it));
    if is_other || (subjects.is_empty() && named.is_empty()) {
        return false;
    }
    is_about_name(reading, clause, content) && read_name(reading, clause, content, named)
        || read_places(reading, clause, content, named, subjects)
}

/// Whether the clause says how a person is called: `heisst`, `porte le nom de`.
fn is_about_name(reading: &Reading<'_, '_>, clause: &Clause, content: &ClauseContent<'_>) -> bool {
    let is_between = |at: &usize| content.former_names.iter().any(|it| it.words.contains(at));
    let is = |meaning: Part| {
        clause.tokens().any(|it| reading.sentence.is(it, meaning) && !is_between(&it))
    };
    #[rustfmt::skip]
    const CALLED: [&str; 12] =
        ["firmiert", "firmieren", "heisst", "heissen", "s'appelle", "s’appelle", "s'appellent", "nennt", "chiama", "chiamano", "nomme", "lautet"];
    let is_called = clause.finite.is_some_and(|it| CALLED.contains(&reading.sentence.word(it)));
    // `a désormais pour raison sociale`
    let is_name_of_firm = |it: usize| {
        matches!(reading.sentence.word(it), "raison" | "ragione")
            && reading.sentence.word(it + 1) == "sociale"
            // `la liquidation est opérée sous la raison sociale …`
            && !matches!(reading.sentence.word(it.wrapping_sub(2)), "sous" | "sotto")
    };
    is_called || clause.tokens().any(is_name_of_firm) || is(Part::Means(Meaning::IsNamed))
}

/// Gives the first person of the clause, or the person of the clause before, the name that follows the verb.
fn read_name(
    reading: &mut Reading<'_, '_>,
    clause: &Clause,
    content: &ClauseContent<'_>,
    named: &[Named],
) -> bool {
    let Some(verb) = clause.finite else { return false };
    let former = named.iter().find(|it| !it.is_after_verb).map(|it| it.id);
    let former = former.or_else(|| (reading.subjects.len() == 1).then(|| reading.subjects[0]));
    // `Die Revisionsstelle heisst richtig A`: only the office says which firm it is.
    if let (None, [only], Some(office)) = (former, named, content.office()) {
        reading.persons.keep(only.id, Some(&singular(&office)));
        return true;
    }
    let Some(former) = former else { return false };
    if let Some(new) = named.iter().rev().find(|it| it.is_after_verb && it.id != former) {
        reading.persons.rename(former, new.id);
        reading.subjects = vec![new.id];
        return true;
    }
    // `porte désormais le nom de Favre`: only the surname changes.
    let surname = clause.tokens().filter(|it| *it > verb).find(|it| {
        let token = &reading.sentence.tokens[*it];
        token.is_capitalised()
            && reading.sentence.parts[*it].is_none()
            && !is_given_name(token.text)
    });
    match surname {
        Some(at) => {
            let surname = reading.sentence.word(at);
            reading.persons.change_surname(former, surname)
        }
        // `a changé de nom`: the new one follows.
        None => true,
    }
}

fn read_places(
    reading: &mut Reading<'_, '_>,
    clause: &Clause,
    content: &ClauseContent<'_>,
    named: &[Named],
    subjects: &[usize],
) -> bool {
    let mut is_read = false;
    let states_more = content.has_office() || content.common.draft.signature.is_some();
    for meaning in [Meaning::Resides, Meaning::Originates] {
        let marker = clause.tokens().find(|it| {
            let is_marker = reading.sentence.parts[*it] == Some(Part::Means(meaning))
                || reading.sentence.parts[*it] == Some(Part::Finite(meaning));
            is_marker && !is_in_mention(reading, clause, *it)
        });
        let Some(marker) = marker else { continue };
        let place = place_after(reading, clause, marker).or_else(|| {
            place_before(reading, clause, marker).filter(|_| meaning == Meaning::Resides)
        });
        let Some(place) = place else { continue };
        // `A est domicilié à Pully et B à Nyon`: B is named after the place of A.
        let of_place: Vec<usize> = subjects
            .iter()
            .copied()
            .filter(|id| named.iter().all(|it| it.id != *id || it.start < marker))
            .collect();
        for other in named.iter().filter(|it| it.start > marker && !of_place.contains(&it.id)) {
            reading.persons.keep(other.id, None);
        }
        set_place(reading, &of_place, meaning, place);
        // `A, jetzt in Thun wohnhaft, ist neu Präsident`
        let is_between = clause.finite.is_some_and(|it| marker < it);
        is_read |= !(states_more && is_between);
    }
    // `est de Sion`
    if !is_read
        && !states_more
        && let Some(verb) = clause.finite.filter(|_| content.has(Meaning::Is))
        && matches!(reading.sentence.word(verb + 1), "de" | "von" | "da")
        && reading.sentence.tokens.get(verb + 2).is_some_and(|it| it.is_capitalised())
        && !is_in_mention(reading, clause, verb + 2)
        && let Some(place) = place_after(reading, clause, verb)
    {
        set_place(reading, subjects, Meaning::Originates, place);
        is_read = true;
    }
    // `est maintenant à Nyon`
    if !is_read && content.has(Meaning::Is) {
        let adverb = clause.tokens().filter(|it| !states_more || clause.finite < Some(*it));
        let adverb = { adverb }.find(|at| {
            // `n'est plus domicilié à Orbe mais à Pully`
            (reading.sentence.is(*at, Part::Adverb) || reading.sentence.is(*at, Part::But))
                && is_residence_preposition(reading.sentence.word(at + 1))
        });
        if let Some(place) = adverb.and_then(|it| place_after(reading, clause, it)) {
            set_place(reading, subjects, Meaning::Resides, place);
            is_read = true;
        }
    }
    is_read
}

/// Whether a token is a bracket that takes back an earlier place: `(et non à Lancy)`.
fn is_denial(token: &str) -> bool {
    token.strip_prefix('(').is_some_and(|it| starts_with_any(it.trim_start(), &DENIALS))
}

fn set_place(reading: &mut Reading<'_, '_>, subjects: &[usize], meaning: Meaning, place: &str) {
    for id in subjects.iter().take(8) {
        reading.persons.keep(*id, None);
        let Some(draft) = reading.persons.draft(*id) else { continue };
        match meaning {
            Meaning::Resides => draft.domicile = Some(place.to_owned()),
            _ if !nations::is_foreign(place) => draft.origin = Some(place.to_owned()),
            _ => {}
        }
    }
}

fn is_in_mention(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> bool {
    clause.mentions.iter().any(|it| {
        let mention = &reading.mentions[*it];
        (mention.name.start..mention.end).contains(&at)
    })
}

fn is_residence_preposition(word: &str) -> bool {
    ["in", "à", "au", "aux", "a", "ad", "nach", "en"].contains(&word)
}

/// The place before a word such as `wohnhaft`: `in Thun wohnhaft`.
fn place_before<'a>(reading: &Reading<'a, '_>, clause: &Clause, marker: usize) -> Option<&'a str> {
    let sentence = reading.sentence;
    let earliest = marker.saturating_sub(6).max(clause.range.start);
    let preposition = (earliest..marker).rfind(|it| sentence.word(*it) == "in")?;
    let is_place = (preposition + 1..marker)
        .all(|it| clause.contains(it) && !sentence.separates(it) && sentence.parts[it].is_none());
    let place = sentence.slice(preposition + 1, marker);
    (is_place && place.starts_with(char::is_uppercase)).then_some(place)
}

/// The place after a word such as `wohnhaft`: the capitalised words after a preposition.
fn place_after<'a>(reading: &Reading<'a, '_>, clause: &Clause, marker: usize) -> Option<&'a str> {
    let sentence = reading.sentence;
    let start = clause.tokens().find(|at| {
        *at > marker
            && *at <= marker + 6
            && !is_in_mention(reading, clause, *at)
            && sentence.tokens[*at].is_capitalised()
            && sentence.parts[*at].is_none()
    })?;
    // Only small words are between.
    let is_small = |at: usize| {
        matches!(
            sentence.parts[at],
            Some(Part::Preposition | Part::Adverb | Part::Article | Part::Means(_))
        ) || starts_with_any(sentence.word(at), &["nach", "d'", "d’"])
    };
    if !(marker + 1..start).all(is_small) {
        return None;
    }
    let ends = |at: &usize| {
        !clause.contains(*at)
            || sentence.separates(*at)
            || is_denial(sentence.word(*at))
            || matches!(
                sentence.parts[*at],
                Some(Part::Finite(_) | Part::Means(_) | Part::But | Part::Relative)
            )
            || (sentence.is(*at, Part::And)
                && !sentence.tokens.get(at + 1).is_some_and(|it| it.is_capitalised()))
    };
    let end = (start..sentence.tokens.len()).find(ends).unwrap_or(sentence.tokens.len());
    Some(sentence.slice(start, end))
}
