//! Categories of offices, and ways of signing for a company.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Category of a role. A role is an office in a company, or the right to sign for it. `board` (directors; boards of
/// foundations and associations), `management`, `partner` (of a limited liability company or partnership), `owner` (of a
/// sole proprietorship), `liquidator`, `auditor`, `supervisor` (supervisory authority, for example of a foundation),
/// `signatory` (may sign but has no office), `other`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum RoleCategory {
    /// Member of the board of directors, or of the board of a foundation or association.
    Board,
    /// Member of the management.
    Management,
    /// Partner of a limited liability company or partnership.
    Partner,
    /// Owner of a sole proprietorship.
    Owner,
    /// Liquidator.
    Liquidator,
    /// Auditor.
    Auditor,
    /// Supervisory authority.
    Supervisor,
    /// May sign for the company but holds no office.
    Signatory,
    /// Any other office.
    Other,
}

impl RoleCategory {
    /// Every category.
    pub const ALL: [Self; 9] = [
        Self::Board,
        Self::Management,
        Self::Partner,
        Self::Owner,
        Self::Liquidator,
        Self::Auditor,
        Self::Supervisor,
        Self::Signatory,
        Self::Other,
    ];

    /// Name in requests and responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Board => "board",
            Self::Management => "management",
            Self::Partner => "partner",
            Self::Owner => "owner",
            Self::Liquidator => "liquidator",
            Self::Auditor => "auditor",
            Self::Supervisor => "supervisor",
            Self::Signatory => "signatory",
            Self::Other => "other",
        }
    }
}

/// Signing authority: `sole` (alone), `collective_two` (with one other person), `collective` (with several
/// others, or as described in the publication), `sole_procuration` and `collective_procuration` (by
/// procuration, alone or with one other person), `none`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum SigningAuthority {
    /// Alone.
    Sole,
    /// With one other person.
    CollectiveTwo,
    /// With several others, or as described in the publication.
    Collective,
    /// Alone, by procuration.
    SoleProcuration,
    /// With one other person, by procuration.
    CollectiveProcuration,
    /// No signing authority.
    None,
}

impl SigningAuthority {
    /// Every authority.
    pub const ALL: [Self; 6] = [
        Self::Sole,
        Self::CollectiveTwo,
        Self::Collective,
        Self::SoleProcuration,
        Self::CollectiveProcuration,
        Self::None,
    ];

    /// Name in requests and responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sole => "sole",
            Self::CollectiveTwo => "collective_two",
            Self::Collective => "collective",
            Self::SoleProcuration => "sole_procuration",
            Self::CollectiveProcuration => "collective_procuration",
            Self::None => "none",
        }
    }
}

impl fmt::Display for RoleCategory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for SigningAuthority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
