//! The secret of the deployment with which verified API keys are remembered.

use std::{fmt, sync::Arc};

use auth::KeyMemory;
use aws::SecretSource;
use components::{Component, Components};
use jiff::{SignedDuration, Timestamp};
use tokio::sync::Mutex;

/// How long a process uses the secret before it reads it again.
const DURATION: SignedDuration = SignedDuration::from_hours(1);
/// The same if it cannot be read. Keys are verified by their hashes meanwhile.
const PAUSE: SignedDuration = SignedDuration::from_mins(1);

/// Where the secret is. It is read when the first key is verified.
#[derive(Clone, Default)]
pub struct ApiKeySecret {
    source: Option<SecretSource>,
    known: Arc<Mutex<Option<Known>>>,
}

#[derive(Clone)]
struct Known {
    until: Timestamp,
    memory: Option<KeyMemory>,
}

impl fmt::Debug for ApiKeySecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKeySecret(…)")
    }
}

/// The secret `API_KEY_SECRET`. Without it, nothing is remembered.
impl Component for ApiKeySecret {
    fn open(components: &Components) -> Self {
        Self { source: components.secret("API_KEY_SECRET"), known: Arc::default() }
    }
}

impl ApiKeySecret {
    pub fn new(source: SecretSource) -> Self {
        Self { source: Some(source), known: Arc::default() }
    }

    /// `None`: there is no secret, or it cannot be used now.
    pub(crate) async fn memory(&self, now: Timestamp) -> Option<KeyMemory> {
        let source = self.source.as_ref()?;
        let mut known = self.known.lock().await;
        if let Some(known) = known.as_ref().filter(|it| now < it.until) {
            return known.memory.clone();
        }
        let memory = match source.read().await {
            Ok(secret) => KeyMemory::from_secret(&secret).map_err(|it| errors::chain(&it)),
            Err(failure) => Err(errors::chain(&failure)),
        };
        let memory = match memory {
            Ok(memory) => Some(memory),
            Err(failure) => {
                tracing::error!(failure, "the secret of the memory of keys cannot be used");
                None
            }
        };
        let until = now + if memory.is_some() { DURATION } else { PAUSE };
        *known = Some(Known { until, memory: memory.clone() });
        memory
    }
}
