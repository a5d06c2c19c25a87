//! Transcriptions of Slavic and Greek names: `Chruschtschow`, `Khrouchtchev` and `Khrushchev` are spellings of one name.
//!
//! A word is read as each language writes such names (`transcriptions.tsv`). Two words are spellings of one name if two
//! readings have the same sounds.

use std::{
    hash::{Hash, Hasher},
    sync::LazyLock,
};

use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

use crate::tables::lines;

/// How names of a language are written: the name of the rules, and the words that they read.
const SLAVIC: [(&str, Side); 7] = [
    ("english", Side::Both),
    ("as-belarusian", Side::Standard),
    ("belarusian", Side::Other),
    ("german", Side::Both),
    ("french", Side::Both),
    ("polish", Side::Both),
    ("from-ukrainian", Side::Both),
];

/// The same of Greek.
const GREEK: (&str, Side) = ("greek", Side::Both);

/// Hashes of the sounds of a word as each language reads it, each once. 0: no further one. Bounded, because each has keys.
pub(crate) type Readings = [u32; 6];

/// The words with which a reading is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// All.
    Both = 0,
    /// Those of another system, which has fewer sounds.
    Standard = 1,
    /// Those of the standard.
    Other = 2,
}

/// The bits of a reading that say its [`Side`].
const SIDE: u32 = 3;

/// The bit of a reading that says that it is [`LONG_SOUNDS`].
const LONG: u32 = 4;

/// The number of sounds from which a reading is rare enough to find a name by it alone.
const LONG_SOUNDS: usize = 6;

/// Adds a reading, if it is another one and there is room.
pub(crate) fn add(readings: &mut Readings, sounds: &impl Hash, side: Side) {
    add_reading(readings, sounds, side as u32);
}

fn add_reading(readings: &mut Readings, sounds: &impl Hash, bits: u32) {
    let mut hasher = FxHasher::default();
    sounds.hash(&mut hasher);
    let hash = (hasher.finish() >> 20) as u32;
    let reading = (hash | 1 << 31) & !(SIDE | LONG) | bits;
    if !readings.contains(&reading)
        && let Some(free) = readings.iter_mut().find(|it| **it == 0)
    {
        *free = reading;
    }
}

/// A reading whatever its side.
pub(crate) fn without_side(reading: u32) -> u32 {
    reading & !SIDE
}

/// Whether a name is found by a reading alone.
pub(crate) fn is_long(reading: u32) -> bool {
    reading & LONG != 0
}

/// Endings of Slavic, Armenian and Georgian names in each transcription, in folded form.
const ENDINGS: &[&str] = &[
    "ov", "ova", "ow", "owa", "off", "of", "ev", "eva", "ew", "ewa", "eff", "ef", "in", "ina",
    "ine", "yn", "ski", "sky", "skij", "skiy", "skyj", "skii", "skyy", "skyi", "skaya", "skaja",
    "skaia", "ska", "zki", "enko", "enco", "ich", "ych", "itch", "itsch", "icz", "ic", "uk", "ouk",
    "ko", "ak", "yan", "jan", "ian", "shvili", "schwili", "chvili", "dze", "dse", "slav", "slaw",
    "ij", "iy", "oly", "aly", "ady", "ery", "ory", "gey", "gei", "gej", "sey", "sei", "sej", "lai",
    "lay", "laj", "oigu", "oygu", "ojgu", "mir",
];

/// The same of Belarusian, which writes its unstressed vowels and ў: `Hancharou`, `Vasileuski`.
const BELARUSIAN_ENDINGS: &[&str] = &[
    "ou", "au", "eu", "euski", "auski", "ouski", "eusky", "ausky", "ousky", "anka", "enka", "onak",
    "enak", "hei", "khei", "heni", "sei", "lai", "dzimir", "slau", "andr", "zmitry",
];

/// The same of Greek.
const GREEK_ENDINGS: &[&str] = &[
    "akis", "aki", "idis", "ides", "idou", "iadis", "poulos", "poulou", "oglou", "elis", "ellis",
    "atos", "akos", "ikos", "inos", "ios", "ias", "eas", "kas", "nas", "las", "ras", "tas", "mas",
    "nis", "ris", "lis", "tis", "sis", "lou", "nou", "kou", "mou", "rou", "iou",
];

/// What a language writes for sounds, and the sounds: by the first letter, longer ones first.
type Rules = ByLetter<(&'static str, &'static str)>;

/// Lists by a letter, because a word is compared with most of none of them.
type ByLetter<T> = [Vec<T>; 26];

/// The list of a letter. `None`: it is none.
fn of_letter<T>(lists: &ByLetter<T>, letter: u8) -> Option<&[T]> {
    lists.get(usize::from(letter.checked_sub(b'a')?)).map(Vec::as_slice)
}

fn by_letter<T>(all: impl Iterator<Item = (u8, T)>) -> ByLetter<T> {
    let mut lists = [const { Vec::new() }; 26];
    for (letter, it) in all {
        lists[usize::from(letter - b'a')].push(it);
    }
    lists
}

static RULES: LazyLock<FxHashMap<&'static str, Rules>> = LazyLock::new(|| {
    let file = lines(include_str!("../vocabulary/transcriptions.tsv"));
    let languages = file.filter_map(|line| line.split_once('\t')).map(|(language, rules)| {
        let mut rules: Vec<_> = rules.split(' ').filter_map(|it| it.split_once('=')).collect();
        rules.sort_by_key(|it| std::cmp::Reverse(it.0.len()));
        (language, by_letter(rules.into_iter().map(|it| (it.0.as_bytes()[0], it))))
    });
    languages.collect()
});

/// How names are read, and which words are compared by it.
type System = (&'static Rules, Side);

/// The rules of [`SLAVIC`] and of [`GREEK`].
static READ: LazyLock<([System; SLAVIC.len()], System)> = LazyLock::new(|| {
    let of = |(name, side): (&str, Side)| (&RULES[name], side);
    (SLAVIC.map(of), of(GREEK))
});

/// Languages whose names a word may be of, a bit for each.
pub(crate) type Family = u8;

const SLAVIC_FAMILY: Family = 1;
const BELARUSIAN: Family = 2;
const GREEK_FAMILY: Family = 4;

/// The endings by their last letter, each with the families that have it.
static FAMILIES: LazyLock<ByLetter<(&'static str, Family)>> = LazyLock::new(|| {
    let all = [
        (ENDINGS, SLAVIC_FAMILY),
        (BELARUSIAN_ENDINGS, SLAVIC_FAMILY | BELARUSIAN),
        (GREEK_ENDINGS, GREEK_FAMILY),
    ];
    let of_family = |(endings, family): (&'static [&'static str], Family)| {
        endings.iter().map(move |it| (it.as_bytes()[it.len() - 1], (*it, family)))
    };
    by_letter(all.into_iter().flat_map(of_family))
});

/// The languages of which a word in folded form may be a name, by its ending.
pub(crate) fn families(word: &str) -> Family {
    let last = word.bytes().last().filter(|_| word.len() >= 5);
    let endings = last.and_then(|it| of_letter(&FAMILIES, it)).unwrap_or_default();
    let found = endings.iter().filter(|(ending, _)| word.ends_with(ending));
    found.fold(0, |families, (_, family)| families | family)
}

/// The languages of the letters of a text.
pub(crate) fn families_of_script(text: &str) -> Family {
    text.chars().fold(0, |families, letter| {
        families
            | match letter {
                '\u{370}'..='\u{3ff}' => GREEK_FAMILY,
                '\u{400}'..='\u{4ff}' => SLAVIC_FAMILY,
                _ => 0,
            }
    })
}

/// The readings of a word in folded form, of a name of these families.
pub(crate) fn readings(word: &[u8], families: Family) -> Readings {
    let mut readings = Readings::default();
    if !(4..=24).contains(&word.len()) {
        return readings;
    }
    let (slavic, greek) = &*READ;
    let is_of = |family: Family| families & family != 0;
    let slavic = slavic
        .iter()
        .filter(|it| is_of(if it.1 == Side::Other { BELARUSIAN } else { SLAVIC_FAMILY }));
    let greek = is_of(GREEK_FAMILY).then_some(greek);
    // Few words are of both families; of those, most are Greek.
    for (rules, side) in greek.into_iter().chain(slavic) {
        let sounds = sounds(word, rules);
        if sounds.len() >= 3 {
            let is_greek = greek.is_some_and(|it| std::ptr::eq(it.0, *rules));
            let system = if is_greek { 2 } else { u8::from(*side != Side::Both) };
            let long = if sounds.len() >= LONG_SOUNDS { LONG } else { 0 };
            add_reading(&mut readings, &(system, sounds), *side as u32 | long);
        }
    }
    readings
}

/// Whether two words have a reading in common.
pub(crate) fn share_a_reading(one: &Readings, other: &Readings) -> bool {
    one.iter().take_while(|it| **it != 0).any(|it| {
        let wanted = if it & SIDE == Side::Both as u32 { *it } else { it ^ SIDE };
        other.contains(&wanted)
    })
}

fn sounds(word: &[u8], rules: &Rules) -> SmallVec<[u8; 24]> {
    let mut sounds: SmallVec<[u8; 24]> = SmallVec::new();
    // French adds a silent letter: `Poutine`.
    let word = word.strip_suffix(b"ine").map_or(word, |it| &word[..it.len() + 2]);
    let mut at = 0;
    while at < word.len() {
        let rest = &word[at..];
        let rules = of_letter(rules, rest[0]).unwrap_or_default();
        let rule = rules.iter().find(|it| rest.starts_with(it.0.as_bytes()));
        let (length, written) = rule.map_or((1, &rest[..1]), |it| (it.0.len(), it.1.as_bytes()));
        let is_before_v = matches!(word.get(at + length), Some(b'v' | b'w' | b'f'));
        for &sound in written {
            let sound = match (sound, sounds.last()) {
                // `ё` after these consonants is written either way: `Gorbatschow`, `Gorbachev`.
                (b'o' | b'O', Some(b'C' | b'X')) => b'e',
                // As before the `v` of surnames: `Kovalyov`, `Kovalev`.
                (b'O', _) if is_before_v => b'e',
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
            let readings = names.map(|it| readings(ascii(it).as_bytes(), SLAVIC_FAMILY));
            for other in &readings[1..] {
                assert!(share_a_reading(&readings[0], other), "{names:?}");
            }
        }
        let share = |one: &str, other: &str| {
            let of = |word: &str| readings(word.as_bytes(), families(word));
            share_a_reading(&of(one), &of(other))
        };
        assert!(!share("ivanov", "ivanova"));
        assert!(!share("petrov", "pavlov"));
        assert!(share("barysau", "borisov") && share("hrachou", "grachev"));
        assert!(!share("volkov", "valkov"));
        assert!(share("gkikas", "gikas") && share("mpakalis", "bakalis"));
        assert!(share("efstathiou", "eustathiou"));
    }
}
