//! What a principal may do in its team, and what remains of it when a person loses rights.

use access::{Role, Scope};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::Member;

/// What an API key or a user may do in a team.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rights {
    /// Role of the user. `None`: an API key.
    pub role: Option<Role>,
    /// Permissions of the key or of the role.
    pub scopes: Vec<Scope>,
}

impl Rights {
    /// The rights of a user with this role.
    pub fn of_role(role: Role) -> Self {
        Self { role: Some(role), scopes: role.scopes().to_vec() }
    }

    /// The rights of an API key with these scopes.
    pub fn of_key(scopes: Vec<Scope>) -> Self {
        Self { role: None, scopes }
    }

    pub fn may(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope)
    }

    /// Whether a user may be given this role, or lose it. Nobody gives more than they have: a user at most the own role, and
    /// an API key only a role whose scopes it has, but never that of an owner.
    pub fn may_assign(&self, role: Role) -> bool {
        match self.role {
            Some(own) => role <= own,
            None => role < Role::Owner && role.scopes().iter().all(|it| self.may(*it)),
        }
    }
}

/// The person on whose rights an API key depends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyAuthor {
    /// Id of the user who created the key or has taken it over, or on whose rights the key depends that did.
    pub user: String,
    /// Time when this user did.
    pub since: Timestamp,
}

impl KeyAuthor {
    /// What this author may delegate now. `member` is the author's present membership.
    pub fn authority(&self, member: Option<&Member>) -> Authority {
        Authority::of_member(member, self.since)
    }
}

/// What a person may still delegate who has delegated something, such as an API key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Authority {
    /// No person has delegated it: the operator created the key, or its author was not recorded.
    Unlimited,
    /// The person is a member with this role.
    Of(Role),
    /// The person is not a member any more. What was delegated before does not come back if the person joins again.
    Ended,
}

impl Authority {
    /// What a user may still delegate who delegated something at this time. `member` is the user's present membership.
    pub fn of_member(member: Option<&Member>, delegated_at: Timestamp) -> Self {
        match member {
            Some(member) if member.since <= delegated_at => Self::Of(member.role),
            _ => Self::Ended,
        }
    }

    /// Those of these scopes that the person may still grant.
    pub fn limit(self, scopes: &[Scope]) -> Vec<Scope> {
        let granted = match self {
            Self::Unlimited => &Scope::ALL,
            Self::Of(role) => role.scopes(),
            Self::Ended => &[],
        };
        scopes.iter().copied().filter(|it| granted.contains(it)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TeamId;

    #[test]
    fn what_was_delegated_shrinks_with_the_role_and_ends_with_the_membership() {
        let at = |second| Timestamp::from_second(second).expect("a time");
        let joined = |role, second| Member {
            team: TeamId("team".into()),
            user: "eva".into(),
            role,
            since: at(second),
        };
        let author = KeyAuthor { user: "eva".into(), since: at(10) };
        let left = |member: Option<&Member>| author.authority(member).limit(&Scope::ALL);
        assert_eq!(left(Some(&joined(Role::Admin, 10))), Scope::ALL);
        assert_eq!(left(Some(&joined(Role::Member, 5))), [Scope::Read, Scope::Write]);
        assert_eq!(left(None), []);
        assert_eq!(left(Some(&joined(Role::Owner, 11))), [], "joined again");
        assert_eq!(Authority::Unlimited.limit(&[Scope::Manage]), [Scope::Manage]);
    }
}
