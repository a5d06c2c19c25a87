//! Romanisations of Chinese and Korean names: `Zhou Jianping` and `Chou Chien-ping`, `Jeong-ho` and `Chung-ho`.
//!
//! Names are read by syllables (`syllables.tsv`), if all words of a name consist of such. A syllable of the present standard is
//! written as the older systems write it. Those have fewer letters, so the reverse is ambiguous: only a word of the standard and one
//! of another system are compared, never two of the standard (`Jiang`, `Qiang`).

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::{
    tables::lines,
    transcription::{Readings, Side, add},
    transliteration::{Script, surnames},
};

/// The number of letters of a word that is read by syllables.
const MAX_LETTERS: usize = 16;

/// Letters and what they are in another system.
type Rules = Vec<(&'static str, &'static str)>;

struct Syllables {
    /// Syllables of Pinyin, and their forms in Wade–Giles.
    pinyin: FxHashMap<String, String>,
    /// Those of Wade–Giles, in each variant.
    wade_giles: FxHashSet<String>,
    /// What Wade–Giles writes in several ways.
    variants: Rules,
    initials: Rules,
    finals: Rules,
    /// Vowels of each reading of Korean.
    vowels: [Rules; KOREAN.len()],
}

/// Readings of Korean: the name of their vowels, the system, the side.
const KOREAN: [(&str, u8, Side); 4] = [
    ("revised-mccune", b'm', Side::Standard),
    ("mccune", b'm', Side::Other),
    ("revised-usual", b'u', Side::Standard),
    ("usual", b'u', Side::Other),
];

static SYLLABLES: LazyLock<Syllables> = LazyLock::new(|| {
    let rules = |text: &'static str| -> Rules {
        let mut rules: Rules =
            text.split(' ').map(|it| it.split_once('=').unwrap_or((it, it))).collect();
        rules.sort_by_key(|it| std::cmp::Reverse(it.0.len()));
        rules
    };
    let mut pinyin = FxHashMap::default();
    let mut others: FxHashMap<&str, Rules> = FxHashMap::default();
    for line in lines(include_str!("../vocabulary/syllables.tsv")) {
        let mut columns = line.split('\t');
        let (Some(system), Some(first)) = (columns.next(), columns.next()) else { continue };
        let Some(second) = columns.next() else {
            others.insert(system, rules(first));
            continue;
        };
        for (initial, other) in rules(first) {
            for (rest, other_rest) in rules(second) {
                let syllable = format!("{initial}{rest}").replace('-', "");
                pinyin.insert(syllable, format!("{other}{other_rest}").replace('-', ""));
            }
        }
    }
    let mut of = |system: &str| others.remove(system).expect("syllables.tsv names each system");
    let variants = of("wade-giles");
    let in_variants = |it: &String| {
        let variants = variants.iter().map(|(variant, usual)| it.replace(usual, variant));
        variants.chain([it.clone()]).collect::<Vec<_>>()
    };
    Syllables {
        wade_giles: pinyin.values().flat_map(in_variants).collect(),
        pinyin,
        variants,
        initials: of("initial"),
        finals: of("final"),
        vowels: KOREAN.map(|it| of(it.0)),
    }
});

/// The readings of each word of the name of a person and then of each two neighbouring ones, which are also written as one, if it
/// may be a Chinese or Korean name: all its words are syllables.
pub(crate) fn of_name(words: &[(&str, Script)]) -> Option<Vec<Readings>> {
    if !(2..=5).contains(&words.len()) || words.iter().any(|it| it.0.len() > MAX_LETTERS) {
        return None;
    }
    // The surname is at one of the ends: in Chinese almost always one syllable, in Korean one of few.
    let ends = [words[0], words[words.len() - 1]];
    let is_chinese = ends.iter().any(|it| it.1 == Script::Han || is_syllable(it.0))
        && words.iter().all(|(word, script)| match script {
            Script::Han => true,
            Script::Alphabet => is_chinese(word),
            _ => false,
        });
    let is_surname = |it: &(&str, Script)| surnames(it.0).next().is_some();
    let is_korean = ends.iter().any(is_surname)
        && words.iter().all(|it| match it.1 {
            Script::Hangul => true,
            Script::Alphabet => is_surname(it) || is_korean(it.0),
            _ => false,
        });
    if !is_chinese && !is_korean {
        return None;
    }
    let last = words.len() - 1;
    let of_word = |word: &str, is_other: bool| {
        let mut readings = Readings::default();
        if is_chinese {
            add_chinese(&mut readings, word);
        }
        if is_korean {
            add_korean(&mut readings, word, is_other);
        }
        readings
    };
    let mut readings: Vec<Readings> =
        words.iter().map(|(word, script)| of_word(word, *script != Script::Hangul)).collect();
    for at in [0, last] {
        for surname in surnames(words[at].0).take(2).filter(|_| is_korean) {
            add(&mut readings[at], &('s', surname), Side::Both);
        }
    }
    readings.extend(words.windows(2).map(|it| of_word(&[it[0].0, it[1].0].concat(), true)));
    Some(readings)
}

fn add_chinese(readings: &mut Readings, word: &str) {
    if let Some(written) = wade_giles(word) {
        add(readings, &('c', written), Side::Standard);
    }
    if segmented(word, |it| SYLLABLES.wade_giles.contains(it)) {
        add(readings, &('c', replaced(word, &SYLLABLES.variants)), Side::Other);
    }
}

fn add_korean(readings: &mut Readings, word: &str, has_other: bool) {
    for ((_, system, side), vowels) in KOREAN.iter().zip(&SYLLABLES.vowels) {
        if (*side == Side::Standard || has_other)
            && let Some(sounds) = korean(word, vowels)
        {
            add(readings, &(*system, sounds), *side);
        }
    }
}

fn is_syllable(word: &str) -> bool {
    SYLLABLES.pinyin.contains_key(word) || SYLLABLES.wade_giles.contains(word)
}

fn is_chinese(word: &str) -> bool {
    segmented(word, |it| SYLLABLES.pinyin.contains_key(it))
        || segmented(word, |it| SYLLABLES.wade_giles.contains(it))
}

fn is_korean(word: &str) -> bool {
    SYLLABLES.vowels.iter().any(|it| korean(word, it).is_some())
}

/// A word of Pinyin as Wade–Giles writes it.
fn wade_giles(word: &str) -> Option<String> {
    let mut parts: SmallVec<[usize; 8]> = SmallVec::new();
    segment(word, &|it| SYLLABLES.pinyin.contains_key(it), &mut parts).then(|| {
        let mut written = String::new();
        let mut start = 0;
        for end in parts {
            written += &SYLLABLES.pinyin[&word[start..end]];
            start = end;
        }
        replaced(&written, &SYLLABLES.variants)
    })
}

fn segmented(word: &str, is_syllable: impl Fn(&str) -> bool) -> bool {
    segment(word, &is_syllable, &mut SmallVec::new())
}

/// Whether a word consists of syllables, whose ends are added: the longest first.
fn segment(
    word: &str,
    is_syllable: &impl Fn(&str) -> bool,
    ends: &mut SmallVec<[usize; 8]>,
) -> bool {
    let start = ends.last().copied().unwrap_or_default();
    if start == word.len() {
        return start > 0;
    }
    for end in (start + 1..=word.len().min(start + 6)).rev() {
        if word.get(start..end).is_some_and(is_syllable) {
            ends.push(end);
            if segment(word, is_syllable, ends) {
                return true;
            }
            ends.pop();
        }
    }
    false
}

/// The sounds of a Korean word with these vowels.
fn korean(word: &str, vowels: &Rules) -> Option<String> {
    let rules = &*SYLLABLES;
    let starting = |text: &'_ str, rules: &Rules| -> SmallVec<[(usize, &'static str); 3]> {
        rules.iter().filter(|it| text.starts_with(it.0)).map(|it| (it.0.len(), it.1)).collect()
    };
    let mut sounds = String::new();
    let mut rest = word;
    while !rest.is_empty() {
        let mut initials = starting(rest, &rules.initials);
        initials.push((0, ""));
        let (length, initial, vowel) = initials.iter().find_map(|(length, initial)| {
            let vowel = starting(&rest[*length..], vowels).first().copied()?;
            Some((*length, *initial, vowel))
        })?;
        sounds += initial;
        sounds += vowel.1;
        rest = &rest[length + vowel.0..];
        // A consonant before a vowel belongs to the next syllable.
        let starts_next = |text: &str| {
            let mut initials = starting(text, &rules.initials);
            initials.push((0, ""));
            text.is_empty() || initials.iter().any(|it| !starting(&text[it.0..], vowels).is_empty())
        };
        if !starts_next(rest) {
            let ending = starting(rest, &rules.finals);
            let (length, sound) = ending.into_iter().find(|it| starts_next(&rest[it.0..]))?;
            sounds += sound;
            rest = &rest[length..];
        }
    }
    (!sounds.is_empty()).then_some(sounds)
}

/// A text in which letters are replaced by others.
fn replaced(text: &str, rules: &Rules) -> String {
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let rule = rules.iter().find(|it| rest.starts_with(it.0));
        let length = rule.map_or(letter.len_utf8(), |it| it.0.len());
        written += rule.map_or(&rest[..length], |it| it.1);
        rest = &rest[length..];
    }
    written
}

/// What the keys of a whole name are made of: its readings in each system, also with the surname at the other end.
pub(crate) fn whole(words: &[(&str, Script)]) -> SmallVec<[String; 8]> {
    let mut rotated: SmallVec<[(&str, Script); 6]> = words.iter().copied().collect();
    rotated.rotate_right(1);
    let mut keys = SmallVec::new();
    for words in [words, &rotated] {
        let letters: String = words.iter().map(|it| it.0).collect();
        if letters.len() > 2 * MAX_LETTERS {
            continue;
        }
        keys.extend(wade_giles(&letters));
        keys.push(replaced(&letters, &SYLLABLES.variants));
        let Some(((surname, _), given)) = words.split_first() else { continue };
        let given: String = given.iter().map(|it| it.0).collect();
        let surname: SmallVec<[char; 3]> = surnames(surname).take(2).collect();
        for vowels in SYLLABLES.vowels.iter().filter(|_| !surname.is_empty()) {
            if let Some(sounds) = korean(&given, vowels) {
                keys.extend(surname.iter().map(|it| format!("{it}{sounds}")));
            }
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcription::share_a_reading;

    fn readings(name: &str) -> Vec<Readings> {
        let words: Vec<_> = name.split(' ').map(|it| (it, Script::Alphabet)).collect();
        of_name(&words).unwrap_or_else(|| panic!("{name}"))
    }

    #[test]
    fn older_systems_are_readings_of_the_standard() {
        for (one, other) in [
            ("deng xiaoping", "teng hsiaoping"),
            ("zhu rongji", "chu jungchi"),
            ("cao yuzhen", "tsao yuchen"),
            ("xue zi", "hsueh tzu"),
            ("gim cheolsu", "kim chulsoo"),
            ("noh gyeonghui", "roh kyunghee"),
            ("baek seonyeop", "paek sonyop"),
        ] {
            let (one_side, other_side) = (readings(one), readings(other));
            for (one_word, other_word) in one_side.iter().zip(&other_side).take(2) {
                assert!(
                    share_a_reading(one_word, other_word),
                    "{one} {other} {one_word:?}{other_word:?}"
                );
            }
        }
        for (one, other) in [("jiang wen", "qiang wen"), ("deng li", "teng li")] {
            let is_one = share_a_reading(&readings(one)[0], &readings(other)[0]);
            assert_eq!(is_one, one.starts_with('d'), "{one} {other}");
        }
        assert!(of_name(&[("peter", Script::Alphabet), ("muster", Script::Alphabet)]).is_none());
    }
}
