//! The documentation of the method, generated from what computes.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::{
    Direction, FactorKind, Prior, Priors, Rate, RiskLevel, Sign,
    countries::{CALL_FOR_ACTION, FATF_LISTS, INCREASED_MONITORING, LISTED_ON},
    evidence::MAX_ROWS,
    factor::{Category, WEIGHT_SCALE},
};

/// How the risk of a company is assessed: factors, priors, weights, signs, thresholds and formulas.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = RiskMethodology)]
#[serde(rename_all = "camelCase")]
pub struct Methodology {
    /// Version of factors, signs, priors and weights.
    #[schema(example = "v2")]
    pub priors_schema_version: String,
    /// The formulas, in the order in which they are applied.
    pub formulas: Vec<Formula>,
    /// Probability of a company without any evidence.
    pub base_rate: Rate,
    /// By what the weights of the factors are multiplied in the composite.
    #[schema(example = 4.85)]
    pub weight_scale: f64,
    /// The nine factors.
    pub factors: Vec<FactorMethod>,
    /// The levels of scores and the lowest score of each.
    pub levels: Vec<LevelMethod>,
    /// Maximum number of observations of a factor that count in each direction: those with the highest weight.
    pub max_evidence: usize,
    /// The countries that count for the factor `geography`.
    pub countries: CountryMethod,
    /// What the score does not say.
    pub limits: Vec<String>,
}

/// A formula.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = RiskFormula)]
pub struct Formula {
    /// What it computes: a member of the answer.
    pub of: String,
    /// The formula, in the names of the answer's members.
    pub formula: String,
}

/// A factor, its prior and its signs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = RiskFactorMethod)]
#[serde(rename_all = "camelCase")]
pub struct FactorMethod {
    /// The factor.
    pub factor: FactorKind,
    /// Category in the risk-based approach of the FATF.
    pub category: Category,
    /// The condition whose probability the factor estimates.
    pub condition: String,
    /// Weight of the factor: our judgement. The nine weights sum to 1.
    pub weight: f64,
    /// The prior.
    pub prior: Prior,
    /// Alpha of the prior.
    pub prior_alpha: f64,
    /// Beta of the prior.
    pub prior_beta: f64,
    /// Ids of the obligations that make the factor relevant.
    pub obligation_refs: Vec<String>,
    /// What can be observed.
    pub signs: Vec<SignMethod>,
}

/// A sign and its weight.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = RiskSignMethod)]
#[serde(rename_all = "camelCase")]
pub struct SignMethod {
    /// The sign.
    pub sign: Sign,
    /// What is observed.
    pub meaning: String,
    /// Whether its weight is added to alpha or to beta.
    pub direction: Direction,
    /// How many observations of the Beta-Bernoulli model the sign counts as on the day of the event, before the
    /// half-life.
    pub weight: f64,
    /// Days after which an event has half of its weight. Absent for a state, which keeps it as long as it holds.
    pub half_life_days: Option<u32>,
}

/// A level and its lowest score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = RiskLevelMethod)]
#[serde(rename_all = "camelCase")]
pub struct LevelMethod {
    /// The level.
    pub level: RiskLevel,
    /// The lowest score.
    pub lowest_score: f64,
}

/// The lists of countries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = RiskCountryMethod)]
#[serde(rename_all = "camelCase")]
pub struct CountryMethod {
    /// Address of the lists.
    pub source: String,
    /// Day of the lists, which were taken from secondary sources. Assessments of a day before it (`asOf`) leave the
    /// factor at its prior; changes of the lists after it are not included.
    pub listed_on: Date,
    /// Countries for which the FATF calls for action: ISO 3166-1 alpha-2 codes.
    pub call_for_action: Vec<String>,
    /// Countries under increased monitoring: ISO 3166-1 alpha-2 codes.
    pub increased_monitoring: Vec<String>,
}

const FORMULAS: [(&str, &str); 8] = [
    (
        "priorAlpha, priorBeta",
        "priorAlpha = rate × effectiveSampleSize; priorBeta = (1 − rate) × effectiveSampleSize",
    ),
    (
        "evidence.weight",
        "weight of the sign × strength × 0.5 ^ (days since observedAt ÷ halfLifeDays); without halfLifeDays: weight of the sign × strength",
    ),
    ("posteriorAlpha", "priorAlpha + sum of the weights of adverse evidence"),
    ("posteriorBeta", "priorBeta + sum of the weights of mitigating evidence"),
    (
        "logOddsContribution",
        "weightScale × weight × (ln(posteriorAlpha ÷ posteriorBeta) − ln(priorAlpha ÷ priorBeta))",
    ),
    ("logOdds", "ln(baseRate ÷ (1 − baseRate)) + sum of logOddsContribution"),
    ("score", "1 ÷ (1 + e ^ −logOdds)"),
    (
        "riskLevel",
        "the level with the highest lowestScore that is not above score; unknown instead of low if facts are known for fewer than 3 of the factors other than listings",
    ),
];

const LIMITS: [&str; 10] = [
    "The score compares companies by public signs. It is not a measured probability of default or crime.",
    "The weights of factors and signs are our judgement. Only the priors marked `published` or `measured` are rates, and only the weight of `hospitality` follows from a published ratio.",
    "Published rates are divided by about 790,000 registered companies; the division is ours.",
    "A fact that no source states leaves its factor at the prior: it neither raises nor lowers the risk.",
    "The strength of an observation is 1, except for possible hits on lists (the score of the name), shared addresses (the number of other companies ÷ 100, at most 1) and departures from boards of more than three members (3 ÷ members).",
    "The countries are those that were on the lists of the FATF on 2026-02-13, according to secondary sources. The lists themselves were not compared, and later decisions are not included.",
    "Bearer shares of the past and published losses of capital are no signs yet: they are not read from the publications.",
    "Unknown owners are no sign: the shareholders of corporations are in no public source as a rule. `GET /v1/ownership/{uid}/analytics` scores what is unknown. The country of a parent abroad is known only if GLEIF states its jurisdiction.",
    "For an earlier day, rates that were measured later are replaced by published ones.",
    "The legal obligations are references for the reader; they do not enter the computation.",
];

/// The documentation of the method with these priors.
pub fn methodology(priors: &Priors) -> Methodology {
    let texts = |it: &[&str]| it.iter().map(|it| (*it).to_owned()).collect();
    Methodology {
        priors_schema_version: Priors::SCHEMA_VERSION.to_owned(),
        formulas: FORMULAS
            .iter()
            .map(|(of, formula)| Formula { of: (*of).to_owned(), formula: (*formula).to_owned() })
            .collect(),
        base_rate: priors.base_rate.clone(),
        weight_scale: WEIGHT_SCALE,
        factors: FactorKind::ALL.into_iter().map(|it| factor(it, priors)).collect(),
        levels: RiskLevel::OF_SCORES
            .into_iter()
            .map(|level| LevelMethod { level, lowest_score: level.threshold() })
            .collect(),
        max_evidence: MAX_ROWS,
        countries: CountryMethod {
            source: FATF_LISTS.to_owned(),
            listed_on: LISTED_ON,
            call_for_action: texts(&CALL_FOR_ACTION),
            increased_monitoring: texts(&INCREASED_MONITORING),
        },
        limits: texts(&LIMITS),
    }
}

fn factor(factor: FactorKind, priors: &Priors) -> FactorMethod {
    let prior = priors.of(factor);
    let signs = Sign::ALL.iter().filter(|it| it.factor() == factor).map(|sign| SignMethod {
        sign: *sign,
        meaning: sign.meaning().to_owned(),
        direction: sign.direction(),
        weight: sign.weight(),
        half_life_days: sign.half_life_days(),
    });
    FactorMethod {
        factor,
        category: factor.category(),
        condition: factor.condition().to_owned(),
        weight: factor.weight(),
        prior: prior.clone(),
        prior_alpha: prior.beta().alpha,
        prior_beta: prior.beta().beta,
        obligation_refs: factor.obligations().iter().map(|it| (*it).to_owned()).collect(),
        signs: signs.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Facts, assess};

    #[test]
    fn documentation_states_the_numbers_that_compute() {
        let priors = Priors::published();
        let documented = methodology(&priors);
        let day = "2026-10-31".parse().expect("a day");
        let computed = assess(&Facts::default(), &priors, day);
        assert_eq!(documented.base_rate, computed.base_rate);
        assert_eq!(documented.priors_schema_version, computed.priors_schema_version);
        assert_eq!(documented.factors.len(), computed.factors.len());
        for (documented, computed) in documented.factors.iter().zip(&computed.factors) {
            assert_eq!(documented.factor, computed.factor);
            assert_eq!(documented.weight, computed.weight);
            assert_eq!(documented.prior_alpha, computed.prior_alpha);
            assert_eq!(documented.prior_beta, computed.prior_beta);
            assert_eq!(documented.obligation_refs, computed.obligation_refs);
        }
        let signs: usize = documented.factors.iter().map(|it| it.signs.len()).sum();
        assert_eq!(signs, Sign::ALL.len());
    }

    #[test]
    fn every_formula_names_members_of_the_answer() {
        let day = "2026-10-31".parse().expect("a day");
        let answer = assess(&Facts::default(), &Priors::published(), day);
        let answer = serde_json::to_value(answer).expect("json");
        for formula in methodology(&Priors::published()).formulas {
            for member in formula.of.split(", ").filter(|it| !it.contains('.')) {
                let is_member = answer.get(member).or_else(|| answer["factors"][0].get(member));
                assert!(is_member.is_some(), "{member}");
            }
        }
    }
}
