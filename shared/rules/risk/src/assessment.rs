//! The assessment of a company.

use std::cmp::Ordering;

use jiff::civil::Date;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    Beta, Direction, Evidence, FactorKind, Facts, Priors, Rate, RiskLevel, evidence,
    factor::{Category, WEIGHT_SCALE},
    observe::{Lookup, observe},
};

/// The risk of a company on a day. `score` is the logistic function of `logOdds`, which is the logarithm of the odds of
/// `baseRate` plus the `logOddsContribution` of each factor.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = RiskAssessment)]
#[serde(rename_all = "camelCase")]
pub struct Assessment {
    /// 0 to 1. Comparable between companies and with the thresholds of `riskLevel`; not a probability that was measured.
    #[schema(example = 0.042)]
    pub score: f64,
    /// Level of the score, if enough is known.
    pub risk_level: RiskLevel,
    /// The logarithm of the odds of the score.
    pub log_odds: f64,
    /// Probability of a company without any evidence.
    pub base_rate: Rate,
    /// By what the weights of the factors are multiplied.
    #[schema(example = 4.85)]
    pub weight_scale: f64,
    /// The nine factors.
    pub factors: Vec<FactorBreakdown>,
    /// Version of factors, signs, priors and weights.
    #[schema(example = "v2")]
    pub priors_schema_version: String,
    /// Day of the assessment. What was published later does not count.
    pub as_of: Date,
}

/// A factor of the risk: a Beta-Bernoulli model. `posteriorAlpha` is `priorAlpha` plus the weights of the adverse evidence,
/// `posteriorBeta` is `priorBeta` plus the weights of the mitigating evidence. `logOddsContribution` = `weightScale` × `weight` ×
/// (ln(posterior odds) - ln(prior odds)).
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = RiskFactorBreakdown)]
#[serde(rename_all = "camelCase")]
pub struct FactorBreakdown {
    /// The factor.
    pub factor: FactorKind,
    /// Category in the risk-based approach of the FATF.
    pub category: Category,
    /// Weight of the factor. The nine weights sum to 1.
    pub weight: f64,
    /// Alpha before the evidence.
    pub prior_alpha: f64,
    /// Beta before the evidence.
    pub prior_beta: f64,
    /// Mean before the evidence: `priorAlpha / (priorAlpha + priorBeta)`.
    pub prior_mean: f64,
    /// Alpha after the evidence.
    pub posterior_alpha: f64,
    /// Beta after the evidence.
    pub posterior_beta: f64,
    /// Mean after the evidence: estimated probability of the factor's condition.
    pub posterior_mean: f64,
    /// What the factor adds to the log-odds of the composite. Negative if it lowers the risk, 0 without evidence.
    pub log_odds_contribution: f64,
    /// Why the factor has its posterior.
    pub rationale: String,
    /// Ids of the obligations that make the factor relevant and that are in force on the day.
    pub obligation_refs: Vec<String>,
    /// Whether evidence changed the factor.
    pub evidence_applied: bool,
    /// Why no evidence changed the factor, and which owners were not screened. Absent if there is nothing to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence_note: Option<String>,
    /// The observations, those of the highest weight first; at most 20 in each direction.
    pub evidence: Vec<Evidence>,
}

/// Assesses a company on a day.
pub fn assess(facts: &Facts, priors: &Priors, as_of: Date) -> Assessment {
    let factors: Vec<FactorBreakdown> =
        FactorKind::ALL.into_iter().map(|it| breakdown(it, facts, priors, as_of)).collect();
    let base = priors.base_rate.value;
    let contributions: f64 = factors.iter().map(|it| it.log_odds_contribution).sum();
    let log_odds = (base / (1.0 - base)).ln() + contributions;
    let score = 1.0 / (1.0 + (-log_odds).exp());
    Assessment {
        score,
        risk_level: RiskLevel::of(score, facts.known_factors()),
        log_odds,
        base_rate: priors.base_rate.clone(),
        weight_scale: WEIGHT_SCALE,
        factors,
        priors_schema_version: Priors::SCHEMA_VERSION.to_owned(),
        as_of,
    }
}

fn breakdown(factor: FactorKind, facts: &Facts, priors: &Priors, as_of: Date) -> FactorBreakdown {
    let (evidence, unknown) = match observe(factor, facts, as_of) {
        Lookup::Unknown(reason) => (Vec::new(), Some(reason)),
        Lookup::Known(observations) => (evidence::rows(observations, as_of), None),
    };
    let prior = priors.of(factor).beta();
    let sum = |direction| -> f64 {
        evidence.iter().filter(|it| it.direction == direction).map(|it| it.weight).sum()
    };
    let posterior = Beta {
        alpha: prior.alpha + sum(Direction::Adverse),
        beta: prior.beta + sum(Direction::Mitigating),
    };
    let without_evidence = evidence.is_empty().then(|| {
        let reason = unknown.unwrap_or("The sources show nothing that counts for this factor");
        format!("{reason}: it stays at its prior.")
    });
    let not_searched = match (factor, unknown) {
        (FactorKind::Listings, None) => not_searched(&facts.owners_not_searched),
        _ => None,
    };
    let notes: Vec<String> = without_evidence.into_iter().chain(not_searched).collect();
    let evidence_note = (!notes.is_empty()).then(|| notes.join(" "));
    // Exactly 0 without evidence: the two logarithms are of the same numbers.
    let contribution = WEIGHT_SCALE * factor.weight() * (posterior.log_odds() - prior.log_odds());
    FactorBreakdown {
        factor,
        category: factor.category(),
        weight: factor.weight(),
        prior_alpha: prior.alpha,
        prior_beta: prior.beta,
        prior_mean: prior.mean(),
        posterior_alpha: posterior.alpha,
        posterior_beta: posterior.beta,
        posterior_mean: posterior.mean(),
        log_odds_contribution: contribution,
        rationale: rationale(factor, prior, posterior, &evidence),
        obligation_refs: factor.obligations_on(as_of).map(str::to_owned).collect(),
        evidence_applied: !evidence.is_empty(),
        evidence_note,
        evidence,
    }
}

/// Number of owners that a note names.
const NAMED: usize = 5;

/// Which owners were compared with no sanctions list. `None` if all were.
fn not_searched(owners: &[String]) -> Option<String> {
    let named = owners.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    match owners.len() {
        0 => None,
        1..=NAMED => Some(format!("Owners that were compared with no sanctions list: {named}.")),
        all => Some(format!(
            "Owners that were compared with no sanctions list: {named}, and {} more.",
            all - NAMED
        )),
    }
}

/// The condition, then what the evidence did to its probability.
fn rationale(factor: FactorKind, prior: Beta, posterior: Beta, evidence: &[Evidence]) -> String {
    let condition = factor.condition().trim_end_matches('.');
    let (before, after) = (percent(prior.mean()), percent(posterior.mean()));
    let count = |direction| evidence.iter().filter(|it| it.direction == direction).count();
    let counted = |count: usize, what: &str| match count {
        0 => None,
        1 => Some(format!("1 {what} observation")),
        _ => Some(format!("{count} {what} observations")),
    };
    let found = [
        counted(count(Direction::Adverse), "adverse"),
        counted(count(Direction::Mitigating), "mitigating"),
    ];
    let found: Vec<String> = found.into_iter().flatten().collect();
    if found.is_empty() {
        return format!(
            "“{condition}” has its prior probability of {before}: there is no evidence."
        );
    }
    let is_one = evidence.len() == 1;
    let effect = match change(prior.mean(), posterior.mean()) {
        Ordering::Greater if is_one => "raises it to",
        Ordering::Greater => "raise it to",
        Ordering::Less if is_one => "lowers it to",
        Ordering::Less => "lower it to",
        Ordering::Equal if is_one => "leaves it at",
        Ordering::Equal => "leave it at",
    };
    let found = found.join(" and ");
    format!("“{condition}” had a prior probability of {before}. {found} {effect} {after}.")
}

impl FactorBreakdown {
    /// Whether the evidence raises or lowers the probability as it is written. Evidence can be too weak for two decimals, or cancel
    /// itself out.
    pub fn change(&self) -> Ordering {
        change(self.prior_mean, self.posterior_mean)
    }
}

fn change(before: f64, after: f64) -> Ordering {
    match percent(before) == percent(after) {
        true => Ordering::Equal,
        false => after.total_cmp(&before),
    }
}

fn percent(probability: f64) -> String {
    format!("{:.2} %", probability * 100.0)
}

#[cfg(test)]
mod tests {
    use domain::{Provenance, wording::Translations};

    use super::*;
    use crate::{Sign, evidence::Observation};

    #[test]
    fn evidence_that_changes_no_decimal_leaves_the_probability() {
        let said = |alpha: f64, beta: f64, observations: usize| {
            let source = Provenance { source: "shab".into(), reference: None, date: None };
            let observed = |it: usize| {
                let summary = Translations::of(|_| it.to_string());
                Observation::new(Sign::Departure, &source, summary)
            };
            let day = jiff::civil::date(2026, 10, 31);
            let evidence = evidence::rows((0..observations).map(observed).collect(), day);
            let prior = Beta { alpha: 1.0, beta: 9.0 };
            rationale(FactorKind::Board, prior, Beta { alpha, beta }, &evidence)
        };
        for (alpha, beta, observations, effect) in [
            (1.000_01, 9.0, 1, "1 adverse observation leaves it at 10.00 %."),
            (1.0, 9.000_01, 1, "1 adverse observation leaves it at 10.00 %."),
            (1.000_01, 9.0, 2, "2 adverse observations leave it at 10.00 %."),
            (1.1, 9.0, 1, "1 adverse observation raises it to 10.89 %."),
            (1.0, 9.1, 2, "2 adverse observations lower it to 9.90 %."),
        ] {
            let said = said(alpha, beta, observations);
            assert!(said.ends_with(effect), "{said}");
        }
    }

    #[test]
    fn note_names_five_owners_and_counts_the_others() {
        let note = |number: usize| {
            not_searched(&(0..number).map(|it| format!("Owner {it}")).collect::<Vec<_>>())
        };
        let start = "Owners that were compared with no sanctions list: Owner 0, Owner 1, Owner 2, Owner 3, Owner 4";
        assert_eq!(note(0), None);
        assert_eq!(note(5), Some(format!("{start}.")));
        assert_eq!(note(7), Some(format!("{start}, and 2 more.")));
    }
}
