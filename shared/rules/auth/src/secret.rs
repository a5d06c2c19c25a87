use std::fmt;

use argon2::{
    Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version, password_hash::phc,
};
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

/// A secret text. It has no `Display`, and its `Debug` output hides the text.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a secret text.
    pub fn new(text: String) -> Self {
        Self(text)
    }

    /// The secret text. The caller must not log or store it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The Argon2id hash of a secret, in PHC string format.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HashedSecret(String);

/// The hash could not be computed, for lack of memory or randomness.
#[derive(Debug, thiserror::Error)]
#[error("failed to hash a secret: {0}")]
pub struct HashingFailed(String);

impl HashedSecret {
    /// Hashes with a new salt and the parameters that OWASP recommends first (19 MiB, two passes, one
    /// lane). Takes tens of milliseconds; do not call it on an async thread.
    pub fn of(secret: &Secret) -> Result<Self, HashingFailed> {
        let hash: phc::PasswordHash =
            argon2id().and_then(|it| it.hash_password(secret.0.as_bytes()).map_err(failed))?;
        Ok(Self(hash.to_string()))
    }

    /// The PHC string.
    pub(crate) fn phc(&self) -> &str {
        &self.0
    }

    /// Whether this is the hash of `secret`. Takes as long as hashing.
    pub fn verify(&self, secret: &Secret) -> bool {
        let Ok(hash) = phc::PasswordHash::new(&self.0) else { return false };
        argon2id().is_ok_and(|it| it.verify_password(secret.0.as_bytes(), &hash).is_ok())
    }
}

fn argon2id() -> Result<Argon2<'static>, HashingFailed> {
    let params = Params::new(19_456, 2, 1, None).map_err(failed)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn failed(cause: impl fmt::Display) -> HashingFailed {
    HashingFailed(cause.to_string())
}

/// Fingerprint of a credential. A process caches it instead of the credential.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint([u8; 32]);

/// Random key of one process. Fingerprints made with it are of no use outside the process.
#[derive(Clone)]
pub struct FingerprintKey([u8; 32]);

impl FingerprintKey {
    /// Generates a key.
    pub fn random() -> Self {
        Self(rand::random())
    }

    /// HMAC-SHA256 of the credential's text.
    pub fn fingerprint(&self, credential: &str) -> Fingerprint {
        Fingerprint(hmac(&self.0, credential.as_bytes()))
    }
}

/// HMAC-SHA256.
pub(crate) fn hmac(key: &[u8], text: &[u8]) -> [u8; 32] {
    #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key of any length");
    mac.update(text);
    mac.finalize().into_bytes().into()
}

impl fmt::Debug for FingerprintKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FingerprintKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_verifies_its_own_secret_only() {
        let secret = Secret::new("correct".into());
        let hash = HashedSecret::of(&secret).expect("hashed");
        assert!(hash.0.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
        assert!(hash.verify(&secret));
        assert!(!hash.verify(&Secret::new("wrong".into())));
    }

    #[test]
    fn debug_output_hides_a_secret() {
        let secret = Secret::new("hunter2".into());
        assert_eq!(format!("{secret:?}"), "Secret(…)");
    }

    #[test]
    fn fingerprints_differ_between_processes_and_between_credentials() {
        let (one, other) = (FingerprintKey::random(), FingerprintKey::random());
        assert_eq!(one.fingerprint("a"), one.fingerprint("a"));
        assert_ne!(one.fingerprint("a"), one.fingerprint("b"));
        assert_ne!(one.fingerprint("a"), other.fingerprint("a"));
    }
}
