//! What tone a piece of news has, and what it is about, by its words alone.
//!
//! Words and phrases of four languages are looked for ([`words`]), each of which says something good
//! or bad (1, or 2 where it says it plainly) or names a topic. Rules:
//!
//! - a word of the title counts twice, a phrase counts once however often it is repeated;
//! - behind a denial (`no`, `kein`, `sans`, `senza`, …) within three words of the same clause, or before
//!   a `nicht` or `pas`, good is bad and bad is good, and a topic is not meant;
//! - the score is `(good - bad) / (good + bad + 2)`: nearer to 1 or -1 the more words agree;
//! - from 0.25 on it is `positive`, from -0.25 down `negative`, between them `neutral`;
//! - the relevance to risk is that of the topics: each leaves the share of doubt that it leaves, so that
//!   two say more than one, and never more than 1.
//!
//! Every answer names the words that it rests on. What it does not understand is irony, and whom a bad
//! thing befalls: a bailiff's good year is full of bankruptcies.

mod words;

use std::{fmt, str::FromStr, sync::LazyLock};

use aho_corasick::AhoCorasick;
use serde::{Deserialize, Serialize};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use crate::text::{self, fold};
use words::{BAD, DENIALS, DENIALS_BEHIND, GOOD, TOPICS};

/// From this score on news are positive, from its opposite down negative.
pub const THRESHOLD: f64 = 0.25;

/// How much more a word of the title counts.
const OF_TITLE: u32 = 2;

/// How far a denial reaches, in words.
const REACH: usize = 3;

/// What keeps a single word from being certain.
const DOUBT: f64 = 2.0;

/// The tone of a piece of news.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sentiment {
    Positive,
    Neutral,
    Negative,
}

impl Sentiment {
    /// Every tone.
    pub const ALL: [Self; 3] = [Self::Positive, Self::Neutral, Self::Negative];

    /// The name on the wire.
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

/// A tone that a caller asks for, folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct WantedSentiment(pub Sentiment);

impl PartialSchema for WantedSentiment {
    fn schema() -> RefOr<Schema> {
        text::one_of(Sentiment::ALL.map(Sentiment::name))
    }
}

impl ToSchema for WantedSentiment {}

/// Text that names no tone.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{given}` is not a sentiment; the nearest is `{nearest}`")]
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

/// What the words of a piece of news say.
#[derive(Clone, Debug, PartialEq)]
pub struct Tone {
    /// -1 to 1, to two decimals.
    pub score: f64,
    pub sentiment: Sentiment,
    /// In the order of their relevance to risk.
    pub topics: Vec<&'static str>,
    /// 0 to 1, to two decimals.
    pub risk_relevance: f64,
    /// What the score rests on, the weightiest first.
    pub evidence: Vec<Evidence>,
}

/// A word or phrase that says something good or bad.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// As it stands in the text, folded.
    pub phrase: String,
    /// Above 0 good, below 0 bad; after denial.
    pub weight: i32,
}

/// What a pattern means.
#[derive(Clone, Copy)]
enum Meaning {
    Tone(i32),
    /// The place of a topic in [`TOPICS`].
    Topic(usize),
    Denial,
    DenialBehind,
}

/// The patterns, and what each means.
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
    GOOD.iter().for_each(|it| add(it, &Meaning::Tone));
    BAD.iter().for_each(|it| add(it, &|weight| Meaning::Tone(-weight)));
    for (at, topic) in TOPICS.iter().enumerate() {
        add(topic.phrases, &|_| Meaning::Topic(at));
    }
    add(DENIALS, &|_| Meaning::Denial);
    add(DENIALS_BEHIND, &|_| Meaning::DenialBehind);
    // The patterns are ours and few: that they make an automaton is tested.
    (AhoCorasick::new(patterns).ok(), meanings)
});

/// A place in a clause, in words.
struct Match<'a> {
    phrase: &'a str,
    start: usize,
    end: usize,
    meaning: Meaning,
}

/// What a title and a summary say of the company with this name. The name itself says nothing, whatever
/// its words.
pub fn tone(name: &str, title: &str, summary: Option<&str>) -> Tone {
    let mut said: Vec<(Evidence, u32)> = Vec::new();
    let mut topics = vec![false; TOPICS.len()];
    for (text, factor) in [(title, OF_TITLE), (summary.unwrap_or_default(), 1)] {
        let text = if name.is_empty() { text.to_owned() } else { text.replace(name, " ") };
        for clause in clauses(&text) {
            let matches = matches(&clause);
            for it in &matches {
                let is_denied = is_denied(it, &matches);
                match it.meaning {
                    Meaning::Tone(weight) => {
                        let weight = if is_denied { -weight } else { weight };
                        // Saying it twice does not make it truer.
                        if !said.iter().any(|(known, _)| known.phrase == it.phrase) {
                            let phrase = it.phrase.to_owned();
                            said.push((Evidence { phrase, weight }, factor));
                        }
                    }
                    Meaning::Topic(at) if !is_denied => topics[at] = true,
                    _ => {}
                }
            }
        }
    }
    let sum = |is_good: bool| -> f64 {
        let side = said.iter().filter(|(it, _)| (it.weight > 0) == is_good);
        side.map(|(it, factor)| f64::from(it.weight.unsigned_abs() * factor)).sum()
    };
    let (good, bad) = (sum(true), sum(false));
    let score = hundredths((good - bad) / (good + bad + DOUBT));
    let named = || TOPICS.iter().zip(&topics).filter(|(_, named)| **named).map(|(it, _)| it);
    let doubt: f64 = named().map(|it| 1.0 - it.risk).product();
    said.sort_by_key(|(it, factor)| std::cmp::Reverse(it.weight.unsigned_abs() * factor));
    Tone {
        score,
        sentiment: Sentiment::of(score),
        topics: named().map(|it| it.name).collect(),
        risk_relevance: hundredths(1.0 - doubt),
        evidence: said.into_iter().map(|(it, _)| it).collect(),
    }
}

fn hundredths(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

/// The clauses of a text: folded words with a space on each side.
fn clauses(text: &str) -> impl Iterator<Item = String> {
    let clauses = text.split(['.', ',', ';', ':', '!', '?', '(', ')', '–', '—', '«', '»', '"']);
    clauses.map(fold).filter(|it| !it.is_empty()).map(|it| format!(" {it} "))
}

/// What a clause says, of overlapping phrases of one kind the longest.
fn matches(clause: &str) -> Vec<Match<'_>> {
    let (automaton, meanings) = &*PATTERNS;
    let word = |at: usize| clause.get(..at).map_or(0, |it| it.matches(' ').count());
    let found = automaton.iter().flat_map(|it| it.find_overlapping_iter(clause));
    let mut matches: Vec<Match> = found
        .filter_map(|it| {
            // To the ends of its words, so that the evidence can be read.
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

fn is_denied(it: &Match, matches: &[Match]) -> bool {
    matches.iter().any(|other| match other.meaning {
        Meaning::Denial => other.end < it.start && it.start - other.end <= REACH,
        Meaning::DenialBehind => other.start == it.end + 1,
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
    fn news_are_told_apart_in_four_languages() {
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
    fn a_denial_turns_what_it_denies() {
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
        // Beyond the clause a denial denies nothing.
        assert_eq!(sentiment("Kein Kommentar: Muster AG in Konkurs").0, Sentiment::Negative);
        assert_eq!(sentiment("Muster AG wächst nicht").0, Sentiment::Negative);
    }

    #[test]
    fn an_answer_names_what_it_rests_on() {
        let tone =
            tone("", "Muster AG mit Rekordgewinn", Some("Der Umsatz wächst. Der Umsatz wächst."));
        let said: Vec<_> = tone.evidence.iter().map(|it| (it.phrase.as_str(), it.weight)).collect();
        assert_eq!(said, [("rekordgewinn", 2), ("wachst", 1)]);
        // (2·2 + 1) / (5 + 2)
        assert_eq!((tone.score, tone.sentiment), (0.71, Sentiment::Positive));
        assert_eq!((tone.topics, tone.risk_relevance), (vec!["results"], 0.0));
    }

    #[test]
    fn a_name_says_nothing() {
        let title = "Erfolg und Wachstum AG zieht um";
        assert_eq!(tone("", title, None).sentiment, Sentiment::Positive);
        assert_eq!(tone("Erfolg und Wachstum AG", title, None).score, 0.0);
    }

    #[test]
    fn two_topics_weigh_more_than_one_and_never_more_than_all() {
        let one = tone("", "Konkurs der Muster AG", None).risk_relevance;
        let two = tone("", "Konkurs und Strafverfahren: Muster AG", None).risk_relevance;
        assert!(one < two && two <= 1.0, "{one} {two}");
    }

    #[test]
    fn an_unknown_sentiment_is_refused_with_the_nearest() {
        assert_eq!("NEGATIVE".parse(), Ok(WantedSentiment(Sentiment::Negative)));
        let refusal = "postive".parse::<WantedSentiment>().expect_err("unknown");
        assert_eq!(refusal.to_string(), "`postive` is not a sentiment; the nearest is `positive`");
    }

    #[test]
    fn the_patterns_make_an_automaton_and_each_says_one_thing() {
        assert!(PATTERNS.0.is_some());
        let all = GOOD.iter().chain(&BAD).flat_map(|it| it.split('|'));
        let mut phrases: Vec<String> = all.map(fold).filter(|it| !it.is_empty()).collect();
        let count = phrases.len();
        phrases.sort_unstable();
        phrases.dedup();
        assert_eq!(phrases.len(), count);
    }

    proptest! {
        #[test]
        fn whatever_is_said_lies_within_bounds(title in ".{0,80}", summary in ".{0,200}") {
            let tone = tone("", &title, Some(&summary));
            prop_assert!((-1.0..=1.0).contains(&tone.score));
            prop_assert!((0.0..=1.0).contains(&tone.risk_relevance));
        }
    }
}
