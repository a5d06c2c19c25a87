//! Who may call what: rate groups, tiers, environments and scopes.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The bucket a request is counted in.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum RateGroup {
    SearchRead,
    StandardRead,
    AnalyticsRead,
    MethodologyRead,
    ExpensiveAi,
    Bulk,
    Account,
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

    /// The name on the wire.
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

/// Where a key acts: on the team's own data, or in its sandbox.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Environment {
    #[serde(alias = "production")]
    Live,
    #[serde(alias = "sandbox")]
    Test,
}

impl Environment {
    /// The name on the wire and in a key's prefix.
    pub fn name(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Test => "test",
        }
    }
}

impl fmt::Display for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Text that names no environment.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{0}` is not an environment; it is `live` or `test`")]
pub struct UnknownEnvironment(String);

impl FromStr for Environment {
    type Err = UnknownEnvironment;

    fn from_str(text: &str) -> Result<Self, UnknownEnvironment> {
        match text {
            "live" => Ok(Self::Live),
            "test" => Ok(Self::Test),
            other => Err(UnknownEnvironment(other.to_owned())),
        }
    }
}

/// What a key may do.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Ask.
    Read,
    /// Create, change and delete what belongs to the team.
    Write,
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Read => "read",
            Self::Write => "write",
        })
    }
}
