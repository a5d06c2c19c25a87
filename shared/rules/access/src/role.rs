use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use utoipa::ToSchema;

use crate::Scope;

/// Role of a user in a team. Each role includes the ones before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Reads and writes the team's data.
    Member,
    /// Also manages API keys, members, invitations and webhooks.
    Admin,
    /// Also changes the roles of members, subscribes to a tier, and reads the audit log.
    Owner,
}

impl Role {
    /// Every role, lowest first.
    pub const ALL: [Self; 3] = [Self::Member, Self::Admin, Self::Owner];

    /// The scopes of a session with this role.
    pub const fn scopes(self) -> &'static [Scope] {
        match self {
            Self::Member => &[Scope::Read, Scope::Write],
            Self::Admin | Self::Owner => &Scope::ALL,
        }
    }

    /// Name in requests and responses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Member => "member",
            Self::Admin => "admin",
            Self::Owner => "owner",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Reads the name in any case.
impl<'de> Deserialize<'de> for Role {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let role = Self::ALL.into_iter().find(|it| it.name().eq_ignore_ascii_case(&text));
        role.ok_or_else(|| {
            D::Error::custom(format!("must be one of `member`, `admin`, `owner`; got `{text}`"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_role_never_has_fewer_scopes() {
        for (lower, higher) in Role::ALL.iter().zip(&Role::ALL[1..]) {
            assert!(lower.scopes().iter().all(|it| higher.scopes().contains(it)));
            assert!(lower < higher);
        }
        assert_eq!(Role::Member.scopes(), [Scope::Read, Scope::Write]);
        assert!(Role::Admin.scopes().contains(&Scope::Manage));
    }
}
