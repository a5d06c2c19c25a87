//! Invented names of persons of eight regions of the world, and the ways in which people write a name differently.
//!
//! The parts of the names are those of `data/regions.tsv`. Listed and unlisted persons have different surnames, so that an
//! unlisted one is found only because the names are similar.

use crate::Random;

/// A way in which a name is written differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disturbance {
    /// One letter is another one.
    LetterChanged,
    /// One letter is missing.
    LetterLost,
    /// Two neighbouring letters are swapped.
    LettersSwapped,
    /// One vowel is another one.
    VowelChanged,
    /// One letter is written twice.
    LetterDoubled,
    /// Letters have accents.
    Accents,
    /// The first given name is an initial.
    Initial,
    /// Only the first and the last word.
    FirstAndLast,
    /// The words in another order.
    OtherOrder,
    /// `Last, First`.
    LastFirst,
    /// One more given name.
    AnotherGiven,
    /// Hyphens between the words.
    Hyphens,
    /// Written as one word.
    Together,
    /// A title before the name.
    Title,
}

impl Disturbance {
    /// All kinds.
    pub const ALL: [Self; 14] = [
        Self::LetterChanged,
        Self::LetterLost,
        Self::LettersSwapped,
        Self::VowelChanged,
        Self::LetterDoubled,
        Self::Accents,
        Self::Initial,
        Self::FirstAndLast,
        Self::OtherOrder,
        Self::LastFirst,
        Self::AnotherGiven,
        Self::Hyphens,
        Self::Together,
        Self::Title,
    ];
}

/// How the names of a region are composed.
#[derive(Clone, Copy, Debug)]
enum Composition {
    /// One or two given names, a surname or two.
    Western,
    /// A given name and a surname, often with the father's name between them.
    Slavic,
    /// Names of the person, the father and the grandfather, then a surname.
    Arabic,
    /// One to three names.
    SouthAsian,
    /// A surname, then a given name.
    EastAsian,
    /// Given names and a surname.
    African,
    /// Given names and two surnames.
    LatinAmerican,
}

struct Region {
    composition: Composition,
    given: Vec<&'static str>,
    surnames: Vec<&'static str>,
}

/// Makes names of persons. The same seed gives the same names.
pub struct People {
    random: Random,
    regions: Vec<Region>,
    patronymics: Vec<&'static str>,
}

const TITLES: &[&str] = &[
    "Dr.", "Mr.", "Mrs.", "Prof.", "Dr", "Sheikh", "General", "Haji", "Maulawi", "Ing.", "Hon.",
    "Minister",
];

impl People {
    /// A generator with this seed.
    pub fn new(seed: u64) -> Self {
        let (mut regions, mut patronymics) = (Vec::new(), Vec::new());
        let file = include_str!("../data/regions.tsv");
        for line in file.lines().filter(|it| !it.starts_with('#')) {
            let mut columns = line.split('\t').map(|it| it.split('|').collect::<Vec<_>>());
            let mut next = || columns.next().expect("three columns");
            let (name, given, surnames) = (next()[0], next(), next());
            let composition = match name {
                "western" => Composition::Western,
                "slavic" => Composition::Slavic,
                "arabic" => Composition::Arabic,
                "southasian" | "southeastasian" => Composition::SouthAsian,
                "eastasian" => Composition::EastAsian,
                "african" => Composition::African,
                "latinamerican" => Composition::LatinAmerican,
                _ => {
                    patronymics = given;
                    continue;
                }
            };
            regions.push(Region { composition, given, surnames });
        }
        Self { random: Random(seed), regions, patronymics }
    }

    /// The words of a listed name, of each region in turn.
    pub fn listed(&mut self, at: usize) -> Vec<String> {
        self.name(at, 0)
    }

    /// The words of an unlisted name, of each region in turn.
    pub fn unlisted(&mut self, at: usize) -> Vec<String> {
        self.name(at, 1)
    }

    /// A name whose surnames are the ones at even (0) or odd (1) places.
    fn name(&mut self, at: usize, half: usize) -> Vec<String> {
        let Self { random, regions, patronymics } = self;
        let region = &regions[at % regions.len()];
        let mut given = || (*random.of(&region.given)).to_owned();
        let (first, second, third) = (given(), given(), given());
        let mut surname = || {
            let at = random.below(region.surnames.len() / 2) * 2 + half;
            region.surnames[at].to_owned()
        };
        let (last, other) = (surname(), surname());
        let one_of = random.below(4);
        match (region.composition, one_of) {
            (Composition::Western, 0) => vec![first, second, last],
            (Composition::Western, 1) => vec![first, format!("{last}-{other}")],
            (Composition::Slavic, 0 | 1) => {
                vec![first, (*random.of(patronymics)).to_owned(), last]
            }
            (Composition::Arabic, 0) => vec![first, second, third, last],
            (Composition::Arabic, 1) => vec![first, "bin".to_owned(), second, last],
            (Composition::Arabic, 2) => vec![first, second, format!("Al-{last}")],
            (Composition::SouthAsian, 0 | 1) => vec![first, second, last],
            (Composition::EastAsian, 0) => vec![last, format!("{first}-{}", second.to_lowercase())],
            (Composition::EastAsian, _) => vec![last, format!("{first}{}", second.to_lowercase())],
            (Composition::African, 0 | 1) => vec![first, second, last],
            (Composition::LatinAmerican, 0) => vec![first, second, last, other],
            (Composition::LatinAmerican, 1) => vec![first, last, other],
            _ => vec![first, last],
        }
    }

    /// The name with a disturbance of this kind. `None`: a name like this cannot have it.
    pub fn disturbed(&mut self, name: &[String], disturbance: Disturbance) -> Option<String> {
        let random = &mut self.random;
        let mut words = name.to_vec();
        let (last, rest) = name.split_last()?;
        Some(match disturbance {
            Disturbance::FirstAndLast if rest.len() > 1 => format!("{} {last}", name[0]),
            Disturbance::LastFirst => format!("{last}, {}", rest.join(" ")),
            Disturbance::Hyphens => name.join("-"),
            Disturbance::Together => name.concat(),
            Disturbance::Title => format!("{} {}", random.of(TITLES), name.join(" ")),
            Disturbance::OtherOrder if name.len() > 1 => {
                let by = 1 + random.below(name.len() - 1);
                words.rotate_left(by);
                words.join(" ")
            }
            Disturbance::AnotherGiven => {
                let region = random.below(self.regions.len());
                let given = (*random.of(&self.regions[region].given)).to_owned();
                words.insert(1, given);
                words.join(" ")
            }
            Disturbance::Initial if name.len() > 1 => {
                let initial = name[0].chars().next()?;
                words[0] = format!("{initial}.");
                words.join(" ")
            }
            Disturbance::FirstAndLast | Disturbance::OtherOrder | Disturbance::Initial => {
                return None;
            }
            _ => {
                let text = name.join(" ");
                mistyped(random, &text, disturbance)?
            }
        })
    }
}

/// The text with another letter at one place, or with accents at several.
fn mistyped(random: &mut Random, text: &str, disturbance: Disturbance) -> Option<String> {
    let mut letters: Vec<char> = text.chars().collect();
    let is_vowel = |it: &char| "aeiou".contains(*it);
    let is_letter = |it: &char| it.is_alphabetic();
    let places =
        |is: &dyn Fn(usize) -> bool| (1..letters.len()).filter(|it| is(*it)).collect::<Vec<_>>();
    let places = match disturbance {
        Disturbance::LettersSwapped => places(&|it| {
            it > 1
                && is_letter(&letters[it])
                && is_letter(&letters[it - 1])
                && letters[it] != letters[it - 1]
                && is_letter(&letters[it - 2])
        }),
        Disturbance::VowelChanged => places(&|it| is_vowel(&letters[it])),
        _ => places(&|it| is_letter(&letters[it]) && is_letter(&letters[it - 1])),
    };
    if places.is_empty() {
        return None;
    }
    let at = *random.of(&places);
    match disturbance {
        Disturbance::LetterLost => drop(letters.remove(at)),
        Disturbance::LettersSwapped => letters.swap(at - 1, at),
        Disturbance::LetterDoubled => letters.insert(at, letters[at]),
        Disturbance::VowelChanged => {
            let others: Vec<char> = "aeiou".chars().filter(|it| *it != letters[at]).collect();
            letters[at] = *random.of(&others);
        }
        Disturbance::Accents => {
            let accented = |it: char| match it {
                'a' => 'á',
                'e' => 'é',
                'i' => 'í',
                'o' => 'ó',
                'u' => 'ú',
                'c' => 'č',
                's' => 'š',
                'n' => 'ñ',
                'z' => 'ž',
                other => other,
            };
            letters.iter_mut().for_each(|it| *it = accented(*it));
        }
        _ => {
            let others: Vec<char> = ('a'..='z').filter(|it| *it != letters[at]).collect();
            letters[at] = *random.of(&others);
        }
    }
    Some(letters.into_iter().collect())
}
