//! Sign-in with the identity provider of a team.

use access::Role;
use accounts::{AuditActor, Audited, SingleSignOn};
use auth::{
    Email, Entitlement, Identity, Language, Member, ProviderId, Session, SubjectId, TeamId,
    TokenHash, User, VerifiedIdToken,
};
use futures_util::future::{try_join, try_join3};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    ATTEMPTS, Error, SignedIn, TeamKey, Tenants, keys,
    members::{Denied, NotChanged, Steps},
    pause_after_conflict, sessions,
    table::{Read, Write},
    users::{address, new_user, replacement},
};

/// A sign-in that a browser has started, until the provider sends the browser back. Contains secrets, so it cannot be
/// printed.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SsoAttempt {
    /// The team that the user signs in to.
    pub team: TeamId,
    /// Its provider.
    pub provider: ProviderId,
    /// Hash of the cookie of the browser.
    pub browser: TokenHash,
    /// The text that the ID token must contain.
    pub nonce: String,
    /// The text that redeems the code (PKCE).
    pub verifier: String,
    /// Language of the browser.
    pub language: Language,
    /// Where the user goes after signing in.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub redirect_url: Option<String>,
    /// Time when the attempt ends.
    pub expires_at: Timestamp,
}

/// An ID token that its user has signed out with.
#[derive(Serialize, Deserialize)]
struct EndedToken {}

/// Why nobody is signed in.
#[derive(Debug, thiserror::Error)]
pub enum SsoRefused {
    /// The settings have changed during the sign-in.
    #[error("the single sign-on of the team has changed; start again")]
    OtherProvider,
    #[error("the identity provider states no e-mail address that it has verified")]
    NoEmail,
    #[error("the team has not verified that the domain `{0}` is its own")]
    UnverifiedDomain(String),
    /// Sign-in makes nobody a member who has an account already: such users join themselves, with an invitation.
    #[error(
        "there is an account with this e-mail address, and it is not a member of the team; ask an admin of the team for an invitation"
    )]
    NotMember,
    /// The address may have been given to another person.
    #[error(
        "another account of the identity provider signs in as the member with this e-mail address; if the address belongs to another person now, an admin has to remove the member first"
    )]
    OtherAccount,
    /// Otherwise, an admin could become an owner.
    #[error(
        "users with the role `{0}` cannot sign in with this identity provider, because an admin has chosen it; an owner must save the settings of single sign-on once"
    )]
    RoleTooHigh(Role),
    #[error(transparent)]
    NotChanged(#[from] NotChanged),
}

impl From<Error> for SsoRefused {
    fn from(failure: Error) -> Self {
        Self::NotChanged(failure.into())
    }
}

/// What is stored about the user of a presented ID token.
#[derive(Clone, Debug)]
pub struct PresentedIdentity {
    pub identity: Identity,
    /// Single sign-on of the user's team. `None`: it is not set up any more.
    pub settings: Option<SingleSignOn>,
    /// Membership of the user in the team. `None`: the user is not a member.
    pub member: Option<Member>,
    /// What the rate limits of the team depend on.
    pub entitlement: Entitlement,
    /// Whether the user has signed out with the token.
    pub is_signed_out: bool,
}

impl Tenants {
    /// Stores an attempt. Only the hash of its `state` is stored.
    pub async fn put_sso_attempt(
        &self,
        state: &TokenHash,
        attempt: &SsoAttempt,
    ) -> Result<(), Error> {
        let expires = attempt.expires_at.as_second() + 1;
        self.table.put_expiring(keys::sso_attempt(state), attempt, expires).await
    }

    /// The attempt with this state, which `is_own` must accept. Uses it up: of all requests with the same state, one gets
    /// it. An attempt that is not accepted stays.
    pub async fn take_sso_attempt(
        &self,
        state: &TokenHash,
        is_own: impl Fn(&SsoAttempt) -> bool,
        now: Timestamp,
    ) -> Result<Option<SsoAttempt>, Error> {
        let attempt: Option<SsoAttempt> = self.table.get(keys::sso_attempt(state)).await?;
        let attempt = attempt.filter(|it| it.expires_at > now && is_own(it));
        let Some(attempt) = attempt else { return Ok(None) };
        let delete = Write::delete(keys::sso_attempt(state)).if_present();
        match self.table.transact(vec![delete]).await {
            Ok(()) => Ok(Some(attempt)),
            Err(Error::Changed) => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// Starts a session of the user of an ID token in the team of the provider. The user of an account that has signed in
    /// before is the same as then; otherwise the user with the e-mail address, who must be a member. Without either, a new
    /// user becomes a member. `entry` makes the entry in the audit log of the team, written before.
    pub async fn sign_in_with_provider(
        &self,
        team: &TeamId,
        token: &VerifiedIdToken,
        language: Language,
        now: Timestamp,
        entry: impl Fn(AuditActor) -> Audited,
    ) -> Result<SignedIn, SsoRefused> {
        let key = TeamKey::of_user(team);
        let email = token.email().ok_or(SsoRefused::NoEmail)?;
        let mut announced = None;
        for attempt in 0..ATTEMPTS {
            let settings = self.single_sign_on(&key).await?;
            let settings = settings.filter(|it| it.provider() == *token.provider());
            let settings = settings.ok_or(SsoRefused::OtherProvider)?;
            if !settings.has_verified(email.domain()) {
                return Err(SsoRefused::UnverifiedDomain(email.domain().to_owned()));
            }
            let mut steps = Steps::default();
            let found = self.user_of(&key, token, email).await?;
            let (mut user, member) = match found {
                Some((user, member)) => (user, member),
                None => {
                    let user = new_user(email.clone(), language, now);
                    let (team, id) = (team.clone(), user.value.id.clone());
                    let member = Member { team, user: id.clone(), role: Role::Member, since: now };
                    steps.add_member(&member)?;
                    steps.add(address(email, &id)?, Denied::Overtaken);
                    (user, member)
                }
            };
            if member.role > settings.highest_role {
                return Err(SsoRefused::RoleTooHigh(member.role));
            }
            user.value.last_login_at = now;
            user.value.last_team = Some(team.clone());
            user.value.language = user.value.language.or(Some(language));
            user.value.name = user.value.name.or_else(|| token.name().map(str::to_owned));
            steps.add(replacement(&user)?, Denied::Overtaken);
            self.add_identity(&mut steps, &key, token, &user.value, now).await?;
            let id = Uuid::new_v4().to_string();
            let session = Session {
                provider: Some(token.provider().clone()),
                ..Session::starting(id, user.value.id.clone(), team.clone(), now)
            };
            steps.add(sessions::creation(&session)?, Denied::Overtaken);
            if announced.is_none() {
                announced = self.announce(&member, &entry).await?;
            }
            match self.apply(steps).await {
                Err(NotChanged::Denied(Denied::Overtaken | Denied::IsMember)) => {
                    pause_after_conflict(attempt).await;
                }
                Err(failure) => return Err(failure.into()),
                Ok(()) => {
                    self.record_outcome_of(announced).await;
                    let user = user.value;
                    return Ok(SignedIn { user, session, redirect_url: None });
                }
            }
        }
        Err(Error::Changed.into())
    }

    /// The user and member that an ID token is about. `None`: there is none yet.
    async fn user_of(
        &self,
        team: &TeamKey,
        token: &VerifiedIdToken,
        email: &Email,
    ) -> Result<Option<(Read<User>, Member)>, SsoRefused> {
        let identity = self.identity(token.subject()).await?;
        if let Some(identity) = identity.filter(|it| it.team == *team.team()) {
            let user = self.read_user_with_id(&identity.user);
            let (user, member) = try_join(user, self.member(team, &identity.user)).await?;
            return Ok(Some(user.zip(member).ok_or(SsoRefused::NotMember)?));
        }
        let Some(user) = self.read_user(email).await? else { return Ok(None) };
        let member = self.member(team, &user.value.id).await?.ok_or(SsoRefused::NotMember)?;
        let linked = self.identity_of(team, &user.value.id).await?;
        let is_linked = linked
            .is_some_and(|it| it.provider == *token.provider() && it.signed_in_at >= member.since);
        if is_linked { Err(SsoRefused::OtherAccount) } else { Ok(Some((user, member))) }
    }

    /// Links the account at the provider with the user, in place of an earlier account.
    async fn add_identity(
        &self,
        steps: &mut Steps,
        team: &TeamKey,
        token: &VerifiedIdToken,
        user: &User,
        now: Timestamp,
    ) -> Result<(), Error> {
        let identity = Identity {
            subject: token.subject().clone(),
            provider: token.provider().clone(),
            team: team.team().clone(),
            user: user.id.clone(),
            domain: token.email().map(Email::domain).unwrap_or_default().to_owned(),
            signed_in_at: now,
        };
        let old = self.identity_of(team, &user.id).await?;
        if let Some(old) = old.filter(|it| it.subject != identity.subject) {
            steps.add(Write::delete(keys::sso_identity(&old.subject)), Denied::Overtaken);
        }
        for key in [keys::sso_identity(&identity.subject), keys::sso_identity_of(team, &user.id)] {
            steps.add(Write::put_document(key, &identity)?, Denied::Overtaken);
        }
        Ok(())
    }

    async fn identity(&self, subject: &SubjectId) -> Result<Option<Identity>, Error> {
        self.table.get(keys::sso_identity(subject)).await
    }

    /// The account with which a user signs in to a team.
    async fn identity_of(&self, team: &TeamKey, user: &str) -> Result<Option<Identity>, Error> {
        self.table.get(keys::sso_identity_of(team, user)).await
    }

    /// What is stored about the user of an ID token. `None`: the user has never signed in.
    pub async fn presented_identity(
        &self,
        subject: &SubjectId,
        token: &TokenHash,
    ) -> Result<Option<PresentedIdentity>, Error> {
        let Some(identity) = self.identity(subject).await? else { return Ok(None) };
        let team = TeamKey::of_user(&identity.team);
        let about_team = try_join(self.single_sign_on(&team), self.entitlement(&identity.team));
        let member = self.table.get(sessions::member_key(&identity.team, &identity.user));
        let ended = self.table.get::<EndedToken>(keys::ended_id_token(token));
        let ((settings, entitlement), member, ended) = try_join3(about_team, member, ended).await?;
        let is_signed_out = ended.is_some();
        Ok(Some(PresentedIdentity { identity, settings, member, entitlement, is_signed_out }))
    }

    /// Refuses an ID token from now on. `expires_at` is when it ends by itself.
    pub async fn end_id_token(
        &self,
        token: &TokenHash,
        expires_at: Timestamp,
    ) -> Result<(), Error> {
        let expires = expires_at.as_second() + 1;
        self.table.put_expiring(keys::ended_id_token(token), &EndedToken {}, expires).await
    }
}
