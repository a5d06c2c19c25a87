//! Issues the tokens of sessions.

use std::{fmt, sync::Arc};

use auth::{InvalidSigningKey, NotSigned, Secret, Session, SigningKey};
use aws::{NotRead, SecretSource};
use components::{Component, Components, PublicUrl};
use jiff::{SignedDuration, Timestamp};
use store::Tenants;
use tokio::sync::Mutex;

/// How long a process uses a signing key before it reads the secret again. Rotation takes this long at most.
const KEY_DURATION: SignedDuration = SignedDuration::from_hours(1);

/// Signs the tokens of sessions. The other functions verify them with the public key, which this one publishes.
#[derive(Clone)]
pub struct SessionIssuer {
    secret: SecretSource,
    tenants: Tenants,
    /// The address of the API.
    url: Arc<str>,
    current: Arc<Mutex<Option<Current>>>,
}

struct Current {
    key: SigningKey,
    published_at: Timestamp,
}

impl fmt::Debug for SessionIssuer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionIssuer(…)")
    }
}

/// Why no token was issued. Contains nothing of the key.
#[derive(Debug, thiserror::Error)]
pub enum NotIssued {
    #[error("the secret of the session keys (SESSION_SECRET) cannot be used")]
    Secret(#[from] NotRead),
    #[error(transparent)]
    Key(#[from] InvalidSigningKey),
    #[error(transparent)]
    Signature(#[from] NotSigned),
    #[error("the public key of the session keys could not be published")]
    NotPublished(#[from] store::Error),
}

/// An issuer with the secret `SESSION_SECRET`. It is read when it is first needed: most processes issue no token.
impl Component for SessionIssuer {
    fn open(components: &Components) -> Self {
        let url: PublicUrl = components.get();
        Self::with(components.required_secret("SESSION_SECRET"), components.get(), &url)
    }
}

impl SessionIssuer {
    /// An issuer whose key is derived from this secret.
    pub fn new(secret: Secret, tenants: Tenants, url: &str) -> Self {
        Self::with(SecretSource::Given(secret), tenants, url)
    }

    fn with(secret: SecretSource, tenants: Tenants, url: &str) -> Self {
        Self { secret, tenants, url: url.into(), current: Arc::default() }
    }

    /// The token of a session. Its key is published before the token is returned.
    pub async fn token(&self, session: &Session, now: Timestamp) -> Result<Secret, NotIssued> {
        let mut current = self.current.lock().await;
        let is_new = |it: &Current| now.duration_since(it.published_at) < KEY_DURATION;
        let key = match current.take().filter(is_new) {
            Some(current) => current,
            None => {
                let key = SigningKey::from_secret(&self.secret.read().await?)?;
                self.tenants.publish_session_key(key.public(), now).await?;
                Current { key, published_at: now }
            }
        };
        let token = key.key.sign(session, &self.url);
        *current = Some(key);
        Ok(token?)
    }
}
