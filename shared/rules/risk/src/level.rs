use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Risk level by the score: `low` below 0.04, `medium` from 0.04, `high` from 0.12, `critical` from 0.30. `unknown` instead of `low`
/// if facts are known for fewer than three of the eight factors other than `listings`: such a score is little more than the base
/// rate of all companies, and no finding about this one.
///
/// With the published base rate (1.46 %), these are about 3, 9 and 29 times the odds of a company without any evidence. Our
/// choice: no source states thresholds for such a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[schema(as = CompanyRiskLevel)]
#[serde(rename_all = "snake_case")]
pub enum RiskLevel {
    /// Below 0.04, but too little is known about the company.
    Unknown,
    /// Below 0.04.
    Low,
    /// From 0.04.
    Medium,
    /// From 0.12.
    High,
    /// From 0.30.
    Critical,
}

/// For how many of the factors other than `listings` facts must be known so that a company is said to have a low risk. Our choice: of
/// every company, the register states seat and status.
pub(crate) const LEAST_KNOWN: usize = 3;

impl RiskLevel {
    /// Every level that a score has, the lowest first.
    pub const OF_SCORES: [Self; 4] = [Self::Low, Self::Medium, Self::High, Self::Critical];

    /// The lowest score of the level.
    pub const fn threshold(self) -> f64 {
        match self {
            Self::Unknown | Self::Low => 0.0,
            Self::Medium => 0.04,
            Self::High => 0.12,
            Self::Critical => 0.3,
        }
    }

    /// The level of a score that rests on the facts about so many factors, without that of lists: a list that was searched says
    /// nothing about the company. A higher score rests on adverse evidence, however little else is known.
    pub fn of(score: f64, known_factors: usize) -> Self {
        let mut reached = Self::OF_SCORES.into_iter().filter(|it| score >= it.threshold());
        match reached.next_back().unwrap_or(Self::Low) {
            Self::Low if known_factors < LEAST_KNOWN => Self::Unknown,
            level => level,
        }
    }

    /// Whether it is above `low`.
    pub fn is_raised(self) -> bool {
        self > Self::Low
    }

    /// Name in responses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_begins_at_its_threshold() {
        for (score, level) in [
            (0.0, RiskLevel::Low),
            (0.0399, RiskLevel::Low),
            (0.04, RiskLevel::Medium),
            (0.12, RiskLevel::High),
            (0.299, RiskLevel::High),
            (0.3, RiskLevel::Critical),
            (1.0, RiskLevel::Critical),
        ] {
            assert_eq!(RiskLevel::of(score, LEAST_KNOWN), level, "{score}");
        }
    }

    #[test]
    fn a_company_of_which_little_is_known_has_no_low_risk_but_can_have_a_high_one() {
        for (score, level) in
            [(0.0, RiskLevel::Unknown), (0.04, RiskLevel::Medium), (0.3, RiskLevel::Critical)]
        {
            assert_eq!(RiskLevel::of(score, LEAST_KNOWN - 1), level, "{score}");
        }
    }
}
