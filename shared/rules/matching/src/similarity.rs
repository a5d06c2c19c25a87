//! Similarity of two words.

use smallvec::SmallVec;

use crate::{
    consonants::spells,
    edits::{distance, least_distance},
    name::{PreparedName, mask},
    sound,
    token::{Reading, Role, Token},
    transcription::share_a_reading,
    transliteration::Script,
    vocabulary::are_familiar,
};

/// How two words agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Agreement {
    /// The same letters.
    Equal,
    /// Spellings of one name, such as transliterations.
    Spelling,
    /// Forms of one name: William, Bill.
    Familiar,
    /// Names of one place, or of one legal form that is part of the name.
    Translated,
    /// Few letters differ.
    Similar,
    /// They sound alike.
    Sound,
    /// One is the initial or the abbreviation of the other.
    Initial,
    /// Written as one word or as several.
    Joined,
    /// One is made of the first letters of the other's words.
    Acronym,
}

/// The most edits between spellings of one word: a part of its letters, but at most two in words of usual length.
fn most_edits(letters: f32) -> f32 {
    if letters <= 3.0 { 1.4 } else { (letters * 0.3).min((letters * 0.17).max(2.0)) }
}

/// The similarity of two words, 0.6–1, or `None` if they are different words.
pub(crate) fn similarity(
    (a, one): (&PreparedName, &Token),
    (b, other): (&PreparedName, &Token),
) -> Option<(f32, Agreement)> {
    let (x, y) = (a.letters_of(one), b.letters_of(other));
    if one.script == Script::Han && other.script == Script::Han {
        return (one.character == other.character).then_some((1.0, Agreement::Equal));
    }
    if one.role == Role::Initial || other.role == Role::Initial {
        let is_initial = x.first() == y.first() && !x.is_empty();
        let both = one.role == other.role;
        return is_initial.then_some(if both {
            (1.0, Agreement::Equal)
        } else {
            (0.85, Agreement::Initial)
        });
    }
    if x == y && !x.is_empty() {
        return Some((1.0, Agreement::Equal));
    }
    if one.spelling != 0 && one.spelling == other.spelling {
        return Some((0.95, Agreement::Spelling));
    }
    if one.place != 0 && one.place == other.place {
        return Some((0.97, Agreement::Translated));
    }
    if one.families & other.families != 0 {
        return Some((0.96, Agreement::Translated));
    }
    let by_plain = || {
        // What looks like an umlaut may be two vowels: `Roert` for `Robert`.
        let has_other = one.plain.1 != 0 || other.plain.1 != 0;
        let (x, y) = (a.plain_of(one), b.plain_of(other));
        has_other.then(|| spelled(x, mask(x), y, mask(y))).flatten()
    };
    let by_cluster = || match (has_inner_x(x, one), has_inner_x(y, other)) {
        (true, false) => spelled_with_ks(x, y, other.mask),
        (false, true) => spelled_with_ks(y, x, one.mask),
        _ => None,
    };
    let by_letters = spelled(x, one.mask, y, other.mask)
        .or_else(by_plain)
        .or_else(by_cluster)
        .map(|it| (it, Agreement::Similar));
    let by_letters = by_letters.filter(|it| !are_different_names(it.0, one, other));
    // Two frequent given names are rather two names (Maria, Mario) than spellings of one.
    let doubt = if one.is_given && other.is_given { 0.88 } else { 1.0 };
    let by_letters = by_letters.map(|it| (it.0 * doubt, it.1));
    let readings = a.readings_of(one).zip(b.readings_of(other));
    if readings.is_some_and(|(one, other)| share_a_reading(one, other)) {
        let spelling = Some((0.93, Agreement::Spelling));
        return if by_letters.is_some_and(|it| it.0 > 0.93) { by_letters } else { spelling };
    }
    if are_familiar(one.familiar, other.familiar) {
        let familiar = Some((0.88, Agreement::Familiar));
        return if by_letters.is_some_and(|it| it.0 > 0.88) { by_letters } else { familiar };
    }
    let is_start = |short: &Token, (x, y): (&[u8], &[u8])| {
        short.is_abbreviated && x.len() < y.len() && y.starts_with(x)
    };
    if is_start(one, (x, y)) || is_start(other, (y, x)) {
        return Some((0.9, Agreement::Initial));
    }
    if (one.is_given && other.is_given) || are_different_names(0.0, one, other) {
        return by_letters;
    }
    let is_person = a.reading == Reading::Person && b.reading == Reading::Person;
    let is_short =
        || (other.is_given && is_short_form(x, y)) || (one.is_given && is_short_form(y, x));
    if by_letters.is_none() && is_person && is_short() {
        return Some((0.75, Agreement::Familiar));
    }
    let sounding = sounds_alike((a, one), (b, other)).map(|it| (it, Agreement::Sound));
    match (by_letters, sounding) {
        (Some(letters), Some(sound)) if sound.0 > letters.0 => Some(sound),
        (None, sound) => sound,
        (letters, _) => letters,
    }
}

/// Whether a word has an `x` that other languages write `ks`: not the first letter.
fn has_inner_x(word: &[u8], token: &Token) -> bool {
    token.mask & mask(b"x") != 0 && word[0] != b'x'
}

/// Similarity of a word with each `x` written `ks`, and another.
fn spelled_with_ks(x: &[u8], y: &[u8], mask_y: u32) -> Option<f32> {
    let has_ks = mask_y & mask(b"ks") == mask(b"ks");
    if !has_ks {
        return None;
    }
    let letters = |it: &u8| if *it == b'x' { [b'k', b's'] } else { [*it, 0] };
    let written: SmallVec<[u8; 32]> = x.iter().flat_map(letters).filter(|it| *it != 0).collect();
    spelled(&written, mask(&written), y, mask_y)
}

/// Whether a given name is the start of a longer one: Vlad, Vladimir.
fn is_short_form(short: &[u8], long: &[u8]) -> bool {
    (3..=5).contains(&short.len()) && long.len() >= short.len() + 2 && long.starts_with(short)
}

/// Whether two similar words are nevertheless different: two frequent names (Marco, Mauro) or two
/// abbreviations (ABC, ABX).
fn are_different_names(similarity: f32, one: &Token, other: &Token) -> bool {
    let is_abbreviation = |it: &Token| it.is_abbreviation && it.letters.1 - it.letters.0 <= 3;
    let are_given = one.is_given && other.is_given && similarity < 0.75;
    let are_other_names = one.spelling != 0 && other.spelling != 0 && similarity < 0.85;
    let are_variants = are_familiar(one.familiar, other.familiar);
    (are_given || are_other_names) && !are_variants
        || (is_abbreviation(one) && is_abbreviation(other))
}

/// Similarity by edits.
pub(crate) fn spelled(x: &[u8], mask_x: u32, y: &[u8], mask_y: u32) -> Option<f32> {
    spelled_at_least(x, mask_x, y, mask_y, 0.0)
}

/// Similarity by edits, if it is at least `least`.
pub(crate) fn spelled_at_least(
    x: &[u8],
    mask_x: u32,
    y: &[u8],
    mask_y: u32,
    least: f32,
) -> Option<f32> {
    let (short, long) = if x.len() < y.len() { (x.len(), y.len()) } else { (y.len(), x.len()) };
    if short < 3 {
        return None;
    }
    let letters = (short + long) as f32 / 2.0;
    // A hundredth more, because the similarity is compared at the end.
    let limit = most_edits(letters).min((1.0 - least) * letters / EACH + 0.01);
    if (long - short) as f32 * 0.3 > limit {
        return None;
    }
    let limit = (limit * 100.0) as u16;
    if least_distance(mask_x, mask_y) > limit {
        return None;
    }
    let cost = distance(x, y, limit)?;
    let similarity = 1.0 - EACH * f32::from(cost) / 100.0 / letters;
    (similarity >= least).then_some(similarity)
}

/// What an arbitrary edit of one of the letters takes from the similarity.
const EACH: f32 = 0.88;

/// Similarity by sound.
fn sounds_alike(
    (a, one): (&PreparedName, &Token),
    (b, other): (&PreparedName, &Token),
) -> Option<f32> {
    let consonants = |it: &Token| it.script == Script::Consonants;
    if consonants(one) != consonants(other) {
        let is_spelled = || match consonants(one) {
            true => spells(a.written_of(one), b.plain_of(other)),
            false => spells(b.written_of(other), a.plain_of(one)),
        };
        let sounding = by_consonants(one.sound, other.sound);
        let spelled =
            || (sound::length(one.sound.max(other.sound)) > 1 && is_spelled()).then_some(0.86);
        return sounding.filter(|it| *it >= 0.86).or_else(spelled).or(sounding);
    }
    let (x, y) = (a.letters_of(one), b.letters_of(other));
    // Spellings with the same sound but few letters in common are chance.
    let is_same = one.sound == other.sound && one.sound != 0 && x.len() > 1 && y.len() > 1;
    let limit = (x.len() + y.len()) as u16 * 20;
    let is_near = || x.len().max(y.len()) <= 3 || distance(x, y, limit).is_some();
    (is_same && !consonants(one) && is_near()).then_some(0.78)
}

/// Of a word without vowels only the consonants can be compared.
fn by_consonants(one: u64, other: u64) -> Option<f32> {
    let is_equal = one == other;
    let (one, other) = (sound::without_vowels(one), sound::without_vowels(other));
    let (length, other_length) = (sound::length(one), sound::length(other));
    if one == other {
        let similarity = if is_equal { 0.9 } else { 0.86 };
        // Two consonants are those of many names.
        return (length > 0).then_some(if length > 2 { similarity } else { 0.75 });
    }
    if length.min(other_length) < 4 {
        return None;
    }
    let (x, y) = (lower(one), lower(other));
    let cost = distance(&x[..length as usize], &y[..other_length as usize], 100)?;
    Some(1.0 - f32::from(cost) / 400.0)
}

fn lower(sound: u64) -> [u8; 8] {
    sound.to_le_bytes().map(|it| it.to_ascii_lowercase())
}
