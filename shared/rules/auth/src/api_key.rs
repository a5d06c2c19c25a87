use std::{fmt, str::FromStr};

use access::Environment;
use serde::{Deserialize, Serialize};

use crate::Secret;

/// Public identifier of an API key: 12 lower-case characters of Crockford's base 32 (60 random bits).
/// The key's record is looked up by it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeyId(String);

impl KeyId {
    /// The 12 characters.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A complete API key: `gth_live_` or `gth_test_`, the key id, `_`, a secret of 43 characters, `_`, and
/// a checksum of 6 characters.
///
/// The secret is 32 random bytes in base 62. The checksum is the CRC-32 of everything before it, in
/// base 62, so that a mistyped key is rejected without a lookup.
#[derive(Clone, Debug)]
pub struct ApiKey {
    /// Environment that the prefix states.
    pub environment: Environment,
    /// Public part.
    pub id: KeyId,
    /// Secret part.
    pub secret: Secret,
}

/// The text is not an API key. The message does not repeat the text, because it may be a mistyped
/// secret.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "the token must be an API key of the form `gth_live_…` or `gth_test_…`; it has another form or a typo"
)]
pub struct MalformedKey;

const CROCKFORD: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ID_LENGTH: usize = 12;
const SECRET_LENGTH: usize = 43;
const CHECKSUM_LENGTH: usize = 6;

impl ApiKey {
    /// Generates a random key.
    pub fn generate(environment: Environment) -> Self {
        let id = rand::random::<[u8; ID_LENGTH]>().map(|it| CROCKFORD[usize::from(it % 32)]);
        Self {
            environment,
            id: KeyId(id.iter().copied().map(char::from).collect()),
            secret: Secret::new(base62(rand::random())),
        }
    }

    /// The complete key as text. Show it to the owner once and never store it.
    pub fn reveal(&self) -> Secret {
        let head = format!("{}{}_{}", prefix(self.environment), self.id, self.secret.expose());
        let checksum = checksum(&head);
        Secret::new(format!("{head}_{checksum}"))
    }

    /// Prefix and key id. Identifies the key but cannot be used to authenticate.
    pub fn visible_prefix(&self) -> String {
        format!("{}{}", prefix(self.environment), self.id)
    }
}

/// Checks the format and the checksum. No lookup.
impl FromStr for ApiKey {
    type Err = MalformedKey;

    fn from_str(text: &str) -> Result<Self, MalformedKey> {
        let environments = [Environment::Live, Environment::Test];
        let (environment, rest) = environments
            .into_iter()
            .find_map(|it| Some((it, text.strip_prefix(prefix(it))?)))
            .ok_or(MalformedKey)?;
        let mut parts = rest.split('_');
        let (Some(id), Some(secret), Some(check), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(MalformedKey);
        };
        let is_crockford = |it| CROCKFORD.contains(&it);
        let is_base62 = |it: u8| it.is_ascii_alphanumeric();
        let well_formed = (id.len(), secret.len(), check.len())
            == (ID_LENGTH, SECRET_LENGTH, CHECKSUM_LENGTH)
            && id.bytes().all(is_crockford)
            && secret.bytes().chain(check.bytes()).all(is_base62);
        if !well_formed || checksum(&text[..text.len() - CHECKSUM_LENGTH - 1]) != check {
            return Err(MalformedKey);
        }
        Ok(Self { environment, id: KeyId(id.to_owned()), secret: Secret::new(secret.to_owned()) })
    }
}

const fn prefix(environment: Environment) -> &'static str {
    match environment {
        Environment::Live => "gth_live_",
        Environment::Test => "gth_test_",
    }
}

fn checksum(head: &str) -> String {
    let mut rest = crc32fast::hash(head.as_bytes());
    let mut digits = [b'0'; CHECKSUM_LENGTH];
    for digit in digits.iter_mut().rev() {
        *digit = BASE62[(rest % 62) as usize];
        rest /= 62;
    }
    digits.iter().copied().map(char::from).collect()
}

/// A 256-bit number in base 62, 43 digits with leading zeros, by long division.
fn base62(mut number: [u8; 32]) -> String {
    let mut digits = [b'0'; SECRET_LENGTH];
    for digit in digits.iter_mut().rev() {
        let mut remainder = 0_u32;
        for byte in &mut number {
            let dividend = (remainder << 8) | u32::from(*byte);
            *byte = (dividend / 62) as u8;
            remainder = dividend % 62;
        }
        *digit = BASE62[remainder as usize];
    }
    digits.iter().copied().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn parsing_a_generated_key_returns_the_same_key() {
        for environment in [Environment::Live, Environment::Test] {
            let key = ApiKey::generate(environment);
            let text = key.reveal();
            let read: ApiKey = text.expose().parse().expect("well-formed");
            assert_eq!((read.environment, &read.id), (environment, &key.id));
            assert_eq!(read.secret, key.secret);
            assert!(text.expose().starts_with(&key.visible_prefix()));
        }
    }

    #[test]
    fn one_wrong_character_at_any_position_is_rejected() {
        let text = ApiKey::generate(Environment::Live).reveal();
        for at in 0..text.expose().len() {
            let mut typo = text.expose().as_bytes().to_vec();
            typo[at] = if typo[at] == b'a' { b'b' } else { b'a' };
            let typo = String::from_utf8(typo).expect("ascii");
            assert!(typo.parse::<ApiKey>().is_err(), "at {at}");
        }
    }

    #[test]
    fn debug_output_of_a_key_does_not_contain_the_secret() {
        let key = ApiKey::generate(Environment::Test);
        assert!(!format!("{key:?}").contains(key.secret.expose()));
    }

    #[test]
    fn base62_output_has_fixed_length_and_leading_zeros() {
        let mut one = [0; 32];
        assert_eq!(base62(one), "0".repeat(43));
        one[31] = 62;
        assert!(base62(one).ends_with("010"));
        assert_eq!(base62([255; 32]).len(), 43);
    }

    proptest! {
        #[test]
        fn parsing_never_panics(text in ".{0,90}", tail in "[0-9a-zA-Z_]{0,70}") {
            let _ = text.parse::<ApiKey>();
            let _ = format!("gth_live_{tail}").parse::<ApiKey>();
        }
    }
}
