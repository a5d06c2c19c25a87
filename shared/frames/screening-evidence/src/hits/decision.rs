//! How a decision about a hit is shown.

use auth::Principal;
use jiff::Timestamp;
use serde::Serialize;
use serde_with::skip_serializing_none;
use teams::screening::{DecisionState, EarlierDecision, HitDecision, ScreeningHit, Verdict};
use utoipa::ToSchema;
use uuid::Uuid;

/// A decision of the team about a subject and an entry of a list. It also holds for later screenings of the same
/// subject, as `PUT /v1/screenings/{id}/hits/{hitId}/decision` defines it.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    /// What was decided.
    verdict: Verdict,
    /// Whether it still holds.
    state: DecisionState,
    /// Why. Absent if no reason was given.
    reason: Option<String>,
    /// Who decided.
    decided_by: Principal,
    /// Time of the decision.
    decided_at: Timestamp,
    /// The screening whose hit was decided.
    screening_id: Uuid,
    /// Time at which it expires. Absent if it does not.
    expires_at: Option<Timestamp>,
    /// The decisions that this one has replaced, newest first, at most 20.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    earlier: Vec<EarlierDecision>,
}

impl Decision {
    pub fn of(decision: HitDecision, hit: &ScreeningHit, now: Timestamp) -> Self {
        let state = decision.state(&hit.state(), now);
        let HitDecision {
            verdict,
            reason,
            decided_by,
            decided_at,
            screening_id,
            expires_at,
            earlier,
            ..
        } = decision;
        Self { verdict, state, reason, decided_by, decided_at, screening_id, expires_at, earlier }
    }
}
