//! ID tokens: what an identity provider states about a user who has signed in there.

use domain::characters::check_line;
use jiff::{SignedDuration, Timestamp};
use jsonwebtoken::{Algorithm, Validation};
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

use crate::{
    AnsweredFor, AuthMethod, Caller, Email, Entitlement, Member, Principal, ProviderChoice,
    ProviderId, ProviderKeys, ProviderSignIn, Refusal, SubjectId, TeamId, TokenHash,
    identity_provider::MAX_ISSUER_LENGTH,
};
use access::Environment;

/// Longer texts are no ID tokens that we accept, in bytes. The gateway accepts 10,240 bytes for all headers.
const MAX_TOKEN_LENGTH: usize = 8_192;
/// Maximum length of identifiers in a token. The standard limits `sub` to 255.
const MAX_ID_LENGTH: usize = 255;
/// Maximum number of audiences of a token.
const MAX_AUDIENCES: usize = 10;
/// Maximum length of a user's name in characters.
const MAX_NAME_LENGTH: usize = 100;
/// How long after its issue a token is accepted, even if it states a later end: as long as a session.
const MAX_AGE: SignedDuration = crate::SESSION_DURATION;
/// Clocks of servers differ a little.
const CLOCK_DIFFERENCE: SignedDuration = SignedDuration::from_secs(60);
/// The algorithms of signatures that we accept: those with a private and a public key.
const ALGORITHMS: [Algorithm; 9] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];

/// The text has not the form of an ID token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the token is malformed, or its algorithm is not accepted; sign in again")]
pub struct MalformedIdToken;

/// Why an ID token is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidIdToken {
    /// No published key has the id that the token names.
    #[error("the ID token is signed with an unknown key")]
    UnknownKey,
    /// The signature is wrong, or a claim is missing or has the wrong type.
    #[error("the signature or a claim of the ID token is not valid")]
    Invalid,
    /// From another provider.
    #[error("the ID token is from another issuer")]
    Issuer,
    /// For another application.
    #[error("the ID token is for another application")]
    Audience,
    /// Not the answer to our request.
    #[error("the `nonce` of the ID token is not that of this sign-in")]
    Nonce,
    /// Its time has passed.
    #[error("the ID token has expired")]
    Expired,
    /// It says that it was issued in the future.
    #[error("the ID token is not valid yet")]
    Early,
}

/// What we know about a token before it is presented.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
    /// The provider of the team.
    pub issuer: &'a str,
    /// Our registration at the provider.
    pub client_id: &'a str,
    /// The nonce of the sign-in. `None`: the token is presented as a credential.
    pub nonce: Option<&'a str>,
}

/// The claim `aud`: one text or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Several(Vec<String>),
}

impl Audience {
    fn list(&self) -> &[String] {
        match self {
            Self::One(it) => std::slice::from_ref(it),
            Self::Several(them) => them,
        }
    }
}

/// The claims that say whose token it is and for whom.
#[derive(Deserialize)]
struct Parties {
    iss: String,
    sub: String,
    aud: Audience,
    azp: Option<String>,
}

impl Parties {
    /// Our registration that the token is for: the authorized party, or the only audience.
    fn client_id(&self) -> Option<&str> {
        let audiences = self.aud.list();
        let is_audience = |it: &str| audiences.iter().any(|other| other == it);
        match (&self.azp, audiences) {
            (Some(party), _) => Some(party.as_str()).filter(|it| is_audience(it)),
            (None, [only]) => Some(only),
            (None, _) => None,
        }
    }

    fn has_sizes_within_limits(&self) -> bool {
        let is_short = |it: &str| (1..=MAX_ID_LENGTH).contains(&it.len());
        let audiences = self.aud.list();
        (1..=MAX_ISSUER_LENGTH).contains(&self.iss.len())
            && is_short(&self.sub)
            && audiences.len() <= MAX_AUDIENCES
            && audiences.iter().chain(&self.azp).all(|it| is_short(it))
    }
}

/// The claims that distinguish the tokens of a user at a provider.
#[derive(Deserialize)]
struct Issue {
    iat: Option<Value>,
    jti: Option<Value>,
}

impl Issue {
    /// The id of the token. It does not depend on the signature: others can change that of an elliptic curve without the key
    /// (`s` and `n - s` are both valid).
    fn id(&self, subject: &SubjectId) -> TokenHash {
        let seconds = match &self.iat {
            Some(Value::Number(it)) => time(it).map(|it| it.as_second()).ok(),
            _ => None,
        };
        // JSON, so that the place where one part ends matters.
        TokenHash::of(&serde_json::json!([subject, seconds, self.jti]).to_string())
    }
}

#[derive(Deserialize)]
struct Claims {
    #[serde(flatten)]
    parties: Parties,
    exp: Number,
    iat: Number,
    nbf: Option<Number>,
    nonce: Option<String>,
    email: Option<Value>,
    email_verified: Option<Value>,
    name: Option<Value>,
    hd: Option<Value>,
}

/// An ID token whose signature is not verified yet.
#[derive(Clone)]
pub struct PresentedIdToken<'a> {
    text: &'a str,
    algorithm: Algorithm,
    key_id: Option<String>,
    subject: SubjectId,
    id: TokenHash,
}

impl<'a> PresentedIdToken<'a> {
    /// Reads what the token says about itself. Verifies nothing.
    pub fn read(text: &'a str) -> Result<Self, MalformedIdToken> {
        if text.len() > MAX_TOKEN_LENGTH || text.split('.').count() != 3 {
            return Err(MalformedIdToken);
        }
        let header = jsonwebtoken::decode_header(text).map_err(|_| MalformedIdToken)?;
        // Other types of tokens of the same provider have the same claims: `at+jwt`, `logout+jwt`.
        let is_of_type = header.typ.is_none_or(|it| it.eq_ignore_ascii_case("JWT"));
        let key_id = header.kid.filter(|it| !it.is_empty());
        let is_short = key_id.as_ref().is_none_or(|it| it.len() <= MAX_ID_LENGTH);
        if !ALGORITHMS.contains(&header.alg) || header.crit.is_some() || !is_of_type || !is_short {
            return Err(MalformedIdToken);
        }
        let parties: Parties =
            jsonwebtoken::dangerous::insecure_decode_claims(text).map_err(|_| MalformedIdToken)?;
        let client_id = parties.client_id().filter(|_| parties.has_sizes_within_limits());
        let provider = ProviderId::of(&parties.iss, client_id.ok_or(MalformedIdToken)?);
        let subject = SubjectId::of(&provider, &parties.sub);
        let issue: Issue =
            jsonwebtoken::dangerous::insecure_decode_claims(text).map_err(|_| MalformedIdToken)?;
        let id = issue.id(&subject);
        Ok(Self { text, algorithm: header.alg, key_id, subject, id })
    }

    /// Whether a text is a token of another issuer than `url`, the address of the API.
    pub fn is_of_another_issuer(text: &str, url: &str) -> bool {
        #[derive(Deserialize)]
        struct Issuer {
            iss: String,
        }
        let read = jsonwebtoken::dangerous::insecure_decode_claims::<Issuer>(text);
        text.len() <= MAX_TOKEN_LENGTH && read.is_ok_and(|it| it.iss != url)
    }

    /// The user that the token says it is about.
    pub fn subject(&self) -> &SubjectId {
        &self.subject
    }

    /// Identifies the token by its issuer, its subject, the time of its issue and its own id, if it has one. What is stored about
    /// the token instead of itself.
    pub fn id(&self) -> &TokenHash {
        &self.id
    }

    /// Whether the key that the token names is among these.
    pub fn has_key_in(&self, keys: &ProviderKeys) -> bool {
        keys.find(self.key_id.as_deref(), self.algorithm).is_some()
    }

    /// Verifies the signature and every claim.
    pub fn verify(
        &self,
        keys: &ProviderKeys,
        expected: Expected<'_>,
        now: Timestamp,
    ) -> Result<VerifiedIdToken, InvalidIdToken> {
        let key = keys.find(self.key_id.as_deref(), self.algorithm);
        let key = key.ok_or(InvalidIdToken::UnknownKey)?;
        let mut validation = Validation::new(self.algorithm);
        // The claims are checked below: the library would read the clock of the machine, and accept some other types.
        validation.required_spec_claims.clear();
        (validation.validate_exp, validation.validate_aud) = (false, false);
        let token = jsonwebtoken::decode::<Claims>(self.text, &key, &validation);
        let claims = token.map_err(|_| InvalidIdToken::Invalid)?.claims;
        if claims.parties.iss != expected.issuer {
            return Err(InvalidIdToken::Issuer);
        }
        if claims.parties.client_id() != Some(expected.client_id) {
            return Err(InvalidIdToken::Audience);
        }
        if expected.nonce.is_some_and(|it| claims.nonce.as_deref() != Some(it)) {
            return Err(InvalidIdToken::Nonce);
        }
        let (expires_at, issued_at) = (time(&claims.exp)?, time(&claims.iat)?);
        let not_before = claims.nbf.as_ref().map(time).transpose()?;
        let latest = now + CLOCK_DIFFERENCE;
        if issued_at > latest || not_before.is_some_and(|it| it > latest) {
            return Err(InvalidIdToken::Early);
        }
        let expires_at =
            expires_at.min(issued_at.saturating_add(MAX_AGE).unwrap_or(Timestamp::MAX));
        if expires_at <= now {
            return Err(InvalidIdToken::Expired);
        }
        let provider = ProviderId::of(expected.issuer, expected.client_id);
        let email = claims.email.as_ref().and_then(Value::as_str);
        Ok(VerifiedIdToken {
            subject: SubjectId::of(&provider, &claims.parties.sub),
            provider,
            email: email.and_then(|it| it.parse().ok()),
            // Some providers send the text `false`. Any other value than true is no confirmation.
            denies_email: claims.email_verified.is_some_and(|it| it != true && it != "true"),
            name: claims.name.as_ref().and_then(Value::as_str).and_then(name),
            hosted_domain: claims.hd.as_ref().and_then(Value::as_str).map(str::to_ascii_lowercase),
            issued_at,
            expires_at,
            id: self.id.clone(),
        })
    }
}

/// A number of seconds since 1970.
fn time(number: &Number) -> Result<Timestamp, InvalidIdToken> {
    let seconds = number.as_i64().or_else(|| number.as_f64().map(|it| it as i64));
    let time = seconds.and_then(|it| Timestamp::from_second(it).ok());
    time.ok_or(InvalidIdToken::Invalid)
}

/// The name of a person, if it has the form of one.
fn name(text: &str) -> Option<String> {
    let text = text.trim();
    let fits = (1..=MAX_NAME_LENGTH).contains(&text.chars().count());
    (fits && check_line(text).is_ok()).then(|| text.to_owned())
}

/// A link of a user to the account at the provider with which the user signed in. The stored form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Identity {
    /// The account at the provider.
    pub subject: SubjectId,
    /// The provider, and our registration there.
    pub provider: ProviderId,
    /// The team's choice of the provider.
    pub choice: ProviderChoice,
    /// The team whose provider it is.
    pub team: TeamId,
    /// Id of the user.
    pub user: String,
    /// Domain of the address that the provider stated last.
    pub domain: String,
    /// Time of a sign-in with this account: the first one since the user joined the team, or a later one.
    pub signed_in_at: Timestamp,
}

/// An ID token whose signature and claims are valid. Only [`PresentedIdToken::verify`] creates one.
#[derive(Clone, Debug, PartialEq)]
pub struct VerifiedIdToken {
    provider: ProviderId,
    subject: SubjectId,
    email: Option<Email>,
    denies_email: bool,
    name: Option<String>,
    hosted_domain: Option<String>,
    issued_at: Timestamp,
    expires_at: Timestamp,
    id: TokenHash,
}

impl VerifiedIdToken {
    /// The provider, and our registration there.
    pub fn provider(&self) -> &ProviderId {
        &self.provider
    }

    /// The account at the provider.
    pub fn subject(&self) -> &SubjectId {
        &self.subject
    }

    /// The address of the user. `None`: the provider states none, or says that it has not verified it.
    ///
    /// A provider that does not say whether it has (such as Microsoft Entra) is trusted: addresses count only in domains
    /// that the team of the provider has verified.
    pub fn email(&self) -> Option<&Email> {
        self.email.as_ref().filter(|_| !self.denies_email)
    }

    /// Whether the provider says that the address is not the user's.
    pub fn denies_email(&self) -> bool {
        self.denies_email
    }

    /// The name of the user.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The domain of the organisation of the account (`hd`), in lower case. Google states it.
    pub fn hosted_domain(&self) -> Option<&str> {
        self.hosted_domain.as_deref()
    }

    /// Whether the token may have been issued until this time: the clock of the provider may be ahead of ours.
    pub fn is_issued_until(&self, time: Timestamp) -> bool {
        self.issued_at <= time + CLOCK_DIFFERENCE
    }

    /// When the token ends.
    pub fn expires_at(&self) -> Timestamp {
        self.expires_at
    }

    /// The caller that the token identifies as a credential. `identity` and `member` are what is stored about its user. A
    /// user who was removed from the team and joined again signs in once more, as with a session. `provider` limits the role.
    pub fn caller(
        &self,
        identity: &Identity,
        member: Option<&Member>,
        provider: AnsweredFor,
        entitlement: Entitlement,
        now: Timestamp,
    ) -> Result<Caller, Refusal> {
        if self.expires_at <= now {
            return Err(Refusal::SessionExpired);
        }
        let member = member.ok_or(Refusal::SessionEnded)?;
        let is_same = identity.subject == self.subject
            && (&member.user, &member.team) == (&identity.user, &identity.team);
        if !is_same || identity.signed_in_at < member.since {
            return Err(Refusal::SessionEnded);
        }
        let role = provider.limit(member.role);
        Ok(Caller {
            principal: Principal::user(&identity.user),
            team: identity.team.clone(),
            entitlement,
            environment: Environment::Live,
            scopes: role.scopes().to_vec(),
            role: Some(role),
            session: None,
            id_token: Some(self.id.clone()),
            method: AuthMethod::Sso,
            expires_at: Some(self.expires_at),
            author: None,
            through: Some(ProviderSignIn {
                choice: identity.choice.clone(),
                domain: identity.domain.clone(),
            }),
        })
    }
}

#[cfg(test)]
mod tests;
