//! A name prepared for comparison: its words with their roles and rarity.

use smallvec::SmallVec;

use crate::{
    asides,
    legal_forms::{self, Families},
    roles, romanisation,
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
    /// How languages read its words, if they are of those that have several ways to write names.
    pub(crate) readings: Box<[Readings]>,
    /// Whether it may be a Chinese or Korean name. Its readings are those of [`romanisation::of_name`].
    pub(crate) has_syllables: bool,
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
            if reading == Reading::Person { 0 } else { legal_forms::remove_written(&mut text) };
        let mut words = split_name(text, |it| legal_forms::families(it) != 0);
        if reading != Reading::Person {
            roles::join_single_letters(&mut words);
        }
        if reading == Reading::Organisation {
            asides::join_trades(&mut words);
        }
        let mut tokens: Vec<_> = words.words.iter().map(|word| token(&words, word)).collect();
        let forms = roles::assign(&words, &mut tokens, reading);
        let (readings, has_syllables) = readings(&words, &mut tokens, reading);
        let Words { text, letters, plain, .. } = words;
        tokens.iter().any(|it| it.role != Role::Neutral && it.role != Role::Father).then(|| Self {
            reading,
            is_weak,
            position: 0,
            text: text.into(),
            letters: letters.into(),
            plain: plain.into(),
            readings,
            has_syllables,
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

    /// A token as the source writes it.
    pub(crate) fn written_of(&self, token: &Token) -> &str {
        &self.text[usize::from(token.source.0)..usize::from(token.source.1)]
    }

    /// How languages read a token.
    pub(crate) fn readings_of(&self, token: &Token) -> Option<&Readings> {
        self.readings.get(usize::from(token.readings).checked_sub(1)?)
    }

    /// How languages read two neighbouring words as one.
    pub(crate) fn readings_of_joined(&self, first: &Token, last: &Token) -> Option<&Readings> {
        let is_next = first.readings > 0 && last.readings == first.readings + 1;
        let words = self.readings.len().div_ceil(2);
        self.readings
            .get(words + usize::from(first.readings).checked_sub(1)?)
            .filter(|_| self.has_syllables && is_next)
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

/// The readings of the words of a name that may be Slavic, Greek, Chinese or Korean, whose numbers are set; whether it is of syllables.
fn readings(words: &Words, tokens: &mut [Token], reading: Reading) -> (Box<[Readings]>, bool) {
    let mut readings = Vec::new();
    let mut set = |token: &mut Token, of_word: Readings| {
        if of_word[0] != 0 {
            readings.push(of_word);
            token.readings = readings.len() as u8;
        }
    };
    if reading == Reading::Person {
        let contents: SmallVec<[usize; 8]> =
            (0..tokens.len()).filter(|it| tokens[*it].is_content()).collect();
        let letters: SmallVec<[(&str, Script); 8]> = contents
            .iter()
            .map(|it| (words.plain_of(&words.words[*it]), tokens[*it].script))
            .collect();
        if let Some(of_words) = romanisation::of_name(&letters) {
            for (number, at) in (1..).zip(contents) {
                tokens[at].readings = number;
            }
            return (of_words.into(), true);
        }
    }
    let families = words
        .words
        .iter()
        .map(|it| transcription::families(words.letters_of(it)))
        .chain((!words.text.is_ascii()).then(|| transcription::families_of_script(&words.text)))
        .fold(0, |families, it| families | it);
    if families == 0 {
        return (Box::default(), false);
    }
    for (word, token) in words.words.iter().zip(tokens) {
        if token.script == Script::Alphabet && token.role != Role::Neutral {
            set(token, transcription::readings(words.plain_of(word).as_bytes(), families));
        }
    }
    (readings.into(), false)
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
