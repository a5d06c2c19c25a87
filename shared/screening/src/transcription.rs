//! Transcriptions of Slavic names: `Chruschtschow`, `Khrouchtchev` and `Khrushchev` are spellings of one name.
//!
//! A word is read as each language writes such names (`transcriptions.tsv`). Two words are spellings of one name if two
//! readings have the same sounds.

use std::{
    hash::{Hash, Hasher},
    sync::LazyLock,
};

use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

use crate::transliteration::lines;

/// The languages whose readings are compared.
const LANGUAGES: [&str; 5] = ["english", "german", "french", "polish", "from-ukrainian"];

/// Hashes of the sounds of a word as each language reads it, each once. 0: no further one.
pub(crate) type Readings = [u32; LANGUAGES.len()];

/// Endings of Slavic, Armenian and Georgian names in each transcription, in folded form.
const ENDINGS: &[&str] = &[
    "ov", "ova", "ow", "owa", "off", "of", "ev", "eva", "ew", "ewa", "eff", "ef", "in", "ina",
    "ine", "yn", "ski", "sky", "skij", "skiy", "skyj", "skii", "skyy", "skyi", "skaya", "skaja",
    "skaia", "ska", "zki", "enko", "enco", "ich", "ych", "itch", "itsch", "icz", "ic", "uk", "ouk",
    "ko", "ak", "yan", "jan", "ian", "shvili", "schwili", "chvili", "dze", "dse", "slav", "slaw",
    "ij", "iy", "oly", "aly", "ady", "ery", "ory", "gey", "gei", "gej", "sey", "sei", "sej", "lai",
    "lay", "laj", "oigu", "oygu", "ojgu", "mir",
];

type Rules = Vec<(&'static str, &'static str)>;

static RULES: LazyLock<FxHashMap<&'static str, Rules>> = LazyLock::new(|| {
    let file = lines(include_str!("../vocabulary/transcriptions.tsv"));
    let languages = file.filter_map(|line| line.split_once('\t')).map(|(language, rules)| {
        let mut rules: Rules = rules.split(' ').filter_map(|it| it.split_once('=')).collect();
        rules.sort_by_key(|it| std::cmp::Reverse(it.0.len()));
        (language, rules)
    });
    languages.collect()
});

static LATIN: LazyLock<[&'static Rules; LANGUAGES.len()]> =
    LazyLock::new(|| LANGUAGES.map(|it| &RULES[it]));

/// Whether a word in folded form may be a Slavic name.
pub(crate) fn has_ending(word: &str) -> bool {
    word.len() >= 5 && ENDINGS.iter().any(|it| word.ends_with(it))
}

/// The readings of a word in folded form.
pub(crate) fn readings(word: &[u8]) -> Readings {
    let mut readings = Readings::default();
    if !(4..=24).contains(&word.len()) {
        return readings;
    }
    let mut count = 0;
    for rules in *LATIN {
        let sounds = sounds(word, rules);
        let mut hasher = FxHasher::default();
        sounds.hash(&mut hasher);
        let hash = (hasher.finish() >> 20) as u32 | 1;
        if sounds.len() >= 3 && !readings.contains(&hash) {
            readings[count] = hash;
            count += 1;
        }
    }
    readings
}

/// Whether two words have a reading in common.
pub(crate) fn share_a_reading(one: &Readings, other: &Readings) -> bool {
    one[0] != 0 && one.iter().any(|it| *it != 0 && other.contains(it))
}

fn sounds(word: &[u8], rules: &Rules) -> SmallVec<[u8; 24]> {
    let mut sounds: SmallVec<[u8; 24]> = SmallVec::new();
    // French adds a silent letter: `Poutine`.
    let word = word.strip_suffix(b"ine").map_or(word, |it| &word[..it.len() + 2]);
    let mut at = 0;
    while at < word.len() {
        let rest = &word[at..];
        let rule = rules.iter().find(|it| rest.starts_with(it.0.as_bytes()));
        let (length, written) = rule.map_or((1, &rest[..1]), |it| (it.0.len(), it.1.as_bytes()));
        for &sound in written {
            let sound = match (sound, sounds.last()) {
                // `ё` after these consonants is written either way: `Gorbatschow`, `Gorbachev`.
                (b'o' | b'O', Some(b'C' | b'X')) => b'e',
                (b'O', _) => b'o',
                (b'z', _) => b's',
                (sound, _) => sound,
            };
            if sounds.last() != Some(&sound) {
                sounds.push(sound);
            }
        }
        at += length;
    }
    if let Some(last @ b'f') = sounds.last_mut() {
        *last = b'v';
    }
    sounds
}

/// The alphabet of a text in Cyrillic letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cyrillic {
    /// Russian and other languages whose letters mean the same.
    Russian,
    /// Serbian and Macedonian.
    Serbian,
    Ukrainian,
    /// Bulgarian, in which `ъ` is a vowel.
    Bulgarian,
}

impl Cyrillic {
    /// The alphabet, by letters that others lack.
    pub(crate) fn of(text: &str) -> Self {
        let mut previous = ' ';
        for letter in text.chars().flat_map(char::to_lowercase) {
            match letter {
                'ђ' | 'ћ' | 'џ' | 'љ' | 'њ' | 'ј' | 'ѓ' | 'ќ' | 'ѕ' => {
                    return Self::Serbian;
                }
                'і' | 'ї' | 'є' | 'ґ' => return Self::Ukrainian,
                'ы' | 'э' | 'ё' => return Self::Russian,
                // In Russian the letter stands only before these vowels.
                letter if previous == 'ъ' && !matches!(letter, 'е' | 'ю' | 'я') => {
                    return Self::Bulgarian;
                }
                _ => previous = letter,
            }
        }
        Self::Russian
    }

    /// The Latin letters of a letter, if they differ from those of Russian.
    pub(crate) fn latin(self, letter: char) -> Option<&'static str> {
        let rules = match self {
            Self::Russian => return None,
            Self::Bulgarian => match letter {
                'ъ' | 'Ъ' => return Some("a"),
                'щ' | 'Щ' => return Some("sht"),
                _ => return None,
            },
            Self::Serbian => &RULES["serbian"],
            Self::Ukrainian => &RULES["ukrainian"],
        };
        let letter = letter.to_lowercase().next()?;
        let rule = rules.iter().find(|it| it.0.chars().eq([letter]))?;
        Some(rule.1)
    }
}

/// The Latin letters of a Greek letter that depend on its neighbours (ELOT 743): `μπ`, `ντ` and `γκ` at the start of a word,
/// `ου`, `αυ`, `ευ`.
pub(crate) fn greek(letter: char, before: char, after: char, starts: bool) -> Option<&'static str> {
    let lower = |it: char| it.to_lowercase().next().unwrap_or(it);
    match (lower(before), lower(letter), lower(after)) {
        (_, 'μ', 'π') if starts => Some("b"),
        (_, 'ν', 'τ') if starts => Some("d"),
        (_, 'γ', 'κ') if starts => Some("g"),
        (_, 'γ', 'γ' | 'ξ' | 'χ') => Some("n"),
        ('ο', 'υ' | 'ύ', _) => Some("u"),
        ('α' | 'ε' | 'ά' | 'έ', 'υ' | 'ύ', _) => Some("v"),
        (_, 'υ' | 'ύ' | 'ϋ', _) => Some("y"),
        _ => None,
    }
}

/// Whether a Greek letter was written with the one before it.
pub(crate) fn is_written(letter: char, before: char, word: &str) -> bool {
    let lower = |it: char| it.to_lowercase().next().unwrap_or(it);
    matches!(
        (lower(before), lower(letter), word),
        ('μ', 'π', "b") | ('ν', 'τ', "d") | ('γ', 'κ', "g")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transliteration::transliterate;

    #[test]
    fn transcriptions_of_one_name_have_a_reading_in_common() {
        let ascii = |text: &str| {
            let mut letters = String::new();
            text.chars().for_each(|it| transliterate(it, false, &mut letters));
            letters
        };
        for names in [
            ["Khrushchev", "Chruschtschow", "Khrouchtchev"],
            ["Gorbachev", "Gorbatschow", "Gorbatchev"],
            ["Zhirinovsky", "Schirinowskij", "Jirinovski"],
            ["Yeltsin", "Jelzin", "Eltsine"],
            ["Vyacheslav", "Wjatscheslaw", "Viatcheslav"],
            ["Shevchuk", "Schewtschuk", "Chevtchouk"],
            ["Sergeyevich", "Sergejewitsch", "Sergueïevitch"],
            ["Zakayev", "Sakajew", "Zakaïev"],
        ] {
            let readings = names.map(|it| readings(ascii(it).as_bytes()));
            for other in &readings[1..] {
                assert!(share_a_reading(&readings[0], other), "{names:?}");
            }
        }
        let differ = |one: &str, other: &str| {
            assert!(!share_a_reading(&readings(one.as_bytes()), &readings(other.as_bytes())));
        };
        differ("ivanov", "ivanova");
        differ("petrov", "pavlov");
    }
}
