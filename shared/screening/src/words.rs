//! The words of a text, in ASCII letters, before their role in a name is known.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use crate::transliteration::{Script, script, simplified, transliterate};

/// The number of characters of a name that are compared.
const MAX_CHARACTERS: usize = 256;

/// The number of words of a name that are compared.
pub(crate) const MAX_WORDS: usize = 24;

/// One word of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawWord {
    /// Where its letters start and end in [`Words::letters`].
    pub(crate) letters: (u16, u16),
    /// Where it starts and ends in [`Words::text`].
    pub(crate) source: (u16, u16),
    pub(crate) script: Script,
    /// The simplified Han character or the syllable; 0 in other scripts.
    pub(crate) character: u32,
    /// Whether all its letters are capitals.
    pub(crate) is_upper: bool,
    /// Whether a full stop follows.
    pub(crate) has_stop: bool,
}

/// A text and its words.
#[derive(Debug)]
pub(crate) struct Words {
    /// The compared part in normal form NFKC.
    pub(crate) text: String,
    /// The letters of all words, without spaces.
    pub(crate) letters: String,
    pub(crate) words: Vec<RawWord>,
}

impl Words {
    pub(crate) fn letters_of(&self, word: &RawWord) -> &str {
        &self.letters[usize::from(word.letters.0)..usize::from(word.letters.1)]
    }
}

/// NFKC of the compared part of a text.
pub(crate) fn normalised(text: &str) -> String {
    // ASCII is its own normal form.
    if text.is_ascii() {
        return text[..text.len().min(MAX_CHARACTERS)].to_owned();
    }
    // Compatibility characters can expand to 18 characters each, so the result is bounded too.
    text.chars().take(MAX_CHARACTERS).nfkc().take(MAX_CHARACTERS).collect()
}

/// Splits a normalised text.
pub(crate) fn split(text: String) -> Words {
    let mut splitter = Splitter {
        letters: String::with_capacity(text.len()),
        words: Vec::with_capacity(8),
        open: None,
    };
    let mut previous = ' ';
    let mut characters = text.char_indices().peekable();
    while let Some((at, letter)) = characters.next() {
        let next = characters.peek().map_or(' ', |&(_, it)| it);
        splitter.add(at, letter, previous, next);
        previous = letter;
    }
    splitter.close();
    let Splitter { letters, mut words, .. } = splitter;
    words.truncate(MAX_WORDS);
    Words { text, letters, words }
}

struct Splitter {
    letters: String,
    words: Vec<RawWord>,
    open: Option<RawWord>,
}

impl Splitter {
    fn add(&mut self, at: usize, letter: char, previous: char, next: char) {
        let letter = if previous.is_alphabetic() || next.is_alphabetic() {
            as_letter(letter, previous, next)
        } else {
            letter
        };
        // Vowel signs of Indian scripts are letters; accents and the vowel points of Arabic and Hebrew are not.
        let is_mark = !letter.is_ascii() && is_combining_mark(letter);
        let is_vowel_sign = is_mark && matches!(letter, '\u{900}'..='\u{1cff}');
        if !is_vowel_sign && (is_mark || !letter.is_alphanumeric()) {
            match letter {
                '.' => self.close_with_stop(),
                '&' | '+' => self.symbol(at, letter, "and"),
                '%' => self.symbol(at, letter, "percent"),
                // Not between words: apostrophes, marks and invisible characters.
                '\''
                | '’'
                | '‘'
                | 'ʼ'
                | 'ʿ'
                | 'ʾ'
                | '`'
                | '´'
                | '\u{ad}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2060}'
                | '\u{feff}'
                | '\u{640}' => {}
                _ if is_mark => {}
                _ => self.close(),
            }
            return;
        }
        // Modifier letters that write a glottal stop, and the mark of long vowels.
        if matches!(letter, 'ʼ' | 'ʿ' | 'ʾ' | 'ʻ' | 'ー' | '\u{640}') {
            return;
        }
        let script = script(letter);
        let is_single = matches!(script, Script::Han | Script::Hangul);
        if is_single || self.is_new_word(letter, previous, next, script) {
            self.close();
        }
        let is_first = self.words.is_empty() && self.open.is_none();
        let start = self.letters.len();
        let shown = if script == Script::Han { simplified(letter) } else { letter };
        transliterate(shown, is_first, &mut self.letters);
        let (end, source_end) = (position(self.letters.len()), position(at + letter.len_utf8()));
        // A symbol between words that deunicode does not know.
        if usize::from(end) == start && !is_single && self.open.is_none() {
            return;
        }
        let word = self.open.get_or_insert(RawWord {
            letters: (position(start), end),
            source: (position(at), source_end),
            script,
            character: if is_single { u32::from(shown) } else { 0 },
            is_upper: true,
            has_stop: false,
        });
        word.letters.1 = end;
        word.source.1 = source_end;
        word.is_upper &= !letter.is_lowercase();
        if is_single {
            self.close();
        }
    }

    /// Whether a word starts without a space before it: `SiemensAG`, or a change of script.
    fn is_new_word(&self, letter: char, previous: char, next: char, script: Script) -> bool {
        let Some(open) = &self.open else { return false };
        let length = open.letters.1 - open.letters.0;
        let is_camel_case =
            previous.is_lowercase() && letter.is_uppercase() && length >= 4 && next.is_alphabetic();
        is_camel_case || (open.script != script)
    }

    fn symbol(&mut self, at: usize, symbol: char, word: &str) {
        self.close();
        let start = position(self.letters.len());
        self.letters.push_str(word);
        self.words.push(RawWord {
            letters: (start, position(self.letters.len())),
            source: (position(at), position(at + symbol.len_utf8())),
            script: Script::Alphabet,
            character: 0,
            is_upper: false,
            has_stop: false,
        });
    }

    fn close(&mut self) {
        if let Some(mut word) = self.open.take() {
            self.remove_article(&mut word);
            self.words.push(word);
        }
    }

    fn close_with_stop(&mut self) {
        if let Some(word) = &mut self.open {
            word.has_stop = true;
        }
        self.close();
    }

    /// Arabic writes the article as part of the word, Latin transliterations as a word (`al-`), which is ignored.
    fn remove_article(&self, word: &mut RawWord) {
        let letters = &self.letters[usize::from(word.letters.0)..usize::from(word.letters.1)];
        if word.script == Script::Consonants && letters.len() > 4 && letters.starts_with("al") {
            word.letters.0 += 2;
        }
    }
}

/// The letter for which a symbol in a word is written: `$berbank`, `V|adimir`.
fn as_letter(symbol: char, previous: char, next: char) -> char {
    let is_inside = previous.is_alphabetic() && next.is_alphabetic();
    match symbol {
        '@' if next.is_alphabetic() => 'a',
        '$' if next.is_alphabetic() => 's',
        '|' if is_inside => 'l',
        '!' if is_inside => 'i',
        '€' if is_inside => 'e',
        _ => symbol,
    }
}

/// Texts are so short that positions fit.
fn position(at: usize) -> u16 {
    u16::try_from(at).unwrap_or(u16::MAX)
}
