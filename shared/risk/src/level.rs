use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Risk level by the score: `low` below 0.04, `medium` from 0.04, `high` from 0.12, `critical` from 0.30.
///
/// With the published base rate (1.46 %), these are about 3, 9 and 29 times the odds of a company without any evidence. Our
/// choice: no source states thresholds for such a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[schema(as = CompanyRiskLevel)]
#[serde(rename_all = "snake_case")]
pub enum RiskLevel {
    /// Below 0.04.
    Low,
    /// From 0.04.
    Medium,
    /// From 0.12.
    High,
    /// From 0.30.
    Critical,
}

impl RiskLevel {
    /// Every level, the lowest first.
    pub const ALL: [Self; 4] = [Self::Low, Self::Medium, Self::High, Self::Critical];

    /// The lowest score of the level.
    pub const fn threshold(self) -> f64 {
        match self {
            Self::Low => 0.0,
            Self::Medium => 0.04,
            Self::High => 0.12,
            Self::Critical => 0.3,
        }
    }

    /// The level of a score.
    pub fn of(score: f64) -> Self {
        let mut reached = Self::ALL.into_iter().filter(|it| score >= it.threshold());
        reached.next_back().unwrap_or(Self::Low)
    }

    /// Name in responses.
    pub const fn name(self) -> &'static str {
        match self {
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
            assert_eq!(RiskLevel::of(score), level, "{score}");
        }
    }
}
