//! That an API key was verified, remembered longer than a process lives.
//!
//! Comparing a secret with its Argon2id hash takes tens of milliseconds of a processor, on purpose. The first process that does it
//! stores a keyed hash (HMAC-SHA256) of the secret beside the Argon2id hash; others compare that. The key of the keyed hash is a
//! secret of the deployment, outside the table.
//!
//! - Who reads the table learns nothing more than before: without the key, the keyed hash says nothing, and a secret has 256 random
//!   bits, so that with the key it cannot be guessed either.
//! - Who can write the table and has the key can make a keyed hash for a secret of their own. So a function that was taken over can
//!   forge keys until the key is replaced. It could use the rights of every caller anyway.
//! - Revocation, expiry and the rights of the author are read for each verification, as without the memory.

use std::fmt;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::{ApiKey, Credential, InvalidSigningKey, Secret, caller::ProvenKey, session::long_text};

/// How long a verification is remembered: each key is verified by its Argon2id hash once a day.
const DURATION: SignedDuration = SignedDuration::from_hours(24);

/// The keys of a deployment with which verifications of API keys are remembered.
#[derive(Clone)]
pub struct KeyMemory(Vec<Secret>);

/// That a key was verified, until a time: in seconds since the Unix epoch, and a keyed hash, separated by a point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RememberedKey(String);

impl RememberedKey {
    /// As it is stored.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for KeyMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyMemory(…)")
    }
}

impl KeyMemory {
    /// One random text of at least 32 characters, or several, separated by spaces or line breaks. What is remembered with any of
    /// them counts; the first one remembers.
    pub fn from_secret(secret: &Secret) -> Result<Self, InvalidSigningKey> {
        let texts = secret.expose().split_whitespace().map(|it| {
            let text = Secret::new(it.to_owned());
            long_text(&text)?;
            Ok(text)
        });
        let texts = texts.collect::<Result<Vec<_>, _>>()?;
        if texts.is_empty() { Err(InvalidSigningKey::Short) } else { Ok(Self(texts)) }
    }

    /// Remembers that this is the key of the credential.
    pub fn remember(
        &self,
        (key, _): (&ApiKey, &ProvenKey),
        credential: &Credential,
        now: Timestamp,
    ) -> Option<RememberedKey> {
        let until = now.saturating_add(DURATION).ok()?.as_second();
        let mac = mac(self.0.first()?, key, credential, until).finalize().into_bytes();
        Some(RememberedKey(format!("{until}.{}", BASE64_URL_SAFE_NO_PAD.encode(mac))))
    }

    /// Whether this was remembered of the credential, of exactly this key, and not longer ago than [`DURATION`].
    pub fn recall(
        &self,
        remembered: &RememberedKey,
        key: &ApiKey,
        credential: &Credential,
        now: Timestamp,
    ) -> Option<ProvenKey> {
        let (until, stored) = remembered.0.split_once('.')?;
        let until: i64 = until.parse().ok()?;
        let left = until.checked_sub(now.as_second())?;
        if left <= 0 || left > DURATION.as_secs() || !credential.is_of(key) {
            return None;
        }
        let stored = BASE64_URL_SAFE_NO_PAD.decode(stored).ok()?;
        let mut macs = self.0.iter().map(|it| mac(it, key, credential, until));
        macs.any(|it| it.verify_slice(&stored).is_ok()).then(|| ProvenKey::of(credential))
    }
}

/// Over everything that the hash of the secret belongs to, so that it proves nothing beside another credential.
fn mac(memory: &Secret, key: &ApiKey, credential: &Credential, until: i64) -> Hmac<Sha256> {
    #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
    let mut mac = Hmac::<Sha256>::new_from_slice(memory.expose().as_bytes()).expect("any length");
    let until = until.to_string();
    let parts =
        ["api-key", credential.key_id.as_str(), credential.hash.phc(), &until, key.secret.expose()];
    for part in parts {
        // With their lengths, so that no two lists of parts are the same text.
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part.as_bytes());
    }
    mac
}

#[cfg(test)]
mod tests {
    use access::Environment;

    use super::*;
    use crate::caller::tests::credential;

    fn memory(texts: &str) -> KeyMemory {
        KeyMemory::from_secret(&Secret::new(texts.to_owned())).expect("a secret")
    }

    const ONE: &str = "one-random-text-of-at-least-32-characters";
    const TWO: &str = "another-random-text-of-at-least-32-characters";

    #[test]
    fn only_the_same_key_of_the_same_credential_is_recalled_for_a_day() {
        let now = Timestamp::UNIX_EPOCH;
        let key = ApiKey::generate(Environment::Live);
        let valid = credential(&key);
        let proof = valid.prove(&key).expect("the key");
        let stored = memory(ONE).remember((&key, &proof), &valid, now).expect("a time");
        let recalled = |memory: &KeyMemory, key: &ApiKey, credential: &Credential, seconds: i64| {
            let now = now + SignedDuration::from_secs(seconds);
            memory.recall(&stored, key, credential, now).is_some()
        };
        let day = DURATION.as_secs();
        assert!(recalled(&memory(ONE), &key, &valid, 0));
        assert!(recalled(&memory(ONE), &key, &valid, day - 1));
        assert!(!recalled(&memory(ONE), &key, &valid, day));
        // Written by a clock that is ahead, or by somebody who wants it to last.
        assert!(!recalled(&memory(ONE), &key, &valid, -1));

        let other_secret = ApiKey { id: key.id.clone(), ..ApiKey::generate(Environment::Live) };
        assert!(!recalled(&memory(ONE), &other_secret, &valid, 0));
        let key_id = ApiKey::generate(Environment::Live).id;
        let other_id = Credential { key_id, ..valid.clone() };
        assert!(!recalled(&memory(ONE), &key, &other_id, 0));
        // The same secret, hashed again.
        let rotated = Credential { hash: credential(&key).hash, ..valid.clone() };
        assert!(!recalled(&memory(ONE), &key, &rotated, 0));

        // The secret of the deployment is replaced in two steps.
        assert!(!recalled(&memory(TWO), &key, &valid, 0));
        assert!(recalled(&memory(&format!("{TWO} {ONE}")), &key, &valid, 0));
    }

    #[test]
    fn what_is_stored_is_not_trusted() {
        let now = Timestamp::UNIX_EPOCH;
        let key = ApiKey::generate(Environment::Live);
        let valid = credential(&key);
        let proof = valid.prove(&key).expect("the key");
        let memory = memory(ONE);
        let RememberedKey(stored) = memory.remember((&key, &proof), &valid, now).expect("a time");
        let (until, mac) = stored.split_once('.').expect("two parts");
        let longer = until.parse::<i64>().expect("a number") - 1;
        let cut = &mac[..mac.len() - 2];
        for changed in [
            String::new(),
            ".".into(),
            mac.to_owned(),
            format!("{until}."),
            format!("{until}.{cut}"),
            format!("{longer}.{mac}"),
            format!("{}.{mac}", i64::MAX),
            format!("{}.{mac}", i64::MIN),
            format!("{until}.{}", mac.to_lowercase()),
        ] {
            let changed = RememberedKey(changed);
            assert!(memory.recall(&changed, &key, &valid, now).is_none(), "{changed:?}");
        }
    }

    #[test]
    fn a_short_secret_of_the_deployment_is_refused() {
        for text in ["", "short", &format!("{ONE} short")] {
            assert!(KeyMemory::from_secret(&Secret::new(text.to_owned())).is_err(), "{text}");
        }
        assert_eq!(format!("{:?}", memory(ONE)), "KeyMemory(…)");
    }
}
