//! Keys that sign webhooks, and their signatures: Standard Webhooks 1.0.
//!
//! Nothing secret is stored about a webhook. Its keys are derived from one secret of the deployment and a random id, which
//! the webhook contains, so neither the table nor its backups give anyone a signature.

use std::fmt;

use access::Environment;
use base64::{
    Engine,
    prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD},
};
use jsonwebtoken::{Algorithm, EncodingKey};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    InvalidSigningKey, Secret, TeamId,
    secret::hmac,
    session::{ed25519, long_text},
};

/// How deliveries of a webhook are signed (Standard Webhooks 1.0). `v1`: HMAC-SHA256 with a secret that the receiver knows
/// too. `v1a`: Ed25519; the receiver knows only the public key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SignatureScheme {
    /// HMAC-SHA256.
    #[default]
    V1,
    /// Ed25519.
    V1a,
}

/// The secret of a deployment from which the keys of its webhooks are derived.
#[derive(Clone, Debug)]
pub struct WebhookSecret(Secret);

impl WebhookSecret {
    /// Takes a random text of at least 32 characters.
    pub fn new(secret: &Secret) -> Result<Self, InvalidSigningKey> {
        Ok(Self(Secret::new(long_text(secret)?.to_owned())))
    }

    /// The key with this random id, of a webhook of a team.
    pub fn key(
        &self,
        (team, environment): (&TeamId, Environment),
        webhook: &str,
        key_id: &str,
        scheme: SignatureScheme,
    ) -> Result<WebhookKey, InvalidSigningKey> {
        let label = match scheme {
            SignatureScheme::V1 => "v1",
            SignatureScheme::V1a => "v1a",
        };
        let name =
            format!("gotthard webhook key\0{label}\0{team}\0{environment}\0{webhook}\0{key_id}");
        let bytes = hmac(self.0.expose().as_bytes(), name.as_bytes());
        Ok(match scheme {
            SignatureScheme::V1 => WebhookKey(Kind::Shared(bytes)),
            SignatureScheme::V1a => {
                let (key, x) = ed25519(&bytes)?;
                WebhookKey(Kind::KeyPair { key, public: in_base64(&x)? })
            }
        })
    }
}

/// A key that signs the deliveries of one webhook. Its `Debug` output hides it.
#[derive(Clone)]
pub struct WebhookKey(Kind);

#[derive(Clone)]
enum Kind {
    Shared([u8; 32]),
    KeyPair {
        key: EncodingKey,
        /// In base64.
        public: String,
    },
}

impl WebhookKey {
    /// The secret that the receiver verifies signatures with: `whsec_…`. `None`: the receiver needs the public key.
    pub fn secret(&self) -> Option<Secret> {
        match &self.0 {
            Kind::Shared(bytes) => {
                Some(Secret::new(format!("whsec_{}", BASE64_STANDARD.encode(bytes))))
            }
            Kind::KeyPair { .. } => None,
        }
    }

    /// The public key that the receiver verifies signatures with: `whpk_…`. `None`: the receiver needs the secret.
    pub fn public_key(&self) -> Option<String> {
        match &self.0 {
            Kind::Shared(_) => None,
            Kind::KeyPair { public, .. } => Some(format!("whpk_{public}")),
        }
    }

    /// The signature of a message, such as `v1,g0hM9SsE…`. `timestamp` is in seconds since the Unix epoch.
    pub fn sign(&self, id: &str, timestamp: i64, body: &str) -> Result<String, InvalidSigningKey> {
        let signed = format!("{id}.{timestamp}.{body}");
        Ok(match &self.0 {
            Kind::Shared(bytes) => {
                format!("v1,{}", BASE64_STANDARD.encode(hmac(bytes, signed.as_bytes())))
            }
            Kind::KeyPair { key, .. } => {
                let signature =
                    jsonwebtoken::crypto::sign(signed.as_bytes(), key, Algorithm::EdDSA);
                format!("v1a,{}", in_base64(&signature.map_err(|_| InvalidSigningKey::Refused)?)?)
            }
        })
    }
}

impl fmt::Debug for WebhookKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookKey(…)")
    }
}

/// Base64url without padding as base64.
fn in_base64(url_safe: &str) -> Result<String, InvalidSigningKey> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(url_safe).map_err(|_| InvalidSigningKey::Refused)?;
    Ok(BASE64_STANDARD.encode(bytes))
}

#[cfg(test)]
mod tests {
    use jsonwebtoken::DecodingKey;

    use super::*;

    const BODY: &str = r#"{"test": 2432232314}"#;

    fn secret(text: &str) -> WebhookSecret {
        WebhookSecret::new(&Secret::new(text.into())).expect("a long text")
    }

    fn key(secret: &WebhookSecret, team: &str, id: &str, scheme: SignatureScheme) -> WebhookKey {
        let team = TeamId(team.into());
        secret.key((&team, Environment::Live), "webhook", id, scheme).expect("a key")
    }

    /// The example that the reference implementations of Standard Webhooks test.
    #[test]
    fn v1_signs_like_the_reference_implementations() {
        let bytes = BASE64_STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").expect("base64");
        // HMAC fills a short key with zeros, so that both keys sign alike.
        let mut shared = [0; 32];
        shared[..bytes.len()].copy_from_slice(&bytes);
        let key = WebhookKey(Kind::Shared(shared));
        let signature = key.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, BODY);
        let expected = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        assert_eq!(signature.as_deref(), Ok(expected));
    }

    #[test]
    fn v1a_signature_is_verified_with_the_public_key() {
        let secret = secret(&"s".repeat(32));
        let pair = key(&secret, "a", "one", SignatureScheme::V1a);
        assert!(pair.secret().is_none());
        let public = pair.public_key().expect("a public key");
        let public = BASE64_STANDARD.decode(public.strip_prefix("whpk_").expect("whpk_"));
        let public = public.expect("base64");
        assert_eq!(public.len(), 32);
        let signature = pair.sign("msg_1", 1_614_265_330, BODY).expect("signed");
        let signature = BASE64_STANDARD.decode(signature.strip_prefix("v1a,").expect("v1a,"));
        let signature = BASE64_URL_SAFE_NO_PAD.encode(signature.expect("base64"));
        let verify = |text: &str| {
            let x = BASE64_URL_SAFE_NO_PAD.encode(&public);
            let key = DecodingKey::from_ed_components(&x).expect("a key");
            jsonwebtoken::crypto::verify(&signature, text.as_bytes(), &key, Algorithm::EdDSA)
        };
        assert_eq!(verify(&format!("msg_1.1614265330.{BODY}")).ok(), Some(true));
        assert_eq!(verify(&format!("msg_2.1614265330.{BODY}")).ok(), Some(false));
    }

    #[test]
    fn keys_differ_between_webhooks_and_secrets_and_are_hidden() {
        let one = secret(&"s".repeat(32));
        let text = |it: &WebhookKey| it.secret().expect("a secret").expose().to_owned();
        let first = key(&one, "a", "one", SignatureScheme::V1);
        assert_eq!(text(&first), text(&key(&one, "a", "one", SignatureScheme::V1)));
        assert!(text(&first).starts_with("whsec_") && text(&first).len() == 6 + 44);
        for other in [
            key(&one, "a", "two", SignatureScheme::V1),
            key(&one, "b", "one", SignatureScheme::V1),
            key(&secret(&"t".repeat(32)), "a", "one", SignatureScheme::V1),
        ] {
            assert_ne!(text(&first), text(&other));
        }
        assert_eq!(format!("{first:?} {one:?}"), "WebhookKey(…) WebhookSecret(Secret(…))");
        let short = WebhookSecret::new(&Secret::new("s".repeat(31)));
        assert_eq!(short.err(), Some(InvalidSigningKey::Short));
    }
}
