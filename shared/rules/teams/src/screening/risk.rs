//! The risk level of a screening: how strongly its hits indicate that the subject is listed.

use domain::lists::HitMeaning;
use jiff::Timestamp;
use matching::RiskLevel;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    decision::{DecisionState, Decisions, Verdict},
    hit::HitState,
    query::ScreeningQuery,
};

/// How strongly a hit indicates that the subject is the listed one: `clear` (no hit), `low` (score from 0.7: similar
/// names), `medium` (from 0.8: names with small differences, or equal but common ones), `high` (from 0.9: equal rare
/// names), `critical` (from 0.975: a date, country or number agrees with similar or equal names; or the team has
/// decided that a hit is a true match) or `unknown` (no hit, and the company is not in the register, so only its number
/// was compared).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Risk {
    /// No hit.
    Clear,
    /// Similar names.
    Low,
    /// Names with small differences, or equal but common ones.
    Medium,
    /// Equal rare names.
    High,
    /// A date, country or number agrees with similar or equal names, or the team has decided that it is a true match.
    Critical,
    /// No hit, but only the number of the subject was compared, because its name is not known.
    Unknown,
}

impl From<RiskLevel> for Risk {
    fn from(level: RiskLevel) -> Self {
        match level {
            RiskLevel::Clear => Self::Clear,
            RiskLevel::Low => Self::Low,
            RiskLevel::Medium => Self::Medium,
            RiskLevel::High => Self::High,
            RiskLevel::Critical => Self::Critical,
        }
    }
}

impl ScreeningQuery {
    /// The risk level of the subject: that of the highest score, without hits that are only information and those that the team
    /// has decided to be false positives. A hit that the team has decided to be a true match is critical. `others` is the highest
    /// risk level of what is not among the hits.
    pub fn risk<'a>(
        &self,
        hits: impl IntoIterator<Item = HitState<'a>>,
        others: RiskLevel,
        decisions: &Decisions,
        now: Timestamp,
    ) -> Risk {
        let level = |hit: HitState<'_>| {
            let decision = decisions.get(&self.pair(&hit.id));
            let decision = decision.filter(|it| it.state(&hit, now) == DecisionState::InForce);
            match decision.map(|it| it.verdict) {
                Some(Verdict::FalsePositive) => RiskLevel::Clear,
                Some(Verdict::TrueMatch) => RiskLevel::Critical,
                Some(Verdict::Unsure) | None => hit.risk_level,
            }
        };
        let risks = hits.into_iter().filter(|it| it.list.meaning() == HitMeaning::Risk);
        let highest = risks.map(level).max().unwrap_or(RiskLevel::Clear).max(others);
        match (highest, self.name.is_empty()) {
            (RiskLevel::Clear, true) => Risk::Unknown,
            (highest, _) => highest.into(),
        }
    }
}
