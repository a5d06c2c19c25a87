//! A name prepared for comparison: its words with their roles and rarity.

use crate::{
    legal_forms::{self, Families},
    roles,
    sound::sound,
    token::{Aside, Reading, Role, Token},
    transcription::{self, Readings},
    transliteration::Script,
    words::{RawWord, Words, normalised, split_name},
};

/// A name prepared for comparison.
#[derive(Clone, Debug)]
pub(crate) struct PreparedName {
    pub(crate) reading: Reading,
    pub(crate) is_weak: bool,
    /// The position of the name among those of its subject.
    pub(crate) position: usize,
    /// The text that the sources of the tokens refer to.
    pub(crate) text: Box<str>,
    pub(crate) letters: Box<str>,
    /// The letters of words in which `ae`, `oe` or `ue` is merged, before that.
    pub(crate) plain: Box<str>,
    /// How languages read its words, if they may be Slavic.
    pub(crate) readings: Box<[Readings]>,
    pub(crate) tokens: Box<[Token]>,
    /// Legal forms in the name. 0: none.
    pub(crate) families: Families,
    /// First and last token of the first legal form.
    pub(crate) legal_form: Option<(u8, u8)>,
}

impl PreparedName {
    /// Prepares one name. `None` if it contains no word.
    pub(crate) fn new(text: &str, is_weak: bool, reading: Reading) -> Option<Self> {
        let mut text = normalised(text);
        let unspaced =
            if reading == Reading::Person { 0 } else { legal_forms::remove_unspaced(&mut text) };
        let mut words = split_name(text, |it| legal_forms::families(it) != 0);
        if reading != Reading::Person {
            roles::join_single_letters(&mut words);
        }
        let mut tokens: Vec<_> = words.words.iter().map(|word| token(&words, word)).collect();
        let forms = roles::assign(&words, &mut tokens, reading);
        let readings = readings(&words, &mut tokens);
        let Words { text, letters, plain, .. } = words;
        tokens.iter().any(|it| it.role != Role::Neutral && it.role != Role::Father).then(|| Self {
            reading,
            is_weak,
            position: 0,
            text: text.into(),
            letters: letters.into(),
            plain: plain.into(),
            readings,
            tokens: tokens.into(),
            families: unspaced | forms.families,
            legal_form: forms.first,
        })
    }

    pub(crate) fn letters_of(&self, token: &Token) -> &[u8] {
        self.span(token.letters)
    }

    /// The letters of a token with each `ae`, `oe` and `ue`.
    pub(crate) fn plain_of(&self, token: &Token) -> &[u8] {
        let (start, end) = token.plain;
        if end == 0 {
            self.letters_of(token)
        } else {
            &self.plain.as_bytes()[usize::from(start)..usize::from(end)]
        }
    }

    /// How languages read a token, if it may be Slavic.
    pub(crate) fn readings_of(&self, token: &Token) -> Option<&Readings> {
        self.readings.get(usize::from(token.readings).checked_sub(1)?)
    }

    /// Letters between two positions.
    pub(crate) fn span(&self, (start, end): (u16, u16)) -> &[u8] {
        &self.letters.as_bytes()[usize::from(start)..usize::from(end)]
    }

    /// The words from one token to another as the source writes them.
    pub(crate) fn written(&self, (first, last): (u8, u8)) -> &str {
        let (start, end) =
            (self.tokens[usize::from(first)].source.0, self.tokens[usize::from(last)].source.1);
        &self.text[usize::from(start)..usize::from(end)]
    }
}

/// The readings of the words of a name that may be Slavic, whose numbers are set.
fn readings(words: &Words, tokens: &mut [Token]) -> Box<[Readings]> {
    let is_slavic = |it: &RawWord| transcription::has_ending(words.letters_of(it));
    let is_cyrillic = |it: char| matches!(it, '\u{400}'..='\u{4ff}');
    let is_ascii = words.text.is_ascii();
    if !words.words.iter().any(is_slavic) && (is_ascii || !words.text.chars().any(is_cyrillic)) {
        return Box::default();
    }
    let mut readings = Vec::with_capacity(tokens.len());
    for (word, token) in words.words.iter().zip(tokens) {
        let of_word = transcription::readings(words.plain_of(word).as_bytes());
        if token.script == Script::Alphabet && token.role != Role::Neutral && of_word[0] != 0 {
            readings.push(of_word);
            token.readings = readings.len() as u8;
        }
    }
    readings.into()
}

fn token(words: &Words, raw: &RawWord) -> Token {
    let letters = words.letters_of(raw);
    let known = crate::vocabulary::word(letters);
    let is_word = raw.character == 0;
    Token {
        role: Role::Name,
        script: raw.script,
        is_abbreviated: raw.has_stop && (2..=5).contains(&letters.len()),
        is_upper: raw.is_upper,
        is_abbreviation: raw.is_upper && words.words.iter().any(|it| !it.is_upper),
        is_given: is_word && known.is_given,
        is_perhaps_title: false,
        bits: 0.0,
        mask: mask(letters.as_bytes()),
        letters: raw.letters,
        plain: raw.plain,
        source: raw.source,
        character: raw.character,
        number: 0,
        sound: sound(letters.as_bytes()),
        familiar: if is_word { known.familiar } else { 0 },
        spelling: if is_word { known.spelling } else { 0 },
        place: if is_word { known.place } else { 0 },
        families: 0,
        aside: Aside::None,
        country: 0,
        readings: 0,
    }
}

/// Which letters a word contains: a bit for each letter, and one for any digit.
pub(crate) fn mask(letters: &[u8]) -> u32 {
    letters.iter().fold(0, |mask, letter| {
        mask | match letter {
            b'a'..=b'z' => 1 << (letter - b'a'),
            _ => 1 << 26,
        }
    })
}

/// The positions of the bits that are set.
pub(crate) fn ones(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = bits.trailing_zeros() as usize;
        (bits != 0).then(|| {
            bits &= bits - 1;
            at
        })
    })
}
