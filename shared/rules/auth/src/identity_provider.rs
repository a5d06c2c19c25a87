//! What an identity provider publishes about itself (OpenID Connect Discovery), and its keys (RFC 7517).

use std::fmt;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use jsonwebtoken::{
    Algorithm, DecodingKey,
    jwk::{AlgorithmParameters, EllipticCurve, Jwk, PublicKeyUse},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use url::Url;
use utoipa::ToSchema;

/// Maximum length of the address of a provider.
pub const MAX_ISSUER_LENGTH: usize = 255;
/// Maximum number of keys of a provider. Large ones have about ten.
const MAX_KEYS: usize = 100;

/// An identity provider and our registration there. Stored with sessions, which end when the team's provider changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ProviderId(String);

impl ProviderId {
    /// The id of this issuer and client id.
    pub fn of(issuer: &str, client_id: &str) -> Self {
        Self(digest(&[issuer, client_id]))
    }
}

impl fmt::Display for ProviderId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A team's choice of a provider: another one whenever issuer or client id change, also back to earlier ones. What was linked
/// or started under another choice does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(example = "5b7c0f5e9a1d4c3e8f2a6b0d1c9e7f34")]
pub struct ProviderChoice(String);

impl ProviderChoice {
    /// A choice that differs from all others.
    pub fn new_random() -> Self {
        let bytes: [u8; 16] = rand::random();
        Self(hex::encode(bytes))
    }
}

/// The sign-in at a team's identity provider that said who a person is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProviderSignIn {
    /// The choice of the provider.
    pub choice: ProviderChoice,
    /// The domain of the address that the provider stated.
    #[schema(example = "example.ch")]
    pub domain: String,
}

/// Issuers at which everybody can have an account, by host. Nobody needs the consent of the owner of a domain to get, and to keep,
/// an account there that states an address of the domain.
const PUBLIC_ISSUERS: [&str; 13] = [
    "access.line.me",
    "api.login.yahoo.com",
    "appleid.apple.com",
    "facebook.com",
    "github.com",
    "gitlab.com",
    "id.twitch.tv",
    "login.live.com",
    "login.yahoo.com",
    "slack.com",
    "token.actions.githubusercontent.com",
    "www.facebook.com",
    "www.linkedin.com",
];
/// The hosts of Microsoft Entra. The first segment of the path says whose users sign in.
const MICROSOFT: [&str; 6] = [
    "login.chinacloudapi.cn",
    "login.microsoftonline.com",
    "login.microsoftonline.us",
    "login.partner.microsoftonline.cn",
    "login.windows.net",
    "sts.windows.net",
];
/// The tenant of Microsoft accounts, which everybody can have.
const MICROSOFT_ACCOUNTS: &str = "9188040d-6c67-4c5b-b112-36a304b66dad";
/// The issuer of all Google accounts. The claim `hd` says whether an account belongs to an organisation, and to which.
const GOOGLE: &str = "https://accounts.google.com";

/// Whose accounts an issuer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accounts {
    /// Those of one organisation, as far as we know.
    OfOneOrganisation,
    /// Those of many organisations: the claim `hd` of a token names the domain of the organisation.
    OfHostedDomains,
    /// Those of everybody.
    OfEverybody,
}

impl Accounts {
    /// Whose accounts this issuer has.
    pub fn of(issuer: &str) -> Self {
        let Ok(url) = Url::parse(issuer) else { return Self::OfEverybody };
        let host = url.host_str().unwrap_or_default().trim_end_matches('.');
        let first = url.path_segments().and_then(|mut it| it.next()).unwrap_or_default();
        if Some(host) == GOOGLE.strip_prefix("https://") {
            return Self::OfHostedDomains;
        }
        // `common`, `organizations` and `consumers` are no tenants.
        let is_tenant = first.len() == 36 && !first.eq_ignore_ascii_case(MICROSOFT_ACCOUNTS);
        if PUBLIC_ISSUERS.contains(&host) || (MICROSOFT.contains(&host) && !is_tenant) {
            return Self::OfEverybody;
        }
        Self::OfOneOrganisation
    }
}

/// A user at an identity provider, for keys of stored data.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SubjectId(String);

impl SubjectId {
    /// The id of the user with this `sub` at a provider.
    pub fn of(provider: &ProviderId, subject: &str) -> Self {
        Self(digest(&[&provider.0, subject]))
    }
}

impl fmt::Display for SubjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A digest of several texts. Each is digested alone first, so that the place where one ends matters.
fn digest(texts: &[&str]) -> String {
    let digests = texts.iter().map(Sha256::digest);
    hex::encode(digests.fold(Sha256::new(), Sha256::chain_update).finalize())
}

/// The `code_challenge` of a `code_verifier` (RFC 7636, method `S256`).
pub fn code_challenge(verifier: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(verifier))
}

/// How a client with a secret authenticates at the token endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientAuthentication {
    /// In the header `Authorization`, which every provider must support.
    Basic,
    /// In the body.
    Post,
}

/// What a provider publishes about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderMetadata {
    /// Where the browser goes to sign in.
    pub authorization_endpoint: Url,
    /// Where codes are redeemed.
    pub token_endpoint: Url,
    /// Where the keys are.
    pub jwks_uri: Url,
    /// How to send a client secret.
    pub authentication: ClientAuthentication,
    /// Whether its redirects name the issuer (RFC 9207).
    pub names_issuer: bool,
}

/// Why the metadata of a provider cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidMetadata {
    /// Not JSON, or a required member is missing.
    #[error("its configuration is not that of an OpenID provider")]
    Malformed,
    /// The configuration of another issuer.
    #[error("its configuration names another issuer")]
    OtherIssuer,
    /// The provider knows the code flow only without PKCE.
    #[error("it does not support `S256` code challenges (PKCE)")]
    NoPkce,
}

#[derive(Deserialize)]
struct Metadata {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    #[serde(default)]
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
    #[serde(default)]
    code_challenge_methods_supported: Option<Vec<String>>,
    #[serde(default)]
    authorization_response_iss_parameter_supported: bool,
}

impl ProviderMetadata {
    /// The address of the metadata of an issuer.
    pub fn address(issuer: &str) -> String {
        format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'))
    }

    /// Reads the metadata of an issuer.
    pub fn parse(text: &[u8], issuer: &str) -> Result<Self, InvalidMetadata> {
        let read: Metadata =
            serde_json::from_slice(text).map_err(|_| InvalidMetadata::Malformed)?;
        // Otherwise, one provider could issue tokens of another.
        if read.issuer != issuer {
            return Err(InvalidMetadata::OtherIssuer);
        }
        // Some providers support it without saying so.
        let methods = read.code_challenge_methods_supported;
        if methods.is_some_and(|it| !it.iter().any(|method| method == "S256")) {
            return Err(InvalidMetadata::NoPkce);
        }
        let methods = read.token_endpoint_auth_methods_supported.unwrap_or_default();
        let supports = |method: &str| methods.iter().any(|it| it == method);
        let only_post = supports("client_secret_post") && !supports("client_secret_basic");
        let url = |it: &str| Url::parse(it).map_err(|_| InvalidMetadata::Malformed);
        Ok(Self {
            authorization_endpoint: url(&read.authorization_endpoint)?,
            token_endpoint: url(&read.token_endpoint)?,
            jwks_uri: url(&read.jwks_uri)?,
            authentication: match only_post {
                true => ClientAuthentication::Post,
                false => ClientAuthentication::Basic,
            },
            names_issuer: read.authorization_response_iss_parameter_supported,
        })
    }
}

/// The public keys of a provider that can sign ID tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProviderKeys(Vec<Jwk>);

/// The text is not a set of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its keys are not a JSON Web Key Set of at most {MAX_KEYS} keys")]
pub struct NotKeys;

impl ProviderKeys {
    /// Reads a key set. Keys of unknown types or for other purposes are left out.
    pub fn parse(text: &[u8]) -> Result<Self, NotKeys> {
        #[derive(Deserialize)]
        struct Set {
            keys: Vec<Value>,
        }
        let set: Set = serde_json::from_slice(text).map_err(|_| NotKeys)?;
        if set.keys.len() > MAX_KEYS {
            return Err(NotKeys);
        }
        let keys = set.keys.into_iter().filter_map(|it| serde_json::from_value::<Jwk>(it).ok());
        let signs = |it: &Jwk| {
            it.common.public_key_use.as_ref().is_none_or(|it| *it == PublicKeyUse::Signature)
        };
        Ok(Self(keys.filter(signs).collect()))
    }

    /// The key that a token names. A token without a name is signed with the only key that fits its algorithm.
    pub(crate) fn find(&self, id: Option<&str>, algorithm: Algorithm) -> Option<DecodingKey> {
        let fits = |key: &&Jwk| {
            let has_id = id.is_none_or(|it| key.common.key_id.as_deref() == Some(it));
            has_id && is_for(key, algorithm)
        };
        let mut fitting = self.0.iter().filter(fits);
        let found = fitting.next().filter(|_| fitting.next().is_none())?;
        DecodingKey::from_jwk(found).ok()
    }
}

/// Whether a key is for this algorithm: of its type, and not published for another algorithm.
fn is_for(key: &Jwk, algorithm: Algorithm) -> bool {
    use Algorithm::{ES256, ES384, EdDSA, PS256, PS384, PS512, RS256, RS384, RS512};
    let is_of_type = match (&key.algorithm, algorithm) {
        (AlgorithmParameters::RSA(_), RS256 | RS384 | RS512 | PS256 | PS384 | PS512) => true,
        (AlgorithmParameters::EllipticCurve(it), ES256) => it.curve == EllipticCurve::P256,
        (AlgorithmParameters::EllipticCurve(it), ES384) => it.curve == EllipticCurve::P384,
        (AlgorithmParameters::OctetKeyPair(it), EdDSA) => it.curve == EllipticCurve::Ed25519,
        _ => false,
    };
    let named = key.common.key_algorithm.map(|it| it.to_string());
    is_of_type && named.is_none_or(|it| it == format!("{algorithm:?}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const ISSUER: &str = "https://login.example/tenant";

    fn metadata() -> Value {
        json!({
            "issuer": ISSUER,
            "authorization_endpoint": "https://login.example/authorize",
            "token_endpoint": "https://login.example/token",
            "jwks_uri": "https://login.example/keys",
        })
    }

    fn parsed(metadata: &Value) -> Result<ProviderMetadata, InvalidMetadata> {
        ProviderMetadata::parse(metadata.to_string().as_bytes(), ISSUER)
    }

    #[test]
    fn metadata_of_another_issuer_or_without_pkce_is_refused() {
        let read = parsed(&metadata()).expect("metadata");
        assert_eq!(read.authentication, ClientAuthentication::Basic);
        assert!(!read.names_issuer);
        for issuer in ["https://login.example/tenant/", "https://login.example", "", "https://x"] {
            let mut other = metadata();
            other["issuer"] = issuer.into();
            assert_eq!(parsed(&other), Err(InvalidMetadata::OtherIssuer), "{issuer}");
        }
        let mut plain = metadata();
        plain["code_challenge_methods_supported"] = json!(["plain"]);
        assert_eq!(parsed(&plain), Err(InvalidMetadata::NoPkce));
        for member in ["issuer", "authorization_endpoint", "token_endpoint", "jwks_uri"] {
            let mut missing = metadata();
            missing.as_object_mut().expect("an object").remove(member);
            assert_eq!(parsed(&missing), Err(InvalidMetadata::Malformed), "{member}");
        }
        assert_eq!(ProviderMetadata::parse(b"<html>", ISSUER), Err(InvalidMetadata::Malformed));
    }

    #[test]
    fn a_secret_is_sent_as_the_provider_supports() {
        for (methods, expected) in [
            (json!(["client_secret_post"]), ClientAuthentication::Post),
            (json!(["client_secret_post", "client_secret_basic"]), ClientAuthentication::Basic),
            (json!(["private_key_jwt"]), ClientAuthentication::Basic),
        ] {
            let mut with = metadata();
            with["token_endpoint_auth_methods_supported"] = methods;
            assert_eq!(parsed(&with).expect("metadata").authentication, expected);
        }
    }

    #[test]
    fn the_metadata_is_below_the_issuer() {
        for (issuer, address) in [
            ("https://login.example", "https://login.example/.well-known/openid-configuration"),
            (
                "https://login.example/t/",
                "https://login.example/t/.well-known/openid-configuration",
            ),
        ] {
            assert_eq!(ProviderMetadata::address(issuer), address);
        }
    }

    #[test]
    fn the_code_challenge_is_that_of_rfc_7636() {
        let challenge = code_challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
        assert_eq!(challenge, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    }

    #[test]
    fn issuers_at_which_everybody_can_have_an_account_are_known() {
        let entra = "https://login.microsoftonline.com";
        for issuer in [
            format!("{entra}/common/v2.0"),
            format!("{entra}/organizations/v2.0"),
            format!("{entra}/consumers/v2.0"),
            format!("{entra}/{{tenantid}}/v2.0"),
            format!("{entra}/{MICROSOFT_ACCOUNTS}/v2.0"),
            format!("{entra}/{}/v2.0", MICROSOFT_ACCOUNTS.to_uppercase()),
            format!("https://sts.windows.net/{MICROSOFT_ACCOUNTS}/"),
            "https://LOGIN.microsoftonline.com./common/v2.0".to_owned(),
            "https://appleid.apple.com".to_owned(),
            "https://gitlab.com".to_owned(),
        ] {
            assert_eq!(Accounts::of(&issuer), Accounts::OfEverybody, "{issuer}");
        }
        assert_eq!(Accounts::of(GOOGLE), Accounts::OfHostedDomains);
        for issuer in [
            format!("{entra}/0199c0de-00ff-7000-8000-000000000000/v2.0"),
            "https://example.okta.com".to_owned(),
            "https://gitlab.example.ch".to_owned(),
        ] {
            assert_eq!(Accounts::of(&issuer), Accounts::OfOneOrganisation, "{issuer}");
        }
        assert!(PUBLIC_ISSUERS.is_sorted() && MICROSOFT.is_sorted());
    }

    #[test]
    fn ids_depend_on_every_part() {
        let provider = ProviderId::of(ISSUER, "client");
        assert_eq!(provider, ProviderId::of(ISSUER, "client"));
        assert_ne!(provider, ProviderId::of(&format!("{ISSUER}c"), "lient"));
        assert_ne!(SubjectId::of(&provider, "a"), SubjectId::of(&provider, "b"));
        let other = ProviderId::of(ISSUER, "other");
        assert_ne!(SubjectId::of(&provider, "a"), SubjectId::of(&other, "a"));
    }

    #[test]
    fn a_key_is_found_by_its_id_and_used_for_its_algorithm_only() {
        let x = BASE64_URL_SAFE_NO_PAD.encode([1; 32]);
        let ed25519 = json!({ "kty": "OKP", "crv": "Ed25519", "kid": "a", "x": x, "alg": "EdDSA" });
        let set = |keys: Value| {
            ProviderKeys::parse(json!({ "keys": keys }).to_string().as_bytes()).expect("a key set")
        };
        let one = set(json!([ed25519]));
        assert!(one.find(Some("a"), Algorithm::EdDSA).is_some());
        assert!(one.find(None, Algorithm::EdDSA).is_some(), "the only key");
        for (id, algorithm) in [
            ("b", Algorithm::EdDSA),
            ("a", Algorithm::RS256),
            ("a", Algorithm::HS256),
            ("a", Algorithm::ES256),
        ] {
            assert!(one.find(Some(id), algorithm).is_none(), "{id} {algorithm:?}");
        }
        let two = set(json!([ed25519, { "kty": "OKP", "crv": "Ed25519", "kid": "b", "x": x }]));
        assert!(two.find(None, Algorithm::EdDSA).is_none(), "which of two keys?");
        let unusable = set(json!([
            { "kty": "oct", "kid": "a", "k": "c2VjcmV0" },
            { "kty": "OKP", "crv": "Ed25519", "kid": "a", "x": x, "use": "enc" },
            { "kty": "new", "kid": "a" },
            7,
        ]));
        for algorithm in [Algorithm::EdDSA, Algorithm::HS256] {
            assert!(unusable.find(Some("a"), algorithm).is_none(), "{algorithm:?}");
        }
        let rsa = json!({ "kty": "RSA", "kid": "a", "n": x, "e": "AQAB", "alg": "RS512" });
        let rsa = set(json!([rsa]));
        assert!(rsa.find(Some("a"), Algorithm::RS512).is_some());
        assert!(rsa.find(Some("a"), Algorithm::RS256).is_none());
        let many = json!({ "keys": vec![ed25519; MAX_KEYS + 1] });
        assert_eq!(ProviderKeys::parse(many.to_string().as_bytes()), Err(NotKeys));
        assert_eq!(ProviderKeys::parse(b"[]"), Err(NotKeys));
    }
}
