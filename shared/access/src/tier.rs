use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a team pays for; each includes the one before.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    Free,
    /// `basic` is the name that a newer client gives it.
    #[serde(alias = "basic")]
    Starter,
    #[serde(alias = "pro")]
    Professional,
    Enterprise,
}

impl Tier {
    /// Every tier, the smallest first.
    pub const ALL: [Self; 4] = [Self::Free, Self::Starter, Self::Professional, Self::Enterprise];

    /// The name on the wire.
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
