use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Permission of an API key or a session: `read` (read data, search, screen and export), `write` (create, change and
/// delete the team's data, except API keys, members and webhooks) or `manage` (read and change API keys, invitations
/// and webhooks; change the team and its members). Each operation states its scope. No scope includes another.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Read data, search, screen and export.
    Read,
    /// Create, change and delete the team's own data, except API keys, members and webhooks.
    Write,
    /// Read and change API keys, invitations and webhooks; change the team and its members.
    Manage,
}

impl Scope {
    /// Every scope.
    pub const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Manage];
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Manage => "manage",
        })
    }
}
