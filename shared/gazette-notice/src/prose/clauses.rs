//! The clauses of a sentence: each has at most one conjugated verb.

use std::ops::Range;

use super::{
    mentions::{Case, Mention},
    parts::Sentence,
    tokens::Kind,
    vocabulary::{Meaning, Part, REPLACEMENT},
};

/// How a clause is connected with the sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link {
    Main,
    /// A relative clause, about this mention.
    Relative(usize),
    /// A note about the person replaced: `en remplacement de …, démissionnaire`.
    Replaced,
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
        let inside: Vec<&(Link, Range<usize>)> =
            inner.iter().filter(|(_, it)| range.contains(&it.start)).collect();
        let mentions_in = |range: &Range<usize>, is_main: bool| -> Vec<usize> {
            let is_in = |it: usize| range.contains(&it) && !(is_main && is_inner(it));
            (0..mentions.len()).filter(|it| is_in(mentions[*it].name.start)).collect()
        };
        found.push(Clause {
            link: Link::Main,
            mentions: mentions_in(&range, true),
            without: inside.iter().map(|(_, it)| it.clone()).collect(),
            finite: verbs.get(index).copied(),
            range,
        });
        for (link, range) in inside {
            found.push(Clause {
                link: *link,
                mentions: mentions_in(range, false),
                without: Vec::new(),
                finite: range.clone().find(|it| sentence.is_finite(*it)),
                range: range.clone(),
            });
        }
    }
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
    let start = if ["en", "in", "al", "An", "an", "als", "in"]
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
    let end = (verb..limit).find(|it| sentence.separates(*it)).unwrap_or(limit);
    // In German, the verb ends the relative clause.
    (!is_german || verb + 1 == end).then_some(end)
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

/// Whether a mention is the subject of the verb after it: only words without a meaning of their own are between.
fn is_subject_of(
    sentence: &Sentence<'_>,
    mention: &Mention<'_>,
    verb: usize,
    is_inner: &impl Fn(usize) -> bool,
) -> bool {
    if mention.case == Case::To || mention.case == Case::By {
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
