use std::sync::Arc;

use auth::{InvalidSigningKey, Secret, WebhookSecret};
use aws::{NotRead, SecretSource};
use tokio::sync::OnceCell;

/// The secret from which the keys of webhooks are derived. It is read when it is first needed: most processes sign nothing.
#[derive(Clone, Debug)]
pub struct KeySecret {
    source: SecretSource,
    read: Arc<OnceCell<WebhookSecret>>,
}

/// Why there is no key. Contains nothing of the secret.
#[derive(Debug, thiserror::Error)]
pub enum NoSecret {
    #[error("the secret of the webhooks (WEBHOOK_SECRET) cannot be used")]
    Secret(#[from] NotRead),
    #[error(transparent)]
    Key(#[from] InvalidSigningKey),
}

impl KeySecret {
    /// This secret.
    pub fn given(secret: Secret) -> Self {
        Self::of(SecretSource::Given(secret))
    }

    /// The secret that is there.
    pub(crate) fn of(source: SecretSource) -> Self {
        Self { source, read: Arc::default() }
    }

    pub(crate) async fn get(&self) -> Result<&WebhookSecret, NoSecret> {
        let read = async || Ok(WebhookSecret::new(&self.source.read().await?)?);
        self.read.get_or_try_init(read).await
    }
}
