use std::collections::BTreeMap;

use access::{Environment, Role};
use auth::{Email, Language, Member, Session, TeamId, TokenHash, User};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use teams::{AuditActor, Audited};
use uuid::Uuid;

use crate::{
    ATTEMPTS, Error, TeamKey, Tenants, keys,
    members::{Denied, NotChanged, Steps},
    pause_after_conflict, sessions,
    table::{Read, Write},
};

/// A link that signs in its address, once.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MagicLink {
    /// The address that the link was sent to.
    pub email: Email,
    /// Language of the mail.
    pub language: Language,
    /// Where the user goes after signing in.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub redirect_url: Option<String>,
    /// The team that the user joins, and the id of its invitation.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub invitation: Option<(TeamId, String)>,
    /// Time when the link stops signing in a user who exists already. That of an invitation creates an account for longer.
    pub signs_in_until: Timestamp,
    /// Time when the link stops working.
    pub expires_at: Timestamp,
}

/// The user with an address.
#[derive(Serialize, Deserialize)]
struct UserId {
    user: String,
}

/// Result of using a sign-in link.
#[derive(Clone, Debug)]
pub enum LinkUse {
    /// The user has signed in with this link.
    SignedIn(Box<SignedIn>, Box<MagicLink>),
    /// The link is too old for a user who exists already. It stays as it is.
    TooOld(MagicLink),
    /// The link does not exist, was used, or has expired; or its invitation has ended.
    Invalid,
}

/// A user who has signed in.
#[derive(Clone, Debug)]
pub struct SignedIn {
    pub user: User,
    pub session: Session,
    pub redirect_url: Option<String>,
}

impl Tenants {
    /// Stores a link. Only the hash of its token is stored.
    pub async fn put_magic_link(&self, token: &TokenHash, link: &MagicLink) -> Result<(), Error> {
        let expires = link.expires_at.as_second() + 1;
        self.table.put_expiring(keys::magic_link(token), link, expires).await
    }

    /// Creates a user. Only for setting up a deployment: others sign in.
    pub async fn put_user(&self, user: &User) -> Result<(), Error> {
        let address = address(&user.email, &user.id)?;
        let user = Read { value: user.clone(), revision: 0 };
        self.table.transact(vec![replacement(&user)?, address]).await
    }

    /// The user with this id.
    pub async fn user(&self, id: &str) -> Result<Option<User>, Error> {
        self.table.get(keys::user(id)).await
    }

    /// The addresses of these users, by id. Users that do not exist are left out. Eventually consistent.
    pub async fn emails(&self, mut ids: Vec<String>) -> Result<BTreeMap<String, Email>, Error> {
        ids.sort_unstable();
        ids.dedup();
        let keys = ids.iter().map(|it| keys::user(it)).collect();
        let users: Vec<User> = self.table.get_all(keys).await?;
        Ok(users.into_iter().map(|it| (it.id, it.email)).collect())
    }

    /// The user with this address.
    pub async fn user_with(&self, email: &Email) -> Result<Option<User>, Error> {
        Ok(self.read_user(email).await?.map(|it| it.value))
    }

    /// Changes a user. `change` runs again if another change was faster. `None`: there is no such user.
    pub async fn change_user(
        &self,
        id: &str,
        change: impl Fn(&mut User),
    ) -> Result<Option<User>, Error> {
        for attempt in 0..ATTEMPTS {
            let Some(mut user) = self.read_user_with_id(id).await? else { return Ok(None) };
            change(&mut user.value);
            match self.table.transact(vec![replacement(&user)?]).await {
                Err(Error::Changed) => pause_after_conflict(attempt).await,
                other => return other.map(|()| Some(user.value)),
            }
        }
        Err(Error::Changed)
    }

    /// Uses a link: starts a session of its user. The first link to an address also creates the user, and a team if the
    /// user is in none. `entry` makes the entry in the audit log of the team.
    pub async fn sign_in(
        &self,
        token: &TokenHash,
        now: Timestamp,
        entry: impl Fn(AuditActor) -> Audited,
    ) -> Result<LinkUse, NotChanged> {
        for attempt in 0..ATTEMPTS {
            let link: Option<MagicLink> = self.table.get(keys::magic_link(token)).await?;
            let Some(link) = link.filter(|it| it.expires_at > now) else {
                return Ok(LinkUse::Invalid);
            };
            let mut steps = Steps::default();
            // Of all requests with the same link, this deletion lets one through.
            steps.add(Write::delete(keys::magic_link(token)).if_present(), Denied::Used);
            let user = self.read_user(&link.email).await?;
            let is_new = user.is_none();
            if !is_new && link.signs_in_until <= now {
                return Ok(LinkUse::TooOld(link));
            }
            if let Some(user) = &user
                && Box::pin(self.is_user_erased(&user.value.id)).await?
            {
                // A restored backup has brought the user back. The address can sign up when the user is erased again.
                return Ok(LinkUse::Invalid);
            }
            let mut user = user.unwrap_or_else(|| new_user(link.email.clone(), link.language, now));
            let Some(member) = self.add_membership(&mut steps, &link, &user.value, now).await?
            else {
                return Ok(LinkUse::Invalid);
            };
            user.value.last_login_at = now;
            user.value.last_team = Some(member.team.clone());
            user.value.language = user.value.language.or(Some(link.language));
            steps.add(replacement(&user)?, Denied::Overtaken);
            if is_new {
                steps.add(address(&link.email, &user.value.id)?, Denied::Overtaken);
            }
            let session = Session::starting(
                Uuid::new_v4().to_string(),
                user.value.id.clone(),
                member.team.clone(),
                now,
            );
            steps.add(sessions::creation(&session)?, Denied::Overtaken);
            match self.apply(steps).await {
                Err(NotChanged::Denied(Denied::Overtaken | Denied::IsMember)) => {
                    pause_after_conflict(attempt).await;
                }
                Err(NotChanged::Denied(Denied::Used)) => return Ok(LinkUse::Invalid),
                Err(failure) => return Err(failure),
                Ok(()) => {
                    self.record_sign_in(&session, &member, entry).await?;
                    let (user, redirect_url) = (user.value, link.redirect_url.clone());
                    let signed_in = SignedIn { user, session, redirect_url };
                    return Ok(LinkUse::SignedIn(Box::new(signed_in), Box::new(link)));
                }
            }
        }
        Err(Error::Changed.into())
    }

    /// The membership of the new session: in the team of the invitation, in the team of the last session, in another
    /// team of the user, or in a new team. `None`: the invitation has ended.
    async fn add_membership(
        &self,
        steps: &mut Steps,
        link: &MagicLink,
        user: &User,
        now: Timestamp,
    ) -> Result<Option<Member>, Error> {
        let mut teams = self.teams_of(&user.id).await?;
        let new = |team: TeamId, role| Member { team, user: user.id.clone(), role, since: now };
        if let Some((team, id)) = &link.invitation {
            let key = TeamKey::of_invitation(team, Environment::Live);
            let valid = self.valid_invitation(&key, id, now).await?;
            let Some(valid) = valid else { return Ok(None) };
            let role = valid.invitation().role;
            steps.use_invitation(&key, valid);
            if let Some(member) = teams.into_iter().find(|it| it.team == *team) {
                return Ok(Some(member));
            }
            let member = new(team.clone(), role);
            steps.add_member(&member)?;
            return Ok(Some(member));
        }
        let last = teams.iter().position(|it| user.last_team.as_ref() == Some(&it.team));
        if !teams.is_empty() {
            return Ok(Some(teams.swap_remove(last.unwrap_or(0))));
        }
        let member = new(TeamId(Uuid::now_v7().to_string()), Role::Owner);
        let name = user.email.as_str().split('@').next().unwrap_or_default();
        steps.add_team(name, &member)?;
        Ok(Some(member))
    }

    pub(crate) async fn read_user(&self, email: &Email) -> Result<Option<Read<User>>, Error> {
        let id: Option<UserId> = self.table.get(keys::email(email)).await?;
        match id {
            Some(UserId { user }) => self.read_user_with_id(&user).await,
            None => Ok(None),
        }
    }

    pub(crate) async fn read_user_with_id(&self, id: &str) -> Result<Option<Read<User>>, Error> {
        self.table.get_revised(keys::user(id)).await
    }
}

/// A user that is not stored yet.
pub(crate) fn new_user(email: Email, language: Language, now: Timestamp) -> Read<User> {
    let value = User {
        id: Uuid::now_v7().to_string(),
        email,
        name: None,
        language: Some(language),
        last_team: None,
        created_at: now,
        last_login_at: now,
    };
    Read { value, revision: 0 }
}

/// Gives an address to a user if no user has it.
pub(crate) fn address(email: &Email, user: &str) -> Result<Write, Error> {
    let id = UserId { user: user.to_owned() };
    Ok(Write::put_document(keys::email(email), &id)?.if_absent())
}

/// Replaces a user if nobody has changed it since it was read.
pub(crate) fn replacement(user: &Read<User>) -> Result<Write, Error> {
    let put = Write::put_document(keys::user(&user.value.id), &user.value)?;
    Ok(put.revise(user.revision, user.revision + 1))
}
