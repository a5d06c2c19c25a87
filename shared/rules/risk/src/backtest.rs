//! Comparison of scores with what happened later: cases (companies that failed) and survivors (comparable companies that did
//! not), each scored as of a day before.
//!
//! The survivors are chosen to match the cases, so their number says nothing about how many companies fail. Tables that
//! contain probabilities therefore weigh the survivors such that the cases are as frequent as in the register
//! (`prevalence`).

mod auc;
mod calibration;
mod lift;
mod matching;

pub use auc::{auc, auc_standard_error};
pub use calibration::{CalibrationRow, calibration};
pub use lift::{Lift, lift};
pub use matching::{Candidate, Case, Match, match_survivors};

use crate::{Assessment, FactorKind};

/// A company that was scored as of a day, and what happened later.
#[derive(Clone, Debug, PartialEq)]
pub struct Scored {
    /// Whether the company failed.
    pub is_case: bool,
    /// The composite score.
    pub score: f64,
    /// The contribution of each factor to the log-odds, in the order of [`FactorKind::ALL`].
    pub contributions: [f64; 9],
}

impl Scored {
    /// From the assessment of a company.
    pub fn of(assessment: &Assessment, is_case: bool) -> Self {
        let contribution = |factor: FactorKind| {
            let found = assessment.factors.iter().find(|it| it.factor == factor);
            found.map_or(0.0, |it| it.log_odds_contribution)
        };
        Self { is_case, score: assessment.score, contributions: FactorKind::ALL.map(contribution) }
    }
}

/// How well the scores distinguish cases from survivors.
#[derive(Clone, Debug, PartialEq)]
pub struct Backtest {
    /// Number of cases.
    pub cases: usize,
    /// Number of survivors.
    pub survivors: usize,
    /// Area under the receiver operating characteristic of the composite. `None` without cases or survivors.
    pub auc: Option<f64>,
    /// Standard error of the area.
    pub auc_standard_error: Option<f64>,
    /// The scores in groups of about the same size, lowest first.
    pub calibration: Vec<CalibrationRow>,
    /// The factors.
    pub factors: Vec<FactorResult>,
}

/// How well one factor distinguishes cases from survivors.
#[derive(Clone, Debug, PartialEq)]
pub struct FactorResult {
    /// The factor.
    pub factor: FactorKind,
    /// Area under the receiver operating characteristic of its contribution.
    pub auc: Option<f64>,
    /// Lift of a contribution above 0.
    pub lift: Lift,
}

impl Backtest {
    /// Evaluates scores. `prevalence`: part of all companies that fail, between 0 and 1. `groups`: number of groups of the
    /// calibration table.
    pub fn of(scored: &[Scored], prevalence: f64, groups: usize) -> Self {
        let with = |value: &dyn Fn(&Scored) -> f64| -> Vec<(bool, f64)> {
            scored.iter().map(|it| (it.is_case, value(it))).collect()
        };
        let scores = with(&|it| it.score);
        let cases = scored.iter().filter(|it| it.is_case).count();
        let survivors = scored.len() - cases;
        let composite = auc(&scores);
        let factors = FactorKind::ALL.into_iter().map(|factor| {
            let contributions = with(&|it| it.contributions[factor.index()]);
            let raised: Vec<(bool, bool)> =
                contributions.iter().map(|(is_case, it)| (*is_case, *it > 0.0)).collect();
            FactorResult { factor, auc: auc(&contributions), lift: lift(&raised, prevalence) }
        });
        Self {
            cases,
            survivors,
            auc: composite,
            auc_standard_error: composite.map(|it| auc_standard_error(it, cases, survivors)),
            calibration: calibration(&scores, prevalence, groups),
            factors: factors.collect(),
        }
    }
}

/// The weight of a survivor that makes cases as frequent as `prevalence`. 1 without cases or survivors.
fn survivor_weight(cases: usize, survivors: usize, prevalence: f64) -> f64 {
    if cases == 0 || survivors == 0 {
        return 1.0;
    }
    cases as f64 * (1.0 - prevalence) / (prevalence * survivors as f64)
}
