use accounts::{AuditActor, Audited, SingleSignOn};
use auth::{Entitlement, Member, Session, TeamId, VerificationKey};
use futures_util::future::try_join3;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{
    Error, Kind, TeamKey, Tenants,
    keys::{self, Key},
    table::Write,
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

/// What is stored about the session of a presented token.
#[derive(Clone, Debug)]
pub struct PresentedSession {
    pub session: Session,
    /// Membership of its user in its team. `None`: the user is not a member.
    pub member: Option<Member>,
    /// What the rate limits of its team depend on.
    pub entitlement: Entitlement,
    /// Single sign-on of its team, if the session was started with it. `None` also: it is not set up any more.
    pub single_sign_on: Option<SingleSignOn>,
}

pub(crate) fn creation(session: &Session) -> Result<Write, Error> {
    let expires = session.expires_at.as_second() + 1;
    Ok(Write::put(keys::session(&session.id), session)?.if_absent().expiring(expires))
}

pub(crate) fn member_key(team: &TeamId, user: &str) -> Key {
    keys::resource(&TeamKey::of_user(team), Kind::Member, user)
}

impl Tenants {
    /// `None`: the session was never started, or has ended.
    pub async fn presented_session(&self, id: &str) -> Result<Option<PresentedSession>, Error> {
        let session: Option<Session> = self.table.get(keys::session(id)).await?;
        let Some(session) = session else { return Ok(None) };
        let member = self.table.get(member_key(&session.team, &session.user));
        let single_sign_on = async {
            match session.provider {
                Some(_) => self.single_sign_on(&TeamKey::of_user(&session.team)).await,
                None => Ok(None),
            }
        };
        let (member, entitlement, single_sign_on) =
            try_join3(member, self.entitlement(&session.team), single_sign_on).await?;
        Ok(Some(PresentedSession { session, member, entitlement, single_sign_on }))
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
    /// written before. `None`: the user is not a member of that team, or the session has ended.
    pub async fn switch_session(
        &self,
        id: &str,
        new: &Session,
        entry: impl Fn(AuditActor) -> Audited,
    ) -> Result<Option<Member>, Error> {
        let member: Option<Member> = self.table.get(member_key(&new.team, &new.user)).await?;
        let Some(member) = member else { return Ok(None) };
        let announced = self.announce(&member, entry).await?;
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
