//! What a company does, as far as its purpose tells.
//!
//! NOGA codes of single companies are not public. A purpose says in words what the company does, so
//! the words are looked for that tell it ([`words`], four languages), and each counts by how much it
//! says and how early it comes. What every Swiss purpose says besides (that the company may open
//! branches, buy land, hold interests) says nothing and is cut first ([`clauses`]).
//!
//! Every answer names the words that it rests on. `confidence` is high where many words point to one
//! division and few to another; below [`LEAST_CONFIDENCE`] there is no answer.

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

/// What a company's `industrySource` says of an answer of [`classify`].
pub const SOURCE: &str = "keyword_match";

/// Below this, words point in too many directions, or too few words point anywhere.
pub const LEAST_CONFIDENCE: f64 = 0.5;

/// The share that a class must have of what points to its division.
const LEAST_SHARE_OF_CLASS: f64 = 0.6;

/// A purpose is read up to here: the longest in the register are a few thousand characters.
const LONGEST: usize = 10_000;

/// In a purpose of fewer bytes the place of a word tells nothing.
const SHORT: usize = 250;

/// How much more the first word counts.
const FIRST: f64 = 1.3;

/// What a company does.
#[derive(Clone, Debug, PartialEq)]
pub struct Industry {
    pub division: &'static Division,
    /// Absent where the words are not that specific.
    pub class: Option<&'static Class>,
    /// 0 to 1; at least [`LEAST_CONFIDENCE`].
    pub confidence: f64,
    /// What the answer rests on, the weightiest first.
    pub evidence: Vec<Evidence>,
}

/// A word or phrase of the purpose that points to the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// As it stands in the purpose, folded.
    pub phrase: String,
    /// The code it points to.
    pub code: &'static str,
    pub weight: f64,
}

impl Industry {
    /// The NOGA 2008 code, as many digits as are known: two or four.
    pub fn code(&self) -> &'static str {
        self.class.map_or(self.division.code, |it| it.code)
    }
}

impl Company {
    /// Fills what the company does from its purpose, `at` being when that was read. A record whose
    /// industry another source says is left alone; one whose purpose tells nothing has none.
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

/// What a company with this purpose does, or nothing where that cannot be told. All words are looked
/// for at once, and only the first ten thousand characters are read.
pub fn classify(purpose: &str) -> Option<Industry> {
    let purpose: String = purpose.chars().take(LONGEST).collect();
    let sentences: Vec<String> = clauses::sentences(&purpose).into_iter().map(pieces).collect();
    let length: usize = sentences.iter().map(String::len).sum();
    let mut found = Vec::new();
    let mut before = 0;
    for sentence in &sentences {
        for it in points(sentence) {
            let place = (before + it.start) as f64 / length.max(SHORT) as f64;
            // What comes last counts six tenths of what comes first.
            // What is named first is mostly what the company lives on.
            let first = if found.is_empty() && it.weight > 1.0 { FIRST } else { 1.0 };
            let weight = it.weight * (1.0 - 0.4 * place) * first;
            found.push((sentence.get(it.start..it.end).unwrap_or_default(), it.code, weight));
        }
        before += sentence.len();
    }
    decide(found)
}

/// A sentence as it is searched: folded words with a space on each side, `|` where a comma stood.
fn pieces(sentence: &str) -> String {
    let folded = sentence.split([',', ';', ':', '(', ')', '/', '•', '–']).map(fold);
    let spaced = folded.filter(|it| !it.is_empty()).map(|it| format!(" {it} "));
    spaced.collect::<Vec<_>>().join("|")
}

/// Something in a sentence that points to a code.
struct Point {
    start: usize,
    end: usize,
    code: &'static str,
    weight: f64,
}

/// What a pattern means.
#[derive(Clone, Copy)]
enum Meaning {
    /// The code of a trade, and how much the phrase says.
    Trade(&'static str, f64),
    Goods(&'static Goods),
    Activity(Activity),
    /// What introduces a purpose, and only looks like a client: `a pour but`.
    Introduction,
    /// What follows is whom the company serves, up to the next comma.
    Client,
    /// What follows is what those companies do in which the company holds an interest.
    Interest,
}

/// A place where a pattern matches, without the spaces around it.
#[derive(Clone, Copy)]
struct Match {
    start: usize,
    end: usize,
    meaning: Meaning,
}

/// How much a piece of goods says together with what is done with it.
const GOODS_WEIGHT: f64 = 2.5;

/// What is left of a word that names whom the company serves, or what others do.
const OF_CLIENT: f64 = 0.35;
const OF_INTEREST: f64 = 0.15;

const CLIENTS: &str =
    "fur | zugunsten | pour | a l intention | per | destinati a | for | im auftrag von";
const INTRODUCTIONS: &str = "pour but | pour buts | pour objet | pour objectif | per scopo | per oggetto | per finalita \
    | praxis fur | institut fur | zentrum fur | buro fur | atelier fur | fachgeschaft fur | geschaft fur | werkstatt fur | agentur fur | schule fur \
    | unternehmen fur | gesellschaft fur | bureau pour | atelier pour | centre pour | studio per | centro per | centre for | practice for";
const INTERESTS: &str = "beteiligung an | beteiligungen an | beteiligung von | participations dans | participation dans \
    | participations a | partecipazioni in | partecipazioni a | interests in | participations in | shareholdings in | holdings in";

/// The patterns, and what each means.
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
    // The patterns are ours and few: that they make an automaton is tested.
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

/// What of a sentence points to a code.
fn points(sentence: &str) -> Vec<Point> {
    let matches = matches(sentence);
    let mut points = Vec::new();
    // What is done, since the last thing that it was done with.
    let mut activities: Vec<Activity> = Vec::new();
    let mut was_used = false;
    let (mut client_until, mut interest_from) = (0, usize::MAX);
    // The end of the longest phrase so far: what lies in it has been said by it.
    let mut covered = 0;
    // The same of activities.
    let mut named = 0;
    let mut has_goods = false;
    for it in &matches {
        let factor = match () {
            () if it.start >= interest_from => OF_INTEREST,
            () if it.start < client_until => OF_CLIENT,
            () => 1.0,
        };
        let is_covered = it.end <= covered;
        match it.meaning {
            // A longer name of an activity has been taken: `Detailhandel` is not also `Handel`.
            Meaning::Activity(_) if it.end <= named => {}
            Meaning::Activity(activity) => {
                named = it.end;
                // `design and manufacture` is not also design.
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
                // `trade` alone names no goods: those are still to come.
                was_used |= !matches!(code, "46" | "47");
                points.push(Point { start: it.start, end: it.end, code, weight: weight * factor });
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
                    points.push(Point { start: it.start, end: it.end, code, weight });
                }
            }
        }
    }
    // Trade in something is not also trade in anything.
    points.retain(|it| !(has_goods && matches!(it.code, "46" | "47")));
    points
}

fn activities<'a>(matches: impl Iterator<Item = &'a Match>) -> Vec<Activity> {
    let activities = matches.filter_map(|it| match it.meaning {
        Meaning::Activity(activity) => Some(activity),
        _ => None,
    });
    activities.collect()
}

/// What the word itself says is done: `Weinhandel`.
fn in_word(sentence: &str, goods: &Match, matches: &[Match]) -> Vec<Activity> {
    let rest = sentence.get(goods.start..).unwrap_or_default();
    let end = goods.start + rest.find(' ').unwrap_or(rest.len());
    let is_within = |it: &&Match| it.start > goods.start && it.end <= end;
    activities(matches.iter().filter(is_within))
}

/// What is said behind it, up to the next comma: `watch manufacturing`.
fn following(sentence: &str, goods: &Match, matches: &[Match]) -> Vec<Activity> {
    let rest = sentence.get(goods.end..).unwrap_or_default();
    let end = goods.end + rest.find('|').unwrap_or(rest.len());
    let is_behind = |it: &&Match| it.start >= goods.end && it.end <= end;
    activities(matches.iter().filter(is_behind))
}

/// The codes of goods with which this is done, and the share of each. Making says most: a maker also
/// sells and repairs.
fn codes(goods: &Goods, done: &[Activity]) -> Vec<(&'static str, f64)> {
    let is = |activity| done.contains(&activity);
    let codes = if is(Activity::Make) && !goods.make.is_empty() {
        vec![(goods.make, 1.0)]
    } else if is(Activity::Wholesale) {
        vec![(goods.wholesale, 1.2)]
    } else if is(Activity::Trade) && is(Activity::Retail) {
        vec![(goods.wholesale, 0.6), (goods.retail, 0.5)]
    } else if is(Activity::Trade) {
        // Mostly wholesale; a shop says that it is one.
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

/// The division that most points to, unless another is near.
fn decide(found: Vec<(&str, &'static str, f64)>) -> Option<Industry> {
    let mut divisions: BTreeMap<&str, f64> = BTreeMap::new();
    let mut classes: BTreeMap<&str, f64> = BTreeMap::new();
    let mut evidence: Vec<Evidence> = Vec::new();
    let mut seen = HashSet::new();
    for (phrase, code, weight) in found {
        // Saying it twice does not make it truer.
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
    // How much is said at all, times how clearly it is said.
    let confidence = (1.0 - (-best / 1.5).exp()) * (best / (best + second));
    if confidence < LEAST_CONFIDENCE {
        return None;
    }
    let within = classes.iter().filter(|(class, _)| class.starts_with(code));
    let class = within.max_by(|one, other| one.1.total_cmp(other.1));
    let class = class.filter(|(_, score)| **score >= best * LEAST_SHARE_OF_CLASS);
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
