//! The keys that encrypt the client secrets of single sign-on. Only this function has them.

use std::{fmt, sync::Arc};

use auth::{InvalidSigningKey, SealingKeys, Secret};
use aws::{NotRead, SecretSource};
use components::{Component, Components};
use jiff::{SignedDuration, Timestamp};
use tokio::sync::Mutex;

/// How long a process uses the keys before it reads the secret again.
const KEYS_DURATION: SignedDuration = SignedDuration::from_hours(1);

/// Where the keys come from. They are read when they are first needed: most processes need none.
#[derive(Clone)]
pub struct SsoKeys {
    secret: SecretSource,
    read: Arc<Mutex<Option<(Timestamp, SealingKeys)>>>,
}

impl fmt::Debug for SsoKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SsoKeys(…)")
    }
}

/// Why there are no keys. Contains nothing of the secret.
#[derive(Debug, thiserror::Error)]
pub enum NoSsoKeys {
    #[error("the secret of single sign-on (SSO_SECRET) cannot be used")]
    Secret(#[from] NotRead),
    #[error(transparent)]
    Key(#[from] InvalidSigningKey),
}

/// The keys that are derived from the secret `SSO_SECRET`.
impl Component for SsoKeys {
    fn open(components: &Components) -> Self {
        Self { secret: components.required_secret("SSO_SECRET"), read: Arc::default() }
    }
}

impl SsoKeys {
    /// The keys that are derived from this secret.
    pub fn new(secret: Secret) -> Self {
        Self { secret: SecretSource::Given(secret), read: Arc::default() }
    }

    /// The keys.
    pub(crate) async fn get(&self, now: Timestamp) -> Result<SealingKeys, NoSsoKeys> {
        let mut read = self.read.lock().await;
        if let Some((at, keys)) = &*read
            && now.duration_since(*at) < KEYS_DURATION
        {
            return Ok(keys.clone());
        }
        let keys = SealingKeys::from_secret(&self.secret.read().await?)?;
        *read = Some((now, keys.clone()));
        Ok(keys)
    }
}
