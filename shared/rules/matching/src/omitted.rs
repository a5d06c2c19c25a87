//! Asides that one of two names lacks.
//!
//! They are part of a name if both names have them. If one name lacks them, they take a part of the score above the
//! threshold only, so that a match remains one.

use crate::{
    THRESHOLD,
    align::Alignment,
    name::{PreparedName, ones},
    token::{Aside, Role, Token},
};

/// The least that remains of the score above the threshold, however many words one of the names lacks.
const LEAST: f32 = 0.82;

/// The rarity in bits of other words that agree, from which on two names are those of one company in spite of an aside.
const SAME_COMPANY: f32 = 7.0;

/// Words that one of two names lacks, and what remains of the score above the threshold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Omitted {
    /// Tokens of the first name, a bit for each.
    pub(crate) a: u32,
    /// The same of the second name.
    pub(crate) b: u32,
    /// The part of the score above the threshold that remains.
    pub(crate) remaining: f32,
}

impl Omitted {
    /// Sets the free words of an alignment apart, if all of them are asides that do not contradict each other and other words
    /// agree.
    pub(crate) fn of(a: &PreparedName, b: &PreparedName, alignment: &mut Alignment) -> Self {
        let mut asides = Self { a: 0, b: 0, remaining: 1.0 };
        let are_free = alignment.free_a | alignment.free_b != 0;
        let mut free_a = ones(alignment.free_a).map(|it| &a.tokens[it]);
        let free_b = || ones(alignment.free_b).map(|it| &b.tokens[it]);
        let are_asides = are_free
            && free_b().all(|it| may_lack(a, it))
            && free_a.all(|it| may_lack(b, it) && !free_b().any(|other| contradict(it, other)));
        if are_asides && is_same(a, b, alignment) {
            (asides.a, asides.b) = (alignment.free_a, alignment.free_b);
            (alignment.free_a, alignment.free_b) = (0, 0);
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

/// Whether a name may be that of one company with this word, although it lacks it. A name with a legal form is a full one, in which
/// a trade is not left out.
fn may_lack(name: &PreparedName, token: &Token) -> bool {
    match token.aside {
        Aside::None => false,
        Aside::Trade => name.families == 0,
        _ => true,
    }
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

/// Whether words other than asides agree, and they are rare enough for one company.
fn is_same(a: &PreparedName, b: &PreparedName, alignment: &Alignment) -> bool {
    let says = |name: &PreparedName, (first, last): (u8, u8)| {
        name.tokens[usize::from(first)..=usize::from(last)]
            .iter()
            .any(|it| it.aside == Aside::None && it.role == Role::Name)
    };
    let telling = alignment.pairs.iter().filter(|it| says(a, it.a) && says(b, it.b));
    telling.map(|it| it.bits * it.similarity).sum::<f32>() >= SAME_COMPANY
}
