//! The words of a text, in ASCII letters, before their role in a name is known.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use crate::alphabets::{Language, greek, is_written};
use crate::transliteration::{Script, push_merged, script, simplified, transliterate};

/// The number of characters of a name that are compared.
const MAX_CHARACTERS: usize = 256;

/// The number of words of a name that are compared.
pub(crate) const MAX_WORDS: usize = 24;

/// The last letter of Latin Extended-A in Unicode. The alphabets that are told apart by their letters come later.
const LAST_EUROPEAN: char = '\u{17f}';

/// Whether a text has no letters beyond those of European languages, as most names.
pub(crate) fn is_european(text: &str) -> bool {
    text.chars().all(|it| it <= LAST_EUROPEAN)
}

/// One word of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawWord {
    /// Where its letters start and end in [`Words::letters`].
    pub(crate) letters: (u16, u16),
    /// The same in [`Words::plain`]. Empty if no letter was merged.
    pub(crate) plain: (u16, u16),
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

impl RawWord {
    /// Adds the next word, whose letters follow.
    pub(crate) fn join(&mut self, next: &Self) {
        self.letters.1 = next.letters.1;
        self.plain = (0, 0);
        self.source.1 = next.source.1;
        self.is_upper &= next.is_upper;
        self.has_stop = false;
    }
}

/// A text and its words.
#[derive(Debug)]
pub(crate) struct Words {
    /// The compared part in normal form NFKC.
    pub(crate) text: String,
    /// The letters of all words, without spaces.
    pub(crate) letters: String,
    /// The letters of words in which `ae`, `oe` or `ue` is merged, before that.
    pub(crate) plain: String,
    pub(crate) words: Vec<RawWord>,
}

impl Words {
    pub(crate) fn letters_of(&self, word: &RawWord) -> &str {
        &self.letters[usize::from(word.letters.0)..usize::from(word.letters.1)]
    }

    /// The letters of a word with each `ae`, `oe` and `ue`.
    pub(crate) fn plain_of(&self, word: &RawWord) -> &str {
        match word.plain {
            (_, 0) => self.letters_of(word),
            (start, end) => &self.plain[usize::from(start)..usize::from(end)],
        }
    }

    /// Some words from a position with spaces between them, written into the buffer.
    pub(crate) fn phrase<'a>(&self, at: usize, count: usize, buffer: &'a mut String) -> &'a str {
        buffer.clear();
        for (number, word) in self.words[at..at + count].iter().enumerate() {
            if number > 0 {
                buffer.push(' ');
            }
            buffer.push_str(self.letters_of(word));
        }
        buffer
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

/// Splits a normalised text that is no name of a company.
pub(crate) fn split(text: String) -> Words {
    split_name(text, |_| false)
}

/// Splits a normalised name. `is_legal_form`: whether letters are a legal form, so that `AG & Co` is no abbreviation as `AT&T` is.
pub(crate) fn split_name(text: String, is_legal_form: fn(&str) -> bool) -> Words {
    let mut splitter = Splitter {
        is_legal_form,
        letters: String::with_capacity(text.len()),
        plain: String::new(),
        words: Vec::with_capacity(8),
        open: None,
        language: Language::Other,
        is_arabic: false,
        is_vietnamese: false,
    };
    if !is_european(&text) {
        splitter.language = Language::of(&text);
        splitter.is_arabic = text.chars().any(|it| matches!(it, '\u{600}'..='\u{6ff}'));
        splitter.is_vietnamese = text.chars().any(is_vietnamese);
    }
    let mut previous = ' ';
    let mut characters = text.char_indices().peekable();
    while let Some((at, letter)) = characters.next() {
        let next = characters.peek().map_or(' ', |&(_, it)| it);
        splitter.add(at, letter, previous, next);
        previous = letter;
    }
    splitter.close();
    let Splitter { letters, plain, mut words, .. } = splitter;
    words.truncate(MAX_WORDS);
    Words { text, letters, plain, words }
}

struct Splitter {
    is_legal_form: fn(&str) -> bool,
    letters: String,
    plain: String,
    words: Vec<RawWord>,
    open: Option<RawWord>,
    language: Language,
    is_arabic: bool,
    is_vietnamese: bool,
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
                '&' | '+' if self.is_in_abbreviation(previous, next) => {}
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
        let word_start = self.open.map_or(start, |it| usize::from(it.letters.0));
        let plain_start = self.plain.len();
        if (!shown.is_ascii() || self.language.is_latin())
            && let Some(letters) = self.by_neighbours(shown, previous, next)
        {
            self.plain.push_str(letters);
        } else {
            transliterate(shown, is_first, &mut self.plain);
        }
        push_merged(&self.plain[plain_start..], word_start, &mut self.letters);
        let (end, source_end) = (position(self.letters.len()), position(at + letter.len_utf8()));
        // A symbol between words that deunicode does not know.
        if usize::from(end) == start && !is_single && self.open.is_none() {
            return;
        }
        let word = self.open.get_or_insert(RawWord {
            letters: (position(start), end),
            plain: (position(plain_start), position(plain_start)),
            source: (position(at), source_end),
            script,
            character: if is_single { u32::from(shown) } else { 0 },
            is_upper: true,
            has_stop: false,
        });
        word.letters.1 = end;
        word.plain.1 = position(self.plain.len());
        word.source.1 = source_end;
        word.is_upper &= !letter.is_lowercase();
        if is_single {
            self.close();
        }
    }

    /// The letters of a letter that means another sound in this text or between its neighbours.
    fn by_neighbours(&self, letter: char, before: char, after: char) -> Option<&'static str> {
        match letter {
            'đ' | 'Đ' if self.is_vietnamese => Some("d"),
            '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => {
                let word = self.open.map_or("", |it| &self.letters[usize::from(it.letters.0)..]);
                if is_written(letter, before, word) {
                    Some("")
                } else {
                    greek(letter, before, after, word.is_empty())
                }
            }
            _ => self.language.latin(letter),
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

    /// Whether a symbol is a part of an abbreviation, which is also written without it: `AT&T`.
    fn is_in_abbreviation(&self, previous: char, next: char) -> bool {
        previous.is_uppercase()
            && next.is_uppercase()
            && self.open.is_some_and(|it| {
                let letters = &self.letters[usize::from(it.letters.0)..];
                it.is_upper && letters.len() <= 3 && !(self.is_legal_form)(letters)
            })
    }

    fn symbol(&mut self, at: usize, symbol: char, word: &str) {
        self.close();
        let start = position(self.letters.len());
        self.letters.push_str(word);
        self.words.push(RawWord {
            letters: (start, position(self.letters.len())),
            plain: (0, 0),
            source: (position(at), position(at + symbol.len_utf8())),
            script: Script::Alphabet,
            character: 0,
            is_upper: false,
            has_stop: false,
        });
    }

    fn close(&mut self) {
        if let Some(mut word) = self.open.take() {
            if word.plain.1 - word.plain.0 == word.letters.1 - word.letters.0 {
                self.plain.truncate(word.plain.0.into());
                word.plain = (0, 0);
            }
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
        let is_arabic = word.script == Script::Consonants && self.is_arabic;
        // `al-`, and `lil-` of the article after `li-`.
        if is_arabic
            && letters.len() > 4
            && (letters.starts_with("al") || letters.starts_with("ll"))
        {
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

/// Letters that only Vietnamese has.
fn is_vietnamese(letter: char) -> bool {
    matches!(letter, 'ơ' | 'Ơ' | 'ư' | 'Ư' | '\u{1ea0}'..='\u{1ef9}')
}

/// Texts are so short that positions fit.
fn position(at: usize) -> u16 {
    u16::try_from(at).unwrap_or(u16::MAX)
}
