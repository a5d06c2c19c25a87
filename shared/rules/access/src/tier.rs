use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Subscription tier of a team. Each tier includes the ones before it. `RateGroup` lists the rate limits.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Lowest tier.
    Free,
    /// Second tier. Newer clients call it `basic`.
    #[serde(alias = "basic")]
    Starter,
    /// Third tier. Newer clients call it `pro`.
    #[serde(alias = "pro")]
    Professional,
    /// Highest tier.
    Enterprise,
}

impl Tier {
    /// Every tier, lowest first.
    pub const ALL: [Self; 4] = [Self::Free, Self::Starter, Self::Professional, Self::Enterprise];

    /// Name in requests and responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Starter => "starter",
            Self::Professional => "professional",
            Self::Enterprise => "enterprise",
        }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
