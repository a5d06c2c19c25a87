//! Numbers of shares in a clause: `60 de ses 150 parts de CHF 100`.

use super::{
    clauses::Clause,
    parts::Sentence,
    persons::ShareBlock,
    vocabulary::{Meaning, Part, is_share},
};
use crate::amount;

/// A number of shares in a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Phrase<'a> {
    /// The token of the noun.
    pub(super) at: usize,
    pub(super) noun: &'a str,
    pub(super) count: Option<u64>,
    /// What the holder had before: `60 de ses 150 parts`.
    pub(super) of: Option<u64>,
    /// Whether these are all shares of the holder: `ses 100 parts`.
    pub(super) is_all: bool,
    pub(super) nominal: Option<&'a str>,
    /// Whether it says what the person before it has: `nouvel associé pour 10 parts`.
    pub(super) is_holding: bool,
    /// Whether it says how many shares a noun such as `cession` moves.
    pub(super) is_moved: bool,
}

impl Phrase<'_> {
    pub(super) fn block(&self, count: u64) -> ShareBlock {
        ShareBlock { count, noun: self.noun.to_owned(), nominal: self.nominal.map(str::to_owned) }
    }
}

/// The numbers of shares in a clause, in order.
pub(super) fn phrases<'a>(sentence: &Sentence<'a>, clause: &Clause) -> Vec<Phrase<'a>> {
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
        // `la sua quota di CHF 10'000`
        let is_one = matches!(
            sentence.word(at),
            "part" | "quota" | "Stammanteil" | "Stammeinlage" | "Anteil"
        ) && possessive.is_some();
        let is_single = is_one
            || (matches!(sentence.word(at), "quota" | "Stammanteil" | "Stammeinlage")
                && nominal(sentence, at).is_some());
        let own = own.or(is_single.then_some(1));
        let (count, of) = match (part_of, own) {
            (Some(part), own) => (Some(part), own),
            (None, own) => (own, None),
        };
        // At most an article or a preposition is between.
        let is_after = |is_word: &dyn Fn(usize) -> bool| {
            let from = before.saturating_sub(2).max(clause.range.start);
            (from..before).any(is_word)
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
            is_holding: is_after(&|it| {
                matches!(sentence.word(it), "pour" | "mit" | "con" | "per" | "für")
            }),
            is_moved: is_after(&|it| sentence.is(it, Part::Nominal(Meaning::Cedes)))
                || (at + 1..(at + 6).min(clause.range.end)).any(|it| {
                    matches!(
                        sentence.parts[it],
                        Some(Part::Means(Meaning::Cedes | Meaning::Acquires))
                    ) && matches!(sentence.word(it + 1), "de" | "d'" | "par" | "da" | "von")
                }),
        });
    }
    found
}

/// The phrases of a clause that says what several hold, with the numbers whose noun follows only once: `A hält 15 und B 5
/// Stammanteile`.
pub(super) fn with_bare_numbers<'a>(
    sentence: &Sentence<'a>,
    clause: &Clause,
    phrases: &[Phrase<'a>],
) -> Vec<Phrase<'a>> {
    let mut all = phrases.to_vec();
    let Some(first) = phrases.first().copied() else { return all };
    for at in clause.tokens().take_while(|it| *it < first.at) {
        let word = sentence.word(at);
        let is_digits = !word.is_empty() && word.bytes().all(|it| it.is_ascii_digit());
        if is_digits && sentence.is(at + 1, Part::And) {
            all.push(Phrase { at, count: number(word), of: None, is_all: false, ..first });
        }
    }
    all.sort_by_key(|it| it.at);
    all
}

fn is_between(sentence: &Sentence<'_>, at: usize) -> bool {
    matches!(sentence.parts[at], Some(Part::Preposition | Part::Article | Part::Adverb))
        || ["bisherigen", "bisher", "sämtlichen", "de", "delle", "von"].contains(&sentence.word(at))
}

/// A number in digits or, up to ten, in words.
pub(super) fn number(word: &str) -> Option<u64> {
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
