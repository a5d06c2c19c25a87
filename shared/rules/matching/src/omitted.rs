//! Asides that one of two names lacks.
//!
//! They are part of a name if both names have them. If one name lacks them, they take a part of the score above the
//! threshold only, so that a match remains one.

use crate::{
    THRESHOLD,
    align::Alignment,
    name::{PreparedName, ones},
    token::{Aside, Role, Token},
    vocabulary,
};

/// The least that remains of the score above the threshold, however many words one of the names lacks.
const LEAST: f32 = 0.82;

/// The rarity in bits of other words that agree, from which on two names are those of one company in spite of an aside.
const SAME_COMPANY: f32 = 7.0;

/// The same if a name with a legal form lacks a trade. Short words are often abbreviations of several companies.
const SAME_FULL_NAME: f32 = 9.5;

/// Words that one of two names lacks, and what remains of the score above the threshold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Omitted {
    /// Tokens of the first name, a bit for each.
    pub(crate) a: u32,
    /// The same of the second name.
    pub(crate) b: u32,
    /// The part of the score above the threshold that remains.
    pub(crate) remaining: f32,
    /// Whether a name with a legal form lacks nothing but what the other company does: `Muster AG`, `Muster Holzbau AG`. Its words
    /// remain free, because a full name states the trade; but they never take a match away.
    pub(crate) is_trade_of_full_name: bool,
}

impl Omitted {
    /// Sets the free words of an alignment apart, if all of them are asides that do not contradict each other and other words
    /// agree.
    pub(crate) fn of(a: &PreparedName, b: &PreparedName, alignment: &mut Alignment) -> Self {
        let mut asides = Self { a: 0, b: 0, remaining: 1.0, is_trade_of_full_name: false };
        let are_free = alignment.free_a | alignment.free_b != 0;
        let (words_a, words_b) = (alignment.free_a, alignment.free_b);
        let free_a = || ones(words_a).map(|it| &a.tokens[it]);
        let free_b = || ones(words_b).map(|it| &b.tokens[it]);
        let is_aside = |it: &Token| it.aside != Aside::None;
        let are_asides = are_free
            && free_b().all(is_aside)
            && free_a().all(|it| is_aside(it) && !free_b().any(|other| contradict(it, other)));
        if are_asides && telling_bits(a, b, alignment, |_, _| true) >= SAME_COMPANY {
            if free_b().any(|it| is_stated(a, it)) || free_a().any(|it| is_stated(b, it)) {
                let is_shorter =
                    |name, words| words & before_form(name) == 0 && is_rare_name(a, b, alignment);
                asides.is_trade_of_full_name = is_shorter(a, words_a) || is_shorter(b, words_b);
            } else {
                (asides.a, asides.b) = (words_a, words_b);
                (alignment.free_a, alignment.free_b) = (0, 0);
            }
        }
        let states = |it: &PreparedName| it.tokens.iter().any(|it| it.aside == Aside::State);
        let missing = ones(asides.a)
            .map(|at| &a.tokens[at])
            .chain(ones(asides.b).map(|at| &b.tokens[at]))
            .map(|it| it.aside.remaining());
        let state = if states(a) == states(b) { 1.0 } else { Aside::State.remaining() };
        asides.remaining = missing.fold(1.0, f32::min) * state;
        asides
    }

    /// The score with the asides, which never takes a match away.
    pub(crate) fn lowered(&self, score: f32, has_number: bool) -> f32 {
        let number = if has_number { Aside::Number.remaining() } else { 1.0 };
        let remaining = (self.remaining * number).max(LEAST);
        let threshold = THRESHOLD as f32;
        if remaining >= 1.0 {
            score
        } else if score >= threshold {
            // Rounding must not lead below the threshold.
            (threshold + (score - threshold) * remaining).max(threshold + 1e-6)
        } else {
            score * 0.97
        }
    }
}

/// Whether a name would state this word if it were that of the same company: one with a legal form is a full name, in which a trade
/// is not left out.
fn is_stated(name: &PreparedName, token: &Token) -> bool {
    token.aside == Aside::Trade && name.families != 0
}

/// The words before the legal form, a bit for each. What follows it is rather the seat than a part of the name.
fn before_form(name: &PreparedName) -> u32 {
    name.legal_form.map_or(u32::MAX, |(first, _)| (1 << first) - 1)
}

/// Whether two asides tell companies apart: other activities, or places that are not known to be in one country.
fn contradict(one: &Token, other: &Token) -> bool {
    let is_place = |it: &Token| matches!(it.aside, Aside::Country | Aside::Place);
    if is_place(one) && is_place(other) {
        one.aside == other.aside || one.country == 0 || one.country != other.country
    } else {
        one.aside == other.aside
    }
}

/// Whether the words that agree are so rare that few companies share them: no short words, which are often abbreviations, and no
/// names of persons, by which many companies are called.
fn is_rare_name(a: &PreparedName, b: &PreparedName, alignment: &Alignment) -> bool {
    let is_of_persons = |name: &PreparedName, token: &Token| {
        let letters = std::str::from_utf8(name.letters_of(token)).unwrap_or_default();
        vocabulary::word(letters).person_bits > 0.0
    };
    telling_bits(a, b, alignment, |name, it| !is_of_persons(name, it)) >= SAME_FULL_NAME
}

/// The rarity in bits of the words other than asides that agree and count.
fn telling_bits(
    a: &PreparedName,
    b: &PreparedName,
    alignment: &Alignment,
    counts: impl Fn(&PreparedName, &Token) -> bool,
) -> f32 {
    let says = |name: &PreparedName, (first, last): (u8, u8)| {
        name.tokens[usize::from(first)..=usize::from(last)]
            .iter()
            .any(|it| it.aside == Aside::None && it.role == Role::Name && counts(name, it))
    };
    let telling = alignment.pairs.iter().filter(|it| says(a, it.a) && says(b, it.b));
    telling.map(|it| it.bits * it.similarity).sum()
}
