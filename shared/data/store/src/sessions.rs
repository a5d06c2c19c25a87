use auth::{Entitlement, Member, Session, TeamId, VerificationKey};
use futures_util::future::{try_join, try_join4};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use teams::{AuditActor, Audited, CurrentSso};

use crate::{
    ATTEMPTS, Error, Kind, TeamKey, Tenants,
    keys::{self, Key},
    pause_after_conflict,
    table::{Read, Write},
};

/// How long a key verifies tokens after it was last published. Longer than sessions last.
const KEY_RETENTION: SignedDuration = SignedDuration::from_hours(48);

#[derive(Default, Serialize, Deserialize)]
struct StoredKeys {
    keys: Vec<StoredKey>,
}

#[derive(Serialize, Deserialize)]
struct StoredKey {
    #[serde(flatten)]
    key: VerificationKey,
    expires: i64,
}

/// How long it matters when sessions were ended: longer than a session lasts, or an ID token is accepted.
const END_RETENTION: SignedDuration = SignedDuration::from_hours(24);

/// When sessions of a user were ended.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SessionsEnded {
    ended_at: Timestamp,
}

/// What is stored about the session of a presented token.
#[derive(Clone, Debug)]
pub struct PresentedSession {
    pub session: Session,
    /// Membership of its user in its team. `None`: the user is not a member.
    pub member: Option<Member>,
    /// What the rate limits of its team depend on.
    pub entitlement: Entitlement,
    /// Single sign-on of its team, if the session was started with it. `None` also: it is not set up any more.
    pub single_sign_on: Option<CurrentSso>,
    /// When the sessions of its user were ended last: all, or those in its team.
    pub ended_at: Option<Timestamp>,
}

impl PresentedSession {
    /// Whether the session was ended with all others of its user.
    pub fn is_ended(&self) -> bool {
        self.ended_at.is_some_and(|it| self.session.signed_in_at() <= it)
    }
}

pub(crate) fn creation(session: &Session) -> Result<Write, Error> {
    let expires = session.expires_at.as_second() + 1;
    Ok(Write::put(keys::session(&session.id), session)?.if_absent().expiring(expires))
}

pub(crate) fn member_key(team: &TeamId, user: &str) -> Key {
    keys::resource(&TeamKey::of_user(team), Kind::Member, user)
}

impl Tenants {
    /// `None`: the session was never started, or has ended; or its team or user is erased.
    pub async fn presented_session(
        &self,
        id: &str,
        now: Timestamp,
    ) -> Result<Option<PresentedSession>, Error> {
        let session: Option<Session> = self.table.get(keys::session(id)).await?;
        let Some(session) = session else { return Ok(None) };
        let member = self.table.get(member_key(&session.team, &session.user));
        let single_sign_on = async {
            match session.provider {
                Some(_) => self.current_sso(&TeamKey::of_user(&session.team)).await,
                None => Ok(None),
            }
        };
        let ended = self.sessions_ended_at(&session.user, &session.team);
        let is_erased = self.is_either_erased(&session.team, &session.user);
        let about_team = try_join(self.entitlement(&session.team, now), is_erased);
        let (member, (entitlement, is_erased), single_sign_on, ended_at) =
            try_join4(member, about_team, single_sign_on, ended).await?;
        if is_erased {
            return Ok(None);
        }
        Ok(Some(PresentedSession { session, member, entitlement, single_sign_on, ended_at }))
    }

    /// When the sessions of a user in a team were ended last, with all others or alone. `None`: not within a day.
    pub(crate) async fn sessions_ended_at(
        &self,
        user: &str,
        team: &TeamId,
    ) -> Result<Option<Timestamp>, Error> {
        let all = self.table.get::<SessionsEnded>(keys::sessions_ended(user, None));
        let of_team = self.table.get::<SessionsEnded>(keys::sessions_ended(user, Some(team)));
        let (all, of_team) = try_join(all, of_team).await?;
        Ok(all.into_iter().chain(of_team).map(|it| it.ended_at).max())
    }

    /// Ends the sessions of a user who has signed in until now, all or those in a team. ID tokens that were issued until now are
    /// refused, too.
    pub async fn end_sessions(
        &self,
        user: &str,
        team: Option<&TeamId>,
        now: Timestamp,
    ) -> Result<(), Error> {
        let key = keys::sessions_ended(user, team);
        for attempt in 0..ATTEMPTS {
            let old: Option<Read<SessionsEnded>> = self.table.get_revised(key.clone()).await?;
            let revision = old.as_ref().map_or(0, |it| it.revision);
            if old.is_some_and(|it| it.value.ended_at >= now) {
                return Ok(());
            }
            let put = Write::put_document(key.clone(), &SessionsEnded { ended_at: now })?;
            let put = put.expiring((now + END_RETENTION).as_second());
            match self.table.transact(vec![put.revise(revision, revision + 1)]).await {
                Err(Error::Changed) => pause_after_conflict(attempt).await,
                other => return other,
            }
        }
        Err(Error::Changed)
    }

    /// Starts a session. Only for setting up a deployment: others sign in.
    pub async fn start_session(&self, session: &Session) -> Result<(), Error> {
        self.table.transact(vec![creation(session)?]).await
    }

    /// Ends a session. Ending it again changes nothing.
    pub async fn end_session(&self, id: &str) -> Result<(), Error> {
        self.table.transact(vec![Write::delete(keys::session(id))]).await
    }

    /// Replaces a session by one of the same user in another team. `entry` makes the entry in the audit log of that team,
    /// written before. `None`: the user is not a member of that team, or the session has ended. The new session ends with the
    /// others of the same sign-in.
    pub async fn switch_session(
        &self,
        id: &str,
        new: &Session,
        entry: impl Fn(AuditActor) -> Audited,
    ) -> Result<Option<Member>, Error> {
        let member = self.table.get::<Member>(member_key(&new.team, &new.user));
        let old = self.table.get::<Session>(keys::session(id));
        let ended = self.sessions_ended_at(&new.user, &new.team);
        let ((member, old), ended) = try_join(try_join(member, old), ended).await?;
        let (Some(member), Some(old)) = (member, old) else { return Ok(None) };
        let signed_in_at = old.signed_in_at();
        if ended.is_some_and(|it| signed_in_at <= it) {
            return Ok(None);
        }
        let new = &Session { signed_in_at: Some(signed_in_at), ..new.clone() };
        let announced = self.announce(&member, entry, new.created_at).await?;
        let writes = vec![Write::delete(keys::session(id)).if_present(), creation(new)?];
        match self.table.transact(writes).await {
            Ok(()) => {
                self.record_outcome_of(announced).await;
                Ok(Some(member))
            }
            Err(Error::Changed) => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// Publishes the public key that verifies the tokens signed from now on.
    pub async fn publish_session_key(
        &self,
        key: &VerificationKey,
        now: Timestamp,
    ) -> Result<(), Error> {
        let publish = |stored: &mut StoredKeys| {
            stored.keys.retain(|it| it.key.id != key.id && it.expires > now.as_second());
            let expires = (now + KEY_RETENTION).as_second();
            stored.keys.push(StoredKey { key: key.clone(), expires });
        };
        self.table.update(keys::session_keys(), publish).await.map(drop)
    }

    /// The published keys.
    pub async fn session_keys(&self, now: Timestamp) -> Result<Vec<VerificationKey>, Error> {
        let stored: Option<StoredKeys> = self.table.get(keys::session_keys()).await?;
        let keys = stored.unwrap_or_default().keys.into_iter();
        Ok(keys.filter(|it| it.expires > now.as_second()).map(|it| it.key).collect())
    }
}
