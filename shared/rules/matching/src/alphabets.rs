//! How letters of other alphabets are written in Latin ones (`alphabets.tsv`).

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::tables::lines;

/// The Latin forms of letters, the first of which is that of the standard.
type Letters = FxHashMap<char, Vec<&'static str>>;

/// Alphabets of all texts in their script.
const OF_SCRIPTS: [&str; 4] = ["greek", "georgian", "hebrew", "arabic"];

static ALPHABETS: LazyLock<FxHashMap<&'static str, Letters>> = LazyLock::new(|| {
    let file = lines(include_str!("../vocabulary/alphabets.tsv"));
    let alphabets = file.filter_map(|line| line.split_once('\t')).map(|(name, letters)| {
        let letters = letters.split(' ').filter_map(|it| {
            let (letter, forms) = it.split_once('=')?;
            Some((letter.chars().next()?, forms.split('/').collect()))
        });
        (name, letters.collect())
    });
    alphabets.collect()
});

/// The first letter of the scripts in Unicode.
const FIRST: char = '\u{370}';

static SCRIPTS: LazyLock<Letters> = LazyLock::new(|| {
    OF_SCRIPTS
        .iter()
        .flat_map(|it| &ALPHABETS[it])
        .map(|(it, forms)| (*it, forms.clone()))
        .collect()
});

/// The Latin forms of a letter of a script that all its languages write alike. `+`: a vowel, `-`: nothing. Empty: unknown.
pub(crate) fn forms(letter: char) -> &'static [&'static str] {
    // Most letters are Latin ones.
    if letter < FIRST {
        return &[];
    }
    SCRIPTS.get(&lower(letter)).map_or(&[], Vec::as_slice)
}

/// The language of a text whose letters mean other sounds than those of the other languages of its script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// Russian, Arabic, and other languages whose letters mean the same.
    Other,
    /// Serbian and Macedonian.
    Serbian,
    Ukrainian,
    Belarusian,
    /// Bulgarian, in which `ъ` is a vowel.
    Bulgarian,
    Persian,
    /// In Latin letters, some of which are those of English with another sound.
    Azerbaijani,
}

impl Language {
    /// The language, by letters that others lack.
    pub(crate) fn of(text: &str) -> Self {
        let mut previous = ' ';
        let (mut is_russian, mut has_i) = (false, false);
        for letter in text.chars().map(lower) {
            match letter {
                'ђ' | 'ћ' | 'џ' | 'љ' | 'њ' | 'ј' | 'ѓ' | 'ќ' | 'ѕ' => {
                    return Self::Serbian;
                }
                'ї' | 'є' | 'ґ' => return Self::Ukrainian,
                'ў' => return Self::Belarusian,
                // Kazakh writes its own letters, and the others as Russian does.
                'ә' | 'ғ' | 'қ' | 'ң' | 'ө' | 'ұ' | 'ү' | 'һ' => return Self::Other,
                'і' => has_i = true,
                'ы' | 'э' | 'ё' => is_russian = true,
                // In Russian the letter is only before these vowels.
                letter if previous == 'ъ' && !matches!(letter, 'е' | 'ю' | 'я') => {
                    return Self::Bulgarian;
                }
                'ə' => return Self::Azerbaijani,
                'پ' | 'چ' | 'ژ' | 'گ' | 'ک' | 'ی' => return Self::Persian,
                _ => {}
            }
            previous = letter;
        }
        match (is_russian, has_i) {
            (true, true) => Self::Belarusian,
            (false, true) => Self::Ukrainian,
            (_, false) => Self::Other,
        }
    }

    /// Whether its letters that others write as well mean other sounds.
    pub(crate) fn is_latin(self) -> bool {
        self == Self::Azerbaijani
    }

    /// The Latin letters of a letter, if they differ from those of other languages.
    pub(crate) fn latin(self, letter: char) -> Option<&'static str> {
        let name = match self {
            Self::Other => return None,
            Self::Serbian => "serbian",
            Self::Ukrainian => "ukrainian",
            Self::Belarusian => "belarusian",
            Self::Bulgarian => "bulgarian",
            Self::Persian => "persian",
            Self::Azerbaijani => "azerbaijani",
        };
        ALPHABETS[name].get(&lower(letter))?.first().copied()
    }
}

/// The Latin letters of a Greek letter that depend on its neighbours (ELOT 743): `μπ`, `ντ` and `γκ` at the start of a word,
/// `ου`, `αυ`, `ευ`.
pub(crate) fn greek(letter: char, before: char, after: char, starts: bool) -> Option<&'static str> {
    match (lower(before), lower(letter), lower(after)) {
        (_, 'μ', 'π') if starts => Some("b"),
        (_, 'ν', 'τ') if starts => Some("d"),
        (_, 'γ', 'κ') if starts => Some("g"),
        (_, 'γ', 'γ' | 'ξ' | 'χ') => Some("n"),
        ('ο', 'υ' | 'ύ', _) => Some("u"),
        ('α' | 'ε' | 'ά' | 'έ', 'υ' | 'ύ', _) => Some("v"),
        _ => None,
    }
}

/// A text with foreign names as Greek writes them: `γι` before a vowel is y, `γκ`, `ντ` and `μπ` are g, d and b inside a word too
/// (`Γιουσούφ Κουργκάν`: Yusuf Kurgan). `None`: it has none of these.
pub(crate) fn foreign_in_greek(text: &str) -> Option<String> {
    let is_greek = |it: char| ('\u{370}'..='\u{3ff}').contains(&it);
    if !text.contains(is_greek) {
        return None;
    }
    let letters: Vec<char> = text.chars().collect();
    let lower_at = |at: usize| letters.get(at).map_or(' ', |it| lower(*it));
    let mut foreign = String::with_capacity(text.len());
    let (mut at, mut is_changed) = (0, false);
    while at < letters.len() {
        let is_inside = at > 0 && letters[at - 1].is_alphabetic();
        let is_vowel = |it: char| "αεηιουωάέήίόύώ".contains(it);
        let sound = match (lower_at(at), lower_at(at + 1)) {
            ('γ', 'ι') if is_vowel(lower_at(at + 2)) => Some('y'),
            ('γ', 'κ') if is_inside => Some('g'),
            ('ν', 'τ') if is_inside => Some('d'),
            ('μ', 'π') if is_inside => Some('b'),
            _ => None,
        };
        foreign.push(sound.unwrap_or(letters[at]));
        is_changed |= sound.is_some();
        at += if sound.is_some() { 2 } else { 1 };
    }
    is_changed.then_some(foreign)
}

/// Whether a Greek letter was written with the one before it.
pub(crate) fn is_written(letter: char, before: char, word: &str) -> bool {
    matches!(
        (lower(before), lower(letter), word),
        ('μ', 'π', "b") | ('ν', 'τ', "d") | ('γ', 'κ', "g")
    )
}

fn lower(letter: char) -> char {
    letter.to_lowercase().next().unwrap_or(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_sounds_in_greek() {
        for (written, foreign) in [
            ("Γιουσούφ Κουργκάν", Some("yουσούφ Κουρgάν")),
            ("Γιασίν Μπεντουίν", Some("yασίν Μπεdουίν")),
            ("Αμπντουλλάχ", Some("Αbdουλλάχ")),
            ("Νίκος", None),
            ("Yusuf", None),
        ] {
            assert_eq!(foreign_in_greek(written).as_deref(), foreign, "{written}");
        }
    }
}
