//! Which words of one name correspond to which of another.

mod acronym;

use smallvec::SmallVec;

use crate::{
    consonants::spells,
    edits::distance,
    name::{PreparedName, mask, ones},
    similarity::{Agreement, similarity, spelled_at_least},
    token::{Role, Token},
    transcription::share_a_reading,
    transliteration::Script,
    vocabulary::{self, are_familiar},
};

use acronym::acronyms;

/// Words of two names that agree: ranges of one word or of several written as one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    /// First and last token in the first name.
    pub(crate) a: (u8, u8),
    /// First and last token in the second name.
    pub(crate) b: (u8, u8),
    /// 0.6–1.
    pub(crate) similarity: f32,
    pub(crate) agreement: Agreement,
    /// Mean rarity of both sides in bits.
    pub(crate) bits: f32,
}

/// The pairs of two names, and the words without a counterpart.
#[derive(Debug, Default)]
pub(crate) struct Alignment {
    pub(crate) pairs: SmallVec<[Pair; 12]>,
    /// Tokens of the first name that are content and in no pair, a bit for each.
    pub(crate) free_a: u32,
    /// The same of the second name.
    pub(crate) free_b: u32,
    /// Tokens of the first name, content or not, that are in a pair.
    taken_a: u32,
    /// The same of the second name.
    taken_b: u32,
}

/// Aligns the words of two names: the most similar pairs first, including words that are joined in one name.
pub(crate) fn align(a: &PreparedName, b: &PreparedName) -> Alignment {
    let mut alignment =
        Alignment { free_a: content(a), free_b: content(b), ..Alignment::default() };
    let mut candidates: SmallVec<[Pair; 24]> = SmallVec::new();
    for i in ones(alignment.free_a) {
        for j in ones(alignment.free_b) {
            let (one, other) = (&a.tokens[i], &b.tokens[j]);
            let is_optional = one.role == Role::Optional || other.role == Role::Optional;
            let found = similarity((a, one), (b, other));
            if let Some((similarity, agreement)) = found.filter(|it| !is_optional || it.0 >= SAME) {
                let bits = match agreement {
                    Agreement::Initial => 3.0,
                    _ => (one.bits + other.bits) / 2.0,
                };
                let (i, j) = (i as u8, j as u8);
                candidates.push(Pair { a: (i, i), b: (j, j), similarity, agreement, bits });
            }
        }
    }
    take_best(&mut alignment, &mut candidates, CERTAIN);
    if alignment.free_a != 0 && alignment.free_b != 0 {
        join(a, b, &alignment, &mut candidates);
        acronyms(a, b, &alignment, &mut candidates);
        take_best(&mut alignment, &mut candidates, 0.0);
    }
    alignment.free_a &= !tokens(a, |it| it.role == Role::Optional);
    alignment.free_b &= !tokens(b, |it| it.role == Role::Optional);
    match (alignment.free_a, alignment.free_b) {
        (_, 0) => alignment.free_a &= !tokens(a, |it| it.is_perhaps_title),
        (0, _) => alignment.free_b &= !tokens(b, |it| it.is_perhaps_title),
        _ => {}
    }
    alignment
}

/// From this similarity on, a word that may be missing agrees.
const SAME: f32 = 0.95;

/// From this similarity on, a pair is taken before joined words are tried.
const CERTAIN: f32 = 0.88;

/// The content of a name, a bit for each token.
fn content(name: &PreparedName) -> u32 {
    tokens(name, Token::is_content)
}

/// The tokens with a property, a bit for each.
fn tokens(name: &PreparedName, has: impl Fn(&Token) -> bool) -> u32 {
    let tokens = name.tokens.iter().enumerate();
    tokens.filter(|(_, it)| has(it)).fold(0, |bits, (at, _)| bits | 1 << at)
}

/// A bit for each token from the first to the last. Names have at most 32.
fn range((first, last): (u8, u8)) -> u32 {
    u32::MAX >> (31 - (last - first)) << first
}

/// Takes pairs whose words are free, the best first. The order does not depend on which name is the first.
fn take_best(alignment: &mut Alignment, candidates: &mut [Pair], least: f32) {
    let distance = |it: &Pair| it.a.0.abs_diff(it.b.0);
    candidates.sort_unstable_by(|x, y| {
        let weight = |it: &Pair| it.similarity * it.bits;
        y.similarity
            .total_cmp(&x.similarity)
            .then_with(|| weight(y).total_cmp(&weight(x)))
            .then_with(|| distance(x).cmp(&distance(y)))
            .then_with(|| (x.a.0 + x.b.0).cmp(&(y.a.0 + y.b.0)))
            .then_with(|| x.a.cmp(&y.a))
    });
    for pair in candidates.iter().take_while(|it| it.similarity >= least) {
        let (in_a, in_b) = (range(pair.a), range(pair.b));
        // Of a range, words that are no content are never free.
        let is_free = (pair.a.0 != pair.a.1 || alignment.free_a & in_a == in_a)
            && (pair.b.0 != pair.b.1 || alignment.free_b & in_b == in_b);
        let has_free = alignment.free_a & in_a != 0 && alignment.free_b & in_b != 0;
        let is_taken = alignment.taken_a & in_a != 0 || alignment.taken_b & in_b != 0;
        if is_free && has_free && !is_taken {
            alignment.free_a &= !in_a;
            alignment.free_b &= !in_b;
            alignment.taken_a |= in_a;
            alignment.taken_b |= in_b;
            alignment.pairs.push(*pair);
        }
    }
}

/// Adds the pairs of several free words of one name with one free word of the other.
fn join(
    a: &PreparedName,
    b: &PreparedName,
    alignment: &Alignment,
    candidates: &mut SmallVec<[Pair; 24]>,
) {
    for j in ones(alignment.free_b) {
        joined(a, alignment.free_a, b, j, |range, similarity, bits| {
            let b = (j as u8, j as u8);
            candidates.push(Pair { a: range, b, similarity, agreement: Agreement::Joined, bits });
        });
    }
    for i in ones(alignment.free_a) {
        joined(b, alignment.free_b, a, i, |range, similarity, bits| {
            let a = (i as u8, i as u8);
            candidates.push(Pair { a, b: range, similarity, agreement: Agreement::Joined, bits });
        });
    }
}

/// Calls `found` for each range of words in `several` that one word of the other name may join.
fn joined(
    several: &PreparedName,
    free: u32,
    single: &PreparedName,
    at: usize,
    mut found: impl FnMut((u8, u8), f32, f32),
) {
    let token = &single.tokens[at];
    let letters = single.letters_of(token);
    if letters.len() < 4 || matches!(token.script, Script::Han | Script::Hangul) {
        return;
    }
    let is_reading = |first: usize, last: usize| {
        let (first, last) = (&several.tokens[first], &several.tokens[last]);
        let joined = several.readings_of_joined(first, last);
        joined
            .zip(single.readings_of(token))
            .is_some_and(|(one, other)| share_a_reading(one, other))
    };
    let has_consonants = several.tokens.iter().any(|it| it.script == Script::Consonants);
    let is_other_script = has_consonants && token.script == Script::Alphabet;
    let is_of_consonants = token.script == Script::Consonants;
    for first in 0..several.tokens.len() {
        for last in first + 1..several.tokens.len().min(first + 5) {
            let range = (several.tokens[first].letters.0, several.tokens[last].letters.1);
            let length = usize::from(range.1 - range.0);
            let may_be_familiar = last == first + 1
                && token.familiar != 0
                && several.tokens[first].is_given
                && several.tokens[last].is_given;
            if may_be_familiar && is_familiar(several.span(range), letters, token) {
                let is_free = |at: usize| free & 1 << at != 0;
                if is_free(first) && is_free(last) {
                    found((first as u8, last as u8), 0.88, token.bits);
                }
                continue;
            }
            // Scripts that leave out vowels are shorter.
            let most = if is_of_consonants { 8 } else { 4 };
            if length * 3 > letters.len() * most {
                break;
            }
            let least = if is_other_script { 2 } else { 3 };
            if length * 4 < letters.len() * least {
                continue;
            }
            let tokens = &several.tokens[first..=last];
            let is_taken = |at: usize| several.tokens[at].is_content() && free & 1 << at == 0;
            if (first..=last).any(is_taken) || !tokens.iter().any(|it| it.role != Role::Neutral) {
                continue;
            }
            let span = several.span(range);
            let is_spelled = || {
                let written = || several.written((first as u8, last as u8));
                let latin = || tokens.iter().flat_map(|it| several.plain_of(it)).copied();
                is_other_script && spells(written(), single.plain_of(token))
                    || is_of_consonants
                        && spells(single.written_of(token), &latin().collect::<Vec<_>>())
                    || is_reading(first, last)
            };
            let found_similarity = joined_similarity(span, &several.tokens[first], letters, token)
                .or_else(|| is_spelled().then_some(0.85));
            if let Some(similarity) = found_similarity {
                // What is joined is at most as rare as the word.
                let bits = tokens.iter().map(|it| it.bits).sum::<f32>().min(token.bits);
                found((first as u8, last as u8), similarity, (bits + token.bits) / 2.0);
            }
        }
    }
}

/// Whether a word is a familiar form of two words that are also written as one: `Hampi`, `Hans-Peter`.
fn is_familiar(span: &[u8], letters: &[u8], token: &Token) -> bool {
    span != letters
        && std::str::from_utf8(span)
            .is_ok_and(|it| are_familiar(token.familiar, vocabulary::word(it).familiar))
}

/// One pair of both whole names, if they have nearly the same letters and only the spaces differ: `Ser gey Lavrov`.
pub(crate) fn joined_whole(a: &PreparedName, b: &PreparedName) -> Option<Alignment> {
    let (last_a, last_b) = (a.tokens.len().checked_sub(1)?, b.tokens.len().checked_sub(1)?);
    let has_content =
        |it: &PreparedName| it.tokens.iter().all(|it| it.role == Role::Name && it.character == 0);
    let has_length = a.letters.len().abs_diff(b.letters.len()) < 3;
    if last_a == last_b || !has_length || !has_content(a) || !has_content(b) {
        return None;
    }
    let similarity = nearly_equal(a.letters.as_bytes(), b.letters.as_bytes())? * 0.98;
    let bits = |it: &PreparedName| it.tokens.iter().map(|it| it.bits).sum::<f32>();
    let pair = Pair {
        a: (0, last_a as u8),
        b: (0, last_b as u8),
        similarity,
        agreement: Agreement::Joined,
        bits: bits(a).min(bits(b)),
    };
    Some(Alignment { pairs: SmallVec::from_slice(&[pair]), ..Alignment::default() })
}

/// Similarity of long texts with at most 8 % edits.
fn nearly_equal(x: &[u8], y: &[u8]) -> Option<f32> {
    let letters = (x.len() + y.len()) as f32 / 2.0;
    if (mask(x) ^ mask(y)).count_ones() > 4 {
        return None;
    }
    let cost = distance(x, y, (letters * 8.0) as u16)?;
    Some(1.0 - f32::from(cost) / 100.0 / letters)
}

fn joined_similarity(span: &[u8], first: &Token, letters: &[u8], token: &Token) -> Option<f32> {
    if span == letters {
        return Some(0.99);
    }
    // Syllables and characters are always written apart, so transliterations of them differ more.
    let least = if matches!(first.script, Script::Han | Script::Hangul) { 0.7 } else { 0.85 };
    let by_letters = spelled_at_least(span, mask(span), letters, token.mask, least);
    let alike = || {
        // The sound of the first consonant does not depend on the others.
        let sound =
            if first.sound as u8 == token.sound as u8 { crate::sound::sound(span) } else { 0 };
        let is_long = crate::sound::length(sound) >= 4;
        (sound == token.sound && (is_long || first.script != token.script)).then_some(0.8)
    };
    by_letters.or_else(alike).map(|it| it * 0.99)
}
