//! Classification of a company by the words of its purpose.
//!
//! The NOGA codes of companies are not public, but the purpose describes the business in words. The
//! classifier searches the purpose for words that indicate an industry ([`words`], in four languages).
//! Each word has a weight, which decreases towards the end of the purpose. Standard clauses of Swiss
//! purposes (the company may open branches, buy land, hold interests) are removed first ([`clauses`]).
//!
//! Every classification lists the words on which it is based. `confidence` is high if many words
//! indicate one division and few indicate another. Below [`MIN_CONFIDENCE`] there is no
//! classification.

mod clauses;
mod words;

use std::{
    collections::{BTreeMap, HashSet},
    sync::LazyLock,
};

use aho_corasick::AhoCorasick;
use jiff::Timestamp;

use crate::{
    Company,
    noga::{self, Class, Division},
    text::fold,
};
use words::{ACTIVITIES, Activity, GOODS, Goods, TRADES};

/// Value of a company's `industrySource` for a classification by [`classify`].
pub const SOURCE: &str = "keyword_match";

/// Minimum confidence. Below it, the words indicate too many divisions, or there are too few words.
pub const MIN_CONFIDENCE: f64 = 0.5;

/// Minimum share of a class in the weight of its division.
const MIN_CLASS_SHARE: f64 = 0.6;

/// Maximum number of characters of a purpose that are read. The longest purposes in the register have a
/// few thousand.
const MAX_LENGTH: usize = 10_000;

/// In a purpose with fewer bytes than this, the position of a word matters less.
const SHORT_LENGTH: usize = 250;

/// Factor for the first word with a weight above 1.
const FIRST_WORD_FACTOR: f64 = 1.3;

/// Classification of a company.
#[derive(Clone, Debug, PartialEq)]
pub struct Industry {
    /// NOGA 2008 division.
    pub division: &'static Division,
    /// NOGA 2008 class. `None` if the words are not specific enough.
    pub class: Option<&'static Class>,
    /// Confidence, from [`MIN_CONFIDENCE`] to 1.
    pub confidence: f64,
    /// Words on which the classification is based, largest weight first.
    pub evidence: Vec<Evidence>,
}

/// A word or phrase of the purpose that indicates the classification.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// The phrase, normalised by [`fold`].
    pub phrase: String,
    /// NOGA code that the phrase indicates.
    pub code: &'static str,
    /// Weight of the phrase, above 0.
    pub weight: f64,
}

impl Industry {
    /// NOGA 2008 code: two digits, or four if the class is known.
    pub fn code(&self) -> &'static str {
        self.class.map_or(self.division.code, |it| it.code)
    }
}

impl Company {
    /// Classifies the company by its purpose and fills the industry members. `at` is the time of the
    /// statement of the purpose. Does nothing if another source states the industry. If the purpose gives
    /// no classification, the members are cleared.
    pub fn classify(&mut self, at: Option<Timestamp>) {
        if self.industry_source.as_deref().is_some_and(|it| it != SOURCE) {
            return;
        }
        let industry = self.purpose.as_deref().and_then(classify);
        self.industry = industry.as_ref().map(|it| it.division.name.to_owned());
        self.sub_industry = industry.as_ref().and_then(|it| it.class).map(|it| it.name.to_owned());
        self.noga_code = industry.as_ref().map(|it| it.code().to_owned());
        self.industry_source = industry.as_ref().map(|_| SOURCE.to_owned());
        self.industry_confidence = industry.as_ref().map(|it| it.confidence);
        self.industry_classified_at = at.filter(|_| industry.is_some());
    }
}

/// Classifies a purpose. `None` if it gives no classification. Only the first 10,000 characters are read.
pub fn classify(purpose: &str) -> Option<Industry> {
    let purpose: String = purpose.chars().take(MAX_LENGTH).collect();
    let sentences: Vec<String> = clauses::sentences(&purpose).into_iter().map(prepare).collect();
    let length: usize = sentences.iter().map(String::len).sum();
    let mut found = Vec::new();
    let mut before = 0;
    for sentence in &sentences {
        for it in indications(sentence) {
            let position = (before + it.start) as f64 / length.max(SHORT_LENGTH) as f64;
            // The weight falls linearly to six tenths at the end of the purpose. The first word gets an
            // extra factor, because it usually is the main business.
            let first = if found.is_empty() && it.weight > 1.0 { FIRST_WORD_FACTOR } else { 1.0 };
            let weight = it.weight * (1.0 - 0.4 * position) * first;
            found.push((sentence.get(it.start..it.end).unwrap_or_default(), it.code, weight));
        }
        before += sentence.len();
    }
    decide(found)
}

/// Prepares a sentence for the search: normalised words with a space on each side, and `|` in place of
/// punctuation.
fn prepare(sentence: &str) -> String {
    let folded = sentence.split([',', ';', ':', '(', ')', '/', '•', '–']).map(fold);
    let spaced = folded.filter(|it| !it.is_empty()).map(|it| format!(" {it} "));
    spaced.collect::<Vec<_>>().join("|")
}

/// A place in a sentence that indicates a NOGA code.
struct Indication {
    start: usize,
    end: usize,
    code: &'static str,
    weight: f64,
}

/// What a pattern means.
#[derive(Clone, Copy)]
enum Meaning {
    /// NOGA code of a trade, and the weight of the phrase.
    Trade(&'static str, f64),
    /// Goods.
    Goods(&'static Goods),
    /// What is done with goods.
    Activity(Activity),
    /// Introduction of a purpose that only looks like [`Meaning::Client`], such as `pour but`.
    Introduction,
    /// The words that follow, up to the next comma, describe the company's clients.
    Client,
    /// The words that follow describe companies in which the company holds an interest.
    Interest,
}

/// A match of a pattern, without the surrounding spaces.
#[derive(Clone, Copy)]
struct Match {
    start: usize,
    end: usize,
    meaning: Meaning,
}

/// Weight of goods together with an activity.
const GOODS_WEIGHT: f64 = 2.5;

/// Factor for words that describe clients.
const CLIENT_FACTOR: f64 = 0.35;
/// Factor for words that describe companies in which the company holds an interest.
const INTEREST_FACTOR: f64 = 0.15;

const CLIENTS: &str =
    "fur | zugunsten | pour | a l intention | per | destinati a | for | im auftrag von";
const INTRODUCTIONS: &str = "pour but | pour buts | pour objet | pour objectif | per scopo | per oggetto | per finalita \
    | praxis fur | institut fur | zentrum fur | buro fur | atelier fur | fachgeschaft fur | geschaft fur | werkstatt fur | agentur fur | schule fur \
    | unternehmen fur | gesellschaft fur | bureau pour | atelier pour | centre pour | studio per | centro per | centre for | practice for";
const INTERESTS: &str = "beteiligung an | beteiligungen an | beteiligung von | participations dans | participation dans \
    | participations a | partecipazioni in | partecipazioni a | interests in | participations in | shareholdings in | holdings in";

/// The automaton of all patterns, and the meaning of each pattern.
static PATTERNS: LazyLock<(Option<AhoCorasick>, Vec<Meaning>)> = LazyLock::new(|| {
    let mut patterns = Vec::new();
    let mut meanings = Vec::new();
    let mut add = |phrases: &str, meaning: &dyn Fn(f64) -> Meaning| {
        for phrase in phrases.split('|').map(str::trim).filter(|it| !it.is_empty()) {
            let (weight, phrase) = match phrase.split_at(1) {
                ("+", rest) => (3.0, rest),
                ("-", rest) => (1.0, rest),
                _ => (2.0, phrase),
            };
            let open = |is_open: bool| if is_open { "" } else { " " };
            let folded = fold(phrase);
            if !folded.is_empty() {
                let (left, right) = (phrase.starts_with('*'), phrase.ends_with('*'));
                patterns.push(format!("{}{folded}{}", open(left), open(right)));
                meanings.push(meaning(weight));
            }
        }
    };
    for trade in TRADES {
        for phrases in trade.phrases {
            add(phrases, &|weight| Meaning::Trade(trade.code, weight));
        }
    }
    for goods in GOODS {
        add(goods.words, &|_| Meaning::Goods(goods));
    }
    for (activity, phrases) in ACTIVITIES {
        add(phrases, &|_| Meaning::Activity(activity));
    }
    add(INTRODUCTIONS, &|_| Meaning::Introduction);
    add(CLIENTS, &|_| Meaning::Client);
    add(INTERESTS, &|_| Meaning::Interest);
    // `None` is impossible: a test builds the automaton.
    (AhoCorasick::new(patterns).ok(), meanings)
});

fn matches(sentence: &str) -> Vec<Match> {
    let (automaton, meanings) = &*PATTERNS;
    let all = automaton.iter().flat_map(|it| it.find_overlapping_iter(sentence));
    let bytes = sentence.as_bytes();
    let mut matches: Vec<Match> = all
        .filter_map(|it| {
            let start = it.start() + usize::from(bytes.get(it.start()) == Some(&b' '));
            let end = it.end() - usize::from(bytes.get(it.end().checked_sub(1)?) == Some(&b' '));
            Some(Match { start, end, meaning: *meanings.get(it.pattern().as_usize())? })
        })
        .collect();
    matches.sort_by_key(|it| (it.start, std::cmp::Reverse(it.end)));
    matches
}

/// The indications in a sentence.
fn indications(sentence: &str) -> Vec<Indication> {
    let matches = matches(sentence);
    let mut indications = Vec::new();
    // Activities since the last goods.
    let mut activities: Vec<Activity> = Vec::new();
    let mut was_used = false;
    let (mut client_until, mut interest_from) = (0, usize::MAX);
    // End of the longest phrase so far. Phrases within it are ignored.
    let mut covered = 0;
    // The same for activities.
    let mut activity_end = 0;
    let mut has_goods = false;
    for it in &matches {
        let factor = match () {
            () if it.start >= interest_from => INTEREST_FACTOR,
            () if it.start < client_until => CLIENT_FACTOR,
            () => 1.0,
        };
        let is_covered = it.end <= covered;
        match it.meaning {
            // Part of a longer activity: `Detailhandel` does not count as `Handel` again.
            Meaning::Activity(_) if it.end <= activity_end => {}
            Meaning::Activity(activity) => {
                activity_end = it.end;
                // `design and manufacture` does not count as `design` again.
                if sentence.get(it.start..it.end).is_some_and(|it| it.contains(' ')) {
                    covered = covered.max(it.end);
                }
                if was_used {
                    activities.clear();
                    was_used = false;
                }
                activities.push(activity);
                client_until = 0;
            }
            Meaning::Introduction => covered = it.end,
            Meaning::Client if is_covered => {}
            Meaning::Client => {
                let rest = sentence.get(it.end..).unwrap_or_default();
                client_until = it.end + rest.find('|').unwrap_or(rest.len());
            }
            Meaning::Interest => interest_from = it.end,
            _ if is_covered => {}
            Meaning::Trade(code, weight) => {
                covered = it.end;
                // `trade` alone has no goods yet; they may follow.
                was_used |= !matches!(code, "46" | "47");
                indications.push(Indication {
                    start: it.start,
                    end: it.end,
                    code,
                    weight: weight * factor,
                });
            }
            Meaning::Goods(goods) => {
                let of_word = in_word(sentence, it, &matches);
                let following = || following(sentence, it, &matches);
                let done = match (of_word.is_empty(), activities.is_empty()) {
                    (false, _) => of_word,
                    (true, false) => activities.clone(),
                    (true, true) => following(),
                };
                was_used = true;
                for (code, share) in codes(goods, &done) {
                    covered = it.end;
                    has_goods = true;
                    let weight = GOODS_WEIGHT * share * factor;
                    indications.push(Indication { start: it.start, end: it.end, code, weight });
                }
            }
        }
    }
    // Trade in specific goods does not also count as general trade.
    indications.retain(|it| !(has_goods && matches!(it.code, "46" | "47")));
    indications
}

fn activities<'a>(matches: impl Iterator<Item = &'a Match>) -> Vec<Activity> {
    let activities = matches.filter_map(|it| match it.meaning {
        Meaning::Activity(activity) => Some(activity),
        _ => None,
    });
    activities.collect()
}

/// Activities within the same word, as in `Weinhandel`.
fn in_word(sentence: &str, goods: &Match, matches: &[Match]) -> Vec<Activity> {
    let rest = sentence.get(goods.start..).unwrap_or_default();
    let end = goods.start + rest.find(' ').unwrap_or(rest.len());
    let is_within = |it: &&Match| it.start > goods.start && it.end <= end;
    activities(matches.iter().filter(is_within))
}

/// Activities that follow the goods, up to the next comma, as in `watch manufacturing`.
fn following(sentence: &str, goods: &Match, matches: &[Match]) -> Vec<Activity> {
    let rest = sentence.get(goods.end..).unwrap_or_default();
    let end = goods.end + rest.find('|').unwrap_or(rest.len());
    let follows = |it: &&Match| it.start >= goods.end && it.end <= end;
    activities(matches.iter().filter(follows))
}

/// The NOGA codes of goods with these activities, each with its share. Manufacturing takes precedence,
/// because manufacturers also sell and repair.
fn codes(goods: &Goods, done: &[Activity]) -> Vec<(&'static str, f64)> {
    let is = |activity| done.contains(&activity);
    let codes = if is(Activity::Make) && !goods.make.is_empty() {
        vec![(goods.make, 1.0)]
    } else if is(Activity::Wholesale) {
        vec![(goods.wholesale, 1.2)]
    } else if is(Activity::Trade) && is(Activity::Retail) {
        vec![(goods.wholesale, 0.6), (goods.retail, 0.5)]
    } else if is(Activity::Trade) {
        // Usually wholesale: shops say that they are shops.
        vec![(goods.wholesale, 0.85)]
    } else if is(Activity::Retail) {
        vec![(goods.retail, 1.0)]
    } else if is(Activity::Rent) {
        vec![(goods.rent, 0.8)]
    } else if is(Activity::Repair) {
        vec![(goods.repair, 0.8)]
    } else {
        Vec::new()
    };
    codes.into_iter().filter(|(code, _)| !code.is_empty()).collect()
}

/// Chooses the division with the largest weight. `None` if another division is close to it.
fn decide(found: Vec<(&str, &'static str, f64)>) -> Option<Industry> {
    let mut divisions: BTreeMap<&str, f64> = BTreeMap::new();
    let mut classes: BTreeMap<&str, f64> = BTreeMap::new();
    let mut evidence: Vec<Evidence> = Vec::new();
    let mut seen = HashSet::new();
    for (phrase, code, weight) in found {
        // A repeated phrase counts once.
        if !seen.insert((phrase, code)) {
            continue;
        }
        *divisions.entry(code.get(..2)?).or_default() += weight;
        if code.len() == 4 {
            *classes.entry(code).or_default() += weight;
        }
        evidence.push(Evidence { phrase: phrase.to_owned(), code, weight });
    }
    let (code, best) = divisions.iter().max_by(|one, other| one.1.total_cmp(other.1))?;
    let others = divisions.iter().filter(|(other, _)| *other != code);
    let second = others.map(|(_, score)| *score).fold(0.0, f64::max);
    // The first factor grows with the weight, the second with the distance to the next division.
    let confidence = (1.0 - (-best / 1.5).exp()) * (best / (best + second));
    if confidence < MIN_CONFIDENCE {
        return None;
    }
    let within = classes.iter().filter(|(class, _)| class.starts_with(code));
    let class = within.max_by(|one, other| one.1.total_cmp(other.1));
    let class = class.filter(|(_, score)| **score >= best * MIN_CLASS_SHARE);
    evidence.retain(|it| it.code.starts_with(code));
    evidence.sort_by(|one, other| other.weight.total_cmp(&one.weight));
    Some(Industry {
        division: noga::division(code)?,
        class: class.and_then(|(class, _)| noga::class(class)),
        confidence: (confidence * 100.0).round() / 100.0,
        evidence,
    })
}

#[cfg(test)]
mod tests;
