use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Why something pauses that the team has not paused itself: `tier` (the team has more of its kind than its tier allows, and this
/// is one of the newest). It continues by itself when the tier allows it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PausedReason {
    /// It exceeds what the tier of the team allows.
    Tier,
}
