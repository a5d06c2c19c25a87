//! What a principal may do in its team, and what remains of it when a person loses rights.

use access::{Role, Scope};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{Member, ProviderSignIn};

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

/// Whether an owner of the team answers for its identity provider at present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnsweredFor {
    ByOwner,
    /// Who chose or confirmed the provider is not an owner any more, and no other owner has confirmed it.
    ByNobody,
}

impl AnsweredFor {
    /// With which role a user acts whom the provider has signed in. Who controls a provider can sign in as its users, so none of
    /// them acts as an owner. While nobody answers for the provider, they let nobody else act for the team either.
    pub fn limit(self, role: Role) -> Role {
        match self {
            Self::ByOwner => role.min(Role::Admin),
            Self::ByNobody => role.min(Role::Member),
        }
    }
}

/// A person on whose rights something depends: an API key, or the sign-ins with an identity provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Author {
    /// Id of the user.
    pub user: String,
    /// Since when it depends on this user.
    pub since: Timestamp,
    /// The sign-in at the identity provider that said who the person is. It depends on this provider, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub through: Option<ProviderSignIn>,
}

/// Who created an API key or rotated it last: a user, the author of the key that did, or the operator of the deployment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum KeyAuthor {
    Operator { since: Timestamp },
    User(Author),
}

impl KeyAuthor {
    /// Id of the user. `None`: the operator.
    pub fn user(&self) -> Option<&str> {
        self.author().map(|it| &*it.user)
    }

    /// The person. `None`: the operator.
    pub fn author(&self) -> Option<&Author> {
        match self {
            Self::Operator { .. } => None,
            Self::User(author) => Some(author),
        }
    }

    /// The sign-in at the identity provider on which the key depends.
    pub fn through(&self) -> Option<&ProviderSignIn> {
        self.author()?.through.as_ref()
    }

    /// Whether this is the same person, signed in the same way, or the operator.
    pub fn is_same(&self, other: &Self) -> bool {
        (self.user(), self.through()) == (other.user(), other.through())
    }

    /// When the author created the key or took it over.
    pub fn since(&self) -> Timestamp {
        match self {
            Self::Operator { since } => *since,
            Self::User(author) => author.since,
        }
    }
}

/// What a person may still delegate who has delegated something, such as an API key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Authority {
    /// No person has delegated it, but the operator of the deployment.
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

    /// What is left of it if an identity provider said who the person was. `None`: the team has another provider meanwhile, or
    /// nobody answers for it any more.
    #[must_use]
    pub fn through(self, provider: Option<AnsweredFor>) -> Self {
        match (self, provider) {
            (Self::Of(role), Some(provider)) => Self::Of(provider.limit(role)),
            (_, None) => Self::Ended,
            (other, Some(_)) => other,
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
        let authority = |member: Option<&Member>| Authority::of_member(member, at(10));
        let left = |member: Option<&Member>| authority(member).limit(&Scope::ALL);
        assert_eq!(left(Some(&joined(Role::Admin, 10))), Scope::ALL);
        assert_eq!(left(Some(&joined(Role::Member, 5))), [Scope::Read, Scope::Write]);
        assert_eq!(left(None), []);
        assert_eq!(left(Some(&joined(Role::Owner, 11))), [], "joined again");
        assert_eq!(Authority::Unlimited.limit(&[Scope::Manage]), [Scope::Manage]);

        let eva = authority(Some(&joined(Role::Owner, 10)));
        assert_eq!(eva.through(Some(AnsweredFor::ByOwner)), Authority::Of(Role::Admin));
        assert_eq!(eva.through(Some(AnsweredFor::ByNobody)), Authority::Of(Role::Member));
        assert_eq!(eva.through(None), Authority::Ended);
        let gone = authority(None);
        assert_eq!(gone.through(Some(AnsweredFor::ByOwner)), Authority::Ended);
    }

    #[test]
    fn an_identity_provider_gives_at_most_the_role_of_an_admin() {
        use Role::{Admin, Member, Owner};
        let limited = |by: AnsweredFor| Role::ALL.map(|it| by.limit(it));
        assert_eq!(Role::ALL, [Member, Admin, Owner]);
        assert_eq!(limited(AnsweredFor::ByOwner), [Member, Admin, Admin]);
        assert_eq!(limited(AnsweredFor::ByNobody), [Member, Member, Member]);
        // Nothing that others could use afterwards.
        assert!(!Rights::of_role(Member).may(Scope::Manage));
    }
}
