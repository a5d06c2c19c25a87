use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Rate group: operations whose requests are counted together.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum RateGroup {
    /// Search and company records.
    SearchRead,
    /// Other read operations.
    StandardRead,
    /// Analytics.
    AnalyticsRead,
    /// Methodology.
    MethodologyRead,
    /// Generated texts. Counted per day.
    ExpensiveAi,
    /// Bulk exports. Counted per day.
    Bulk,
    /// Management of the team's account and API keys.
    Account,
    /// Operations without a credential. Counted by client address.
    Public,
}

impl RateGroup {
    /// Every group, in the order of the specification.
    pub const ALL: [Self; 8] = [
        Self::SearchRead,
        Self::StandardRead,
        Self::AnalyticsRead,
        Self::MethodologyRead,
        Self::ExpensiveAi,
        Self::Bulk,
        Self::Account,
        Self::Public,
    ];

    /// Name in requests and responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::SearchRead => "search_read",
            Self::StandardRead => "standard_read",
            Self::AnalyticsRead => "analytics_read",
            Self::MethodologyRead => "methodology_read",
            Self::ExpensiveAi => "expensive_ai",
            Self::Bulk => "bulk",
            Self::Account => "account",
            Self::Public => "public",
        }
    }
}

impl fmt::Display for RateGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
