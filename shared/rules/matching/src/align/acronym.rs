//! Words that are made of the first letters of other words: `PLA` for `People's Liberation Army`, `JP` for `Jean-Pierre`.

use smallvec::SmallVec;

use super::{Alignment, Pair};
use crate::{
    name::{PreparedName, ones},
    similarity::Agreement,
    token::{Reading, Role},
};

/// Adds the pairs of free abbreviations with the free words that they abbreviate.
pub(super) fn acronyms(
    a: &PreparedName,
    b: &PreparedName,
    alignment: &Alignment,
    candidates: &mut SmallVec<[Pair; 24]>,
) {
    for at in ones(alignment.free_a) {
        if let Some((words, similarity, bits)) = abbreviated(a, at, b, alignment.free_b) {
            let a = (at as u8, at as u8);
            candidates.push(Pair { a, b: words, similarity, agreement: Agreement::Acronym, bits });
        }
    }
    for at in ones(alignment.free_b) {
        if let Some((words, similarity, bits)) = abbreviated(b, at, a, alignment.free_a) {
            let b = (at as u8, at as u8);
            candidates.push(Pair { a: words, b, similarity, agreement: Agreement::Acronym, bits });
        }
    }
}

/// The first and last word that a word abbreviates, the similarity and the rarity.
///
/// An abbreviation of an organisation has at least three letters; that of given names two or three, and other words of
/// the name must be written in another way. All free words must be abbreviated, or those in the middle of a name
/// would be found by chance.
fn abbreviated(
    short: &PreparedName,
    at: usize,
    long: &PreparedName,
    free: u32,
) -> Option<((u8, u8), f32, f32)> {
    let token = &short.tokens[at];
    let letters = short.letters_of(token);
    let is_person = short.reading == Reading::Person;
    let lengths = if is_person { 2..=3 } else { 3..=8 };
    let is_abbreviation = if is_person { token.is_abbreviation } else { token.is_upper };
    let may_be = is_abbreviation && token.role == Role::Name && lengths.contains(&letters.len());
    if !may_be || free.count_ones() as usize != letters.len() {
        return None;
    }
    let is_first_letter =
        |(at, letter): (usize, &u8)| long.letters_of(&long.tokens[at]).first() == Some(letter);
    let range = (free.trailing_zeros() as u8, 31 - free.leading_zeros() as u8);
    // Every letter is as much evidence as an initial.
    let similarity = (0.78 + 0.03 * letters.len() as f32).min(0.95);
    ones(free).zip(letters).all(is_first_letter).then_some((
        range,
        similarity,
        3.0 * letters.len() as f32,
    ))
}
