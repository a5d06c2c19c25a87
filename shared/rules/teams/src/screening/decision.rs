//! A team's decisions about hits.

use std::collections::HashMap;

use auth::Principal;
use jiff::Timestamp;
use matching::RiskLevel;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

use super::hit::HitState;

/// Maximum number of earlier decisions about a hit that are kept.
const MAX_EARLIER: usize = 20;

/// The decisions of a team about the hits of screenings, by pair of subject and entry.
pub type Decisions = HashMap<String, HitDecision>;

/// Decision of a team about a hit: `true_match` (the subject is the listed one), `false_positive` (the subject is
/// somebody else; such hits do not count for the risk level) or `unsure` (it is not clear whether the subject is the
/// listed one).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The subject is the listed one.
    TrueMatch,
    /// The subject is somebody else. Such hits do not count for the risk level.
    FalsePositive,
    /// It is not clear whether the subject is the listed one.
    Unsure,
}

/// The decision of a team about a hit. It also holds for later screenings of the same subject.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HitDecision {
    /// [`Screening::pair`](super::Screening::pair): the subject and the entry.
    pub pair: String,
    pub verdict: Verdict,
    pub reason: Option<String>,
    pub decided_by: Principal,
    pub decided_at: Timestamp,
    /// The screening whose hit was decided.
    pub screening_id: Uuid,
    pub expires_at: Option<Timestamp>,
    /// [`ScreeningHit::material`](super::hit::ScreeningHit::material) when it was decided.
    pub material: String,
    /// Risk level of the hit when it was decided. `None`: decided before it was stored.
    pub risk_level: Option<RiskLevel>,
    /// The decisions that this one has replaced, newest first, at most [`MAX_EARLIER`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<EarlierDecision>,
}

/// A decision that another one has replaced.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EarlierDecision {
    /// What was decided.
    pub verdict: Verdict,
    /// Why. Absent if no reason was given.
    pub reason: Option<String>,
    /// Who decided.
    pub decided_by: Principal,
    /// Time of the decision.
    pub decided_at: Timestamp,
    /// The screening whose hit was decided.
    pub screening_id: Uuid,
    /// Time at which it expired, or would have. Absent if there was none.
    pub expires_at: Option<Timestamp>,
}

/// Whether a decision holds for a hit: `in_force` (it holds), `expired` (it has expired), `entry_changed` (the entry
/// has changed in something on which a screening depends) or `risk_risen` (the risk level of the hit has risen, and the
/// decision is not `true_match`). A decision that is not `in_force` has to be made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DecisionState {
    /// It holds.
    InForce,
    /// It has expired, and has to be made again.
    Expired,
    /// The entry has changed in something on which a screening depends, so the decision has to be made again.
    EntryChanged,
    /// The risk level of the hit has risen, for example because the company has another name, so that a decision that is not
    /// `true_match` has to be made again.
    RiskRisen,
}

impl HitDecision {
    /// The decision after the one that it replaces. A request that is repeated changes nothing.
    #[must_use]
    pub fn replacing(self, old: Self) -> Self {
        let decided = |it: &Self| {
            let (reason, by) = (it.reason.clone(), it.decided_by.clone());
            let state = (it.material.clone(), it.risk_level);
            (it.verdict, reason, by, it.screening_id, it.expires_at, state)
        };
        if decided(&self) == decided(&old) {
            return old;
        }
        // Of the same decision about older evidence, the higher level was decided about.
        let is_same = self.verdict == old.verdict && self.material == old.material;
        let risk_level =
            if is_same { self.risk_level.max(old.risk_level) } else { self.risk_level };
        let HitDecision {
            verdict,
            reason,
            decided_by,
            decided_at,
            screening_id,
            expires_at,
            earlier,
            ..
        } = old;
        let replaced =
            EarlierDecision { verdict, reason, decided_by, decided_at, screening_id, expires_at };
        let earlier = std::iter::once(replaced).chain(earlier).take(MAX_EARLIER).collect();
        Self { earlier, risk_level, ..self }
    }

    /// Whether the decision holds now for a hit in this state.
    pub fn state(&self, hit: &HitState<'_>, now: Timestamp) -> DecisionState {
        let has_risen = self.risk_level.is_some_and(|it| it < hit.risk_level);
        if self.material != hit.material {
            DecisionState::EntryChanged
        } else if self.expires_at.is_some_and(|it| it <= now) {
            DecisionState::Expired
        } else if has_risen && self.verdict != Verdict::TrueMatch {
            DecisionState::RiskRisen
        } else {
            DecisionState::InForce
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::lists::{EntryKind, List, ListEntry};
    use matching::{Comparison, Explained};

    use super::*;
    use crate::screening::ScreeningHit;

    fn hit() -> ScreeningHit {
        let entry = ListEntry::new(List::Seco, "1", EntryKind::Person);
        let comparison = Comparison { score: 0.9, name_score: 0.9, risk: RiskLevel::High };
        let found = Explained { comparison, reasons: Vec::new(), listed_name: None };
        ScreeningHit::new(&entry, found)
    }

    #[test]
    fn decision_ends_with_its_expiry_and_with_a_material_change() {
        let hit = hit();
        let decided_at = Timestamp::UNIX_EPOCH;
        let expires_at = Some("2026-01-01T00:00:00Z".parse().expect("a time"));
        let decision = HitDecision {
            pair: String::new(),
            verdict: Verdict::FalsePositive,
            reason: None,
            decided_by: Principal::api_key("a"),
            decided_at,
            screening_id: Uuid::nil(),
            expires_at,
            material: hit.material.clone(),
            risk_level: Some(hit.risk_level),
            earlier: Vec::new(),
        };
        let before = "2025-12-31T23:59:59Z".parse().expect("a time");
        assert_eq!(decision.state(&hit.state(), before), DecisionState::InForce);
        assert_eq!(
            decision.state(&hit.state(), "2026-01-01T00:00:00Z".parse().expect("a time")),
            DecisionState::Expired
        );
        let changed = ScreeningHit { material: "other".to_owned(), ..hit.clone() };
        assert_eq!(decision.state(&changed.state(), before), DecisionState::EntryChanged);
        // The company has taken the name that is on the list.
        let risen = ScreeningHit { risk_level: RiskLevel::Critical, ..hit.clone() };
        assert_eq!(decision.state(&risen.state(), before), DecisionState::RiskRisen);
        let lower = ScreeningHit { risk_level: RiskLevel::Low, ..hit };
        assert_eq!(decision.state(&lower.state(), before), DecisionState::InForce);
        let matched = HitDecision { verdict: Verdict::TrueMatch, ..decision };
        assert_eq!(matched.state(&risen.state(), before), DecisionState::InForce);
    }
}
