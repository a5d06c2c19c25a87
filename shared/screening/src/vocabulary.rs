//! What is known about words: how rare they are, which are forms of one name or place, which are no part of a name.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::transliteration::{fold, lines};

/// What the vocabulary knows about one word.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Word {
    /// Rarity as a part of a person's name, in bits. 0: not in the vocabulary.
    pub(crate) person_bits: f32,
    /// Whether it is a frequent given name.
    pub(crate) is_given: bool,
    /// Rarity as a part of a company's name, in bits. 0: not in the vocabulary.
    pub(crate) company_bits: f32,
    /// The name of which it is a spelling. 0: none.
    pub(crate) spelling: u16,
    /// The names of which it is a familiar form, a bit for each.
    pub(crate) familiar: u64,
    /// The place of which it is a name. 0: none.
    pub(crate) place: u16,
    pub(crate) roles: Roles,
}

/// Uses of a word in which it is not part of a name.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Roles {
    /// A title before the name of a person.
    pub(crate) title: bool,
    /// A title that is also written after the name.
    pub(crate) title_after: bool,
    /// A word before the name of a ship.
    pub(crate) vessel: bool,
    /// A small word in the name of a person.
    pub(crate) particle: bool,
    /// Besides being a title or a small word, a given name or a surname.
    pub(crate) also_name: bool,
    /// The same, and a surname of languages in which surnames stand first.
    pub(crate) also_surname: bool,
    /// A word before the father's name.
    pub(crate) father: bool,
    /// A connecting word in the name of a company.
    pub(crate) connecting: bool,
}

/// The part of a name that a file of the vocabulary lists.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Given,
    Surname,
    Company,
}

static WORDS: LazyLock<FxHashMap<String, Word>> = LazyLock::new(build);

/// What is known about a word in folded form.
pub(crate) fn word(word: &str) -> Word {
    WORDS.get(word).copied().unwrap_or_default()
}

/// Words of up to this rarity only describe a company and may be missing in its name.
pub(crate) const DESCRIBING: f32 = 1.5;

fn build() -> FxHashMap<String, Word> {
    let mut words: FxHashMap<String, Word> = FxHashMap::default();
    let files = [
        (include_str!("../vocabulary/given_names.tsv"), Part::Given),
        (include_str!("../vocabulary/surnames.tsv"), Part::Surname),
        (include_str!("../vocabulary/company_words.tsv"), Part::Company),
    ];
    for (file, part) in files {
        for (bits, names) in lines(file).filter_map(|line| line.split_once('\t')) {
            // A word in two tiers has the lower rarity, which is stated first.
            let bits: f32 = bits.parse().expect("the vocabulary states a number");
            for name in names.split(' ') {
                let word = words.entry(fold(name)).or_default();
                word.is_given |= part == Part::Given;
                let is_company = part == Part::Company;
                let known = if is_company { &mut word.company_bits } else { &mut word.person_bits };
                *known = if *known == 0.0 { bits } else { known.min(bits) };
            }
        }
    }
    add_variants(&mut words);
    for (place, names) in (1..).zip(lines(include_str!("../vocabulary/places.tsv"))) {
        for name in names.split(' ') {
            words.entry(fold(name)).or_default().place = place;
        }
    }
    let roles =
        [include_str!("../vocabulary/titles.tsv"), include_str!("../vocabulary/particles.tsv")];
    for (role, names) in roles.into_iter().flat_map(lines).filter_map(|line| line.split_once('\t'))
    {
        for name in names.split(' ') {
            let roles = &mut words.entry(fold(name)).or_default().roles;
            match role {
                "title" | "birth" => roles.title = true,
                "post" => (roles.title, roles.title_after) = (true, true),
                "vessel" => roles.vessel = true,
                "person" => roles.particle = true,
                "name" => roles.also_name = true,
                "surname" => roles.also_surname = true,
                "father" => roles.father = true,
                "company" => roles.connecting = true,
                _ => unreachable!("the vocabulary has no role {role}"),
            }
        }
    }
    words
}

fn add_variants(words: &mut FxHashMap<String, Word>) {
    let (mut spellings, mut familiar) = (0, 0);
    let groups =
        lines(include_str!("../vocabulary/variants.tsv")).filter_map(|line| line.split_once('\t'));
    for (how, names) in groups {
        if how == "spelling" {
            spellings += 1;
            for name in names.split(' ') {
                let word = words.entry(fold(name)).or_default();
                if word.spelling == 0 {
                    word.spelling = spellings;
                }
            }
        } else {
            for name in names.split(' ') {
                words.entry(fold(name)).or_default().familiar |= 1 << familiar;
            }
            familiar += 1;
        }
    }
    assert!(familiar <= 64, "a familiar form has one of 64 bits");
}
