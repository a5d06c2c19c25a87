use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Permission of an API key or a session: `read` (GET operations, the comparison of companies and runs of saved
/// searches), `write` (create, change and delete the team's data, except API keys, members and webhooks) or `manage` (manage
/// API keys, members, invitations and webhooks). No scope includes another.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Read data.
    Read,
    /// Create, change and delete the team's own data, except API keys, members and webhooks.
    Write,
    /// Manage API keys, members, invitations and webhooks.
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
