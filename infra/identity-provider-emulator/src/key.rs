//! Keys of the provider.

use jsonwebtoken::{Algorithm, EncodingKey, Header, jwk::Jwk};
use serde_json::{Value, json};

/// The beginning of an Ed25519 private key in PKCS #8 (RFC 8410), before the 32 bytes of the key.
const PKCS8: [u8; 16] = [
    0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
];

/// An Ed25519 key, which everybody can guess.
#[derive(Clone)]
pub struct Key {
    id: String,
    key: EncodingKey,
}

impl Key {
    /// The key with this id that is derived from a number.
    pub fn new(id: &str, seed: u8) -> Self {
        let der = [&PKCS8[..], &[seed; 32]].concat();
        Self { id: id.to_owned(), key: EncodingKey::from_ed_der(&der) }
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    /// The public part, as a JSON Web Key.
    pub fn public(&self) -> Value {
        let jwk = Jwk::from_encoding_key(&self.key, Algorithm::EdDSA);
        let mut jwk = serde_json::to_value(jwk.ok()).unwrap_or_default();
        (jwk["kid"], jwk["use"]) = (json!(self.id), json!("sig"));
        jwk
    }

    /// A token with this header and these claims.
    ///
    /// # Panics
    /// If the header is not for this kind of key.
    pub fn sign(&self, header: &Header, claims: &Value) -> String {
        match jsonwebtoken::encode(header, claims, &self.key) {
            Ok(token) => token,
            Err(failure) => panic!("the token cannot be signed: {failure}"),
        }
    }
}
