//! How company names are put together from the word lists.

use std::sync::LazyLock;

use domain::legal_forms::LegalForm;

use crate::{
    business::Business,
    data, forms,
    language::Language,
    localities::Locality,
    random::Random,
    trades::Trade,
    words::{
        CAUSES, FAMILY_NAMES, FIRST_NAMES, HOUSES, NAME_WORDS, NATIONWIDE_FAMILY_NAMES,
        NATIONWIDE_FIRST_NAMES, REGIONS, STREETS, SYLLABLES, TAKEN_INITIALS,
    },
};

/// A person whom a company's name contains: the owner or a partner.
#[derive(Clone, Debug)]
pub(crate) struct NamedPerson {
    /// `None` where the company's name has the family name only.
    pub(crate) first_name: Option<&'static str>,
    pub(crate) family_name: String,
}

/// Form and town of foreign head offices.
static FOREIGN_SEATS: LazyLock<Vec<[&'static str; 2]>> =
    LazyLock::new(|| data::rows(include_str!("../data/foreign_seats.csv")).collect());

/// The letters of initials. Without vowels and `B`, `S`, `X`, few well-known short names are possible; `TAKEN_INITIALS`
/// has those.
const INITIALS: [char; 15] =
    ['C', 'D', 'F', 'G', 'H', 'J', 'K', 'L', 'M', 'N', 'P', 'R', 'T', 'V', 'W'];

impl Business {
    /// A registered name, without the addition of companies in liquidation.
    pub(crate) fn name(&self, random: &mut Random) -> String {
        self.name_and_persons(random).0
    }

    /// A registered name, and the owner or partners whom it contains.
    pub(crate) fn name_and_persons(&self, random: &mut Random) -> (String, Vec<NamedPerson>) {
        match self.form {
            forms::SOLE_TRADER => self.sole_trader(random),
            forms::GENERAL_PARTNERSHIP | forms::LIMITED_PARTNERSHIP => self.partnership(random),
            _ => (self.impersonal(random), Vec::new()),
        }
    }

    /// A name that the company could have had before: with the same owner or partners, as the law demands (Code of Obligations,
    /// Art. 945 and 947 of the time).
    pub(crate) fn former_name(&self, persons: &[NamedPerson], random: &mut Random) -> String {
        match persons {
            [owner] => self.sole_trader_name(self.word(random), owner, random),
            [one, other] => self.partnership_name(one, other, random),
            _ => self.impersonal(random),
        }
    }

    fn impersonal(&self, random: &mut Random) -> String {
        match self.form {
            forms::ASSOCIATION => self.association(random),
            forms::FOUNDATION => self.foundation(random),
            forms::COOPERATIVE => self.cooperative(random),
            forms::PUBLIC_INSTITUTION => {
                let (word, house) = (self.word(random), random.pick(self.houses()));
                format!("{word} {house} {}", self.place.plain_name())
            }
            forms::FOREIGN_BRANCH => {
                let [form, town] = random.pick(&FOREIGN_SEATS);
                let head_office = format!("{} {form}, {town}", self.stem(random));
                self.branch_of(&head_office)
            }
            _ => format!("{} {}", self.stem(random), self.suffix()),
        }
    }

    /// The name of a branch here of the company with this name.
    pub(crate) fn branch_of(&self, head_office: &str) -> String {
        let branch = NAME_WORDS.branch[self.place.language as usize][0];
        format!("{head_office}, {branch} {}", self.place.plain_name())
    }

    /// The name with what is added to it in liquidation.
    pub(crate) fn in_liquidation(&self, name: &str) -> String {
        format!("{name} {}", NAME_WORDS.in_liquidation[self.place.language as usize][0])
    }

    /// The name with the suffixes of the other languages.
    pub(crate) fn translations(&self, name: &str) -> Option<Vec<String>> {
        let stem = name.strip_suffix(self.suffix())?;
        let suffixes = match self.form {
            forms::CORPORATION => &NAME_WORDS.corporation,
            forms::LIMITED_LIABILITY => &NAME_WORDS.limited_liability,
            _ => return None,
        };
        let mut others: Vec<&str> = suffixes.iter().map(|it| it[0]).collect();
        others.dedup();
        others.retain(|it| *it != self.suffix());
        Some(others.into_iter().map(|suffix| format!("{stem}{suffix}")).collect())
    }

    fn suffix(&self) -> &'static str {
        let suffixes = match self.form {
            forms::LIMITED_LIABILITY => &NAME_WORDS.limited_liability,
            _ => &NAME_WORDS.corporation,
        };
        suffixes[self.place.language as usize][0]
    }

    fn word(&self, random: &mut Random) -> &'static str {
        random.pick(&self.trade.words[self.language as usize])
    }

    fn houses(&self) -> &'static [&'static str] {
        &HOUSES[self.place.language as usize]
    }

    /// The word for the trade with another name. The word comes first in French and Italian.
    fn joined(&self, word: &str, name: &str) -> String {
        match self.language {
            Language::French | Language::Italian => format!("{word} {name}"),
            Language::German | Language::English => format!("{name} {word}"),
        }
    }

    /// The name of a corporation or limited liability company, without its suffix.
    fn stem(&self, random: &mut Random) -> String {
        let word = self.word(random);
        let place = self.place;
        if self.trade.is_bank_or_insurer() {
            // There are too few of them for a family name not to be that of a real one.
            return self.joined(word, &coined(random));
        }
        // The name of a place could be taken for a cantonal institution.
        let may_name_place = !matches!(self.trade.division(), "64" | "65" | "66" | "86");
        match random.below(100) {
            0..24 => self.joined(word, family_name(random, place)),
            24..31 => format!("{} & {}", family_name(random, place), family_name(random, place)),
            31..39 => {
                let both =
                    format!("{} & {}", family_name(random, place), family_name(random, place));
                self.joined(word, &both)
            }
            39..62 => format!("{} {word}", coined(random)),
            62..74 => coined(random),
            74..80 => self.joined(word, &initials(random)),
            80..86 if may_name_place => {
                format!("{word} {}", random.pick(&REGIONS[place.language as usize]))
            }
            86..91 if may_name_place => format!("{word} {}", place.plain_name()),
            91..94 => self.joined(word, random.pick(self.houses())),
            _ => {
                let person =
                    format!("{} {}", first_name(random, place), family_name(random, place));
                self.joined(word, &person)
            }
        }
    }

    fn sole_trader(&self, random: &mut Random) -> (String, Vec<NamedPerson>) {
        let word = self.word(random);
        let family_name = match random.chance(160) {
            true => {
                format!("{}-{}", family_name(random, self.place), family_name(random, self.place))
            }
            false => family_name(random, self.place).to_owned(),
        };
        let first_name = Some(first_name(random, self.place));
        let owner = NamedPerson { first_name, family_name };
        (self.sole_trader_name(word, &owner, random), vec![owner])
    }

    fn sole_trader_name(&self, word: &str, owner: &NamedPerson, random: &mut Random) -> String {
        let (first, family) = (owner.first_name.unwrap_or_default(), &owner.family_name);
        match random.below(100) {
            0..28 => format!("{first} {family}"),
            28..50 => format!("{word} {first} {family}"),
            50..64 => format!("{first} {family} {word}"),
            64..76 => format!("{word} {family}"),
            76..86 => format!("{word} {} {family}", self.place.plain_name()),
            _ => format!("{} {word} {family}", coined(random)),
        }
    }

    fn partnership(&self, random: &mut Random) -> (String, Vec<NamedPerson>) {
        let partner = |random: &mut Random| NamedPerson {
            first_name: None,
            family_name: family_name(random, self.place).to_owned(),
        };
        let (mut one, other) = (partner(random), partner(random));
        if random.chance(200) {
            one.first_name = Some(first_name(random, self.place));
        }
        (self.partnership_name(&one, &other, random), vec![one, other])
    }

    fn partnership_name(
        &self,
        one: &NamedPerson,
        other: &NamedPerson,
        random: &mut Random,
    ) -> String {
        let language = self.place.language as usize;
        let and_company = NAME_WORDS.and_company[language][0];
        let (family, others) = (&one.family_name, &other.family_name);
        let name = match (one.first_name, random.below(8)) {
            (Some(first), _) => format!("{first} {family} {and_company}"),
            (None, 0..3) => format!("{family} & {others}"),
            (None, 3..6) => self.joined(self.word(random), &format!("{family} & {others}")),
            (None, _) => format!("{} {and_company}", self.joined(self.word(random), family)),
        };
        // Since July 2016 the law requires the legal form (Code of Obligations, Art. 950).
        let form = LegalForm::by_code(self.form).expect("a legal form");
        format!("{name} {}", form.short_names[language])
    }

    fn association(&self, random: &mut Random) -> String {
        let word = random.pick(&NAME_WORDS.association[self.place.language as usize]);
        let cause = random.pick(&CAUSES[self.place.language as usize]);
        match random.below(3) {
            0 => format!("{word} {cause} {}", self.place.plain_name()),
            1 => format!("{word} {cause} {}", random.pick(self.houses())),
            _ => format!("{word} {}", coined(random)),
        }
    }

    fn foundation(&self, random: &mut Random) -> String {
        let place = self.place;
        let language = place.language as usize;
        if self.trade.is_pension_fund() {
            let trade = Trade::any(random);
            let employer = Self { form: forms::CORPORATION, trade, ..*self };
            let (stem, suffix) = (employer.stem(random), employer.suffix());
            return format!("{} {stem} {suffix}", NAME_WORDS.pension_fund[language][0]);
        }
        let word = NAME_WORDS.foundation[language][0];
        match random.below(4) {
            0 => format!("{word} {}", coined(random)),
            1 => format!("{word} {} {}", first_name(random, place), family_name(random, place)),
            2 => format!("{word} {} {}", random.pick(self.houses()), place.plain_name()),
            _ => format!("{word} {} {}", random.pick(&CAUSES[language]), coined(random)),
        }
    }

    fn cooperative(&self, random: &mut Random) -> String {
        let language = self.place.language as usize;
        if self.trade.division() == "68" {
            let word = NAME_WORDS.housing_cooperative[language][0];
            return match random.below(3) {
                0 => format!("{word} {}", coined(random)),
                _ => format!("{word} {} {}", random.pick(self.houses()), self.place.plain_name()),
            };
        }
        let word = NAME_WORDS.cooperative[language][0];
        match random.below(3) {
            0 => format!("{word} {} {}", self.word(random), self.place.plain_name()),
            _ => format!("{word} {} {}", self.word(random), coined(random)),
        }
    }
}

/// A family name of the place.
pub(crate) fn family_name(random: &mut Random, place: &Locality) -> &'static str {
    match random.below(100) {
        0..78 => random.pick_early(&FAMILY_NAMES[place.language as usize]),
        78..88 => random.pick(&FAMILY_NAMES[second_language(place) as usize]),
        _ => random.pick(&NATIONWIDE_FAMILY_NAMES),
    }
}

/// The language that people of this place speak most often besides their own.
fn second_language(place: &Locality) -> Language {
    match place.language {
        Language::German => Language::Italian,
        _ => Language::German,
    }
}

/// A first name of the place.
pub(crate) fn first_name(random: &mut Random, place: &Locality) -> &'static str {
    match random.chance(880) {
        true => random.pick_early(&FIRST_NAMES[place.language as usize]),
        false => random.pick(&NATIONWIDE_FIRST_NAMES),
    }
}

/// A street in the place's language.
pub(crate) fn street(random: &mut Random, place: &Locality) -> &'static str {
    random.pick_early(&STREETS[place.language as usize])
}

/// A coined name such as `Velantis`.
pub(crate) fn coined(random: &mut Random) -> String {
    let [first, middle, last] = &*SYLLABLES;
    let (first, last) = (random.pick(first), random.pick(last));
    let (one, other) = (random.pick(middle), random.pick(middle));
    match random.chance(800) {
        true => format!("{first}{one}{last}"),
        false => format!("{first}{one}{other}{last}"),
    }
}

fn initials(random: &mut Random) -> String {
    let letters: String = (0..3).map(|_| random.pick(&INITIALS)).collect();
    match TAKEN_INITIALS.contains(&letters.as_str()) {
        true => coined(random),
        false => letters,
    }
}
