//! Secrets of others that we must send again: encrypted, so that somebody who reads the table does not read them.

use std::fmt;

use aws_lc_rs::aead::{AES_256_GCM, Aad, NONCE_LEN, Nonce, RandomizedNonceKey};
use base64::{Engine, prelude::BASE64_STANDARD_NO_PAD};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{InvalidSigningKey, Secret, session::long_text};

/// Length of the id of a key in characters.
const KEY_ID_LENGTH: usize = 16;

/// A secret, encrypted with AES-256-GCM. The stored form.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedSecret {
    /// Id of the key that opens it.
    key: String,
    /// The nonce, the encrypted text and its tag in base64.
    sealed: String,
}

impl fmt::Debug for SealedSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SealedSecret({}, …)", self.key)
    }
}

/// A secret was not encrypted or decrypted. Contains nothing of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotOpened {
    /// No key has the id that the secret names.
    #[error("the key of the encrypted secret is not known any more")]
    UnknownKey,
    /// It was changed, or belongs to something else.
    #[error("the encrypted secret was changed, or is not the one of this owner")]
    Changed,
    /// The cryptographic library refuses.
    #[error("the secret could not be encrypted")]
    NotSealed,
}

#[derive(Clone)]
struct Key {
    id: String,
    bytes: [u8; 32],
}

/// The keys that encrypt and decrypt secrets. Their `Debug` output hides them.
#[derive(Clone)]
pub struct SealingKeys {
    current: Key,
    earlier: Vec<Key>,
}

impl fmt::Debug for SealingKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SealingKeys({}, …)", self.current.id)
    }
}

impl SealingKeys {
    /// Derives the keys from one random text of at least 32 characters, or several, separated by spaces or line breaks. The
    /// first one encrypts; all decrypt.
    pub fn from_secret(secret: &Secret) -> Result<Self, InvalidSigningKey> {
        let key = |text: &str| {
            let text = Secret::new(text.to_owned());
            let text = long_text(&text)?;
            let bytes = Sha256::new().chain_update("gotthard sealing key\0").chain_update(text);
            let bytes: [u8; 32] = bytes.finalize().into();
            let id = hex::encode(Sha256::digest([&b"id\0"[..], &bytes].concat()));
            Ok(Key { id: id[..KEY_ID_LENGTH].to_owned(), bytes })
        };
        let mut keys = secret.expose().split_whitespace().map(key);
        let current = keys.next().unwrap_or(Err(InvalidSigningKey::Short))?;
        Ok(Self { current, earlier: keys.collect::<Result<_, _>>()? })
    }

    /// Encrypts a secret of this owner.
    pub fn seal(&self, secret: &Secret, owner: &[&str]) -> Result<SealedSecret, NotOpened> {
        let key = cipher(&self.current)?;
        let mut text = secret.expose().as_bytes().to_vec();
        let nonce = key.seal_in_place_append_tag(Aad::from(owner_of(owner)), &mut text);
        let nonce = nonce.map_err(|_| NotOpened::NotSealed)?;
        let sealed = BASE64_STANDARD_NO_PAD.encode([&nonce.as_ref()[..], &text].concat());
        Ok(SealedSecret { key: self.current.id.clone(), sealed })
    }

    /// Decrypts a secret of this owner.
    pub fn open(&self, sealed: &SealedSecret, owner: &[&str]) -> Result<Secret, NotOpened> {
        let mut keys = std::iter::once(&self.current).chain(&self.earlier);
        let key = keys.find(|it| it.id == sealed.key).ok_or(NotOpened::UnknownKey)?;
        let bytes =
            BASE64_STANDARD_NO_PAD.decode(&sealed.sealed).map_err(|_| NotOpened::Changed)?;
        let (nonce, text) = bytes.split_at_checked(NONCE_LEN).ok_or(NotOpened::Changed)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| NotOpened::Changed)?;
        let mut text = text.to_vec();
        let opened = cipher(key)?.open_in_place(nonce, Aad::from(owner_of(owner)), &mut text);
        let opened = opened.map_err(|_| NotOpened::Changed)?.to_vec();
        String::from_utf8(opened).map(Secret::new).map_err(|_| NotOpened::Changed)
    }

    /// Whether a secret is encrypted with the key that encrypts now.
    pub fn is_current(&self, sealed: &SealedSecret) -> bool {
        sealed.key == self.current.id
    }
}

fn cipher(key: &Key) -> Result<RandomizedNonceKey, NotOpened> {
    RandomizedNonceKey::new(&AES_256_GCM, &key.bytes).map_err(|_| NotOpened::NotSealed)
}

/// What an encrypted secret is bound to. Each part is digested alone first, so that the place where one ends matters.
fn owner_of(parts: &[&str]) -> [u8; 32] {
    let digests = parts.iter().map(Sha256::digest);
    digests.fold(Sha256::new(), Sha256::chain_update).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "the old secret of the deployment, long";
    const NEW: &str = "the-new-secret-of-the-deployment-long-enough";
    const OWNER: [&str; 2] = ["team", "provider"];

    fn keys(text: &str) -> SealingKeys {
        SealingKeys::from_secret(&Secret::new(text.replace([' ', ','], "-"))).expect("keys")
    }

    fn secret() -> Secret {
        Secret::new("s3cret".into())
    }

    #[test]
    fn a_secret_is_opened_with_its_key_for_its_owner_only() {
        let keys = keys(OLD);
        let sealed = keys.seal(&secret(), &OWNER).expect("sealed");
        assert_eq!(keys.open(&sealed, &OWNER), Ok(secret()));
        assert_ne!(keys.seal(&secret(), &OWNER).expect("sealed"), sealed, "another nonce");
        for owner in [&["team", "other"][..], &["teamprovider"], &["team"], &["provider", "team"]] {
            assert_eq!(keys.open(&sealed, owner), Err(NotOpened::Changed), "{owner:?}");
        }
        assert_eq!(self::keys(NEW).open(&sealed, &OWNER), Err(NotOpened::UnknownKey));
        for text in ["", "AAAA", "%", &sealed.sealed[1..], &sealed.sealed.replace('A', "B")] {
            let changed = SealedSecret { sealed: text.to_owned(), ..sealed.clone() };
            let opened = keys.open(&changed, &OWNER);
            assert!(changed == sealed || opened == Err(NotOpened::Changed), "{text}");
        }
        let stored = serde_json::to_string(&sealed).expect("json");
        assert!(!format!("{stored}{sealed:?}{keys:?}").contains("s3cret"));
    }

    #[test]
    fn an_earlier_key_opens_and_the_first_one_seals() {
        let old = keys(OLD).seal(&secret(), &OWNER).expect("sealed");
        let both = format!("{NEW}\n{}", OLD.replace([' ', ','], "-"));
        let both = SealingKeys::from_secret(&Secret::new(both)).expect("keys");
        assert_eq!(both.open(&old, &OWNER), Ok(secret()));
        assert!(!both.is_current(&old));
        let new = both.seal(&secret(), &OWNER).expect("sealed");
        assert!(both.is_current(&new));
        assert_eq!(keys(NEW).open(&new, &OWNER), Ok(secret()));
    }

    #[test]
    fn a_short_text_gives_no_key() {
        for text in ["", " ", "short", &format!("{NEW} short")] {
            let keys = SealingKeys::from_secret(&Secret::new(text.to_owned()));
            assert!(keys.is_err(), "{text}");
        }
    }
}
