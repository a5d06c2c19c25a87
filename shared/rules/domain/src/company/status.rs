use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Status in the register: `ACTIVE`, `BEING_CANCELLED` (in liquidation) or `CANCELLED` (deleted).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    /// Registered.
    Active,
    /// In liquidation.
    BeingCancelled,
    /// Deleted from the register.
    Cancelled,
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 3] = [Self::Active, Self::BeingCancelled, Self::Cancelled];

    /// Name in requests and responses: the register's own.
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "ACTIVE",
            Self::BeingCancelled => "BEING_CANCELLED",
            Self::Cancelled => "CANCELLED",
        }
    }

    /// The same status in plain words.
    pub fn canonical(self) -> CanonicalStatus {
        match self {
            Self::Active => CanonicalStatus::Active,
            Self::BeingCancelled => CanonicalStatus::InLiquidation,
            Self::Cancelled => CanonicalStatus::Deleted,
        }
    }
}

/// Status of a company in plain words: `active` for `ACTIVE`, `in_liquidation` for `BEING_CANCELLED`,
/// `deleted` for `CANCELLED`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CanonicalStatus {
    /// Registered.
    Active,
    /// In liquidation.
    InLiquidation,
    /// Deleted from the register.
    Deleted,
}

impl CanonicalStatus {
    /// Name in requests and responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::InLiquidation => "in_liquidation",
            Self::Deleted => "deleted",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
