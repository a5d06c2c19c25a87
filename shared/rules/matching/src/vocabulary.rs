//! What is known about words: how rare they are, which are forms of one name or place, which are no part of a name.

use std::sync::LazyLock;

use domain::places::{Name, PLACES};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::tables::lines;
use crate::transliteration::fold;

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
    /// The set of names of which it is a familiar form, for [`familiar`]. 0: none.
    pub(crate) familiar: u16,
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

/// What is known about names.
struct Vocabulary {
    words: FxHashMap<String, Word>,
    /// Sets of names of which words are familiar forms, each in ascending order. The first one is empty.
    familiar: Vec<SmallVec<[u16; 4]>>,
}

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(build);

/// What is known about a word in folded form.
pub(crate) fn word(word: &str) -> Word {
    VOCABULARY.words.get(word).copied().unwrap_or_default()
}

/// The names of a set of [`Word::familiar`], in ascending order.
pub(crate) fn familiar(set: u16) -> &'static [u16] {
    &VOCABULARY.familiar[usize::from(set)]
}

/// Whether two words are familiar forms of one name.
pub(crate) fn are_familiar(one: u16, other: u16) -> bool {
    one != 0 && other != 0 && familiar(one).iter().any(|it| familiar(other).contains(it))
}

/// Words of up to this rarity only describe a company and may be missing in its name.
pub(crate) const DESCRIBING: f32 = 1.5;

fn build() -> Vocabulary {
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
    let familiar = add_variants(&mut words);
    for (place, names) in (1..).zip(PLACES.iter()) {
        for Name { name, .. } in names {
            words.entry(fold(&name.replace(' ', ""))).or_default().place = place;
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
    Vocabulary { words, familiar }
}

/// Adds the spellings and familiar forms; returns the sets of the latter.
fn add_variants(words: &mut FxHashMap<String, Word>) -> Vec<SmallVec<[u16; 4]>> {
    let mut spellings = 0;
    let mut familiar: Vec<SmallVec<[u16; 4]>> = vec![SmallVec::new()];
    let mut add_familiar = |words: &mut FxHashMap<String, Word>, id: u16, names: &str| {
        for name in names.split(' ') {
            let word = words.entry(fold(name)).or_default();
            if word.familiar == 0 {
                word.familiar = u16::try_from(familiar.len()).expect("fewer than 65,536 names");
                familiar.push(SmallVec::new());
            }
            let set = &mut familiar[usize::from(word.familiar)];
            // In ascending order, as they are added.
            if set.last() != Some(&id) {
                set.push(id);
            }
        }
    };
    let mut id = 0;
    let groups =
        lines(include_str!("../vocabulary/variants.tsv")).filter_map(|line| line.split_once('\t'));
    for (how, names) in groups {
        if how == "spelling" {
            spellings += 1;
            for name in names.split(' ') {
                let word = words.entry(fold(&name.replace('_', ""))).or_default();
                if word.spelling == 0 {
                    word.spelling = spellings;
                }
            }
        } else {
            id += 1;
            add_familiar(words, id, names);
        }
    }
    for names in lines(include_str!("../vocabulary/nicknames.tsv")) {
        id += 1;
        add_familiar(words, id, names);
    }
    familiar
}
