//! Letters of any script → lower-case ASCII letters.

use std::sync::LazyLock;

use deunicode::deunicode_char;
use rustc_hash::FxHashMap;

use crate::{alphabets, tables::lines};

/// How the words of a script are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Script {
    /// Latin, Cyrillic, Greek, Kana and others that write consonants and vowels.
    Alphabet,
    /// Arabic and Hebrew, which write few vowels.
    Consonants,
    /// Chinese characters: one word per character.
    Han,
    /// Korean: one word per syllable.
    Hangul,
}

/// The script of a letter.
pub(crate) fn script(letter: char) -> Script {
    match u32::from(letter) {
        0x0590..=0x08FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFF => Script::Consonants,
        0x3400..=0x9FFF | 0xF900..=0xFAFF | 0x2_0000..=0x3_FFFF => Script::Han,
        0xAC00..=0xD7A3 => Script::Hangul,
        _ => Script::Alphabet,
    }
}

/// Traditional Han characters and their simplified forms.
static SIMPLIFIED: LazyLock<FxHashMap<char, char>> = LazyLock::new(|| {
    let pairs = lines(include_str!("../vocabulary/han.tsv")).flat_map(str::split_whitespace);
    pairs.filter_map(|pair| Some((pair.chars().next()?, pair.chars().nth(1)?))).collect()
});

/// Korean surnames and their romanisations, the most usual first.
static SURNAMES: LazyLock<FxHashMap<char, Vec<&'static str>>> = LazyLock::new(|| {
    let entries = lines(include_str!("../vocabulary/hangul.tsv")).flat_map(str::split_whitespace);
    entries
        .filter_map(|entry| {
            let surname = entry.chars().next()?;
            Some((surname, entry[surname.len_utf8()..].split('/').collect()))
        })
        .collect()
});

/// Korean surnames by their romanisations.
static ROMANISED: LazyLock<FxHashMap<&'static str, Vec<char>>> = LazyLock::new(|| {
    let mut surnames: FxHashMap<_, Vec<char>> = FxHashMap::default();
    for (surname, forms) in &*SURNAMES {
        forms.iter().for_each(|it| surnames.entry(*it).or_default().push(*surname));
    }
    surnames.values_mut().for_each(|it| it.sort_unstable());
    surnames
});

/// The Korean surnames that a word in folded form may be.
pub(crate) fn surnames(word: &str) -> impl Iterator<Item = char> {
    ROMANISED.get(word).into_iter().flatten().copied()
}

/// The simplified form of a Han character; other characters unchanged.
pub(crate) fn simplified(letter: char) -> char {
    SIMPLIFIED.get(&letter).copied().unwrap_or(letter)
}

/// Appends the ASCII letters and digits of `letter`. `is_first`: whether the name starts with it, where a Korean
/// name has its surname.
pub(crate) fn transliterate(letter: char, is_first: bool, output: &mut String) {
    match letter {
        'a'..='z' | '0'..='9' => output.push(letter),
        'A'..='Z' => output.push(letter.to_ascii_lowercase()),
        'й' | 'Й' => output.push('y'),
        'ё' | 'Ё' => output.push('e'),
        'đ' | 'Đ' => output.push_str("dj"),
        _ => {
            if script(letter) == Script::Hangul {
                return hangul(letter, is_first, output);
            }
            // deunicode writes some letters as punctuation or in another way than passports do.
            let known = alphabets::forms(letter).first().copied();
            let ascii = known.or_else(|| deunicode_char(letter)).unwrap_or_default();
            let letters = ascii.bytes().filter(u8::is_ascii_alphanumeric);
            output.extend(letters.map(|it| char::from(it.to_ascii_lowercase())));
        }
    }
}

/// Consonants and vowels of Korean syllables in the order of Unicode, in the Revised Romanization of 2000.
const INITIALS: [&str; 19] = [
    "g", "kk", "n", "d", "tt", "r", "m", "b", "pp", "s", "ss", "", "j", "jj", "ch", "k", "t", "p",
    "h",
];
const VOWELS: [&str; 21] = [
    "a", "ae", "ya", "yae", "eo", "e", "yeo", "ye", "o", "wa", "wae", "oe", "yo", "u", "wo", "we",
    "wi", "yu", "eu", "ui", "i",
];
const FINALS: [&str; 28] = [
    "", "k", "k", "k", "n", "n", "n", "t", "l", "k", "m", "l", "l", "l", "p", "l", "m", "p", "p",
    "t", "t", "ng", "t", "t", "k", "t", "p", "t",
];

/// Appends a Korean syllable.
fn hangul(syllable: char, is_first: bool, output: &mut String) {
    let surname = if is_first { SURNAMES.get(&syllable) } else { None };
    if let Some(usual) = surname.and_then(|it| it.first()) {
        output.push_str(usual);
        return;
    }
    let at = u32::from(syllable) as usize - 0xAC00;
    output.push_str(INITIALS[at / (21 * 28)]);
    output.push_str(VOWELS[at / 28 % 21]);
    output.push_str(FINALS[at % 28]);
}

/// Appends letters without the `e` of `ae`, `oe` and `ue`, because `ä` is written either way. `word_start`: where the word
/// starts in `output`.
pub(crate) fn push_merged(letters: &str, word_start: usize, output: &mut String) {
    for letter in letters.chars() {
        let before = output.as_bytes()[word_start..].last();
        if letter != 'e' || !matches!(before, Some(b'a' | b'o' | b'u')) {
            output.push(letter);
        }
    }
}

/// The folded form of a word of the vocabulary, spaces included.
pub(crate) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut plain = String::new();
    for (number, word) in text.split(' ').enumerate() {
        plain.clear();
        word.chars().for_each(|it| transliterate(it, false, &mut plain));
        if number > 0 {
            folded.push(' ');
        }
        let start = folded.len();
        push_merged(&plain, start, &mut folded);
    }
    folded
}

#[cfg(test)]
mod tests {
    use crate::words::{normalised, split};

    #[test]
    fn scripts_become_ascii_letters() {
        for (text, expected) in [
            ("بشار الأسد", "bshar asd"),
            ("בנימין נתניהו", "bnymyn ntnyhv"),
            ("Γιώργος Παπανδρέου", "giorgos papandreou"),
            ("Владимир Щербаков", "vladimir shcherbakov"),
            ("習近平", "xi jin ping"),
            ("김정은", "kim jeong eun"),
            ("トヨタ", "toyota"),
            ("Müller Mueller Ærø", "muller muller aro"),
        ] {
            let words = split(normalised(text));
            let letters: Vec<_> = words.words.iter().map(|it| words.letters_of(it)).collect();
            assert_eq!(letters.join(" "), expected);
        }
    }
}
