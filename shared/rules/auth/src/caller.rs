use std::fmt;

use access::{Environment, Role, Scope, Tier};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ApiKey, Author, Authority, Creator, Entitlement, HashedSecret, KeyAuthor, KeyId,
    ProviderSignIn, Rights, TeamId, TokenHash,
};

/// The API key or user that acts for a team. Stored as the author of everything that a team creates.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
pub struct Principal {
    /// Whether an API key or a user acted.
    #[serde(rename = "type")]
    pub kind: PrincipalKind,
    /// Id of the API key or the user.
    #[schema(example = "0b7a6c1e-3f52-4d4e-9a57-6d1f8c2b4e90")]
    pub id: String,
}

/// Who acted: `api_key` or `user`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum PrincipalKind {
    /// An API key. Rotation keeps its id.
    ApiKey,
    /// A user.
    User,
}

impl Principal {
    /// The API key that its team lists under this id.
    pub fn api_key(id: impl Into<String>) -> Self {
        Self { kind: PrincipalKind::ApiKey, id: id.into() }
    }

    /// The user with this id.
    pub fn user(id: impl Into<String>) -> Self {
        Self { kind: PrincipalKind::User, id: id.into() }
    }

    /// Whose personal data the principal reads and changes.
    pub fn owner(&self) -> Owner {
        match self.kind {
            PrincipalKind::ApiKey => Owner::ApiKeys,
            PrincipalKind::User => Owner::User(self.id.clone()),
        }
    }
}

/// What a principal has delegated: stored with an invitation, an export, or an address for notifications.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Delegation {
    /// The API key or user.
    pub by: Principal,
    /// Time.
    pub at: Timestamp,
    /// The sign-in at the team's identity provider. Absent without single sign-on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub through: Option<ProviderSignIn>,
}

impl Delegation {
    /// By an API key, or by a user who has signed in with a link.
    pub fn new(by: Principal, at: Timestamp) -> Self {
        Self { by, at, through: None }
    }
}

/// Owner of personal data, such as settings.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Owner {
    /// The API keys of a team, which share one set.
    ApiKeys,
    /// The user with this id.
    User(String),
}

impl Owner {
    /// The id of the user. `None`: the API keys.
    pub fn user(&self) -> Option<&str> {
        match self {
            Self::ApiKeys => None,
            Self::User(id) => Some(id),
        }
    }
}

/// Stored instead of the id of a user, which is a UUID.
const API_KEYS: &str = "team";

/// As in the keys of stored data.
impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.user().unwrap_or(API_KEYS))
    }
}

impl From<Owner> for String {
    fn from(owner: Owner) -> Self {
        owner.to_string()
    }
}

impl From<String> for Owner {
    fn from(text: String) -> Self {
        if text == API_KEYS { Self::ApiKeys } else { Self::User(text) }
    }
}

/// The stored part of an API key that is needed to verify it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Credential {
    /// Team that owns the key.
    pub team: TeamId,
    /// Environment in which the key acts.
    pub environment: Environment,
    /// Public identifier of the key.
    pub key_id: KeyId,
    /// Hash of the secret.
    pub hash: HashedSecret,
    /// Permissions of the key.
    pub scopes: Vec<Scope>,
    /// Time at which the key expires. `None`: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// Time at which the key was revoked. `None`: it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<Timestamp>,
}

/// How a caller is authenticated: `apiKey`, `session` (started with a sign-in link) or `sso` (single sign-on: a session
/// that the team's identity provider has started, or an ID token of the provider).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum AuthMethod {
    /// An API key.
    ApiKey,
    /// A session that a sign-in link has started.
    Session,
    /// Single sign-on: a session that the team's identity provider has started, or an ID token of the provider.
    Sso,
}

/// Why an API key or a session is rejected.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// No such key, or the wrong secret.
    #[error("unknown API key")]
    Unknown,
    /// The team revoked the key.
    #[error("the API key was revoked")]
    Revoked,
    /// The key's expiry time has passed.
    #[error("the API key has expired")]
    Expired,
    /// The person on whose rights the key depends is not a member of the team any more, or the identity provider does not count any
    /// more that said who the person was.
    #[error(
        "the API key has ended, because the person who created it is no longer a member of the team, or was signed in by an identity provider that the team has no longer; an admin of the team can rotate the key to take it over"
    )]
    AuthorLeft,
    /// A forged token, or one for another service.
    #[error("the session token is not valid; sign in again")]
    InvalidSession,
    /// The user signed out, or is no longer a member of the team.
    #[error("the session has ended; sign in again")]
    SessionEnded,
    /// The session's time has passed.
    #[error("the session has expired; sign in again")]
    SessionExpired,
    /// A forged ID token, one of an unknown provider, or one of a user who has never signed in.
    #[error(
        "the ID token is not valid, or its user has not signed in with single sign-on yet; sign in again"
    )]
    InvalidIdToken,
    /// The team does not accept the account, or nobody answers for its provider.
    #[error(
        "the team does not accept this account of its identity provider, or an owner of the team must confirm the provider; sign in again to see the reason"
    )]
    NotAdmitted,
    /// The user has signed out.
    #[error("the user has signed out; sign in again")]
    SignedOut,
}

/// Proof that a request has presented the key of a credential. Only [`Credential::prove`] and [`KeyMemory::recall`] make one.
///
/// [`KeyMemory::recall`]: crate::KeyMemory::recall
#[derive(Debug)]
pub struct ProvenKey {
    /// Of the credential.
    hash: HashedSecret,
}

impl ProvenKey {
    pub(crate) fn of(credential: &Credential) -> Self {
        Self { hash: credential.hash.clone() }
    }
}

/// The authenticated caller of a request. Only [`Credential::admit`], [`SessionClaims::caller`] and
/// [`VerifiedIdToken::caller`] create one, so a `Caller` proves that its key, session or ID token was verified.
///
/// [`SessionClaims::caller`]: crate::SessionClaims::caller
/// [`VerifiedIdToken::caller`]: crate::VerifiedIdToken::caller
#[derive(Clone, Debug, PartialEq)]
pub struct Caller {
    pub(crate) principal: Principal,
    pub(crate) team: TeamId,
    pub(crate) entitlement: Entitlement,
    pub(crate) environment: Environment,
    pub(crate) scopes: Vec<Scope>,
    pub(crate) role: Option<Role>,
    pub(crate) session: Option<String>,
    pub(crate) id_token: Option<TokenHash>,
    pub(crate) method: AuthMethod,
    pub(crate) expires_at: Option<Timestamp>,
    /// Id of the user on whose rights an API key depends.
    pub(crate) author: Option<String>,
    /// The sign-in at the identity provider that said who the user is, or the author of the key.
    pub(crate) through: Option<ProviderSignIn>,
}

impl Credential {
    /// Whether the key has the id of the credential. Its secret may be another one.
    pub(crate) fn is_of(&self, key: &ApiKey) -> bool {
        self.key_id == key.id && self.environment == key.environment
    }

    /// Proves by the hash of the secret that this is the key of the credential. `None`: it is not.
    ///
    /// Takes tens of milliseconds; do not call it on an async thread.
    pub fn prove(&self, key: &ApiKey) -> Option<ProvenKey> {
        (self.is_of(key) && self.hash.verify(&key.secret)).then(|| ProvenKey::of(self))
    }

    /// The caller with the proven key, if it is neither revoked nor expired, and its author may still grant it. Without a proof, the
    /// answer is always [`Refusal::Unknown`], so that it reveals nothing about the key. `principal` identifies the key to its team;
    /// `author` is whose rights it depends on, who may still grant `authority`.
    pub fn admit(
        &self,
        proven: Option<ProvenKey>,
        principal: Principal,
        (author, authority): (&KeyAuthor, Authority),
        entitlement: Entitlement,
        now: Timestamp,
    ) -> Result<Caller, Refusal> {
        if proven.is_none_or(|it| it.hash != self.hash) {
            return Err(Refusal::Unknown);
        }
        if self.revoked_at.is_some() {
            return Err(Refusal::Revoked);
        }
        if self.expires_at.is_some_and(|it| it <= now) {
            return Err(Refusal::Expired);
        }
        if authority == Authority::Ended {
            return Err(Refusal::AuthorLeft);
        }
        Ok(Caller {
            principal,
            team: self.team.clone(),
            entitlement,
            environment: self.environment,
            scopes: authority.limit(&self.scopes),
            role: None,
            session: None,
            id_token: None,
            method: AuthMethod::ApiKey,
            expires_at: self.expires_at,
            author: author.user().map(str::to_owned),
            through: author.through().cloned(),
        })
    }

    /// When the key stopped or stops working: when it was revoked or expires, whichever comes first. `None`: it
    /// works without limit.
    pub fn ends_at(&self) -> Option<Timestamp> {
        [self.revoked_at, self.expires_at].into_iter().flatten().min()
    }
}

impl Caller {
    /// The API key or user that acts.
    pub fn principal(&self) -> &Principal {
        &self.principal
    }

    /// Id of the user who acts, or on whose rights the API key depends. `None`: the key of the operator.
    pub fn author(&self) -> Option<&str> {
        match self.principal.kind {
            PrincipalKind::ApiKey => self.author.as_deref(),
            PrincipalKind::User => Some(&self.principal.id),
        }
    }

    /// Whose rights an API key depends on that the caller makes now: [`Self::author`], or the operator.
    pub fn key_author(&self, now: Timestamp) -> KeyAuthor {
        match self.author() {
            Some(user) => KeyAuthor::User(Author {
                user: user.to_owned(),
                since: now,
                through: self.through.clone(),
            }),
            None => KeyAuthor::Operator { since: now },
        }
    }

    /// What the caller delegates now.
    pub fn delegation(&self, now: Timestamp) -> Delegation {
        Delegation { by: self.principal.clone(), at: now, through: self.through.clone() }
    }

    /// The person who answers for what the caller causes: [`Self::author`], or else the creator of the team. `None`: the
    /// operator.
    pub fn responsible(&self) -> Option<Creator> {
        self.author().map(Creator::user).or_else(|| self.entitlement.creator.clone())
    }

    /// Team that owns the key, or that the session acts for.
    pub fn team(&self) -> &TeamId {
        &self.team
    }

    /// Tier of the team.
    pub fn tier(&self) -> Tier {
        self.entitlement.tier
    }

    /// What the rate limits of the team depend on.
    pub fn entitlement(&self) -> &Entitlement {
        &self.entitlement
    }

    /// How the caller is authenticated.
    pub fn method(&self) -> AuthMethod {
        self.method
    }

    /// Environment of the key. That of a session is live.
    pub fn environment(&self) -> Environment {
        self.environment
    }

    /// Permissions of the key or of the user's role.
    pub fn scopes(&self) -> &[Scope] {
        &self.scopes
    }

    /// Whether the key or the user's role has this scope.
    pub fn may(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope)
    }

    /// Role with which the user acts in the team: at most that of an admin with single sign-on. `None`: the caller is an API
    /// key.
    pub fn role(&self) -> Option<Role> {
        self.role
    }

    /// Id of the session. `None`: the caller is an API key or has sent an ID token.
    pub fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    /// Hash of the ID token that the caller has sent. `None`: the caller is an API key or has a session.
    pub fn id_token(&self) -> Option<&TokenHash> {
        self.id_token.as_ref()
    }

    /// When the key, the session or the ID token expires. `None`: never.
    pub fn expires_at(&self) -> Option<Timestamp> {
        self.expires_at
    }

    /// Until when the keys that the caller creates may work. `None`: without limit.
    ///
    /// A key that expires must not give longer access than itself. A session may: every user signs in again.
    pub fn keys_expire_by(&self) -> Option<Timestamp> {
        self.expires_at.filter(|_| self.method == AuthMethod::ApiKey)
    }

    /// What the caller may do.
    pub fn rights(&self) -> Rights {
        Rights { role: self.role, scopes: self.scopes.clone() }
    }

    /// Whether the caller may give a user this role, or take it away.
    pub fn may_assign(&self, role: Role) -> bool {
        self.rights().may_assign(role)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn credential(key: &ApiKey) -> Credential {
        Credential {
            team: TeamId("team".into()),
            environment: key.environment,
            key_id: key.id.clone(),
            hash: HashedSecret::of(&key.secret).expect("hashed"),
            scopes: vec![Scope::Read],
            expires_at: None,
            revoked_at: None,
        }
    }

    /// No person has delegated the key.
    const ANYBODY: (&KeyAuthor, Authority) =
        (&KeyAuthor::Operator { since: Timestamp::UNIX_EPOCH }, Authority::Unlimited);

    fn principal() -> Principal {
        Principal::api_key("0199c0de-0000-7000-8000-000000000000")
    }

    #[test]
    fn nobody_assigns_a_role_that_gives_more_than_the_own() {
        let key = ApiKey::generate(Environment::Live);
        let caller = |scopes: &[Scope]| {
            let credential = Credential { scopes: scopes.to_vec(), ..credential(&key) };
            let (now, entitlement) = (Timestamp::UNIX_EPOCH, Tier::Free.into());
            let proven = credential.prove(&key);
            let verified = credential.admit(proven, principal(), ANYBODY, entitlement, now);
            verified.expect("verified")
        };
        let assignable = |caller: &Caller| Role::ALL.map(|it| caller.may_assign(it));
        assert_eq!(assignable(&caller(&Scope::ALL)), [true, true, false]);
        assert_eq!(assignable(&caller(&[Scope::Read, Scope::Write])), [true, false, false]);
        assert_eq!(assignable(&caller(&[Scope::Manage])), [false, false, false]);
        let user = |role| Caller { role: Some(role), ..caller(&[]) };
        assert_eq!(assignable(&user(Role::Owner)), [true, true, true]);
        assert_eq!(assignable(&user(Role::Admin)), [true, true, false]);
        assert_eq!(assignable(&user(Role::Member)), [true, false, false]);
    }

    #[test]
    fn verification_requires_the_right_secret_and_a_key_neither_revoked_nor_expired() {
        let now = Timestamp::UNIX_EPOCH;
        let starter = || Entitlement::from(Tier::Starter);
        let key = ApiKey::generate(Environment::Live);
        let valid = credential(&key);
        let verify = |credential: &Credential, key: &ApiKey, author: (&KeyAuthor, Authority)| {
            credential.admit(credential.prove(key), principal(), author, starter(), now)
        };
        let caller = verify(&valid, &key, ANYBODY).expect("verified");
        assert!(caller.may(Scope::Read) && !caller.may(Scope::Write));

        let refusal = |credential: &Credential, key: &ApiKey| {
            verify(credential, key, ANYBODY).expect_err("refused")
        };
        let other_secret = ApiKey { id: key.id.clone(), ..ApiKey::generate(Environment::Live) };
        assert_eq!(refusal(&valid, &other_secret), Refusal::Unknown);

        let revoked = Credential { revoked_at: Some(now), ..valid.clone() };
        assert_eq!(refusal(&revoked, &key), Refusal::Revoked);
        assert_eq!(refusal(&revoked, &other_secret), Refusal::Unknown);

        let expired = Credential { expires_at: Some(now), ..valid.clone() };
        assert_eq!(refusal(&expired, &key), Refusal::Expired);

        let eva = Author { user: "eva".into(), since: now, through: None };
        let eva = KeyAuthor::User(eva);
        let gone = (&eva, Authority::Ended);
        assert_eq!(verify(&valid, &key, gone), Err(Refusal::AuthorLeft));

        // The proof of another credential is none.
        let other = ApiKey::generate(Environment::Live);
        let proof = credential(&other).prove(&other);
        let admitted = valid.admit(proof, principal(), ANYBODY, starter(), now);
        assert_eq!(admitted, Err(Refusal::Unknown));
    }
}
