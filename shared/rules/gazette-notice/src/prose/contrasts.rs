//! What a clause says is no longer so, beside what is so now: `est président et non plus secrétaire`, `zeichnet nicht mehr
//! einzeln, sondern kollektiv`.

use std::ops::Range;

use super::{mentions::Mention, parts::Sentence, vocabulary::Part};

/// The ranges of a clause that say what is no longer so. The rest of the clause says what is so.
///
/// `verb` is the conjugated verb of the clause.
pub(super) fn no_longer(
    sentence: &Sentence<'_>,
    mentions: &[Mention<'_>],
    range: &Range<usize>,
    verb: Option<usize>,
    is_inner: &impl Fn(usize) -> bool,
) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for at in range.clone() {
        let is_read = found.last().is_some_and(|it| at < it.end);
        if is_read || is_inner(at) || !is_negation(sentence, at) {
            continue;
        }
        let has_own_negator = at > range.start && is_negator(sentence.word(at - 1));
        let start = if has_own_negator { at - 1 } else { at };
        let but = (at + 1..range.end).find(|it| sentence.is(*it, Part::But) && !is_inner(*it));
        // `n'est plus président mais secrétaire`, `nicht mehr A, sondern B ist Präsident`
        if let Some(but) = but
            && verb.is_none_or(|it| !(at..but).contains(&it))
            && (sentence.is(at, Part::Negation) || introduces_correction(sentence.word(but)))
        {
            found.push(start..but);
            continue;
        }
        // `A est président, et non plus B`
        let follows = start > range.start
            && (sentence.is(start - 1, Part::And) || sentence.separates(start - 1));
        if sentence.is(at, Part::Negation) && has_own_negator && follows {
            let limit = verb.filter(|it| *it > at).unwrap_or(range.end).min(range.end);
            let mut named = mentions.iter().filter(|it| (at..limit).contains(&it.name.start));
            let end = named.next_back().map(|it| if limit == range.end { limit } else { it.end });
            let mark = (at + 1..limit).find(|it| sentence.separates(*it));
            let first = if sentence.is(start - 1, Part::And) { start - 1 } else { start };
            found.push(first..end.or(mark).unwrap_or(limit));
        }
    }
    found
}

/// Whether a token says that something is not so, or no longer so.
fn is_negation(sentence: &Sentence<'_>, at: usize) -> bool {
    let is_denial = matches!(sentence.word(at), "nicht" | "Nicht" | "pas" | "non" | "Non");
    sentence.is(at, Part::Negation) || (is_denial && !sentence.is(at + 1, Part::Negation))
}

fn is_negator(word: &str) -> bool {
    matches!(word, "nicht" | "Nicht" | "non" | "Non")
}

/// Whether a conjunction after a denial says what is so instead.
fn introduces_correction(word: &str) -> bool {
    matches!(word, "sondern" | "mais" | "bensì" | "ma")
}
