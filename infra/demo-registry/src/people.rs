//! The people of the register. A person is the same in every company.
//!
//! A person follows from a key. Some keys belong to one company. The others belong to a pool that the companies of a
//! canton share, so that some people are on several boards and a few on dozens.

use std::sync::LazyLock;

use domain::Canton;

use crate::{
    data,
    language::Language,
    localities::{self, CANTONS, CantonShare, Locality},
    random::Random,
    words::{
        AMBIGUOUS_FAMILY_NAMES, FAMILY_NAMES, FIRST_NAMES, FOREIGN_TOWNS, NATIONWIDE_FAMILY_NAMES,
        NATIONWIDE_FIRST_NAMES, is_womans_name,
    },
};

/// A person who may hold an office.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Person {
    pub(crate) last_name: String,
    pub(crate) first_name: String,
    pub(crate) is_woman: bool,
    pub(crate) citizenship: Citizenship,
    /// A commune, or a town abroad with its country: `Lyon (FR)`.
    pub(crate) residence: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Citizenship {
    /// Swiss, with the place of origin.
    Origin(&'static str),
    Nation(&'static Nation),
}

/// A citizenship other than the Swiss, as notices write it.
#[derive(Debug, PartialEq)]
pub(crate) struct Nation {
    weight: u32,
    /// The adjective before `Staatsangehörige`, in the feminine.
    pub(crate) german: &'static str,
    /// Masculine and feminine.
    pub(crate) french: [&'static str; 2],
    /// Masculine and feminine.
    pub(crate) italian: [&'static str; 2],
    /// The country with its preposition, as Geneva and Vaud write it.
    pub(crate) country: &'static str,
    /// The language of its citizens' names, where it is one of the register.
    language: Option<Language>,
}

static NATIONS: LazyLock<Vec<Nation>> = LazyLock::new(|| {
    let nation =
        |[weight, german, his, hers, suo, sua, country, language]: [&'static str; 8]| Nation {
            weight: data::number(weight),
            german,
            french: [his, hers],
            italian: [suo, sua],
            country,
            language: Language::by_code(language),
        };
    data::rows(include_str!("../data/nations.csv")).map(nation).collect()
});

/// How many neighbouring indexes share a pool of people.
const NEIGHBOURHOOD: usize = 1_024;
/// How many neighbouring indexes share the people with dozens of mandates.
const REGION: usize = 4_096;

const OF_ONE_COMPANY: u64 = 1 << 60;
const SHARED: u64 = 2 << 60;
const NOMINEE: u64 = 3 << 60;

/// The people that one company chooses its officers from.
#[derive(Clone)]
pub(crate) struct PeoplePool {
    index: usize,
    place: &'static Locality,
    /// The key of the person who is chosen first.
    first: Option<u64>,
    chosen: Vec<u64>,
    /// How many people of this company alone there are so far.
    own: u64,
}

impl PeoplePool {
    /// The pool of the company with this index; `first` is the key of the person who is chosen first.
    pub(crate) fn new(index: usize, place: &'static Locality, first: Option<u64>) -> Self {
        Self { index, place, first, chosen: Vec::new(), own: 0 }
    }

    /// Whether it is decided who is chosen first.
    pub(crate) fn has_first(&self) -> bool {
        self.first.is_some()
    }

    /// A person who was not chosen for this company before.
    pub(crate) fn choose(&mut self, random: &mut Random) -> Person {
        let key = self.first.take().or_else(|| match random.below(1000) {
            0..70 => Some(self.key(NOMINEE, REGION, 14, random)),
            70..680 => Some(self.key(SHARED, NEIGHBOURHOOD, 340, random)),
            _ => None,
        });
        match key.filter(|it| !self.chosen.contains(it)) {
            Some(key) => {
                self.chosen.push(key);
                Person::shared(key)
            }
            None => Person::near(self.place, &mut self.own(random)),
        }
    }

    /// A person of this name, who has no mandate elsewhere.
    pub(crate) fn with_name(
        &mut self,
        first_name: Option<&str>,
        last_name: &str,
        random: &mut Random,
    ) -> Person {
        let mut person = Person::near(self.place, &mut self.own(random));
        if let Some(first_name) = first_name {
            first_name.clone_into(&mut person.first_name);
            person.is_woman = is_womans_name(first_name, self.place.language);
        }
        last_name.clone_into(&mut person.last_name);
        person
    }

    /// The key of somebody in the pool of a canton, most often the company's own. `size` is the size of the pool for
    /// the whole country.
    fn key(&self, kind: u64, companies: usize, size: u64, random: &mut Random) -> u64 {
        let share = match random.chance(820) {
            true => CantonShare::of(self.place.canton),
            false => CantonShare::draw(random),
        };
        let size = (size * u64::from(share.companies)).div_ceil(10_000);
        let block = self.index / companies;
        pool_key(kind, share.canton, block) | random.below(size)
    }

    fn own(&mut self, random: &mut Random) -> Random {
        self.own += 1;
        let key = (self.index as u64) << 24 | self.own << 12 | random.below(4096);
        Random::for_key(OF_ONE_COMPANY | key)
    }
}

/// The key of the person who is a director of the companies at a shared address.
pub(crate) fn letterbox_director(canton: Canton, block: usize) -> u64 {
    // No pool is that large.
    pool_key(NOMINEE, canton, block) | 0xff_ffff
}

fn pool_key(kind: u64, canton: Canton, block: usize) -> u64 {
    kind | (canton as u64) << 52 | (block as u64) << 24
}

impl Person {
    pub(crate) fn lives_in_switzerland(&self) -> bool {
        !FOREIGN_TOWNS.iter().flatten().any(|it| *it == self.residence)
    }

    fn shared(key: u64) -> Self {
        let random = &mut Random::for_key(key);
        let canton = CANTONS[(key >> 52 & 0xff) as usize % CANTONS.len()].canton;
        let home = random.weighted(localities::of_canton(canton), |it| it.weight);
        Self::near(home, random)
    }

    /// A person who lives at this place or not far from it.
    fn near(place: &'static Locality, random: &mut Random) -> Self {
        let home = match random.below(100) {
            0..55 => place,
            55..88 => random.weighted(localities::of_canton(place.canton), |it| it.weight),
            _ => {
                let canton = CantonShare::draw(random).canton;
                random.weighted(localities::of_canton(canton), |it| it.weight)
            }
        };
        let nation = random.chance(210).then(|| random.weighted(&NATIONS, |it| it.weight));
        let (families, firsts): (&[&str], &[&str]) = match nation {
            Some(nation) => match nation.language {
                Some(spoken) => (&FAMILY_NAMES[spoken as usize], &FIRST_NAMES[spoken as usize]),
                None => (&NATIONWIDE_FAMILY_NAMES, &NATIONWIDE_FIRST_NAMES),
            },
            None => (&FAMILY_NAMES[home.language as usize], &FIRST_NAMES[home.language as usize]),
        };
        let language = nation.and_then(|it| it.language).unwrap_or(home.language);
        // In prose no comma separates family and given name, so a family name must not read like a given one.
        let mut family = || {
            let drawn = (0..9).map(|_| random.pick(families));
            let mut unambiguous =
                drawn.into_iter().filter(|it| !AMBIGUOUS_FAMILY_NAMES.contains(it));
            unambiguous.next().unwrap_or(families[0])
        };
        let (family, second_family) = (family(), family());
        let first = random.pick(firsts);
        let is_woman = is_womans_name(first, language);
        let second = random.pick(firsts);
        let has_second = random.chance(380)
            && second != first
            && is_womans_name(second, language) == is_woman
            && !first.contains('-')
            && !second.contains('-');
        let citizenship = match nation {
            Some(nation) => Citizenship::Nation(nation),
            None => Citizenship::Origin(localities::origin(random)),
        };
        let lives_abroad = random.chance(25) && nation.is_none_or(|it| it.language.is_some());
        Self {
            last_name: if random.chance(90) && family != second_family {
                format!("{family}-{second_family}")
            } else {
                family.to_owned()
            },
            first_name: if has_second { format!("{first} {second}") } else { first.to_owned() },
            is_woman,
            citizenship,
            residence: if lives_abroad {
                random.pick(&FOREIGN_TOWNS[home.language as usize])
            } else {
                home.residence()
            },
        }
    }

    /// The same person with another residence in the canton of this place; `None` where the draw gives the same one.
    pub(crate) fn moved(&self, place: &'static Locality, random: &mut Random) -> Option<Self> {
        let canton = localities::of_canton(place.canton);
        let residence = random.weighted(canton, |it| it.weight).residence();
        (residence != self.residence).then(|| Self { residence, ..self.clone() })
    }
}
