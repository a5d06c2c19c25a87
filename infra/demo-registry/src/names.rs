//! How names and purposes are put together from the vocabulary.

use crate::{
    forms,
    localities::Locality,
    random::Random,
    vocabulary::{
        CAUSES, FAMILY_NAMES, FAMILY_NAMES_EVERYWHERE, FIELDS, FIRST_NAMES, FIRST_NAMES_EVERYWHERE,
        FOREIGN_SEATS, FURTHER_SENTENCES, INITIALS, KNOWN_INITIALS, Language, REGIONS, STREETS,
        SYLLABLES, Trade,
    },
};

/// What a name is made for.
pub(crate) struct Subject {
    /// eCH-0097.
    pub(crate) form: &'static str,
    pub(crate) place: &'static Locality,
    /// The language of the words; the suffix is in that of the place.
    pub(crate) language: Language,
    pub(crate) trade: &'static Trade,
}

/// Somebody whom a name names.
#[derive(Clone, Debug)]
pub(crate) struct Holder {
    pub(crate) first: Option<&'static str>,
    pub(crate) family: String,
}

impl Subject {
    /// The registered name, without what is added to it in liquidation.
    pub(crate) fn name(&self, random: &mut Random) -> String {
        self.name_and_holders(random).0
    }

    /// The same, and whom it names: the owner, or the partners.
    pub(crate) fn name_and_holders(&self, random: &mut Random) -> (String, Vec<Holder>) {
        match self.form {
            forms::SOLE_TRADER => self.sole_trader(random),
            forms::GENERAL_PARTNERSHIP | forms::LIMITED_PARTNERSHIP => self.partnership(random),
            _ => (self.impersonal(random), Vec::new()),
        }
    }

    fn impersonal(&self, random: &mut Random) -> String {
        match self.form {
            forms::ASSOCIATION => self.association(random),
            forms::FOUNDATION => self.foundation(random),
            forms::COOPERATIVE => self.cooperative(random),
            forms::PUBLIC_INSTITUTION => {
                format!(
                    "{} {} {}",
                    self.word(random),
                    random.pick(self.fields()),
                    self.place.plain_name()
                )
            }
            forms::INVESTMENT_COMPANY => format!("{} SICAV", coined(random)),
            forms::FOREIGN_BRANCH => {
                let (suffix, seat) = random.pick(&FOREIGN_SEATS);
                let head = format!("{} {suffix}", self.firm(random));
                self.branch_of(&format!("{head}, {seat}"))
            }
            _ => format!("{} {}", self.firm(random), self.suffix()),
        }
    }

    /// The name of a branch here of the company with this name.
    pub(crate) fn branch_of(&self, head_office: &str) -> String {
        let branch = match self.place.language {
            Language::French => "succursale de",
            Language::Italian => "succursale di",
            _ => "Zweigniederlassung",
        };
        format!("{head_office}, {branch} {}", self.place.plain_name())
    }

    /// The name in another language: another suffix.
    pub(crate) fn translations(&self, name: &str) -> Option<Vec<String>> {
        let stem = name.strip_suffix(self.suffix())?;
        let suffixes: [&str; 4] = match self.form {
            forms::CORPORATION => ["AG", "SA", "SA", "Ltd"],
            forms::LIMITED_LIABILITY => ["GmbH", "Sàrl", "Sagl", "LLC"],
            _ => return None,
        };
        let mut others = suffixes.to_vec();
        others.dedup();
        Some(
            others
                .into_iter()
                .filter(|it| *it != self.suffix())
                .map(|suffix| format!("{stem}{suffix}"))
                .collect(),
        )
    }

    fn suffix(&self) -> &'static str {
        match (self.form, self.place.language) {
            (forms::LIMITED_LIABILITY, Language::French) => "Sàrl",
            (forms::LIMITED_LIABILITY, Language::Italian) => "Sagl",
            (forms::LIMITED_LIABILITY, _) => "GmbH",
            (_, Language::French | Language::Italian) => "SA",
            _ => "AG",
        }
    }

    fn word(&self, random: &mut Random) -> &'static str {
        random.pick(self.trade.words[self.language as usize])
    }

    fn fields(&self) -> &'static [&'static str] {
        FIELDS[self.place.language as usize]
    }

    /// A trade with whose it is: the trade comes first in the Romance languages.
    fn trade_of(&self, word: &str, whose: &str) -> String {
        match self.language {
            Language::French | Language::Italian => format!("{word} {whose}"),
            _ => format!("{whose} {word}"),
        }
    }

    /// The name of a company limited by shares or quotas, without its suffix.
    fn firm(&self, random: &mut Random) -> String {
        let word = self.word(random);
        let place = self.place;
        // A place with these trades could be taken for a cantonal bank or an insurer.
        let local = !matches!(self.trade.division(), "64" | "65" | "66" | "86");
        match random.below(100) {
            0..24 => self.trade_of(word, family_name(random, place)),
            24..31 => format!("{} & {}", family_name(random, place), family_name(random, place)),
            31..39 => {
                let both =
                    format!("{} & {}", family_name(random, place), family_name(random, place));
                self.trade_of(word, &both)
            }
            39..62 => format!("{} {word}", coined(random)),
            62..74 => coined(random),
            74..80 => self.trade_of(word, &initials(random)),
            80..86 if local => format!("{word} {}", random.pick(REGIONS[place.language as usize])),
            86..91 if local => format!("{word} {}", place.plain_name()),
            91..94 => self.trade_of(word, random.pick(self.fields())),
            _ => {
                let person =
                    format!("{} {}", first_name(random, place), family_name(random, place));
                self.trade_of(word, &person)
            }
        }
    }

    fn sole_trader(&self, random: &mut Random) -> (String, Vec<Holder>) {
        let word = self.word(random);
        let family = match random.chance(160) {
            true => {
                format!("{}-{}", family_name(random, self.place), family_name(random, self.place))
            }
            false => family_name(random, self.place).to_owned(),
        };
        let first = first_name(random, self.place);
        let name = match random.below(100) {
            0..28 => format!("{first} {family}"),
            28..50 => format!("{word} {first} {family}"),
            50..64 => format!("{first} {family} {word}"),
            64..76 => format!("{word} {family}"),
            76..86 => format!("{word} {} {family}", self.place.plain_name()),
            _ => format!("{} {word} {family}", coined(random)),
        };
        (name, vec![Holder { first: Some(first), family }])
    }

    fn partnership(&self, random: &mut Random) -> (String, Vec<Holder>) {
        let place = self.place;
        let (one, other) = (family_name(random, place), family_name(random, place));
        let company = if place.language == Language::German { "& Co." } else { "& Cie" };
        let mut first = None;
        let name = match random.below(10) {
            0..3 => format!("{one} & {other}"),
            3..6 => self.trade_of(self.word(random), &format!("{one} & {other}")),
            6..8 => {
                let given = first_name(random, place);
                first = Some(given);
                format!("{given} {one} {company}")
            }
            _ => format!("{} {company}", self.trade_of(self.word(random), one)),
        };
        let other = Holder { first: None, family: other.to_owned() };
        (name, vec![Holder { first, family: one.to_owned() }, other])
    }

    fn association(&self, random: &mut Random) -> String {
        let words: &[&str] = match self.place.language {
            Language::French => &["Association", "Société", "Les Amis de"],
            Language::Italian => &["Associazione", "Società", "Gruppo"],
            _ => &["Verein", "Interessengemeinschaft", "Freundeskreis"],
        };
        let word = random.pick(words);
        let cause = random.pick(CAUSES[self.place.language as usize]);
        match random.below(3) {
            0 => format!("{word} {cause} {}", self.place.plain_name()),
            1 => format!("{word} {cause} {}", random.pick(self.fields())),
            _ => format!("{word} {}", coined(random)),
        }
    }

    fn foundation(&self, random: &mut Random) -> String {
        let place = self.place;
        let word = match place.language {
            Language::French => "Fondation",
            Language::Italian => "Fondazione",
            _ => "Stiftung",
        };
        if self.trade.division() == "65" {
            let pension = match place.language {
                Language::French => "Fondation de prévoyance en faveur du personnel de",
                Language::Italian => "Fondazione di previdenza del personale della",
                _ => "Personalvorsorgestiftung der",
            };
            let employer = random.weighted(&crate::vocabulary::TRADES, |it| it.weight);
            let employer = Self { form: forms::CORPORATION, trade: employer, ..*self };
            return format!("{pension} {} {}", employer.firm(random), employer.suffix());
        }
        match random.below(4) {
            0 => format!("{word} {}", coined(random)),
            1 => format!("{word} {} {}", first_name(random, place), family_name(random, place)),
            2 => format!("{word} {} {}", random.pick(self.fields()), place.plain_name()),
            _ => format!(
                "{word} {} {}",
                random.pick(CAUSES[place.language as usize]),
                coined(random)
            ),
        }
    }

    fn cooperative(&self, random: &mut Random) -> String {
        let homes = self.trade.division() == "68";
        let word = match (self.place.language, homes) {
            (Language::French, true) => "Société coopérative d'habitation",
            (Language::French, false) => "Société coopérative",
            (Language::Italian, true) => "Cooperativa d'abitazione",
            (Language::Italian, false) => "Società cooperativa",
            (_, true) => "Wohnbaugenossenschaft",
            (_, false) => "Genossenschaft",
        };
        match (homes, random.below(3)) {
            (true, 0) => format!("{word} {}", coined(random)),
            (true, _) => {
                format!("{word} {} {}", random.pick(self.fields()), self.place.plain_name())
            }
            (false, 0) => format!("{word} {} {}", self.word(random), self.place.plain_name()),
            (false, _) => format!("{word} {} {}", self.word(random), coined(random)),
        }
    }

    /// One to three sentences; `second` is something else that the company does.
    pub(crate) fn purpose(&self, random: &mut Random, second: &Trade) -> String {
        // An association has its purpose in its own language, whatever its name.
        let language = match self.form {
            forms::CORPORATION | forms::LIMITED_LIABILITY => self.language,
            _ => self.place.language,
        };
        let activity = self.trade.activity[language as usize];
        if matches!(self.form, forms::SOLE_TRADER | forms::GENERAL_PARTNERSHIP | forms::BRANCH) {
            return format!("{}.", without_article(activity));
        }
        let subject = match (language, self.form) {
            (Language::German, forms::ASSOCIATION) => "Der Verein bezweckt",
            (Language::German, forms::FOUNDATION) => "Die Stiftung bezweckt",
            (Language::German, forms::COOPERATIVE) => "Die Genossenschaft bezweckt",
            (Language::German, _) => random
                .pick(&["Die Gesellschaft bezweckt", "Die Gesellschaft bezweckt hauptsächlich"]),
            (Language::French, forms::ASSOCIATION) => "L'association a pour but",
            (Language::French, forms::FOUNDATION) => "La fondation a pour but",
            (Language::French, _) => {
                random.pick(&["La société a pour but", "La société a pour but principal"])
            }
            (Language::Italian, forms::ASSOCIATION) => "L'associazione ha per scopo",
            (Language::Italian, forms::FOUNDATION) => "La fondazione ha per scopo",
            (Language::Italian, _) => {
                random.pick(&["La società ha per scopo", "La società ha per scopo principale"])
            }
            (Language::English, _) => "The purpose of the company is",
        };
        let mut purpose = format!("{subject} {activity}");
        let commercial = matches!(self.form, forms::CORPORATION | forms::LIMITED_LIABILITY);
        if commercial && second.code != self.trade.code && random.chance(350) {
            let and = ["sowie", "ainsi que", "nonché", "and"][language as usize];
            purpose = format!("{purpose} {and} {}", second.activity[language as usize]);
        }
        purpose.push('.');
        if commercial {
            let sentences = FURTHER_SENTENCES[language as usize];
            let first = random.below(5) as usize;
            for sentence in sentences[first..].iter().take(random.below(3) as usize) {
                purpose.push(' ');
                purpose.push_str(sentence);
            }
        }
        purpose
    }
}

/// `Anbau und Verkauf` for `den Anbau und den Verkauf`; the Romance languages keep inner articles.
fn without_article(activity: &str) -> String {
    let noun = ["die ", "das ", "den ", "l'", "la ", "le ", "les ", "il ", "lo ", "i ", "the "]
        .iter()
        .find_map(|article| activity.strip_prefix(article))
        .unwrap_or(activity);
    let noun = noun.replace(" und den ", " und ").replace(" und die ", " und ");
    let mut letters = noun.chars();
    letters.next().map_or_else(String::new, |it| it.to_uppercase().chain(letters).collect())
}

/// A family name as they are where the place is.
pub(crate) fn family_name(random: &mut Random, place: &Locality) -> &'static str {
    match random.below(100) {
        0..78 => random.pick_early(FAMILY_NAMES[place.language as usize]),
        78..88 => random.pick(FAMILY_NAMES[neighbour(place) as usize]),
        _ => random.pick(&FAMILY_NAMES_EVERYWHERE),
    }
}

/// The language that people of this place speak most often, beside their own.
fn neighbour(place: &Locality) -> Language {
    match place.language {
        Language::German => Language::Italian,
        _ => Language::German,
    }
}

/// A first name as they are where the place is.
pub(crate) fn first_name(random: &mut Random, place: &Locality) -> &'static str {
    match random.chance(880) {
        true => random.pick_early(FIRST_NAMES[place.language as usize]),
        false => random.pick(&FIRST_NAMES_EVERYWHERE),
    }
}

/// A street of the place's language.
pub(crate) fn street(random: &mut Random, place: &Locality) -> &'static str {
    random.pick_early(STREETS[place.language as usize])
}

/// A name that means nothing, such as `Velantis`.
pub(crate) fn coined(random: &mut Random) -> String {
    let [first, middle, last] = SYLLABLES;
    let (first, last) = (random.pick(first), random.pick(last));
    let (one, other) = (random.pick(middle), random.pick(middle));
    match random.chance(800) {
        true => format!("{first}{one}{last}"),
        false => format!("{first}{one}{other}{last}"),
    }
}

fn initials(random: &mut Random) -> String {
    let letters: String = (0..3).map(|_| random.pick(&INITIALS)).collect();
    match KNOWN_INITIALS.contains(&letters.as_str()) {
        true => coined(random),
        false => letters,
    }
}
