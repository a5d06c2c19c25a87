use std::fmt;

use access::{Environment, Scope, Tier};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{ApiKey, HashedSecret, KeyId};

/// A team's identifier, a UUID as text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TeamId(pub String);

impl fmt::Display for TeamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What is stored of an API key that decides whether it is let in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Credential {
    pub team: TeamId,
    pub environment: Environment,
    pub key_id: KeyId,
    pub hash: HashedSecret,
    pub scopes: Vec<Scope>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<Timestamp>,
}

/// Why a key is not let in.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    #[error("the API key is not known")]
    Unknown,
    #[error("the API key was revoked")]
    Revoked,
    #[error("the API key has expired")]
    Expired,
}

/// Who is asking. Only a verified credential makes one: holding a `Caller` is the proof.
#[derive(Clone, Debug, PartialEq)]
pub struct Caller {
    team: TeamId,
    tier: Tier,
    environment: Environment,
    scopes: Vec<Scope>,
}

impl Credential {
    /// Lets the key in if its secret is right and it is still good. Takes tens of milliseconds: not
    /// for an async thread. A wrong secret learns nothing of the key, not even that it was revoked.
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
    pub fn team(&self) -> &TeamId {
        &self.team
    }

    pub fn tier(&self) -> Tier {
        self.tier
    }

    pub fn environment(&self) -> Environment {
        self.environment
    }

    pub fn scopes(&self) -> &[Scope] {
        &self.scopes
    }

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
    fn only_the_right_secret_of_a_good_key_makes_a_caller() {
        let now = Timestamp::UNIX_EPOCH;
        let key = ApiKey::generate(Environment::Live);
        let good = credential(&key);
        let caller = good.verify(&key, Tier::Starter, now).expect("let in");
        assert!(caller.may(Scope::Read) && !caller.may(Scope::Write));

        let other_secret = ApiKey { id: key.id.clone(), ..ApiKey::generate(Environment::Live) };
        assert_eq!(good.verify(&other_secret, Tier::Starter, now), Err(Refusal::Unknown));

        let revoked = Credential { revoked_at: Some(now), ..good.clone() };
        assert_eq!(revoked.verify(&key, Tier::Starter, now), Err(Refusal::Revoked));
        assert_eq!(revoked.verify(&other_secret, Tier::Starter, now), Err(Refusal::Unknown));

        let expired = Credential { expires_at: Some(now), ..good };
        assert_eq!(expired.verify(&key, Tier::Starter, now), Err(Refusal::Expired));
    }
}
