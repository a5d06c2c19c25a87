use std::{fmt, str::FromStr};

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use sha2::{Digest, Sha256};

use crate::Secret;

/// The token of a link in a mail, of an invitation, or of a sign-in with an identity provider, which is used once unless the
/// link says otherwise. 32 random bytes in base64url.
///
/// Its `Debug` output hides it. Only its hash is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OneTimeToken(Secret);

/// The text is not a token of this form. The message does not repeat the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a token of 43 characters (letters, digits, `-` and `_`)")]
pub struct MalformedToken;

const BYTES: usize = 32;

impl OneTimeToken {
    /// Generates a random token.
    pub fn generate() -> Self {
        let bytes: [u8; BYTES] = rand::random();
        Self(Secret::new(BASE64_URL_SAFE_NO_PAD.encode(bytes)))
    }

    /// The token as text. Send it to its owner, and never log or store it.
    pub fn expose(&self) -> &str {
        self.0.expose()
    }

    /// What is stored instead of the token.
    ///
    /// A fast hash is enough: nobody can try 2^256 tokens.
    pub fn hash(&self) -> TokenHash {
        TokenHash::of(self.0.expose())
    }
}

impl FromStr for OneTimeToken {
    type Err = MalformedToken;

    fn from_str(text: &str) -> Result<Self, MalformedToken> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).map_err(|_| MalformedToken)?;
        if bytes.len() != BYTES {
            return Err(MalformedToken);
        }
        Ok(Self(Secret::new(text.to_owned())))
    }
}

impl<'de> Deserialize<'de> for OneTimeToken {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// The SHA-256 of a token, in hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TokenHash(String);

impl TokenHash {
    /// The hash of a token that cannot be guessed.
    pub(crate) fn of(text: &str) -> Self {
        Self(hex::encode(Sha256::digest(text)))
    }
}

impl fmt::Display for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_random_hidden_and_read_back() {
        let (one, other) = (OneTimeToken::generate(), OneTimeToken::generate());
        assert_ne!(one.hash(), other.hash());
        assert_eq!(one.expose().len(), 43);
        let read: OneTimeToken = one.expose().parse().expect("a token");
        assert_eq!(read.hash(), one.hash());
        assert!(!format!("{one:?}").contains(one.expose()));
        assert!(!one.hash().to_string().contains(one.expose()));
        let shorter = &one.expose()[1..];
        for wrong in ["", "x", shorter, &format!("{}x", one.expose()), &"!".repeat(43)] {
            assert_eq!(wrong.parse::<OneTimeToken>(), Err(MalformedToken), "{wrong}");
        }
    }
}
