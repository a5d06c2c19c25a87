//! Sentiment, topics and risk relevance of a news item, computed from its words.
//!
//! The word lists ([`words`], four languages) contain positive and negative phrases with weight 1 or 2,
//! and phrases that indicate a topic. Rules:
//!
//! - A phrase in the title counts twice. A repeated phrase counts once.
//! - Negative phrases do not count if the company denies them, if it acts on somebody else (it buys a bankrupt
//!   company, sues, is the liquidator), if they concern its competitor or customer, or if their clause names
//!   another company and not this one. They become positive if an accusation or a danger no longer exists
//!   (`cleared of fraud`).
//! - A negation (`no`, `kein`, `sans`, `senza`, …) up to three words before a phrase in the same clause,
//!   or `nicht` or `pas` directly after it, inverts its weight; a negated topic does not count.
//! - Near a verb of loss, what a company has or gets is negative (`loses two major orders`), also if it is a positive phrase
//!   otherwise.
//! - The score is `(positive - negative) / (positive + negative + 2)`, from -1 to 1.
//! - The sentiment is `positive` from 0.25, `negative` up to -0.25, `neutral` in between.
//! - The risk relevance is `1 - (1 - r₁)(1 - r₂)…` over the relevances of the topics.
//!
//! Every result lists the phrases on which it is based. Irony is not recognised.

mod words;

use std::{fmt, str::FromStr, sync::LazyLock};

use aho_corasick::AhoCorasick;
use serde::{Deserialize, Serialize};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use crate::{
    choice::{Choice, UnknownValue},
    text::{self, fold},
};
use words::{
    ACTIONS, CLEARINGS, DENIALS, GAINS, LOSSES, LOST, NEGATIONS, NEGATIONS_AFTER, NEGATIVE,
    POSITIVE, RELATIVES, TOPICS,
};

/// Minimum score of a positive item; its negative is the maximum score of a negative item.
pub const THRESHOLD: f64 = 0.25;

/// Factor for phrases in the title.
const TITLE_FACTOR: u32 = 2;

/// Maximum distance between a negation and a phrase, in words.
const NEGATION_DISTANCE: usize = 3;

/// Maximum number of words between a verb of loss and what is lost.
const LOSS_DISTANCE: usize = 3;

/// Added to the denominator of the score, so that a single phrase does not give a score of 1.
const SMOOTHING: f64 = 2.0;

/// Replaces the name of the company in a text, and `@` in a phrase. No word of a language.
const COMPANY: &str = "qcompanyq";

/// Weight of an accusation or a danger that no longer exists.
const CLEARING_WEIGHT: i32 = 2;

/// Sentiment of a news item, computed from its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sentiment {
    /// Score of at least 0.25.
    Positive,
    /// Score between -0.25 and 0.25.
    Neutral,
    /// Score of at most -0.25.
    Negative,
}

impl Sentiment {
    /// Every sentiment.
    pub const ALL: [Self; 3] = [Self::Positive, Self::Neutral, Self::Negative];

    /// Name in requests and responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Positive => "positive",
            Self::Neutral => "neutral",
            Self::Negative => "negative",
        }
    }

    fn of(score: f64) -> Self {
        match score {
            it if it >= THRESHOLD => Self::Positive,
            it if it <= -THRESHOLD => Self::Negative,
            _ => Self::Neutral,
        }
    }
}

impl fmt::Display for Sentiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Sentiment to filter by. Case does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct WantedSentiment(pub Sentiment);

impl PartialSchema for WantedSentiment {
    fn schema() -> RefOr<Schema> {
        text::one_of(Sentiment::ALL.map(Sentiment::name))
    }
}

impl ToSchema for WantedSentiment {}

const SENTIMENT: Choice = Choice::of("a sentiment such as `negative`");

impl FromStr for WantedSentiment {
    type Err = UnknownValue;

    fn from_str(given: &str) -> Result<Self, UnknownValue> {
        SENTIMENT.read(given, Sentiment::ALL.into_iter().map(|it| (it.name(), it))).map(Self)
    }
}

impl TryFrom<String> for WantedSentiment {
    type Error = UnknownValue;

    fn try_from(text: String) -> Result<Self, UnknownValue> {
        text.parse()
    }
}

/// Result of the analysis of a news item.
#[derive(Clone, Debug, PartialEq)]
pub struct Tone {
    /// Score, -1 to 1 with two decimals.
    pub score: f64,
    /// Sentiment according to the score.
    pub sentiment: Sentiment,
    /// Topics, highest risk relevance first.
    pub topics: Vec<&'static str>,
    /// Risk relevance, 0 to 1 with two decimals.
    pub risk_relevance: f64,
    /// Phrases on which the score is based, largest weight first.
    pub evidence: Vec<Evidence>,
}

/// A positive or negative word or phrase.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// The phrase, normalised by [`fold`].
    pub phrase: String,
    /// Weight after negation: above 0 positive, below 0 negative.
    pub weight: i32,
}

/// What a pattern means.
#[derive(Clone, Copy)]
enum Meaning {
    /// Weight of a positive or negative phrase.
    Tone(i32),
    /// Index of a topic in [`TOPICS`].
    Topic(usize),
    /// What follows is lost.
    Loss,
    /// What precedes is lost.
    Lost,
    /// What a company can lose.
    Gain,
    /// Negates what follows.
    Negation,
    /// Negates what precedes.
    NegationAfter,
    /// The company denies what the clause says.
    Denial,
    /// An accusation or a danger no longer exists.
    Clearing,
    /// The company acts on somebody else.
    Action,
    /// The clause is about a company that is related to the named one.
    Relative,
}

/// The automaton of all patterns, and the meaning of each pattern.
static PATTERNS: LazyLock<(Option<AhoCorasick>, Vec<Meaning>)> = LazyLock::new(|| {
    let mut patterns = Vec::new();
    let mut meanings = Vec::new();
    let mut add = |phrases: &str, meaning: &dyn Fn(i32) -> Meaning| {
        for phrase in phrases.split('|').map(str::trim).filter(|it| !it.is_empty()) {
            let (weight, phrase) = match phrase.strip_prefix('+') {
                Some(phrase) => (2, phrase),
                None => (1, phrase),
            };
            let end = |is_open: bool| if is_open { "" } else { " " };
            let (left, right) = (phrase.starts_with('*'), phrase.ends_with('*'));
            let folded = fold(&phrase.replace('@', COMPANY));
            patterns.push(format!("{}{folded}{}", end(left), end(right)));
            meanings.push(meaning(weight));
        }
    };
    POSITIVE.iter().for_each(|it| add(it, &Meaning::Tone));
    NEGATIVE.iter().for_each(|it| add(it, &|weight| Meaning::Tone(-weight)));
    for (at, topic) in TOPICS.iter().enumerate() {
        add(topic.phrases, &|_| Meaning::Topic(at));
    }
    add(LOSSES, &|_| Meaning::Loss);
    add(LOST, &|_| Meaning::Lost);
    add(GAINS, &|_| Meaning::Gain);
    add(NEGATIONS, &|_| Meaning::Negation);
    add(NEGATIONS_AFTER, &|_| Meaning::NegationAfter);
    add(DENIALS, &|_| Meaning::Denial);
    add(CLEARINGS, &|_| Meaning::Clearing);
    add(ACTIONS, &|_| Meaning::Action);
    add(RELATIVES, &|_| Meaning::Relative);
    // `None` is impossible: a test builds the automaton.
    (AhoCorasick::new(patterns).ok(), meanings)
});

/// A match in a clause. Positions are counted in words.
struct Match<'a> {
    phrase: &'a str,
    start: usize,
    end: usize,
    meaning: Meaning,
}

/// Analyses title and summary of a news item about the company with this name. The name itself is
/// ignored, because it may contain words of the lists.
pub fn tone(name: &str, title: &str, summary: Option<&str>) -> Tone {
    let mut found: Vec<(Evidence, u32)> = Vec::new();
    let mut topics = vec![false; TOPICS.len()];
    for (text, factor) in [(title, TITLE_FACTOR), (summary.unwrap_or_default(), 1)] {
        let text = if name.is_empty() {
            text.to_owned()
        } else {
            text.replace(name, &format!(" {COMPANY} "))
        };
        let is_named = text.contains(COMPANY);
        for clause in clauses(&text) {
            let matches = matches(&clause);
            let reading = Reading::of(&clause, &matches, is_named);
            let mut add = |phrase: &str, weight: i32| {
                let phrase =
                    phrase.split(' ').filter(|it| *it != COMPANY).collect::<Vec<_>>().join(" ");
                // A repeated phrase counts once.
                if !found.iter().any(|(known, _)| known.phrase == phrase) {
                    found.push((Evidence { phrase, weight }, factor));
                }
            };
            for it in &matches {
                let is_negated = is_negated(it, &matches);
                match it.meaning {
                    Meaning::Tone(weight) if weight < 0 || !has_verb_of_loss(it, &matches) => {
                        let weight = if is_negated { -weight } else { weight };
                        if reading.counts(it, weight) {
                            add(it.phrase, weight);
                        }
                    }
                    Meaning::Gain if is_lost(it, &matches) && reading.counts(it, -1) => {
                        add(it.phrase, -1);
                    }
                    Meaning::Clearing if !reading.is_foreign && !is_loss(it, &matches) => {
                        add(it.phrase, CLEARING_WEIGHT)
                    }
                    Meaning::Topic(at) if !is_negated => topics[at] = true,
                    _ => {}
                }
            }
        }
    }
    let sum = |is_positive: bool| -> f64 {
        let side = found.iter().filter(|(it, _)| (it.weight > 0) == is_positive);
        side.map(|(it, factor)| f64::from(it.weight.unsigned_abs() * factor)).sum()
    };
    let (positive, negative) = (sum(true), sum(false));
    let score = hundredths((positive - negative) / (positive + negative + SMOOTHING));
    let present = || TOPICS.iter().zip(&topics).filter(|(_, present)| **present).map(|(it, _)| it);
    let no_risk: f64 = present().map(|it| 1.0 - it.risk).product();
    found.sort_by_key(|(it, factor)| std::cmp::Reverse(it.weight.unsigned_abs() * factor));
    Tone {
        score,
        sentiment: Sentiment::of(score),
        topics: present().map(|it| it.name).collect(),
        risk_relevance: hundredths(1.0 - no_risk),
        evidence: found.into_iter().map(|(it, _)| it).collect(),
    }
}

fn hundredths(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

/// The clauses of a text: normalised words with a space on each side.
fn clauses(text: &str) -> impl Iterator<Item = String> {
    let clauses = text.split(['.', ',', ';', ':', '!', '?', '(', ')', '–', '—', '«', '»', '"']);
    clauses.map(fold).filter(|it| !it.is_empty()).map(|it| format!(" {it} "))
}

/// The matches in a clause. Of overlapping positive and negative phrases, only the longest counts.
fn matches(clause: &str) -> Vec<Match<'_>> {
    let (automaton, meanings) = &*PATTERNS;
    let word = |at: usize| clause.get(..at).map_or(0, |it| it.matches(' ').count());
    let raw = automaton.iter().flat_map(|it| it.find_overlapping_iter(clause));
    let mut matches: Vec<Match> = raw
        .filter_map(|it| {
            // Extended to whole words, so that the evidence is readable.
            let start = clause.get(..=it.start())?.rfind(' ')? + 1;
            let inside = clause.get(..it.end())?.trim_end().len();
            let end = inside + clause.get(inside..)?.find(' ')?;
            Some(Match {
                phrase: clause.get(start..end)?,
                start: word(start),
                end: word(end),
                meaning: *meanings.get(it.pattern().as_usize())?,
            })
        })
        .collect();
    matches.sort_by_key(|it| (it.start, std::cmp::Reverse(it.end)));
    let mut covered = 0;
    matches.retain(|it| match it.meaning {
        Meaning::Tone(_) => {
            let is_new = it.start > covered;
            covered = if is_new { it.end } else { covered };
            is_new
        }
        _ => true,
    });
    matches
}

/// What a clause says about the company, other than by its positive and negative phrases.
struct Reading {
    /// The clause is about another company.
    is_foreign: bool,
    /// Negative phrases do not count: they are denied, or no longer true.
    is_lifted: bool,
    /// First word after what the company does to somebody else.
    action_end: Option<usize>,
}

impl Reading {
    fn of(clause: &str, matches: &[Match], is_named: bool) -> Self {
        let words = || clause.split(' ').skip(1);
        let company = words().position(|it| it == COMPANY).map(|it| it + 1);
        let has = |wanted: fn(&Meaning) -> bool| matches.iter().any(|it| wanted(&it.meaning));
        let names_other = words().any(|it| LEGAL_FORMS.contains(&it));
        let acts = |it: &&Match| {
            matches!(it.meaning, Meaning::Action) && company.is_some_and(|at| at <= it.start)
        };
        Self {
            is_foreign: has(|it| matches!(it, Meaning::Relative))
                || is_named && company.is_none() && names_other,
            is_lifted: matches.iter().any(|it| match it.meaning {
                Meaning::Denial => true,
                Meaning::Clearing => !is_loss(it, matches),
                _ => false,
            }),
            action_end: matches.iter().filter(acts).map(|it| it.start).min(),
        }
    }

    fn counts(&self, it: &Match, weight: i32) -> bool {
        let is_lifted = self.is_lifted || self.action_end.is_some_and(|end| it.start >= end);
        !self.is_foreign && (weight > 0 || !is_lifted)
    }
}

/// Legal forms in names of companies. In a clause without the named company, they indicate another one.
const LEGAL_FORMS: [&str; 8] = ["ag", "gmbh", "sa", "sarl", "sagl", "ltd", "inc", "llc"];

/// Whether a verb of loss concerns what the phrase names, or a negation keeps it from being lost.
fn has_verb_of_loss(it: &Match, matches: &[Match]) -> bool {
    matches.iter().any(|gain| overlap(gain, it) && verb_of_loss(gain, matches).is_some())
}

/// Whether what the company has is lost or does not come.
fn is_lost(gain: &Match, matches: &[Match]) -> bool {
    let verb = verb_of_loss(gain, matches);
    verb.is_some_and(|it| !is_negated(it, matches) && !is_negated(gain, matches))
}

/// Whether an escape is a loss: `der Firma entgeht ein Auftrag`.
fn is_loss(it: &Match, matches: &[Match]) -> bool {
    let mut verbs = matches.iter().filter_map(|gain| verb_of_loss(gain, matches));
    verbs.any(|verb| overlap(verb, it))
}

/// The verb of loss that concerns a gain.
fn verb_of_loss<'m, 'a>(gain: &Match, matches: &'m [Match<'a>]) -> Option<&'m Match<'a>> {
    let is_gain = matches!(gain.meaning, Meaning::Gain);
    matches.iter().filter(|_| is_gain).find(|verb| {
        let (first, second) = match verb.meaning {
            Meaning::Loss => (*verb, gain),
            Meaning::Lost => (gain, *verb),
            _ => return false,
        };
        first.end < second.start && second.start - first.end <= LOSS_DISTANCE + 1
    })
}

fn overlap(one: &Match, other: &Match) -> bool {
    one.start <= other.end && other.start <= one.end
}

fn is_negated(it: &Match, matches: &[Match]) -> bool {
    matches.iter().any(|other| match other.meaning {
        Meaning::Negation => other.end < it.start && it.start - other.end <= NEGATION_DISTANCE,
        Meaning::NegationAfter => other.start == it.end + 1,
        _ => false,
    })
}

#[cfg(test)]
mod tests;
