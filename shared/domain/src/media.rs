//! Sentiment, topics and risk relevance of a news item, computed from its words.
//!
//! The word lists ([`words`], four languages) contain positive and negative phrases with weight 1 or 2,
//! and phrases that indicate a topic. Rules:
//!
//! - A phrase in the title counts twice. A repeated phrase counts once.
//! - A negation (`no`, `kein`, `sans`, `senza`, …) up to three words before a phrase in the same clause,
//!   or `nicht` or `pas` directly after it, inverts its weight; a negated topic does not count.
//! - The score is `(positive - negative) / (positive + negative + 2)`, from -1 to 1.
//! - The sentiment is `positive` from 0.25, `negative` up to -0.25, `neutral` in between.
//! - The risk relevance is `1 - (1 - r₁)(1 - r₂)…` over the relevances of the topics.
//!
//! Every result lists the phrases on which it is based. Irony is not recognised, nor who is affected: a
//! good year of a debt collector is full of bankruptcies.

mod words;

use std::{fmt, str::FromStr, sync::LazyLock};

use aho_corasick::AhoCorasick;
use serde::{Deserialize, Serialize};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use crate::text::{self, fold};
use words::{NEGATIONS, NEGATIONS_AFTER, NEGATIVE, POSITIVE, TOPICS};

/// Minimum score of a positive item; its negative is the maximum score of a negative item.
pub const THRESHOLD: f64 = 0.25;

/// Factor for phrases in the title.
const TITLE_FACTOR: u32 = 2;

/// Maximum distance between a negation and a phrase, in words.
const NEGATION_DISTANCE: usize = 3;

/// Added to the denominator of the score, so that a single phrase does not give a score of 1.
const SMOOTHING: f64 = 2.0;

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

/// The text is not a sentiment.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("must be a sentiment such as `negative`; got `{given}`. Did you mean `{nearest}`?")]
pub struct UnknownSentiment {
    given: String,
    nearest: &'static str,
}

impl FromStr for WantedSentiment {
    type Err = UnknownSentiment;

    fn from_str(given: &str) -> Result<Self, UnknownSentiment> {
        let wanted = fold(given);
        let known = || Sentiment::ALL.into_iter().map(|it| (it.name(), it));
        match known().find(|(name, _)| *name == wanted) {
            Some((_, sentiment)) => Ok(Self(sentiment)),
            None => Err(UnknownSentiment {
                given: given.to_owned(),
                nearest: text::nearest(given, known()).unwrap_or(Sentiment::Neutral).name(),
            }),
        }
    }
}

impl TryFrom<String> for WantedSentiment {
    type Error = UnknownSentiment;

    fn try_from(text: String) -> Result<Self, UnknownSentiment> {
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
    /// Negates what follows.
    Negation,
    /// Negates what precedes.
    NegationAfter,
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
            patterns.push(format!("{}{}{}", end(left), fold(phrase), end(right)));
            meanings.push(meaning(weight));
        }
    };
    POSITIVE.iter().for_each(|it| add(it, &Meaning::Tone));
    NEGATIVE.iter().for_each(|it| add(it, &|weight| Meaning::Tone(-weight)));
    for (at, topic) in TOPICS.iter().enumerate() {
        add(topic.phrases, &|_| Meaning::Topic(at));
    }
    add(NEGATIONS, &|_| Meaning::Negation);
    add(NEGATIONS_AFTER, &|_| Meaning::NegationAfter);
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
        let text = if name.is_empty() { text.to_owned() } else { text.replace(name, " ") };
        for clause in clauses(&text) {
            let matches = matches(&clause);
            for it in &matches {
                let is_negated = is_negated(it, &matches);
                match it.meaning {
                    Meaning::Tone(weight) => {
                        let weight = if is_negated { -weight } else { weight };
                        // A repeated phrase counts once.
                        if !found.iter().any(|(known, _)| known.phrase == it.phrase) {
                            let phrase = it.phrase.to_owned();
                            found.push((Evidence { phrase, weight }, factor));
                        }
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

fn is_negated(it: &Match, matches: &[Match]) -> bool {
    matches.iter().any(|other| match other.meaning {
        Meaning::Negation => other.end < it.start && it.start - other.end <= NEGATION_DISTANCE,
        Meaning::NegationAfter => other.start == it.end + 1,
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sentiment(title: &str) -> (Sentiment, Vec<&'static str>) {
        let tone = tone("", title, None);
        (tone.sentiment, tone.topics)
    }

    #[test]
    fn sentiment_and_topics_are_recognised_in_four_languages() {
        use Sentiment::{Negative, Neutral, Positive};
        for (title, expected, topics) in [
            ("Muster AG meldet Konkurs an", Negative, &["bankruptcy"] as &[&str]),
            ("Muster SA dépose son bilan après des pertes", Negative, &["bankruptcy", "results"]),
            ("Fallimento della Muster SA", Negative, &["bankruptcy"]),
            ("Muster AG files for bankruptcy", Negative, &["bankruptcy"]),
            ("Muster AG steigert den Reingewinn deutlich", Positive, &["results"]),
            ("Muster SA enregistre un bénéfice record", Positive, &["results"]),
            ("Muster SA: utile in crescita", Positive, &["results"]),
            ("Muster AG reports record profit", Positive, &["results"]),
            ("Die Muster AG hält ihre Generalversammlung ab", Neutral, &[]),
            ("Muster AG übernimmt die Beispiel GmbH", Neutral, &["merger"]),
            ("Sanctions contre Muster SA", Negative, &["sanctions"]),
            ("Neue Finanzchefin bei der Muster AG", Neutral, &["personnel"]),
            ("Strafverfahren gegen Muster AG eröffnet", Negative, &["litigation"]),
        ] {
            assert_eq!(sentiment(title), (expected, topics.to_vec()), "{title}");
        }
    }

    #[test]
    fn negation_inverts_the_sentiment() {
        for title in [
            "Muster AG ohne Verlust",
            "Muster SA: pas de perte cette année",
            "Muster AG: no bankruptcy",
            "Muster SA senza perdite",
        ] {
            let tone = tone("", title, None);
            assert_eq!(tone.sentiment, Sentiment::Positive, "{title}: {tone:?}");
            assert!(!tone.topics.contains(&"bankruptcy"), "{title}");
        }
        // A negation has no effect beyond its clause.
        assert_eq!(sentiment("Kein Kommentar: Muster AG in Konkurs").0, Sentiment::Negative);
        assert_eq!(sentiment("Muster AG wächst nicht").0, Sentiment::Negative);
    }

    #[test]
    fn result_lists_its_evidence() {
        let tone =
            tone("", "Muster AG mit Rekordgewinn", Some("Der Umsatz wächst. Der Umsatz wächst."));
        let phrases: Vec<_> =
            tone.evidence.iter().map(|it| (it.phrase.as_str(), it.weight)).collect();
        assert_eq!(phrases, [("rekordgewinn", 2), ("wachst", 1)]);
        // (2·2 + 1) / (5 + 2)
        assert_eq!((tone.score, tone.sentiment), (0.71, Sentiment::Positive));
        assert_eq!((tone.topics, tone.risk_relevance), (vec!["results"], 0.0));
    }

    #[test]
    fn words_of_the_company_name_are_ignored() {
        let title = "Erfolg und Wachstum AG zieht um";
        assert_eq!(tone("", title, None).sentiment, Sentiment::Positive);
        assert_eq!(tone("Erfolg und Wachstum AG", title, None).score, 0.0);
    }

    #[test]
    fn two_topics_have_a_higher_risk_relevance_than_one() {
        let one = tone("", "Konkurs der Muster AG", None).risk_relevance;
        let two = tone("", "Konkurs und Strafverfahren: Muster AG", None).risk_relevance;
        assert!(one < two && two <= 1.0, "{one} {two}");
    }

    #[test]
    fn unknown_sentiment_gives_an_error_with_a_suggestion() {
        assert_eq!("NEGATIVE".parse(), Ok(WantedSentiment(Sentiment::Negative)));
        let error = "postive".parse::<WantedSentiment>().expect_err("unknown");
        assert_eq!(
            error.to_string(),
            "must be a sentiment such as `negative`; got `postive`. Did you mean `positive`?"
        );
    }

    #[test]
    fn patterns_build_an_automaton_and_no_phrase_is_listed_twice() {
        assert!(PATTERNS.0.is_some());
        let all = POSITIVE.iter().chain(&NEGATIVE).flat_map(|it| it.split('|'));
        let mut phrases: Vec<String> = all.map(fold).filter(|it| !it.is_empty()).collect();
        let count = phrases.len();
        phrases.sort_unstable();
        phrases.dedup();
        assert_eq!(phrases.len(), count);
    }

    proptest! {
        #[test]
        fn score_and_risk_relevance_are_always_in_range(title in ".{0,80}", summary in ".{0,200}") {
            let tone = tone("", &title, Some(&summary));
            prop_assert!((-1.0..=1.0).contains(&tone.score));
            prop_assert!((0.0..=1.0).contains(&tone.risk_relevance));
        }
    }
}
