//! Keys of names: two names that match share a key, and few other names do.
//!
//! A key joins one word with the first letter of another (`M-L-R` of Müller with `H` of Hans). A word has several codes:
//! its sound; its sound without one consonant, so that a wrong, missing or additional consonant leaves an equal code;
//! the name or place of which it is a form. A wrong vowel does not change the sound. Names of one word, neighbouring words
//! without the space, and the letters of the whole name without spaces have keys of their own.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use smallvec::SmallVec;

use crate::{
    name::PreparedName,
    prepared::Prepared,
    romanisation,
    sound::{length, sound, without_vowels},
    token::{Aside, Reading, Role, Token},
    transcription::{Readings, is_long, without_side},
    vocabulary::{familiar, word},
};

/// The number of words of a name that have keys, the rarest first.
const MAX_WORDS: usize = 6;

/// The number of names of which a word is a familiar form that have keys.
const MAX_FAMILIAR: usize = 6;

/// The number of consonants from which a word may be two that were joined.
const MIN_JOINED: u32 = 5;

/// The keys of a subject, each once, in ascending order.
pub fn keys(subject: &Prepared) -> impl Iterator<Item = u32> + use<> {
    let mut keys = Keys::default();
    for name in &subject.names {
        keys.add_name(name);
    }
    keys.add_identifiers(subject);
    keys.0.sort_unstable();
    keys.0.dedup();
    keys.0.into_iter()
}

/// The keys of a subject and those of its years of birth, for the index.
pub(crate) fn indexed_keys(subject: &Prepared) -> Vec<u32> {
    let mut all: Vec<u32> = keys(subject).chain(birth_keys(subject)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Keys of each year of birth with the sound of each word of the name: the index finds those who were born in the same year
/// among many with one name.
pub(crate) fn birth_keys(subject: &Prepared) -> Vec<u32> {
    let mut keys = Keys::default();
    for name in subject.names.iter().filter(|it| it.reading == Reading::Person) {
        for word in name.tokens.iter().filter(|it| it.role == Role::Name) {
            for date in &subject.birth_dates {
                keys.add(&("born", date.year, without_vowels(word.sound)));
            }
        }
    }
    keys.0
}

/// The keys of the identifiers of a subject, which [`keys`] contains too.
pub(crate) fn identifier_keys(subject: &Prepared) -> Vec<u32> {
    let mut keys = Keys::default();
    keys.add_identifiers(subject);
    keys.0
}

#[derive(Default)]
struct Keys(Vec<u32>);

/// A word of a name and what its keys are made of.
struct Coded {
    /// Classes of consonants. 0: an initial.
    sound: u64,
    /// A hash of the letters.
    letters: u32,
    /// The first letter and its class.
    letter: u8,
    first: u8,
    /// Names and places of which it is a form.
    groups: SmallVec<[(u8, u16); 3]>,
    readings: Readings,
}

impl Keys {
    fn add(&mut self, parts: &impl Hash) {
        let mut hasher = FxHasher::default();
        parts.hash(&mut hasher);
        let hash = hasher.finish();
        self.0.push((hash ^ hash >> 32) as u32);
    }

    fn add_identifiers(&mut self, subject: &Prepared) {
        for it in &subject.identifiers {
            self.add(&("identifier", &it.scheme, &it.value));
        }
    }

    fn add_name(&mut self, name: &PreparedName) {
        // A name without a kind may be that of a ship, and is read as that of an organisation.
        let reading = match name.reading {
            Reading::Person => 0,
            Reading::Organisation | Reading::Vessel => 1,
        };
        let mut tokens: SmallVec<[&Token; 12]> =
            name.tokens.iter().filter(|it| matches!(it.role, Role::Name | Role::Initial)).collect();
        if tokens.is_empty() {
            tokens = name.tokens.iter().filter(|it| it.role != Role::Neutral).collect();
        }
        self.add_whole(reading, name, &tokens);
        self.add_joined(reading, name, &tokens);
        self.add_romanised(reading, name, &tokens);
        let telling: SmallVec<[&Token; 12]> =
            tokens.iter().filter(|it| it.aside == Aside::None).copied().collect();
        if !telling.is_empty() && telling.len() < tokens.len() {
            self.add_whole(reading, name, &telling);
        }
        tokens.extend(name.tokens.iter().filter(|it| it.role == Role::Optional));
        if name.reading == Reading::Organisation {
            self.add_initials(reading, name, &tokens);
        }
        tokens.sort_by(|x, y| {
            let is_aside = |it: &Token| it.aside != Aside::None;
            is_aside(x).cmp(&is_aside(y)).then_with(|| y.bits.total_cmp(&x.bits))
        });
        tokens.truncate(MAX_WORDS);
        let words: SmallVec<[Coded; MAX_WORDS]> = tokens.iter().map(|it| coded(name, it)).collect();
        for (at, word) in words.iter().enumerate() {
            for (_, other) in words.iter().enumerate().filter(|(it, _)| *it != at) {
                self.add_pair(reading, word, other);
            }
        }
        for it in words.iter().flat_map(|it| it.readings).filter(|it| is_long(*it)) {
            self.add(&(reading, 'P', without_side(it)));
        }
        if let [word] = &words[..] {
            self.add_single(reading, word);
        }
    }

    /// The syllables of a Chinese or Korean name, which romanisations write with other first letters.
    fn add_romanised(&mut self, reading: u8, name: &PreparedName, tokens: &[&Token]) {
        if name.has_syllables {
            let plain = |it: &&Token| std::str::from_utf8(name.plain_of(it)).unwrap_or_default();
            let words: SmallVec<[_; 12]> = tokens.iter().map(|it| (plain(it), it.script)).collect();
            for whole in romanisation::whole(&words) {
                self.add(&(reading, 'y', whole));
            }
        }
    }

    /// The letters without spaces, with and without small words.
    fn add_whole(&mut self, reading: u8, name: &PreparedName, tokens: &[&Token]) {
        let content: Vec<u8> = tokens.iter().flat_map(|it| name.letters_of(it)).copied().collect();
        for letters in [&content, name.letters.as_bytes()] {
            for code in codes(without_vowels(sound(letters))) {
                self.add(&(reading, 'w', code));
            }
        }
    }

    /// Two neighbouring words as one, and words that may be two.
    fn add_joined(&mut self, reading: u8, name: &PreparedName, tokens: &[&Token]) {
        let words = tokens.iter().filter(|it| it.role == Role::Name);
        let words: SmallVec<[&[u8]; 12]> = words.map(|it| name.letters_of(it)).collect();
        let long = words.iter().map(|it| without_vowels(sound(it)));
        let joined = words.windows(2).map(|it| without_vowels(sound(&it.concat())));
        if name.reading == Reading::Person {
            for at in 1..words.len() {
                let joined = words[at - 1..=at].concat();
                let set = std::str::from_utf8(&joined).map_or(0, |it| word(it).familiar);
                let others = words.iter().enumerate().filter(|(it, _)| *it != at && *it != at - 1);
                for (_, other) in others {
                    for id in familiar(set) {
                        self.add(&(reading, 'g', (3_u8, *id), first_class(other)));
                    }
                }
            }
        }
        for sound in long.filter(|it| length(*it) >= MIN_JOINED).chain(joined) {
            for code in codes(sound) {
                self.add(&(reading, 'w', code));
            }
        }
    }

    /// The first letters of the words, and a word that may consist of them.
    fn add_initials(&mut self, reading: u8, name: &PreparedName, tokens: &[&Token]) {
        let first = |it: &&Token| name.letters_of(it).first().copied();
        if let [word] = tokens {
            if word.is_upper && (3..=8).contains(&name.letters_of(word).len()) {
                self.add(&(reading, 'i', name.letters_of(word)));
            }
            return;
        }
        let initials: Vec<u8> = tokens.iter().filter_map(first).collect();
        let with_describing: Vec<u8> =
            name.tokens.iter().filter(|it| it.is_content()).filter_map(|it| first(&it)).collect();
        for initials in [initials, with_describing] {
            if (3..=8).contains(&initials.len()) {
                self.add(&(reading, 'i', &initials[..]));
            }
        }
    }

    fn add_pair(&mut self, reading: u8, word: &Coded, other: &Coded) {
        for &group in &word.groups {
            self.add(&(reading, 'g', group, other.first));
            for &other in other.groups.iter().filter(|it| **it >= group) {
                self.add(&(reading, 'h', group, other));
            }
        }
        if word.sound == 0 {
            return;
        }
        self.add(&(reading, 'e', word.letters, other.letter));
        if length(word.sound) >= 4 {
            self.add(&(reading, 'r', word.sound));
        }
        for code in codes(word.sound) {
            self.add(&(reading, 's', code, other.first));
        }
        for it in word.readings.iter().filter(|it| **it != 0 && !is_long(**it)) {
            self.add(&(reading, 'p', without_side(*it), other.first));
        }
        for &group in &other.groups {
            self.add(&(reading, 't', word.sound, group));
        }
    }

    fn add_single(&mut self, reading: u8, word: &Coded) {
        for &group in &word.groups {
            self.add(&(reading, 'G', group));
        }
        for it in word.readings.iter().filter(|it| **it != 0) {
            self.add(&(reading, 'P', without_side(*it)));
        }
    }
}

fn coded(name: &PreparedName, token: &Token) -> Coded {
    let letters = name.letters_of(token);
    let mut groups = SmallVec::new();
    for (kind, group) in [(0, token.spelling), (1, token.place), (2, token.families)] {
        if group != 0 {
            groups.push((kind, group));
        }
    }
    groups.extend(familiar(token.familiar).iter().take(MAX_FAMILIAR).map(|it| (3, *it)));
    let sound = if token.role == Role::Initial { 0 } else { without_vowels(token.sound) };
    let mut hasher = FxHasher::default();
    letters.hash(&mut hasher);
    let letter = letters.first().copied().unwrap_or_default();
    let first = first_class(letters);
    let readings = name.readings_of(token).copied().unwrap_or_default();
    Coded { sound, letters: hasher.finish() as u32, letter, first, groups, readings }
}

/// The class of a first letter.
fn first_class(letters: &[u8]) -> u8 {
    match letters {
        [b'p', b'h', ..] => b'F',
        [b'a' | b'e' | b'o' | b'u', ..] => b'A',
        [b'i' | b'j' | b'y', ..] => b'J',
        [b'f' | b'v' | b'w', ..] => b'F',
        [b'c' | b'g' | b'k' | b'q', ..] => b'K',
        [b's' | b'x' | b'z', ..] => b'S',
        [b'd' | b't', ..] => b'T',
        [b'b' | b'p', ..] => b'P',
        [other, ..] => *other,
        [] => 0,
    }
}

/// Codes of a sound. Sounds with one consonant more, less or another one have a code in common.
///
/// Codes have at most seven consonants, so that this is also true of sounds that are cut after the eighth.
fn codes(sound: u64) -> impl Iterator<Item = u64> {
    let length = if length(sound) >= 3 { length(sound) } else { 0 };
    let shorter = (0..length).map(move |at| {
        let low = sound & ((1 << (8 * at)) - 1);
        let high = if at == 7 { 0 } else { sound >> (8 * (at + 1)) << (8 * at) };
        low | high
    });
    std::iter::once(sound & (u64::MAX >> 8)).chain(shorter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kind, Name, Subject};

    fn of(kind: Kind, name: &str) -> Vec<u32> {
        keys(&Prepared::new(&Subject { kind, names: vec![Name::new(name)], ..Subject::default() }))
            .collect()
    }

    #[test]
    fn forms_of_one_name_share_a_key() {
        for (one, other) in [
            ("Hans Müller", "Mueller, Johann"),
            ("Jean-Pierre Rochat", "J. P. Rochat"),
            ("Alisher Usmanov", "AlisherUsmanov"),
            ("RafaelSmirnow", "Olga Rafael Smirnov"),
            ("Chen Li Jinping", "Li Jin Ping"),
            ("محمد حسن", "Mohammed Hassan"),
            ("Xi Jinping", "习近平"),
            ("Sergei Lavrov", "Sergei Lawrow"),
            ("Hugo Chavez", "Hugo Shavez"),
        ] {
            let (one_keys, other_keys) = (of(Kind::Person, one), of(Kind::Person, other));
            assert!(one_keys.iter().any(|it| other_keys.contains(it)), "{one} {other}");
        }
        let (one, other) =
            (of(Kind::Organisation, "PLA"), of(Kind::Organisation, "People's Liberation Army"));
        assert!(one.iter().any(|it| other.contains(it)));
    }

    #[test]
    fn names_without_a_word_in_common_share_no_key() {
        let (one, other) = (of(Kind::Person, "Hans Müller"), of(Kind::Person, "Vladimir Putin"));
        assert!(!one.iter().any(|it| other.contains(it)));
    }

    #[test]
    fn sounds_with_one_other_consonant_share_a_code() {
        let packed = |classes: &[u8]| {
            classes.iter().rev().fold(0, |packed, it| packed << 8 | u64::from(*it))
        };
        let shares = |one: &[u8], other: &[u8]| {
            let others: Vec<_> = codes(packed(other)).collect();
            codes(packed(one)).any(|it| others.contains(&it))
        };
        assert!(shares(b"MLR", b"MLLR") && shares(b"MLR", b"MNR") && shares(b"MLR", b"LR"));
        assert!(shares(b"MLRMLRML", b"MLRLRMLK") && shares(b"MLRMLRML", b"XMLRMLRM"));
        assert!(!shares(b"MLR", b"KTS"));
    }
}
