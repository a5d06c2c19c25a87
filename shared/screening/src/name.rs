//! A name prepared for comparison: its words with their roles and rarity.

use crate::{
    legal_forms::Families,
    roles,
    sound::sound,
    transliteration::Script,
    words::{RawWord, Words, normalised, split},
};

/// How the words of a name are understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// The name of a person.
    Person,
    /// The name of an organisation.
    Organisation,
    /// The name of a ship.
    Vessel,
}

/// The role of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Distinguishes the subject.
    Name,
    /// A single letter for a name.
    Initial,
    /// A number.
    Number,
    /// Only describes a company: Group, Holding.
    Describing,
    /// A word before the father's name: bin.
    Father,
    /// A title, particle, connecting word or legal form.
    Neutral,
}

/// One word of a name.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) role: Role,
    pub(crate) script: Script,
    /// Whether a full stop follows a short word, which may be the start of a longer one: `Joh.`
    pub(crate) is_abbreviated: bool,
    /// Whether all its letters are capitals.
    pub(crate) is_upper: bool,
    /// Whether it is written in capitals and other words of the name are not.
    pub(crate) is_abbreviation: bool,
    /// Whether it is a frequent given name.
    pub(crate) is_given: bool,
    /// Rarity in bits.
    pub(crate) bits: f32,
    /// Which letters it contains, a bit for each.
    pub(crate) mask: u32,
    pub(crate) letters: (u16, u16),
    pub(crate) source: (u16, u16),
    pub(crate) character: u32,
    /// The number of a [`Role::Number`].
    pub(crate) number: u32,
    pub(crate) sound: u64,
    pub(crate) familiar: u64,
    pub(crate) spelling: u16,
    pub(crate) place: u16,
    /// Legal forms that are also part of the name: Stiftung.
    pub(crate) families: Families,
}

impl Token {
    /// Whether another name without this word is a different name.
    pub(crate) fn is_content(&self) -> bool {
        matches!(self.role, Role::Name | Role::Initial | Role::Describing)
    }
}

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
        let unspaced = if reading == Reading::Person {
            0
        } else {
            crate::legal_forms::remove_unspaced(&mut text)
        };
        let mut words = split(text);
        if reading != Reading::Person {
            roles::join_single_letters(&mut words);
        }
        let mut tokens: Vec<_> = words.words.iter().map(|word| token(&words, word)).collect();
        let forms = roles::assign(&words, &mut tokens, reading);
        let Words { text, letters, .. } = words;
        tokens.iter().any(|it| it.role != Role::Neutral && it.role != Role::Father).then(|| Self {
            reading,
            is_weak,
            position: 0,
            text: text.into(),
            letters: letters.into(),
            tokens: tokens.into(),
            families: unspaced | forms.families,
            legal_form: forms.first,
        })
    }

    pub(crate) fn letters_of(&self, token: &Token) -> &[u8] {
        self.span(token.letters)
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
        bits: 0.0,
        mask: mask(letters.as_bytes()),
        letters: raw.letters,
        source: raw.source,
        character: raw.character,
        number: 0,
        sound: sound(letters.as_bytes()),
        familiar: if is_word { known.familiar } else { 0 },
        spelling: if is_word { known.spelling } else { 0 },
        place: if is_word { known.place } else { 0 },
        families: 0,
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
