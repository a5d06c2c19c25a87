use std::fmt;

use access::{Environment, Scope, Tier};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{ApiKey, HashedSecret, KeyId};

/// Identifier of a team: a UUID as text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TeamId(pub String);

impl fmt::Display for TeamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The stored part of an API key that is needed to verify it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Credential {
    /// Team that owns the key.
    pub team: TeamId,
    /// Environment in which the key acts.
    pub environment: Environment,
    /// Public identifier of the key.
    pub key_id: KeyId,
    /// Hash of the secret.
    pub hash: HashedSecret,
    /// Permissions of the key.
    pub scopes: Vec<Scope>,
    /// Time at which the key expires. `None`: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// Time at which the key was revoked. `None`: it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<Timestamp>,
}

/// Why an API key is rejected.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// No such key, or the wrong secret.
    #[error("unknown API key")]
    Unknown,
    /// The team revoked the key.
    #[error("the API key was revoked")]
    Revoked,
    /// The key's expiry time has passed.
    #[error("the API key has expired")]
    Expired,
}

/// The authenticated caller of a request. Only [`Credential::verify`] creates one, so a `Caller` proves
/// that its key was verified.
#[derive(Clone, Debug, PartialEq)]
pub struct Caller {
    team: TeamId,
    tier: Tier,
    environment: Environment,
    scopes: Vec<Scope>,
}

impl Credential {
    /// Verifies the secret, then that the key is neither revoked nor expired. A wrong secret always
    /// gives [`Refusal::Unknown`], so that it reveals nothing about the key.
    ///
    /// Takes tens of milliseconds; do not call it on an async thread.
    pub fn verify(
        &self,
        presented: &ApiKey,
        tier: Tier,
        now: Timestamp,
    ) -> Result<Caller, Refusal> {
        let same_key = self.key_id == presented.id && self.environment == presented.environment;
        if !same_key || !self.hash.verify(&presented.secret) {
            return Err(Refusal::Unknown);
        }
        if self.revoked_at.is_some() {
            return Err(Refusal::Revoked);
        }
        if self.expires_at.is_some_and(|it| it <= now) {
            return Err(Refusal::Expired);
        }
        Ok(Caller {
            team: self.team.clone(),
            tier,
            environment: self.environment,
            scopes: self.scopes.clone(),
        })
    }
}

impl Caller {
    /// Team that owns the key.
    pub fn team(&self) -> &TeamId {
        &self.team
    }

    /// Tier of the team.
    pub fn tier(&self) -> Tier {
        self.tier
    }

    /// Environment of the key.
    pub fn environment(&self) -> Environment {
        self.environment
    }

    /// Permissions of the key.
    pub fn scopes(&self) -> &[Scope] {
        &self.scopes
    }

    /// Whether the key has this scope.
    pub fn may(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn credential(key: &ApiKey) -> Credential {
        Credential {
            team: TeamId("team".into()),
            environment: key.environment,
            key_id: key.id.clone(),
            hash: HashedSecret::of(&key.secret).expect("hashed"),
            scopes: vec![Scope::Read],
            expires_at: None,
            revoked_at: None,
        }
    }

    #[test]
    fn verification_requires_the_right_secret_and_a_key_neither_revoked_nor_expired() {
        let now = Timestamp::UNIX_EPOCH;
        let key = ApiKey::generate(Environment::Live);
        let valid = credential(&key);
        let caller = valid.verify(&key, Tier::Starter, now).expect("verified");
        assert!(caller.may(Scope::Read) && !caller.may(Scope::Write));

        let other_secret = ApiKey { id: key.id.clone(), ..ApiKey::generate(Environment::Live) };
        assert_eq!(valid.verify(&other_secret, Tier::Starter, now), Err(Refusal::Unknown));

        let revoked = Credential { revoked_at: Some(now), ..valid.clone() };
        assert_eq!(revoked.verify(&key, Tier::Starter, now), Err(Refusal::Revoked));
        assert_eq!(revoked.verify(&other_secret, Tier::Starter, now), Err(Refusal::Unknown));

        let expired = Credential { expires_at: Some(now), ..valid };
        assert_eq!(expired.verify(&key, Tier::Starter, now), Err(Refusal::Expired));
    }
}
