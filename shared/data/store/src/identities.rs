//! Sign-in with the identity provider of a team.

use access::Role;
use auth::{
    Email, Entitlement, Identity, Language, Member, ProviderChoice, ProviderId, Session, SubjectId,
    TeamId, TokenHash, User, VerifiedIdToken,
};
use futures_util::future::{try_join, try_join3, try_join4};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use teams::{AuditActor, Audited, CurrentSso, NotAdmitted, SingleSignOn};
use uuid::Uuid;

use crate::{
    ATTEMPTS, Error, SignedIn, TeamKey, Tenants, keys,
    members::{Denied, NotChanged, Steps},
    pause_after_conflict, sessions,
    table::{Read, Row, Write},
    users::{address, new_user, replacement},
};

/// Maximum number of accounts of an earlier provider that one request deletes.
const MAX_FORGOTTEN: usize = 450;
/// Number of those that are deleted in one transaction. Each is two items.
const FORGOTTEN_TOGETHER: usize = 45;

/// A sign-in that a browser has started, until the provider sends the browser back. Contains secrets, so it cannot be
/// printed.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SsoAttempt {
    /// The team that the user signs in to.
    pub team: TeamId,
    /// Its provider.
    pub provider: ProviderId,
    /// Its choice of the provider.
    pub choice: ProviderChoice,
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

/// An account at a provider, until the user with its e-mail address confirms that it is theirs.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingIdentity {
    /// The link that is made.
    pub identity: Identity,
    /// Hash of the cookie of the browser that has signed in with the account.
    pub browser: TokenHash,
    /// The address that the mail was sent to: that of the user.
    pub email: Email,
    /// Language of the mail.
    pub language: Language,
    /// Time when the link in the mail stops working.
    pub expires_at: Timestamp,
}

/// An account that is not linked with the member who has its e-mail address.
#[derive(Clone, Debug)]
pub struct Unlinked {
    pub identity: Identity,
    pub user: User,
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
        "there is or was an account with this e-mail address, and it is not a member of the team; ask an admin of the team for an invitation"
    )]
    NotMember,
    /// The address may have been given to another person.
    #[error(
        "another account of the identity provider signs in as the member with this e-mail address; if the address belongs to another person now, an admin has to remove the member first"
    )]
    OtherAccount,
    /// Otherwise, a person who controls the provider could become any member.
    #[error(
        "the account at the identity provider is not linked with the member yet who has its e-mail address; open the link in the e-mail that was sent to this address, in the same browser and within 10 minutes, and then sign in again"
    )]
    Unlinked(Box<Unlinked>),
    #[error(transparent)]
    NotAdmitted(#[from] NotAdmitted),
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
    pub sso: Option<CurrentSso>,
    /// Membership of the user in the team. `None`: the user is not a member.
    pub member: Option<Member>,
    /// What the rate limits of the team depend on.
    pub entitlement: Entitlement,
    /// Whether the user has signed out with the token.
    pub is_signed_out: bool,
    /// When the sessions of the user were ended last: all, or those in the team.
    pub ended_at: Option<Timestamp>,
}

/// The link between the account of an ID token and a user.
fn identity(
    token: &VerifiedIdToken,
    settings: &SingleSignOn,
    team: &TeamKey,
    user: &str,
    now: Timestamp,
) -> Identity {
    Identity {
        subject: token.subject().clone(),
        provider: token.provider().clone(),
        choice: settings.choice.clone(),
        team: team.team().clone(),
        user: user.to_owned(),
        domain: token.email().map(Email::domain).unwrap_or_default().to_owned(),
        signed_in_at: now,
    }
}

/// The revision of a stored link: another one for each time at which it was made.
fn revision_of(identity: &Identity) -> usize {
    usize::try_from(identity.signed_in_at.as_millisecond()).unwrap_or_default()
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

    /// Starts a session of the user of an ID token in the team of the provider. The user of an account that is linked is the
    /// same as before. Without one, and if no user has or had the e-mail address, a new user becomes a member. A member who has the
    /// address must link the account first, see [`Self::link_identity`]. `choice` is the choice of the provider with which the
    /// sign-in was started. `entry` makes the entry in the audit log of the team.
    pub async fn sign_in_with_provider(
        &self,
        (team, choice): (&TeamId, &ProviderChoice),
        token: &VerifiedIdToken,
        language: Language,
        now: Timestamp,
        entry: impl Fn(AuditActor) -> Audited,
    ) -> Result<SignedIn, SsoRefused> {
        let key = TeamKey::of_user(team);
        let email = token.email().ok_or(SsoRefused::NoEmail)?;
        for attempt in 0..ATTEMPTS {
            let (sso, is_erased) = try_join(self.current_sso(&key), self.is_erased(team)).await?;
            let is_same = |it: &CurrentSso| {
                (it.settings.provider(), &it.settings.choice) == (token.provider().clone(), choice)
            };
            let sso = sso.filter(|it| !is_erased && is_same(it));
            let sso = sso.ok_or(SsoRefused::OtherProvider)?;
            sso.admits(token, now)?;
            let settings = sso.settings;
            if !settings.has_verified(email.domain()) {
                return Err(SsoRefused::UnverifiedDomain(email.domain().to_owned()));
            }
            let mut steps = Steps::default();
            let found = self.user_of(&key, &settings, token, email, now).await?;
            let (user, member) = match found {
                Some((mut user, member, identity)) => {
                    // What the provider states changes nothing else of a user, who may be in other teams.
                    user.value.last_login_at = now;
                    let is_same_domain = identity.domain == email.domain();
                    // Otherwise, concurrent sign-ins would write the same items.
                    if !is_same_domain || identity.signed_in_at < member.since {
                        let identity = self::identity(token, &settings, &key, &user.value.id, now);
                        self.add_identity(&mut steps, &key, &identity).await?;
                    }
                    (user, member)
                }
                // Otherwise, a member who was removed would come back after deleting the own user.
                None if self.erased_user_with(email).await?.is_some() => {
                    return Err(SsoRefused::NotMember);
                }
                None => {
                    let mut user = new_user(email.clone(), language, now);
                    user.value.name = token.name().map(str::to_owned);
                    user.value.last_team = Some(team.clone());
                    let (team, id) = (team.clone(), user.value.id.clone());
                    let member = Member { team, user: id.clone(), role: Role::Member, since: now };
                    steps.add_member(&member)?;
                    steps.add(address(email, &id)?, Denied::Overtaken);
                    steps.add(replacement(&user)?, Denied::Overtaken);
                    let identity = self::identity(token, &settings, &key, &id, now);
                    self.add_identity(&mut steps, &key, &identity).await?;
                    (user, member)
                }
            };
            let id = Uuid::new_v4().to_string();
            let session = Session {
                provider: Some(token.provider().clone()),
                choice: Some(settings.choice.clone()),
                domain: Some(email.domain().to_owned()),
                ..Session::starting(id, user.value.id.clone(), team.clone(), now)
            };
            steps.add(sessions::creation(&session)?, Denied::Overtaken);
            match self.apply(steps).await {
                Err(NotChanged::Denied(Denied::Overtaken | Denied::IsMember)) => {
                    pause_after_conflict(attempt).await;
                }
                Err(failure) => return Err(failure.into()),
                Ok(()) => {
                    self.record_sign_in(&session, &member, entry).await?;
                    self.touch(&user).await?;
                    let user = user.value;
                    return Ok(SignedIn { user, session, redirect_url: None });
                }
            }
        }
        Err(Error::Changed.into())
    }

    /// Stores the time of the last sign-in of a user who existed before. If another request changes the user at the same time,
    /// that change stands.
    async fn touch(&self, user: &Read<User>) -> Result<(), Error> {
        if user.revision == 0 {
            return Ok(());
        }
        match self.table.transact(vec![replacement(user)?]).await {
            Err(Error::Changed) => Ok(()),
            other => other,
        }
    }

    /// The user, the member and the linked account that an ID token is about. `None`: there is no such user yet.
    async fn user_of(
        &self,
        team: &TeamKey,
        settings: &SingleSignOn,
        token: &VerifiedIdToken,
        email: &Email,
        now: Timestamp,
    ) -> Result<Option<(Read<User>, Member, Identity)>, SsoRefused> {
        let is_linked = |it: &Identity| it.team == *team.team() && settings.counts(it);
        let identity = self.identity(token.subject()).await?;
        if let Some(identity) = identity.filter(is_linked) {
            let user = self.read_user_with_id(&identity.user);
            let (user, member) = try_join(user, self.member(team, &identity.user)).await?;
            let (user, member) = user.zip(member).ok_or(SsoRefused::NotMember)?;
            self.not_erased(&user.value.id).await?;
            return Ok(Some((user, member, identity)));
        }
        let Some(user) = self.read_user(email).await? else { return Ok(None) };
        self.not_erased(&user.value.id).await?;
        let member = self.member(team, &user.value.id).await?.ok_or(SsoRefused::NotMember)?;
        let linked = self.identity_of(team, &user.value.id).await?;
        match linked.filter(|it| is_linked(it) && it.signed_in_at >= member.since) {
            // A sign-in at the same time has linked it.
            Some(identity) if identity.subject == *token.subject() => {
                Ok(Some((user, member, identity)))
            }
            Some(_) => Err(SsoRefused::OtherAccount),
            None => {
                let identity = self::identity(token, settings, team, &user.value.id, now);
                Err(SsoRefused::Unlinked(Box::new(Unlinked { identity, user: user.value })))
            }
        }
    }

    /// Refuses a user who was erased, and whom a restored backup has brought back.
    async fn not_erased(&self, user: &str) -> Result<(), SsoRefused> {
        match Box::pin(self.is_user_erased(user)).await? {
            true => Err(SsoRefused::NotMember),
            false => Ok(()),
        }
    }

    /// Stores an account that waits for the confirmation of its user.
    pub async fn put_pending_identity(
        &self,
        token: &TokenHash,
        pending: &PendingIdentity,
    ) -> Result<(), Error> {
        let expires = pending.expires_at.as_second() + 1;
        self.table.put_expiring(keys::sso_confirmation(token), pending, expires).await
    }

    /// The account that the link with this token asks about, and the issuer of the provider.
    pub async fn pending_identity(
        &self,
        token: &TokenHash,
        now: Timestamp,
    ) -> Result<Option<(PendingIdentity, String)>, Error> {
        let pending: Option<PendingIdentity> =
            self.table.get(keys::sso_confirmation(token)).await?;
        let Some(pending) = pending.filter(|it| it.expires_at > now) else { return Ok(None) };
        let settings = self.single_sign_on(&TeamKey::of_user(&pending.identity.team)).await?;
        let settings = settings.filter(|it| it.counts(&pending.identity));
        Ok(settings.map(|it| (pending, it.issuer)))
    }

    /// Links an account at the provider with the user who confirms it: who has got the mail, in the browser that has signed in
    /// at the provider. Nobody else can link it, neither the provider nor an owner of the team. `None`: there is no such
    /// account, it was linked already, or the browser is another one. `entry` makes the entry in the audit log of the team,
    /// written before.
    pub async fn link_identity(
        &self,
        token: &TokenHash,
        browser: &TokenHash,
        now: Timestamp,
        entry: impl Fn(AuditActor) -> Audited,
    ) -> Result<Option<PendingIdentity>, SsoRefused> {
        let key = keys::sso_confirmation(token);
        let mut announced = None;
        for attempt in 0..ATTEMPTS {
            let pending: Option<PendingIdentity> = self.table.get(key.clone()).await?;
            let is_own = |it: &PendingIdentity| it.expires_at > now && it.browser == *browser;
            let Some(pending) = pending.filter(is_own) else { return Ok(None) };
            let identity = &pending.identity;
            let team = TeamKey::of_user(&identity.team);
            let sso = self.current_sso(&team).await?;
            let sso = sso.filter(|it| it.settings.counts(identity));
            let sso = sso.ok_or(SsoRefused::OtherProvider)?;
            sso.is_confirmed(now)?;
            let settings = sso.settings;
            if !settings.has_verified(&identity.domain) {
                return Err(SsoRefused::UnverifiedDomain(identity.domain.clone()));
            }
            let user = self.user(&identity.user).await?.filter(|it| it.email == pending.email);
            let member = self.member(&team, &identity.user).await?;
            let (user, member) = user.zip(member).ok_or(SsoRefused::NotMember)?;
            self.not_erased(&user.id).await?;
            let linked = self.identity_of(&team, &user.id).await?;
            let by_account = self.identity(&identity.subject).await?;
            let is_other = |it: &Identity| {
                settings.counts(it)
                    && it.signed_in_at >= member.since
                    && (&it.subject, &it.user) != (&identity.subject, &identity.user)
            };
            if linked.iter().chain(&by_account).any(is_other) {
                return Err(SsoRefused::OtherAccount);
            }
            let mut steps = Steps::default();
            steps.add(Write::delete(key.clone()).if_present(), Denied::Used);
            self.add_identity(&mut steps, &team, identity).await?;
            if announced.is_none() {
                announced = self.announce(&member, &entry, now).await?;
            }
            match self.apply(steps).await {
                Err(NotChanged::Denied(Denied::Used)) => return Ok(None),
                Err(NotChanged::Denied(_)) => pause_after_conflict(attempt).await,
                Err(failure) => return Err(failure.into()),
                Ok(()) => {
                    self.record_outcome_of(announced).await;
                    return Ok(Some(pending));
                }
            }
        }
        Err(Error::Changed.into())
    }

    /// Links the account at the provider with the user, in place of an earlier account.
    async fn add_identity(
        &self,
        steps: &mut Steps,
        team: &TeamKey,
        identity: &Identity,
    ) -> Result<(), Error> {
        let old = self.identity_of(team, &identity.user).await?;
        if let Some(old) = old.filter(|it| it.subject != identity.subject) {
            steps.add(Write::delete(keys::sso_identity(&old.subject)), Denied::Overtaken);
        }
        let revision = revision_of(identity);
        let keys =
            [keys::sso_identity(&identity.subject), keys::sso_identity_of(team, &identity.user)];
        for key in keys {
            let put = Write::put_document(key, identity)?;
            steps.add(put.at_revision(revision), Denied::Overtaken);
        }
        Ok(())
    }

    /// Deletes accounts that were linked with an earlier choice of the provider: they do not count any more. At most
    /// [`MAX_FORGOTTEN`]; the next change deletes others.
    pub async fn forget_identities(&self, team: &TeamKey) -> Result<(), Error> {
        let settings = self.single_sign_on(team).await?;
        let is_old = |it: &Identity| {
            it.team == *team.team() && settings.as_ref().is_none_or(|settings| !settings.counts(it))
        };
        let copies = self.table.query_rows(keys::sso_identity_of(team, "")).await?;
        let copies = copies.into_iter().map(Row::read_revised::<Identity>);
        let copies: Vec<Read<Identity>> = copies.collect::<Result<_, _>>()?;
        let old: Vec<Read<Identity>> =
            copies.into_iter().filter(|it| is_old(&it.value)).take(MAX_FORGOTTEN).collect();
        for chunk in old.chunks(FORGOTTEN_TOGETHER) {
            let keys = chunk.iter().map(|it| keys::sso_identity(&it.value.subject)).collect();
            let accounts = self.table.get_rows(keys).await?.into_iter();
            let accounts: Vec<Read<Identity>> =
                accounts.map(Row::read_revised).collect::<Result<_, _>>()?;
            let copies = chunk.iter().map(|it| {
                let key = keys::sso_identity_of(team, &it.value.user);
                Write::delete(key).if_revision(it.revision)
            });
            let accounts = accounts.iter().filter(|it| is_old(&it.value)).map(|it| {
                Write::delete(keys::sso_identity(&it.value.subject)).if_revision(it.revision)
            });
            match self.table.transact(accounts.chain(copies).collect()).await {
                // Somebody has signed in at the same time.
                Ok(()) | Err(Error::Changed) => {}
                Err(failure) => return Err(failure),
            }
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

    /// What is stored about the user of the ID token with this id. `None`: the user has never signed in, or the team or the user is
    /// erased.
    pub async fn presented_identity(
        &self,
        subject: &SubjectId,
        id: &TokenHash,
        now: Timestamp,
    ) -> Result<Option<PresentedIdentity>, Error> {
        let Some(identity) = self.identity(subject).await? else { return Ok(None) };
        let team = TeamKey::of_user(&identity.team);
        let (sso, entitlement) = (self.current_sso(&team), self.entitlement(&identity.team, now));
        let about_team =
            try_join3(sso, entitlement, self.is_either_erased(&identity.team, &identity.user));
        let member = self.table.get(sessions::member_key(&identity.team, &identity.user));
        let ended = self.table.get::<EndedToken>(keys::ended_id_token(id));
        let all_ended = self.sessions_ended_at(&identity.user, &identity.team);
        let ((sso, entitlement, is_erased), member, ended, ended_at) =
            try_join4(about_team, member, ended, all_ended).await?;
        if is_erased {
            return Ok(None);
        }
        let is_signed_out = ended.is_some();
        Ok(Some(PresentedIdentity { identity, sso, member, entitlement, is_signed_out, ended_at }))
    }

    /// Refuses an ID token from now on. `expires_at` is when it ends by itself.
    pub async fn end_id_token(&self, id: &TokenHash, expires_at: Timestamp) -> Result<(), Error> {
        let expires = expires_at.as_second() + 1;
        self.table.put_expiring(keys::ended_id_token(id), &EndedToken {}, expires).await
    }
}
