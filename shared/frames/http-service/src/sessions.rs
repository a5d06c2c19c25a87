//! Verifies the tokens of sessions: the key that signed them, the signature, and that the session has not ended.

use std::sync::Arc;

use auth::{AnsweredFor, Caller, PresentedToken, Refusal, SessionClaims, VerificationKey};
use jiff::{SignedDuration, Timestamp};
use store::Tenants;
use teams::CurrentSso;
use tokio::sync::Mutex;

/// How long a process uses the public keys that it has read.
const KEYS_DURATION: SignedDuration = SignedDuration::from_secs(60);
/// How soon it reads them again because a token names another key. A flood of tokens that name invented keys costs no
/// more reads than these, and does not affect the keys that are known.
pub const KEYS_INTERVAL: SignedDuration = SignedDuration::from_secs(10);

/// Verifies session tokens.
#[derive(Clone, Debug)]
pub(crate) struct Sessions {
    tenants: Tenants,
    /// The address of the API, which issues tokens and for which they are valid.
    url: Arc<str>,
    keys: Arc<Mutex<Keys>>,
}

/// The public keys, as read last.
#[derive(Debug, Default)]
struct Keys {
    read_at: Option<Timestamp>,
    keys: Vec<VerificationKey>,
}

impl Keys {
    fn find(&self, id: &str) -> Option<VerificationKey> {
        self.keys.iter().find(|it| it.id == id).cloned()
    }
}

impl Sessions {
    pub(crate) fn new(tenants: Tenants, url: Arc<str>) -> Self {
        Self { tenants, url, keys: Arc::default() }
    }

    /// The claims of a token that we have signed. `None`: the token is forged, or its key is no longer used.
    pub(crate) async fn claims(
        &self,
        token: &PresentedToken<'_>,
        now: Timestamp,
    ) -> Result<Option<SessionClaims>, store::Error> {
        let key = self.key(token.key_id(), now).await?;
        Ok(key.and_then(|key| token.verify(&key, &self.url).ok()))
    }

    /// The caller of a token that we have signed.
    pub(crate) async fn caller(
        &self,
        claims: &SessionClaims,
        now: Timestamp,
    ) -> Result<Result<Caller, Refusal>, store::Error> {
        if let Err(refusal) = claims.check_times(now) {
            return Ok(Err(refusal));
        }
        let Some(stored) = self.tenants.presented_session(claims.session(), now).await? else {
            return Ok(Err(Refusal::SessionEnded));
        };
        if stored.is_ended() {
            return Ok(Err(Refusal::SessionEnded));
        }
        let (session, member) = (Some(&stored.session), stored.member.as_ref());
        let sso = stored.single_sign_on.as_ref();
        // A session of an identity provider ends when the team chooses another one, leaves out the domain of the user, or has a tier
        // without single sign-on.
        if stored.session.provider.is_some()
            && (stored.entitlement.tier < teams::SSO_TIER
                || !sso.is_some_and(|it| it.keeps(&stored.session, now)))
        {
            return Ok(Err(Refusal::SessionEnded));
        }
        let provider = sso.map_or(AnsweredFor::ByNobody, CurrentSso::answered_for);
        Ok(claims.caller(session, member, provider, stored.entitlement, now))
    }

    /// The key with this id. Concurrent requests share one read.
    async fn key(&self, id: &str, now: Timestamp) -> Result<Option<VerificationKey>, store::Error> {
        let mut known = self.keys.lock().await;
        let found = known.find(id);
        let age = known.read_at.map(|it| now.duration_since(it));
        let limit = if found.is_some() { KEYS_DURATION } else { KEYS_INTERVAL };
        if age.is_some_and(|it| it < limit) {
            return Ok(found);
        }
        *known = Keys { read_at: Some(now), keys: self.tenants.session_keys(now).await? };
        Ok(known.find(id))
    }
}
