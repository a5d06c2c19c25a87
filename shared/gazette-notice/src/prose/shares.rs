//! Shares of a limited liability company that persons give, take over and hold: `A cède 60 de ses 150 parts de CHF 100 à
//! B`.

use super::{
    clauses::Clause,
    mentions::Case,
    parts::Sentence,
    reading::{Named, Reading},
    said::Said,
    vocabulary::{Meaning, Part},
};
use crate::amount;

/// Whether the word is a share of the capital.
pub(super) fn is_share(word: &str) -> bool {
    #[rustfmt::skip]
    const SHARES: [&str; 15] = [
        "part", "parts", "Stammanteil", "Stammanteile", "Stammanteilen", "Anteil", "Anteile", "Anteilen", "Stammeinlage", "Stammeinlagen", "quota", "quote",
        "Gesellschaftsanteil", "Gesellschaftsanteile", "Gesellschaftsanteilen",
    ];
    SHARES.contains(&word)
}

/// A number of shares in a text.
#[derive(Clone, Copy, Debug)]
struct Phrase<'a> {
    /// The token of the noun.
    at: usize,
    noun: &'a str,
    count: Option<u64>,
    /// What the holder had before: `60 de ses 150 parts`.
    of: Option<u64>,
    /// Whether these are all shares of the holder: `ses 100 parts`.
    is_all: bool,
    nominal: Option<&'a str>,
}

/// Shares as a person holds them after the notice.
#[derive(Clone, Debug)]
pub(super) struct Lot {
    pub(super) count: u64,
    pub(super) noun: String,
    pub(super) nominal: Option<String>,
}

impl Phrase<'_> {
    fn lot(&self, count: u64) -> Lot {
        Lot { count, noun: self.noun.to_owned(), nominal: self.nominal.map(str::to_owned) }
    }
}

/// Reads a clause about shares. Returns false if it is not about any.
pub(super) fn read(
    reading: &mut Reading<'_, '_>,
    clause: &Clause,
    said: &Said<'_>,
    named: &[Named],
) -> bool {
    let phrases = phrases(reading.sentence, clause);
    if phrases.is_empty() {
        return false;
    }
    let with_case = |wanted: &[Case]| -> Vec<usize> {
        named.iter().filter(|it| wanted.contains(&it.case)).map(|it| it.id).collect()
    };
    let or_subjects = |found: Vec<usize>, reading: &Reading<'_, '_>| {
        if found.is_empty() { reading.subjects.clone() } else { found }
    };
    let plain = with_case(&[Case::Plain]);
    if said.has(Meaning::Cedes) {
        let sellers = if plain.is_empty() { with_case(&[Case::By, Case::Of]) } else { plain };
        let sellers = or_subjects(sellers, reading);
        let buyers: Vec<&Named> =
            named.iter().filter(|it| it.case == Case::To && !sellers.contains(&it.id)).collect();
        transfer(reading, &sellers, &buyers, &phrases);
        if !sellers.is_empty() {
            reading.subjects = sellers;
        }
        return true;
    }
    if said.has(Meaning::Acquires) {
        let sellers = with_case(&[Case::By, Case::Of]);
        let buyers: Vec<&Named> = named.iter().filter(|it| it.case == Case::Plain).collect();
        if buyers.is_empty() {
            for id in reading.subjects.clone() {
                receive(reading, id, phrases.first());
            }
        }
        let buyer_ids: Vec<usize> = buyers.iter().map(|it| it.id).collect();
        transfer(reading, &sellers, &buyers, &phrases);
        if !buyer_ids.is_empty() {
            reading.subjects = buyer_ids;
        }
        return true;
    }
    let is_holder = |at: usize| {
        let word = reading.sentence.word(at);
        [
            "titulaire",
            "titulaires",
            "Inhaber",
            "Inhaberin",
            "titolare",
            "propriétaire",
            "proprietario",
            "proprietaria",
            "détenteur",
            "Eigentümer",
        ]
        .contains(&word)
    };
    // `gli restano 10 quote`
    let keeps_shares = said.has(Meaning::Keeps) && !said.has_office();
    let holds = said.has(Meaning::Holds)
        || said.has(Meaning::Grants)
        || keeps_shares
        || clause.tokens().any(is_holder);
    if !holds || said.is_negated {
        return false;
    }
    let holders = or_subjects(plain, reading);
    let stays = said.has(Meaning::Keeps);
    for id in &holders {
        if stays {
            reading.persons.keep(*id, None);
        } else {
            reading.persons.appoint(*id, None);
        }
        if let Some(phrase) = phrases.first()
            && let Some(count) = phrase.count
        {
            reading.persons.hold(*id, phrase.lot(count));
        }
    }
    reading.subjects = holders;
    true
}

/// Moves shares from the sellers to the buyers, each with the number before or after the name.
fn transfer(
    reading: &mut Reading<'_, '_>,
    sellers: &[usize],
    buyers: &[&Named],
    phrases: &[Phrase<'_>],
) {
    for buyer in buyers {
        let before = phrases.iter().rfind(|it| it.at < buyer.start);
        // Shares before the first of several buyers belong to all of them, in an unknown proportion.
        let is_of_several = buyers.len() > 1 && phrases.len() < buyers.len();
        let phrase = before.or(phrases.first()).filter(|_| !is_of_several);
        receive(reading, buyer.id, phrase);
    }
    let [seller] = sellers else {
        for seller in sellers {
            reading.persons.keep(*seller, None);
        }
        return;
    };
    let given: Option<u64> = phrases.iter().map(|it| it.count).sum();
    let Some(first) = phrases.first() else { return };
    match (first.of, given) {
        (Some(of), Some(given)) if given < of => {
            reading.persons.keep(*seller, None);
            reading.persons.hold(*seller, first.lot(of - given));
        }
        (Some(of), Some(given)) if given == of => {
            reading.persons.sell_all(*seller, first.count.map(|it| first.lot(it)))
        }
        _ if first.is_all && phrases.len() == 1 => {
            reading.persons.sell_all(*seller, first.count.map(|it| first.lot(it)))
        }
        _ => reading.persons.keep(*seller, None),
    }
}

fn receive(reading: &mut Reading<'_, '_>, buyer: usize, phrase: Option<&Phrase<'_>>) {
    reading.persons.appoint(buyer, None);
    match phrase.and_then(|it| Some((it, it.count?))) {
        Some((phrase, count)) => reading.persons.receive(buyer, phrase.lot(count)),
        None => reading.persons.forget_shares(buyer),
    }
}

/// The numbers of shares in a clause, in order.
fn phrases<'a>(sentence: &Sentence<'a>, clause: &Clause) -> Vec<Phrase<'a>> {
    let mut found = Vec::new();
    for at in clause.tokens().filter(|it| is_share(sentence.word(*it))) {
        let number_at = (1..=2)
            .filter_map(|by| at.checked_sub(by))
            .find(|it| number(sentence.word(*it)).is_some());
        let number_at = number_at.filter(|it| *it >= clause.range.start);
        let own = number_at.and_then(|it| number(sentence.word(it)));
        let before = number_at.unwrap_or(at);
        let earliest = before.saturating_sub(5).max(clause.range.start);
        let possessive = (earliest..before).rfind(|it| sentence.is(*it, Part::Possessive));
        let possessive =
            possessive.filter(|it| (it + 1..before).all(|at| is_between(sentence, at)));
        let part_of = possessive.and_then(|it| {
            let from = it.saturating_sub(3).max(clause.range.start);
            (from..it)
                .rev()
                .take_while(|at| is_between(sentence, *at) || number(sentence.word(*at)).is_some())
                .find_map(|at| number(sentence.word(at)))
        });
        // `von seinen 20 Stammanteilen deren 5`
        let following = (at + 1..(at + 10).min(clause.range.end)).find(|it| {
            ["deren", "davon", "dont"].contains(&sentence.word(*it))
                && number(sentence.word(it + 1)).is_some()
        });
        let part_of = part_of.or_else(|| following.and_then(|it| number(sentence.word(it + 1))));
        let (count, of) = match (part_of, own) {
            (Some(part), own) => (Some(part), own),
            (None, own) => (own, None),
        };
        let whole = (earliest..at).any(|it| {
            #[rustfmt::skip]
            const WHOLE: [&str; 14] = [
                "alle", "sämtliche", "sämtlichen", "totalité", "intégralité", "l'intégralité", "l’intégralité", "toutes", "tutte", "l'intera", "totalità", "sämtlicher",
                "aller", "allen",
            ];
            WHOLE.contains(&sentence.word(it))
        });
        found.push(Phrase {
            at,
            noun: sentence.word(at),
            count,
            of,
            is_all: whole || (possessive.is_some() && part_of.is_none()),
            nominal: nominal(sentence, at),
        });
    }
    found
}

fn is_between(sentence: &Sentence<'_>, at: usize) -> bool {
    matches!(sentence.parts[at], Some(Part::Preposition | Part::Article | Part::Adverb))
        || ["bisherigen", "bisher", "sämtlichen", "de", "delle", "von"].contains(&sentence.word(at))
}

/// A number in digits or, up to ten, in words.
fn number(word: &str) -> Option<u64> {
    #[rustfmt::skip]
    const WORDS: [&[&str]; 10] = [
        &["une", "eine", "einen", "einer", "ein", "una"], &["deux", "zwei", "due"], &["trois", "drei", "tre"], &["quatre", "vier", "quattro"],
        &["cinq", "fünf", "cinque"], &["six", "sechs", "sei"], &["sept", "sieben", "sette"], &["huit", "acht", "otto"], &["neuf", "neun", "nove"],
        &["dix", "zehn", "dieci"],
    ];
    if word.starts_with(|it: char| it.is_ascii_digit()) {
        let (_, count) = amount(word)?;
        let digits =
            word.bytes().all(|it| it.is_ascii_digit() || it == b'\'') || word.contains('’');
        return digits.then(|| u64::try_from(count.ten_thousandths() / 10_000).ok()).flatten();
    }
    (1..).zip(WORDS).find(|(_, words)| words.contains(&word)).map(|(count, _)| count)
}

/// The amount after the noun: `CHF 100` of `parts sociales de CHF 100`.
fn nominal<'a>(sentence: &Sentence<'a>, noun: usize) -> Option<&'a str> {
    for at in noun + 1..(noun + 9).min(sentence.tokens.len()) {
        if sentence.separates(at) || sentence.is_finite(at) {
            return None;
        }
        let word = sentence.word(at);
        let is_currency =
            word == "Fr." || (word.len() == 3 && word.bytes().all(|it| it.is_ascii_uppercase()));
        if is_currency && sentence.word(at + 1).starts_with(|it: char| it.is_ascii_digit()) {
            return Some(sentence.slice(at, at + 2).trim_end_matches(['.', ',']));
        }
    }
    None
}
