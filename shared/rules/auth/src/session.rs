use std::fmt;

use access::Environment;
use jiff::{SignedDuration, Timestamp};
use jsonwebtoken::{
    Algorithm, DecodingKey, EncodingKey, Header, Validation,
    jwk::{AlgorithmParameters, Jwk},
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    AnsweredFor, AuthMethod, Caller, Entitlement, Member, Principal, ProviderChoice, ProviderId,
    ProviderSignIn, Refusal, Secret, TeamId,
};

/// How long a session lasts.
pub const SESSION_DURATION: SignedDuration = SignedDuration::from_hours(12);
/// Minimum length in characters of the secret that a signing key is derived from.
const MIN_SECRET_LENGTH: usize = 32;
/// Longer texts are no session tokens, in bytes. Ours have about 500.
const MAX_TOKEN_LENGTH: usize = 2_048;
/// Length of the id of a signing key in characters.
const KEY_ID_LENGTH: usize = 16;
/// The algorithm of every token. A token that names another one is refused.
const ALGORITHM: Algorithm = Algorithm::EdDSA;
/// The beginning of an Ed25519 private key in PKCS #8 (RFC 8410), before the 32 bytes of the key.
pub(crate) const PKCS8: [u8; 16] = [
    0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
];

/// A session of a user in one team. The stored form: without it, its token is not accepted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// Random id.
    pub id: String,
    /// Id of the user.
    pub user: String,
    /// The team that the session acts for.
    pub team: TeamId,
    /// Time when the session started.
    pub created_at: Timestamp,
    /// Time when the session ends.
    pub expires_at: Timestamp,
    /// The identity provider with which the user signed in. Such a session stays in the team of the provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<ProviderId>,
    /// The team's choice of this provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choice: Option<ProviderChoice>,
    /// The domain of the address that the provider stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// Time of the sign-in, if the session is not the first one after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed_in_at: Option<Timestamp>,
}

impl Session {
    /// A session that starts now.
    pub fn starting(id: String, user: String, team: TeamId, now: Timestamp) -> Self {
        let expires_at = now + SESSION_DURATION;
        Self {
            id,
            user,
            team,
            created_at: now,
            expires_at,
            provider: None,
            choice: None,
            domain: None,
            signed_in_at: None,
        }
    }

    /// When the user signed in: before the session, if the user has switched to another team since.
    pub fn signed_in_at(&self) -> Timestamp {
        self.signed_in_at.unwrap_or(self.created_at)
    }
}

/// The claims of a session token (RFC 7519).
#[derive(Serialize, Deserialize)]
struct Claims {
    iss: String,
    aud: String,
    sub: String,
    iat: i64,
    exp: i64,
    /// Id of the session.
    sid: String,
    team: TeamId,
}

/// The private key that signs session tokens. Its `Debug` output hides it.
#[derive(Clone)]
pub struct SigningKey {
    key: EncodingKey,
    public: VerificationKey,
}

/// Why a secret gives no signing key. Contains nothing of the secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidSigningKey {
    /// Too short.
    #[error("the secret of the keys must have at least {MIN_SECRET_LENGTH} characters")]
    Short,
    /// The cryptographic library refuses the key.
    #[error("the secret is not an Ed25519 key")]
    Refused,
}

/// The text of a secret from which keys are derived, if it is long enough.
pub(crate) fn long_text(secret: &Secret) -> Result<&str, InvalidSigningKey> {
    let text = secret.expose().trim();
    match text.chars().count() >= MIN_SECRET_LENGTH {
        true => Ok(text),
        false => Err(InvalidSigningKey::Short),
    }
}

/// The Ed25519 key with this seed, and its public part in base64url.
pub(crate) fn ed25519(seed: &[u8; 32]) -> Result<(EncodingKey, String), InvalidSigningKey> {
    let key = EncodingKey::from_ed_der(&[&PKCS8[..], seed].concat());
    match Jwk::from_encoding_key(&key, ALGORITHM).map(|it| it.algorithm) {
        Ok(AlgorithmParameters::OctetKeyPair(public)) => Ok((key, public.x)),
        _ => Err(InvalidSigningKey::Refused),
    }
}

impl SigningKey {
    /// Derives the key from a random text of at least 32 characters.
    pub fn from_secret(secret: &Secret) -> Result<Self, InvalidSigningKey> {
        let text = long_text(secret)?;
        let seed = Sha256::new().chain_update("gotthard session key\0").chain_update(text);
        let (key, x) = ed25519(&seed.finalize().into())?;
        let id = &hex::encode(Sha256::digest(&x))[..KEY_ID_LENGTH];
        Ok(Self { key, public: VerificationKey { id: id.to_owned(), x } })
    }

    /// The public part.
    pub fn public(&self) -> &VerificationKey {
        &self.public
    }

    /// The token of a session. `url` is the address of the API, which issues and accepts it.
    pub fn sign(&self, session: &Session, url: &str) -> Result<Secret, NotSigned> {
        let header = Header { kid: Some(self.public.id.clone()), ..Header::new(ALGORITHM) };
        let claims = Claims {
            iss: url.to_owned(),
            aud: url.to_owned(),
            sub: session.user.clone(),
            iat: session.created_at.as_second(),
            exp: session.expires_at.as_second(),
            sid: session.id.clone(),
            team: session.team.clone(),
        };
        let token = jsonwebtoken::encode(&header, &claims, &self.key);
        token.map(Secret::new).map_err(|it| NotSigned(it.to_string()))
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKey({}, …)", self.public.id)
    }
}

/// A session token could not be signed.
#[derive(Debug, thiserror::Error)]
#[error("the session token could not be signed: {0}")]
pub struct NotSigned(String);

/// The public key that verifies session tokens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerificationKey {
    /// The `kid` of tokens that this key verifies.
    pub id: String,
    /// The Ed25519 key in base64url.
    pub x: String,
}

/// The token has not the form of a session token: three parts, signed with `EdDSA` by a key with an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the session token is malformed; sign in again")]
pub struct MalformedSessionToken;

/// The signature, the issuer or the audience of a session token is wrong, or a claim is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the session token is not valid; sign in again")]
pub struct InvalidSessionToken;

/// A session token whose signature is not verified yet.
pub struct PresentedToken<'a> {
    text: &'a str,
    key_id: String,
}

impl<'a> PresentedToken<'a> {
    /// Whether a text looks like a JWT and not like an API key.
    pub fn looks_like(text: &str) -> bool {
        text.split('.').count() == 3
    }

    /// Reads the header. No lookup.
    pub fn read(text: &'a str) -> Result<Self, MalformedSessionToken> {
        if text.len() > MAX_TOKEN_LENGTH {
            return Err(MalformedSessionToken);
        }
        let header = jsonwebtoken::decode_header(text).map_err(|_| MalformedSessionToken)?;
        let key_id = header.kid.ok_or(MalformedSessionToken)?;
        let is_id = key_id.len() == KEY_ID_LENGTH
            && key_id.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'));
        if header.alg != ALGORITHM || !is_id {
            return Err(MalformedSessionToken);
        }
        Ok(Self { text, key_id })
    }

    /// The id of the key that is said to have signed the token.
    pub fn key_id(&self) -> &str {
        &self.key_id
    }

    /// Verifies the signature, the issuer and the audience (both are `url`), and that no claim is missing. The times
    /// are checked by [`SessionClaims::caller`].
    pub fn verify(
        &self,
        key: &VerificationKey,
        url: &str,
    ) -> Result<SessionClaims, InvalidSessionToken> {
        let mut validation = Validation::new(ALGORITHM);
        validation.set_required_spec_claims(&["iss", "aud", "exp", "sub"]);
        validation.set_issuer(&[url]);
        validation.set_audience(&[url]);
        // The library would read the clock of the machine.
        validation.validate_exp = false;
        let key = DecodingKey::from_ed_components(&key.x).map_err(|_| InvalidSessionToken)?;
        let token = jsonwebtoken::decode::<Claims>(self.text, &key, &validation);
        let Claims { sub, iat, exp, sid, team, .. } =
            token.map_err(|_| InvalidSessionToken)?.claims;
        let time = |seconds| Timestamp::from_second(seconds).map_err(|_| InvalidSessionToken);
        let (issued_at, expires_at) = (time(iat)?, time(exp)?);
        Ok(SessionClaims { session: sid, user: sub, team, issued_at, expires_at })
    }
}

/// The claims of a token whose signature is valid. Only [`PresentedToken::verify`] creates them.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionClaims {
    session: String,
    user: String,
    team: TeamId,
    issued_at: Timestamp,
    expires_at: Timestamp,
}

impl SessionClaims {
    /// Id of the session.
    pub fn session(&self) -> &str {
        &self.session
    }

    /// Whether the token is expired, or says that it was issued in the future.
    pub fn check_times(&self, now: Timestamp) -> Result<(), Refusal> {
        // Clocks of servers differ a little.
        let is_early = self.issued_at > now + SignedDuration::from_secs(60);
        if is_early || self.expires_at <= now { Err(Refusal::SessionExpired) } else { Ok(()) }
    }

    /// The caller that the token identifies. `session` and `member` are what is stored about the session and about its
    /// user's membership in its team. A session that started before the user joined the team has ended: the user was
    /// removed in between. `provider` limits the role if an identity provider has started the session.
    pub fn caller(
        &self,
        session: Option<&Session>,
        member: Option<&Member>,
        provider: AnsweredFor,
        entitlement: Entitlement,
        now: Timestamp,
    ) -> Result<Caller, Refusal> {
        self.check_times(now)?;
        let (Some(session), Some(member)) = (session, member) else {
            return Err(Refusal::SessionEnded);
        };
        let is_same = (&session.id, &session.user, &session.team)
            == (&self.session, &self.user, &self.team)
            && (&member.user, &member.team) == (&self.user, &self.team);
        if !is_same || session.created_at < member.since {
            return Err(Refusal::SessionEnded);
        }
        if session.expires_at <= now {
            return Err(Refusal::SessionExpired);
        }
        let (method, role) = match session.provider {
            Some(_) => (AuthMethod::Sso, provider.limit(member.role)),
            None => (AuthMethod::Session, member.role),
        };
        Ok(Caller {
            principal: Principal::user(&self.user),
            team: self.team.clone(),
            entitlement,
            environment: Environment::Live,
            scopes: role.scopes().to_vec(),
            role: Some(role),
            session: Some(session.id.clone()),
            id_token: None,
            method,
            expires_at: Some(self.expires_at.min(session.expires_at)),
            author: None,
            through: session.choice.clone().map(|choice| ProviderSignIn {
                choice,
                domain: session.domain.clone().unwrap_or_default(),
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    use access::{Role, Scope, Tier};
    use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
    use serde_json::{Value, json};

    use super::*;

    const URL: &str = "https://api.example/api";
    const NOW: Timestamp = Timestamp::constant(1_795_177_800, 0);

    fn key(text: &str) -> SigningKey {
        SigningKey::from_secret(&Secret::new(text.repeat(32))).expect("a key")
    }

    fn session() -> Session {
        Session::starting("s".into(), "user".into(), TeamId("team".into()), NOW)
    }

    fn member() -> Member {
        let team = TeamId("team".into());
        Member { team, user: "user".into(), role: Role::Admin, since: NOW }
    }

    /// A token with these header and claims, signed by the key.
    fn token(header: &Header, claims: &Value, key: &SigningKey) -> String {
        jsonwebtoken::encode(header, claims, &key.key).expect("signed")
    }

    fn header(key: &SigningKey) -> Header {
        Header { kid: Some(key.public.id.clone()), ..Header::new(ALGORITHM) }
    }

    fn claims() -> Value {
        let (iat, exp) = (NOW.as_second(), (NOW + SESSION_DURATION).as_second());
        json!({ "iss": URL, "aud": URL, "sub": "user", "iat": iat, "exp": exp, "sid": "s", "team": "team" })
    }

    fn verified(token: &str, key: &SigningKey) -> Result<SessionClaims, InvalidSessionToken> {
        PresentedToken::read(token).expect("a token").verify(&key.public, URL)
    }

    #[test]
    fn a_signed_session_identifies_its_user_for_12_hours() {
        let key = key("k");
        let token = key.sign(&session(), URL).expect("signed");
        assert!(PresentedToken::looks_like(token.expose()));
        let claims = verified(token.expose(), &key).expect("verified");
        let caller = |now| {
            let (session, member, nobody) = (session(), member(), AnsweredFor::ByNobody);
            claims.caller(Some(&session), Some(&member), nobody, Tier::Free.into(), now)
        };
        let last = NOW + SESSION_DURATION - SignedDuration::from_secs(1);
        let found = caller(last).expect("a caller");
        assert_eq!(found.principal(), &Principal::user("user"));
        assert_eq!((found.role(), found.environment()), (Some(Role::Admin), Environment::Live));
        assert!(found.may(Scope::Manage));
        assert_eq!(caller(NOW + SESSION_DURATION), Err(Refusal::SessionExpired));
    }

    #[test]
    fn a_session_without_its_record_or_its_membership_has_ended() {
        let key = key("k");
        let token = key.sign(&session(), URL).expect("signed");
        let claims = verified(token.expose(), &key).expect("verified");
        let caller = |session: Option<&Session>, member: Option<&Member>| {
            let nobody = AnsweredFor::ByNobody;
            claims.caller(session, member, nobody, Tier::Free.into(), NOW).map(drop)
        };
        let later = Member { since: NOW + SignedDuration::from_secs(1), ..member() };
        let other_user = Member { user: "other".into(), ..member() };
        let other_team = Session { team: TeamId("other".into()), ..session() };
        for (session, member) in [
            (None, Some(&member())),
            (Some(&session()), None),
            (Some(&session()), Some(&later)),
            (Some(&session()), Some(&other_user)),
            (Some(&other_team), Some(&member())),
        ] {
            assert_eq!(
                caller(session, member),
                Err(Refusal::SessionEnded),
                "{session:?} {member:?}"
            );
        }
        assert_eq!(caller(Some(&session()), Some(&member())), Ok(()));
    }

    #[test]
    fn a_token_without_a_signature_of_the_algorithm_is_malformed() {
        let key = key("k");
        let encoded = |value: Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
        let kid = key.public.id.as_str();
        let none = format!(
            "{}.{}.",
            encoded(json!({ "alg": "none", "typ": "JWT", "kid": kid })),
            encoded(claims())
        );
        // The public key as the secret of a symmetric algorithm.
        let symmetric = EncodingKey::from_secret(key.public.x.as_bytes());
        let hs256 = Header { kid: Some(kid.to_owned()), ..Header::new(Algorithm::HS256) };
        let confused = jsonwebtoken::encode(&hs256, &claims(), &symmetric).expect("signed");
        let no_kid = token(&Header::new(ALGORITHM), &claims(), &key);
        let path = Header { kid: Some("../../etc/passwd".into()), ..Header::new(ALGORITHM) };
        let path = token(&path, &claims(), &key);
        let long = "x".repeat(MAX_TOKEN_LENGTH + 1);
        for text in [&none, &confused, &no_kid, &path, "a.b.c", "", &long] {
            assert!(PresentedToken::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_wrong_key_issuer_or_audience_and_a_missing_claim_are_refused() {
        let (key, other) = (key("k"), key("o"));
        assert_ne!(key.public.id, other.public.id);
        assert!(verified(&token(&header(&key), &claims(), &key), &key).is_ok());
        let forged = token(&header(&key), &claims(), &other);
        assert_eq!(verified(&forged, &key), Err(InvalidSessionToken));
        for (claim, value) in [
            ("iss", json!("https://other.example/api")),
            ("aud", json!("https://other.example/api")),
            ("exp", json!("tomorrow")),
            ("exp", json!(i64::MAX)),
        ] {
            let mut wrong = claims();
            wrong[claim] = value;
            let wrong = token(&header(&key), &wrong, &key);
            assert_eq!(verified(&wrong, &key), Err(InvalidSessionToken), "{claim}");
        }
        for claim in ["iss", "aud", "exp", "sub", "iat", "sid", "team"] {
            let mut missing = claims();
            missing.as_object_mut().expect("an object").remove(claim);
            let missing = token(&header(&key), &missing, &key);
            assert_eq!(verified(&missing, &key), Err(InvalidSessionToken), "{claim}");
        }
        // Every part counts.
        let valid = token(&header(&key), &claims(), &key);
        let (rest, _) = valid.rsplit_once('.').expect("a signature");
        let other_claims = token(&header(&key), &json!({}), &key);
        let (_, signature) = other_claims.rsplit_once('.').expect("a signature");
        assert_eq!(verified(&format!("{rest}.{signature}"), &key), Err(InvalidSessionToken));
    }

    #[test]
    fn a_signing_key_is_long_and_hidden_and_always_the_same() {
        let short = SigningKey::from_secret(&Secret::new("x".repeat(31)));
        assert_eq!(short.map(drop), Err(InvalidSigningKey::Short));
        let (one, same) = (key("k"), key("k"));
        assert_eq!(one.public, same.public);
        assert!(!format!("{one:?}").contains("kkk"));
    }
}
