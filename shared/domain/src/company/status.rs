use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::choice::{Choice, UnknownValue};

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

/// Status to filter by: the register's name or the plain one. Case and underscores do not matter.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct WantedStatus(pub Status);

const STATUS: Choice = Choice::of("a status such as `ACTIVE`");

impl FromStr for WantedStatus {
    type Err = UnknownValue;

    fn from_str(given: &str) -> Result<Self, UnknownValue> {
        let names = |it: Status| [(it.name(), it), (it.canonical().name(), it)];
        let names_from_clients = [("dissolved", Status::Cancelled)];
        let known = Status::ALL.into_iter().flat_map(names).chain(names_from_clients);
        STATUS.read(given, known).map(Self)
    }
}

impl TryFrom<String> for WantedStatus {
    type Error = UnknownValue;

    fn try_from(text: String) -> Result<Self, UnknownValue> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_the_names_that_clients_send() {
        for word in ["active", "ACTIVE", "Active"] {
            assert_eq!(word.parse(), Ok(WantedStatus(Status::Active)));
        }
        for word in ["Being_Cancelled", "being cancelled", "in_liquidation"] {
            assert_eq!(word.parse(), Ok(WantedStatus(Status::BeingCancelled)));
        }
        let error = "activ".parse::<WantedStatus>().expect_err("unknown");
        assert_eq!(
            error.to_string(),
            "must be a status such as `ACTIVE`; got `activ`. Did you mean `ACTIVE`?"
        );
    }
}
