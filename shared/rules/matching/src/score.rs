//! The score of two subjects and the risk level that follows from it.

use serde::{Deserialize, Serialize};

use crate::{
    THRESHOLD,
    evidence::{countries, dates, identifier_log_odds, identifiers, kinds},
    name::PreparedName,
    name_score::{HIGHEST, NameScore, name_score},
    prepared::Prepared,
    token::Reading,
};

/// The highest score without a date or identifier that agrees.
const HIGHEST_WITHOUT_PROOF: f64 = 0.985;

/// The risk that a subject is a listed one, by score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RiskLevel {
    /// No match: score below 0.7.
    Clear,
    /// Similar names: score from 0.7.
    Low,
    /// Names with small differences, or equal but common ones: score from 0.8.
    Medium,
    /// Equal rare names: score from 0.9.
    High,
    /// A date, country or number agrees with similar or equal names: score from 0.975, which names alone do not reach.
    Critical,
}

impl RiskLevel {
    /// The risk level of a score.
    pub fn of(score: f64) -> Self {
        match score {
            0.975.. => Self::Critical,
            0.9.. => Self::High,
            0.8.. => Self::Medium,
            THRESHOLD.. => Self::Low,
            _ => Self::Clear,
        }
    }
}

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// 0–1, ordered by evidence, rounded to nine decimals. Above 0.985 only if a date or an identifier agrees; the more
    /// evidence, the nearer to 1.
    pub score: f64,
    /// The score of the most similar names alone, 0–0.97.
    pub name_score: f64,
    /// The risk level of the score.
    pub risk: RiskLevel,
}

impl Comparison {
    /// Whether the score reaches [`THRESHOLD`].
    pub fn is_match(&self) -> bool {
        self.score >= THRESHOLD
    }
}

/// Compares two subjects. The result does not depend on their order.
pub fn compare(a: &Prepared, b: &Prepared) -> Comparison {
    compare_names(a, b, best_names(a, b).map_or(0.0, |(_, _, it)| f64::from(it.score)))
}

/// How many subjects [`compare_all`] fetches from memory together.
const TOGETHER: usize = 16;

/// As [`compare`], of one subject with many. Faster, because the others are in different places of the memory: while their first
/// parts are read in a row, the processor waits for several of them at the same time.
pub fn compare_all<'a>(
    subject: &'a Prepared,
    others: &'a [&'a Prepared],
) -> impl Iterator<Item = Comparison> + 'a {
    others.chunks(TOGETHER).flat_map(move |some| {
        std::hint::black_box(some.iter().map(|it| it.first_parts()).fold(0, u32::wrapping_add));
        some.iter().map(move |it| compare(subject, it))
    })
}

/// The result for the score of the most similar names.
pub(crate) fn compare_names(a: &Prepared, b: &Prepared, name_score: f64) -> Comparison {
    let score = with_evidence(a, b, name_score);
    Comparison { score, name_score, risk: RiskLevel::of(score) }
}

/// The names of two subjects with the highest score.
pub(crate) fn best_names<'a>(
    a: &'a Prepared,
    b: &'a Prepared,
) -> Option<(&'a PreparedName, &'a PreparedName, NameScore)> {
    let mut best: Option<(&PreparedName, &PreparedName, NameScore)> = None;
    for one in &a.names {
        for other in &b.names {
            if a.kind == b.kind && one.reading != other.reading {
                continue;
            }
            let is_comparable = one.reading == other.reading
                || a.kind != crate::Kind::Other && b.kind != crate::Kind::Other
                || (one.reading != Reading::Person && other.reading != Reading::Person);
            if !is_comparable {
                continue;
            }
            let score = name_score(one, other);
            if best.as_ref().is_none_or(|it| score.score > it.2.score) {
                best = Some((one, other, score));
            }
        }
    }
    best
}

/// Compresses the scores above those of names alone, so that they keep their order below [`HIGHEST_WITHOUT_PROOF`].
fn without_proof(score: f64) -> f64 {
    let names = f64::from(HIGHEST);
    if score <= names {
        score
    } else {
        names + (score - names) * (HIGHEST_WITHOUT_PROOF - names) / (1.0 - names)
    }
}

/// Approaches 1 more slowly than the probability does, so that more evidence still is a higher score, and not 1 as well.
fn proven(score: f64, log_odds: f64) -> f64 {
    let above = log_odds - (HIGHEST_WITHOUT_PROOF / (1.0 - HIGHEST_WITHOUT_PROOF)).ln();
    if above <= 0.0 {
        score
    } else {
        // The tangent of the probability where the two meet.
        let half = 1.0 / HIGHEST_WITHOUT_PROOF;
        HIGHEST_WITHOUT_PROOF + (1.0 - HIGHEST_WITHOUT_PROOF) * above / (above + half)
    }
}

/// The score of names from which on another number or kind leaves a match with the lowest level: it may be a mistake of who typed
/// it, or of the list, and must not make a listed name clear. Other dates of birth are those of other persons.
const EQUAL_NAMES: f64 = 0.9;

/// Adds the evidence to the score of the names, in log-odds.
fn with_evidence(a: &Prepared, b: &Prepared, name_score: f64) -> f64 {
    // A date or country says nothing about subjects with other names: their support grows with the similarity.
    let relevance = ((name_score - 0.4) / 0.4).clamp(0.0, 1.0);
    let date = dates(a, b).map_or(0.0, |it| it.0.log_odds);
    let identifier = identifier_log_odds(&identifiers(a, b));
    let (country, kind) = (countries(a, b).log_odds, kinds(a, b).log_odds);
    if [date, identifier, country, kind] == [0.0; 4] {
        let score = if name_score == 0.0 { 0.0 } else { without_proof(name_score.max(0.01)) };
        return (score * 1e9).round() / 1e9;
    }
    let mut log_odds = (name_score.max(0.01) / (1.0 - name_score.max(0.01))).ln();
    for support in [date, country, kind] {
        log_odds += if support > 0.0 { support * relevance } else { support };
    }
    log_odds += identifier;
    let score = 1.0 / (1.0 + (-log_odds).exp());
    let is_proven = date >= 5.0 || identifier > 0.0;
    let limited = if is_proven { proven(score, log_odds) } else { without_proof(score) };
    let is_contradicted = identifier < 0.0 || kind < 0.0;
    let limited = match is_contradicted && date >= 0.0 && name_score >= EQUAL_NAMES {
        true => limited.max(THRESHOLD),
        false => limited,
    };
    if name_score == 0.0 && log_odds < 0.0 { 0.0 } else { (limited * 1e9).round() / 1e9 }
}
