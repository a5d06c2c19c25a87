//! The risk assessment, or why it is not part of the document.

use ::risk::{Assessment, Evidence, FactorBreakdown, RiskLevel};
use domain::Provenance;
use serde::Serialize;

use super::{
    RiskAccess, State, Tone,
    format::{SHORT, cut},
    source,
    words::{Words, filled},
};

/// Maximum number of observations of a factor in the document.
const MAX_EVIDENCE: usize = 6;

/// The section: only a note for callers whose tier does not include the assessment.
#[derive(Debug, Serialize)]
pub(super) struct Risk {
    note: Option<&'static str>,
    #[serde(flatten)]
    assessed: Option<Assessed>,
}

#[derive(Debug, Serialize)]
struct Assessed {
    score: String,
    level: State,
    day: String,
    meaning: &'static str,
    factors: Vec<Factor>,
}

#[derive(Debug, Serialize)]
struct Factor {
    name: String,
    effect: String,
    tone: Tone,
    /// Start and end of the bar, 0 to 1. No effect is in the middle.
    start: f64,
    end: f64,
    evidence: Vec<Observation>,
    /// What is in the place of the evidence if there is none.
    note: &'static str,
    /// How many observations are left out.
    more: Option<String>,
}

#[derive(Debug, Serialize)]
struct Observation {
    text: String,
    source: String,
}

impl Risk {
    pub(super) fn of(access: RiskAccess<'_>, words: Words) -> Self {
        match access {
            RiskAccess::Locked => Self { note: Some(words.risk_locked()), assessed: None },
            RiskAccess::Assessed(it) => {
                Self { note: None, assessed: Some(Assessed::of(it, words)) }
            }
        }
    }
}

impl Assessed {
    fn of(assessment: &Assessment, words: Words) -> Self {
        let level = assessment.risk_level;
        let effects = assessment.factors.iter().map(|it| it.log_odds_contribution.abs());
        // So that bars of small effects stay small.
        let widest = effects.fold(1.0, f64::max);
        let tone = match level {
            RiskLevel::Unknown => Tone::Plain,
            RiskLevel::Low => Tone::Good,
            RiskLevel::Medium => Tone::Warn,
            RiskLevel::High | RiskLevel::Critical => Tone::Bad,
        };
        Self {
            score: match level {
                RiskLevel::Unknown => "–".to_owned(),
                _ => format!("{:.3}", assessment.score),
            },
            level: State { text: words.risk_level(level).to_owned(), tone },
            day: filled(words.assessed(), &words.date(assessment.as_of)),
            meaning: words.risk_meaning(),
            factors: assessment.factors.iter().map(|it| Factor::of(it, widest, words)).collect(),
        }
    }
}

impl Factor {
    fn of(breakdown: &FactorBreakdown, widest: f64, words: Words) -> Self {
        let effect = breakdown.log_odds_contribution;
        let place = |it: f64| ((0.5 + it / widest / 2.0) * 1_000.0).round() / 1_000.0;
        let evidence = &breakdown.evidence;
        let left_out = evidence.len().saturating_sub(MAX_EVIDENCE);
        let more = || filled(words.more_evidence(left_out), &words.grouped(left_out as u64));
        Self {
            name: words.factor(breakdown.factor),
            effect: words.signed(effect),
            tone: match effect {
                ..-0.005 => Tone::Good,
                0.005.. => Tone::Bad,
                _ => Tone::Plain,
            },
            start: place(effect.min(0.0)),
            end: place(effect.max(0.0)),
            evidence: evidence
                .iter()
                .take(MAX_EVIDENCE)
                .map(|it| Observation::of(it, words))
                .collect(),
            note: words.no_evidence(),
            more: (left_out > 0).then(more),
        }
    }
}

impl Observation {
    fn of(evidence: &Evidence, words: Words) -> Self {
        let Evidence { source: name, reference, observed_at, summary, .. } = evidence;
        let stated =
            Provenance { source: name.clone(), reference: reference.clone(), date: *observed_at };
        Self {
            text: cut(summary.in_language(words.0), SHORT),
            source: source(&stated, words, true),
        }
    }
}
