//! The people of the register: as many as one asks for, each the same wherever they are met.
//!
//! A person follows from a key. Some keys belong to one company; the others to a crowd that the
//! companies of a canton share, so that some people sit in several boards and a few in dozens.

use crate::{
    localities::{self, Locality},
    random::Random,
    vocabulary::{
        FAMILY_NAMES, FAMILY_NAMES_EVERYWHERE, FIRST_NAMES, FIRST_NAMES_EVERYWHERE, FOREIGN_TOWNS,
        GIVEN_LIKE, Language, NATIONS, Nation, WOMEN,
    },
};

/// Somebody who may hold an office.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Person {
    pub(crate) last_name: String,
    pub(crate) first_name: String,
    pub(crate) is_woman: bool,
    pub(crate) home: Home,
    /// A commune, or a town abroad with the letters of its country.
    pub(crate) residence: &'static str,
}

/// Where somebody is a citizen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Home {
    /// A Swiss place of origin.
    Origin(&'static str),
    Nation(&'static Nation),
}

/// How many companies share a crowd, by index.
const NEIGHBOURHOOD: usize = 1_024;
/// How many share those who sit in dozens of boards.
const REGION: usize = 4_096;

const OWN: u64 = 1 << 60;
const SHARED: u64 = 2 << 60;
const NOMINEE: u64 = 3 << 60;

/// Whom one company can choose from.
pub(crate) struct Crowd {
    index: usize,
    place: &'static Locality,
    chosen: Vec<u64>,
    own: u64,
}

impl Crowd {
    pub(crate) fn of(index: usize, place: &'static Locality) -> Self {
        Self { index, place, chosen: Vec::new(), own: 0 }
    }

    /// Somebody who was not chosen for this company before.
    pub(crate) fn somebody(&mut self, random: &mut Random) -> Person {
        let key = match random.below(1000) {
            0..70 => Some(self.key(NOMINEE, REGION, 14, random)),
            70..680 => Some(self.key(SHARED, NEIGHBOURHOOD, 340, random)),
            _ => None,
        };
        match key.filter(|it| !self.chosen.contains(it)) {
            Some(key) => {
                self.chosen.push(key);
                Person::shared(key)
            }
            None => Person::near(self.place, &mut self.own(random)),
        }
    }

    /// Somebody of this name, who holds no other office.
    pub(crate) fn named(
        &mut self,
        first_name: Option<&str>,
        last_name: &str,
        random: &mut Random,
    ) -> Person {
        let mut person = Person::near(self.place, &mut self.own(random));
        if let Some(first_name) = first_name {
            first_name.clone_into(&mut person.first_name);
            person.is_woman = is_woman(first_name, self.place.language);
        }
        last_name.clone_into(&mut person.last_name);
        person
    }

    /// One of the crowd of a canton, most often the company's own, in which there are `size` for as
    /// many companies as share it.
    fn key(&self, kind: u64, companies: usize, size: u64, random: &mut Random) -> u64 {
        let shares = &localities::CANTONS;
        let own = shares.iter().position(|it| it.1 == self.place.canton).unwrap_or_default();
        let canton = if random.chance(820) {
            own
        } else {
            let elsewhere = random.weighted(shares, |it| it.0);
            shares.iter().position(|it| it.1 == elsewhere.1).unwrap_or_default()
        };
        let size = (size * u64::from(shares[canton].0)).div_ceil(10_000);
        let block = (self.index / companies) as u64;
        kind | (canton as u64) << 52 | block << 24 | random.below(size)
    }

    fn own(&mut self, random: &mut Random) -> Random {
        self.own += 1;
        Random::for_person(OWN | (self.index as u64) << 24 | self.own << 12 | random.below(4096))
    }
}

impl Person {
    fn shared(key: u64) -> Self {
        let random = &mut Random::for_person(key);
        let canton = localities::CANTONS[(key >> 52 & 0xff) as usize % localities::CANTONS.len()].1;
        let home = random.weighted(localities::of_canton(canton), |it| it.weight);
        Self::near(home, random)
    }

    /// Somebody who lives here, or not far.
    fn near(place: &'static Locality, random: &mut Random) -> Self {
        let home = match random.below(100) {
            0..55 => place,
            55..88 => random.weighted(localities::of_canton(place.canton), |it| it.weight),
            _ => {
                let canton = random.weighted(&localities::CANTONS, |it| it.0).1;
                random.weighted(localities::of_canton(canton), |it| it.weight)
            }
        };
        let language = home.language;
        let nation = random.chance(210).then(|| random.weighted(&NATIONS, |it| it.weight));
        let is_known_here = |it: &Nation| it.language.is_some();
        let (families, firsts): (&[&str], &[&str]) = match nation {
            Some(nation) => match nation.language {
                Some(spoken) => (FAMILY_NAMES[spoken as usize], FIRST_NAMES[spoken as usize]),
                None => (&FAMILY_NAMES_EVERYWHERE, &FIRST_NAMES_EVERYWHERE),
            },
            None => (FAMILY_NAMES[language as usize], FIRST_NAMES[language as usize]),
        };
        let spoken = nation.and_then(|it| it.language).unwrap_or(language);
        // A family name that could be a given name would stand for one where no comma parts them.
        let mut family = || {
            let drawn = (0..9).map(|_| random.pick(families));
            drawn.into_iter().find(|it| !GIVEN_LIKE.contains(it)).unwrap_or(families[0])
        };
        let (one, other) = (family(), family());
        let first = random.pick(firsts);
        let is_woman = is_woman(first, spoken);
        let second = random.pick(firsts);
        let has_second = random.chance(380)
            && second != first
            && self::is_woman(second, spoken) == is_woman
            && !first.contains('-')
            && !second.contains('-');
        let home_of = match nation {
            Some(nation) => Home::Nation(nation),
            None => Home::Origin(localities::origin(random)),
        };
        let abroad = random.chance(25) && nation.is_none_or(is_known_here);
        Self {
            last_name: if random.chance(90) && one != other {
                format!("{one}-{other}")
            } else {
                one.to_owned()
            },
            first_name: if has_second { format!("{first} {second}") } else { first.to_owned() },
            is_woman,
            home: home_of,
            residence: if abroad {
                random.pick(FOREIGN_TOWNS[language as usize])
            } else {
                home.residence()
            },
        }
    }

    /// Another place in the country, for somebody who moves.
    pub(crate) fn moved(&self, place: &'static Locality, random: &mut Random) -> Option<Self> {
        let canton = localities::of_canton(place.canton);
        let residence = random.weighted(canton, |it| it.weight).residence();
        (residence != self.residence).then(|| Self { residence, ..self.clone() })
    }
}

fn is_woman(first_name: &str, language: Language) -> bool {
    let first = first_name.split([' ', '-']).next().unwrap_or_default();
    WOMEN.contains(&first) && !(first == "Andrea" && language == Language::Italian)
}
