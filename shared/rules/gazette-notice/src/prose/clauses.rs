//! The clauses of a sentence: each has at most one conjugated verb.

use std::ops::Range;

use super::{
    contrasts,
    mentions::{Case, Mention},
    parts::Sentence,
    tokens::Kind,
    vocabulary::{Meaning, Part, REPLACEMENT},
};
use crate::words::find_signature;

/// How a clause is connected with the sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link {
    Main,
    /// A relative clause, about this mention.
    Relative(usize),
    /// A note about the person replaced: `en remplacement de …, démissionnaire`.
    Replaced,
    /// What the clause before says is no longer so; of this mention, if that clause is a relative one.
    NoLonger(Option<usize>),
}

/// A clause: its tokens, without those of the clauses inside it.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub(super) link: Link,
    pub(super) range: Range<usize>,
    /// Ranges of inner clauses, which are no part of this one.
    pub(super) without: Vec<Range<usize>>,
    /// The conjugated verb.
    pub(super) finite: Option<usize>,
    /// Indexes of the persons named in it.
    pub(super) mentions: Vec<usize>,
}

impl Clause {
    pub(super) fn contains(&self, token: usize) -> bool {
        self.range.contains(&token) && !self.without.iter().any(|it| it.contains(&token))
    }

    /// The tokens of the clause.
    pub(super) fn tokens(&self) -> impl Iterator<Item = usize> + '_ {
        self.range.clone().filter(|it| self.contains(*it))
    }
}

/// The clauses of a sentence, in order. An inner clause follows the clause that contains it.
pub(super) fn clauses(sentence: &Sentence<'_>, mentions: &mut [Mention<'_>]) -> Vec<Clause> {
    let mut found = Vec::new();
    let mut from = 0;
    let count = sentence.tokens.len();
    while from < count {
        let is_end = |at: &usize| sentence.tokens[*at].kind == Kind::Semicolon;
        let to = (from..count).find(is_end).unwrap_or(count);
        if from < to {
            read_part(sentence, mentions, from..to, &mut found);
        }
        from = to + 1;
    }
    found
}

/// Adds the clauses between two semicolons.
fn read_part(
    sentence: &Sentence<'_>,
    mentions: &mut [Mention<'_>],
    part: Range<usize>,
    found: &mut Vec<Clause>,
) {
    let mut inner: Vec<(Link, Range<usize>)> = Vec::new();
    let mut at = part.start;
    while at < part.end {
        let link = replaced(sentence, mentions, at, part.end)
            .map(|range| (Link::Replaced, range))
            .or_else(|| relative(sentence, mentions, at, part.clone()));
        match link {
            Some((link, range)) => {
                at = range.end.max(at + 1);
                inner.push((link, range));
            }
            None => at += 1,
        }
    }
    let is_inner = |at: usize| inner.iter().any(|(_, range)| range.contains(&at));
    for mention in mentions.iter_mut().filter(|it| part.contains(&it.name.start)) {
        let limit = inner.iter().map(|(_, it)| it.start).find(|it| *it >= mention.name.end);
        mention.end = limit.map_or(mention.end, |it| it.min(mention.end));
    }
    let verbs: Vec<usize> =
        part.clone().filter(|at| sentence.is_finite(*at) && !is_inner(*at)).collect();
    let mut starts = vec![part.start];
    for pair in verbs.windows(2) {
        let start = *starts.last().unwrap_or(&part.start);
        starts.push(boundary(sentence, mentions, start, pair[0], pair[1], &is_inner));
    }
    for (index, start) in starts.iter().enumerate() {
        let range = *start..starts.get(index + 1).copied().unwrap_or(part.end);
        let found_verb = verbs.get(index).copied();
        let cut = found_verb
            .and_then(|verb| second_participle(sentence, mentions, &range, verb, &is_inner));
        let ranges = match cut {
            Some(cut) => vec![(range.start..cut, found_verb), (cut..range.end, None)],
            None => vec![(range, found_verb)],
        };
        for (range, verb) in ranges {
            push_clause(sentence, mentions, (Link::Main, range.clone()), verb, &inner, found);
            for (link, range) in inner.iter().filter(|(_, it)| range.contains(&it.start)) {
                for part in parts_of_inner(sentence, range) {
                    let verb = part.clone().find(|it| sentence.is_finite(*it));
                    push_clause(sentence, mentions, (*link, part), verb, &[], found);
                }
            }
        }
    }
}

/// Where the second half of a clause starts in which a body does two things to different persons: `l'assemblée a révoqué A et
/// nommé B`, `die Versammlung hat A abberufen und B ernannt`.
fn second_participle(
    sentence: &Sentence<'_>,
    mentions: &[Mention<'_>],
    range: &Range<usize>,
    verb: usize,
    is_inner: &impl Fn(usize) -> bool,
) -> Option<usize> {
    let is_subject =
        |it: &Mention<'_>| (range.start..verb).contains(&it.name.start) && it.case == Case::Plain;
    if sentence.parts[verb] != Some(Part::Finite(Meaning::Has)) || mentions.iter().any(is_subject) {
        return None;
    }
    let ends = |at: usize| match sentence.parts[at] {
        Some(Part::Means(Meaning::Leaves | Meaning::Ends)) => Some(true),
        Some(Part::Means(Meaning::Appoints | Meaning::Grants)) => Some(false),
        _ => None,
    };
    let mut participles = (verb + 1..range.end).filter(|at| !is_inner(*at) && ends(*at).is_some());
    let first = participles.next()?;
    let second = participles.find(|at| ends(*at) != ends(first))?;
    [second - 1, first + 1].into_iter().find(|at| sentence.is(*at, Part::And))
}

/// Adds a clause, and what it says is no longer so. `inner` are the clauses inside it.
fn push_clause(
    sentence: &Sentence<'_>,
    mentions: &[Mention<'_>],
    (link, range): (Link, Range<usize>),
    verb: Option<usize>,
    inner: &[(Link, Range<usize>)],
    found: &mut Vec<Clause>,
) {
    let is_inner = |at: usize| inner.iter().any(|(_, it)| it.contains(&at));
    let ended = match link {
        Link::Replaced => Vec::new(),
        _ => contrasts::no_longer(sentence, mentions, &range, verb, &is_inner),
    };
    let without: Vec<Range<usize>> =
        inner.iter().map(|(_, it)| it.clone()).filter(|it| range.contains(&it.start)).collect();
    let named_in = |clause: &Clause| -> Vec<usize> {
        (0..mentions.len()).filter(|it| clause.contains(mentions[*it].name.start)).collect()
    };
    let mut clause =
        Clause { link, range, without: without.clone(), finite: verb, mentions: Vec::new() };
    clause.without.extend(ended.iter().cloned());
    clause.mentions = named_in(&clause);
    found.push(clause);
    let about = match link {
        Link::Relative(it) => Some(it),
        _ => None,
    };
    for range in ended {
        let without = without.clone();
        let link = Link::NoLonger(about);
        let mut clause = Clause { link, range, without, finite: None, mentions: Vec::new() };
        clause.mentions = named_in(&clause);
        found.push(clause);
    }
}

/// The clauses inside a relative clause: `qui n'est plus associé mais reste gérant`.
fn parts_of_inner(sentence: &Sentence<'_>, range: &Range<usize>) -> Vec<Range<usize>> {
    let verbs: Vec<usize> = range.clone().filter(|it| sentence.is_finite(*it)).collect();
    let mut parts = Vec::new();
    let mut start = range.start;
    for pair in verbs.windows(2) {
        let is_conjunction = |it: &usize| {
            matches!(sentence.parts[*it], Some(Part::And | Part::But)) || sentence.separates(*it)
        };
        let Some(cut) = (pair[0] + 1..pair[1]).rfind(is_conjunction) else { continue };
        parts.push(start..cut);
        start = cut;
    }
    parts.push(start..range.end);
    parts
}

/// The range of a note about the person replaced that starts at a token.
fn replaced(
    sentence: &Sentence<'_>,
    mentions: &[Mention<'_>],
    at: usize,
    limit: usize,
) -> Option<Range<usize>> {
    if !REPLACEMENT.contains(&sentence.word(at)) {
        return None;
    }
    let start = if ["en", "in", "al", "An", "an", "als", "au"]
        .contains(&sentence.word(at.wrapping_sub(1)))
    {
        at - 1
    } else {
        at
    };
    // `an ihre Stelle tritt X`: X is the new person.
    if at > 0 && sentence.is(at - 1, Part::Possessive) {
        return None;
    }
    let person = mentions.iter().find(|it| it.name.start > at && it.name.start < limit)?;
    // Nothing but a few words between: `anstelle des ausgeschiedenen Muster Hans`.
    if person.name.start > at + 6 || (at..person.name.start).any(|it| sentence.is_finite(it)) {
        return None;
    }
    let mut end = person.end.min(limit);
    let mut next = end;
    loop {
        while next < limit && (sentence.separates(next) || sentence.is(next, Part::And)) {
            next += 1;
        }
        let is_leaving = matches!(
            sentence.parts.get(next),
            Some(Some(Part::Means(Meaning::Leaves | Meaning::Ends)))
        );
        if next < limit && is_leaving {
            next += 1;
            end = next;
            continue;
        }
        let is_relative = next < limit
            && matches!(
                sentence.word(next),
                "dont" | "qui" | "dessen" | "deren" | "cui" | "il" | "la" | "i" | "le"
            )
            && relative_end(sentence, next, limit).is_some();
        if is_relative {
            end = relative_end(sentence, next, limit).unwrap_or(end);
        }
        return Some(start..end);
    }
}

/// The relative clause that starts at a token, and the mention that it is about.
fn relative(
    sentence: &Sentence<'_>,
    mentions: &[Mention<'_>],
    at: usize,
    part: Range<usize>,
) -> Option<(Link, Range<usize>)> {
    if at == part.start {
        return None;
    }
    let about =
        mentions.iter().rposition(|it| it.name.end <= at && part.contains(&it.name.start))?;
    let end = relative_end(sentence, at, part.end)?;
    // A relative pronoun follows its noun, a comma or a preposition.
    Some((Link::Relative(about), at..end))
}

fn relative_end(sentence: &Sentence<'_>, at: usize, limit: usize) -> Option<usize> {
    // `deren 5` is a number of shares.
    let is_number = sentence.word(at + 1).starts_with(|it: char| it.is_ascii_digit());
    let is_pronoun = sentence.is(at, Part::Relative) && !is_number;
    let word = sentence.word(at);
    let is_article = ["il", "la", "i", "le"].contains(&word) && sentence.is(at + 1, Part::Relative);
    let is_german = ["der", "die", "das"].contains(&word)
        && at > 0
        && sentence.tokens[at - 1].kind == Kind::Comma
        && sentence.is_lower_case(at + 1);
    if !is_pronoun && !is_article && !is_german {
        return None;
    }
    let verb = (at + 1..limit).find(|it| sentence.is_finite(*it))?;
    let end_from = |from: usize| (from..limit).find(|it| sentence.separates(*it)).unwrap_or(limit);
    let mut end = end_from(verb);
    // In German, the verb ends the relative clause.
    if is_german && verb + 1 != end {
        return None;
    }
    // `qui devient gérant, avec signature individuelle`
    while end < limit
        && matches!(sentence.word(end + 1), "avec" | "sans" | "con" | "senza" | "mit" | "ohne")
        && find_signature(sentence.slice(end + 1, end_from(end + 1))).is_some()
    {
        end = end_from(end + 1);
    }
    // `qui n'est plus associé, mais reste gérant`
    while end < limit && sentence.is(end + 1, Part::But) && sentence.is_finite(end + 2) {
        end = end_from(end + 2);
    }
    Some(end)
}

/// Where the clause of the second verb starts.
fn boundary(
    sentence: &Sentence<'_>,
    mentions: &[Mention<'_>],
    start: usize,
    first: usize,
    second: usize,
    is_inner: &impl Fn(usize) -> bool,
) -> usize {
    let between: Vec<&Mention<'_>> = mentions
        .iter()
        .filter(|it| it.name.start > first && it.name.start < second && !is_inner(it.name.start))
        .collect();
    if let Some(last) = between.last().filter(|it| is_subject_of(sentence, it, second, is_inner)) {
        let mut run = between.len() - 1;
        let touches = |at: usize| {
            between[at].case == Case::Plain
                && between[at - 1].case == Case::Plain
                && (between[at - 1].end..between[at].lead).all(|it| sentence.separates(it))
        };
        while last.case == Case::Plain && run > 0 && touches(run) {
            run -= 1;
        }
        let is_own =
            |it: &Mention<'_>| (start..first).contains(&it.name.start) && it.case == Case::Plain;
        let has_subject = mentions.iter().any(is_own)
            || (start..first)
                .any(|it| sentence.is(it, Part::Pronoun) || sentence.is(it, Part::Possessive))
            || start == first
            || continues_subject(sentence, start, first)
            || (run > 0 && between[0].case == Case::Plain);
        if has_subject {
            return before_words(sentence, between[run].lead, first);
        }
        // The first person belongs to the first verb: `Est élu président A, et B est nommé secrétaire`.
        return match between.get(run + 1) {
            Some(next) => before_words(sentence, next.lead, first),
            None => (last.end..second)
                .find(|it| sentence.is(*it, Part::And) || sentence.separates(*it))
                .unwrap_or(second),
        };
    }
    let from = between.last().map_or(first + 1, |it| it.end);
    let is_but = |at: &usize| sentence.is(*at, Part::But) && !is_inner(*at);
    let is_break =
        |at: &usize| !is_inner(*at) && (sentence.is(*at, Part::And) || sentence.separates(*at));
    let but = (from..second).find(is_but);
    let comma = (from..second).rfind(is_break);
    but.or(comma).unwrap_or(second).max(first + 1)
}

/// Whether the words before a verb say that its subject is that of the clause before: `mais reste administrateur`.
fn continues_subject(sentence: &Sentence<'_>, start: usize, verb: usize) -> bool {
    let is_small = |it: usize| {
        matches!(sentence.parts[it], Some(Part::And | Part::But | Part::Adverb | Part::Still))
            || sentence.separates(it)
    };
    let has_but = (start..verb).any(|it| sentence.is(it, Part::But));
    let keeps = matches!(
        sentence.parts[verb],
        Some(Part::Finite(Meaning::Keeps | Meaning::Signs | Meaning::Holds | Meaning::Leaves))
    );
    let has_conjunction = (start..verb).any(|it| sentence.is(it, Part::And));
    (start..verb).all(is_small) && (has_but || (keeps && has_conjunction))
}

/// Whether a mention is the subject of the verb after it: only words without a meaning of their own are between.
fn is_subject_of(
    sentence: &Sentence<'_>,
    mention: &Mention<'_>,
    verb: usize,
    is_inner: &impl Fn(usize) -> bool,
) -> bool {
    if matches!(mention.case, Case::To | Case::By | Case::With) {
        return false;
    }
    let is_plain = |at: usize| {
        is_inner(at)
            || sentence.tokens[at].kind == Kind::Comma
            || matches!(
                sentence.parts[at],
                Some(Part::Adverb | Part::Still | Part::Means(Meaning::Leaves))
            )
            || matches!(sentence.word(at), "ne" | "non" | "se" | "si")
    };
    (mention.end..verb).all(is_plain)
}

/// The start of the words that lead to a subject: `und die Unterschrift von Muster Hans`.
fn before_words(sentence: &Sentence<'_>, lead: usize, limit: usize) -> usize {
    let mut at = lead;
    while at > limit + 1
        && !sentence.separates(at - 1)
        && !matches!(sentence.parts[at], Some(Part::And | Part::But))
    {
        if matches!(sentence.parts[at - 1], Some(Part::Means(_) | Part::Finite(_) | Part::Negation))
        {
            break;
        }
        at -= 1;
    }
    at
}
