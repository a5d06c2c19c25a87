use std::{fmt, path::PathBuf, sync::Arc};

use auth::{InvalidSigningKey, Secret, WebhookSecret};
use aws_environment::{NotAnswered, SdkConfig};
use tokio::sync::OnceCell;

/// Where the secret is from which the keys of webhooks are derived. It is read when it is first needed: most processes sign
/// nothing.
#[derive(Clone)]
pub struct SecretSource {
    place: Place,
    read: Arc<OnceCell<WebhookSecret>>,
}

#[derive(Clone)]
enum Place {
    Given(Secret),
    SecretsManager { environment: Box<SdkConfig>, arn: Arc<str> },
    File(Arc<PathBuf>),
}

impl fmt::Debug for SecretSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretSource(…)")
    }
}

/// Why there is no key. Contains nothing of the secret.
#[derive(Debug, thiserror::Error)]
pub enum NoSecret {
    #[error("the secret of the webhooks (WEBHOOK_SECRET) cannot be used")]
    Secret(#[from] NotAnswered),
    #[error("the secret of the webhooks (WEBHOOK_SECRET_FILE) cannot be read")]
    File(#[from] std::io::Error),
    #[error(transparent)]
    Key(#[from] InvalidSigningKey),
}

impl SecretSource {
    /// This secret.
    pub fn given(secret: Secret) -> Self {
        Self::at(Place::Given(secret))
    }

    /// The secret of AWS Secrets Manager with the ARN in `WEBHOOK_SECRET`, or, on a developer's machine, the one in the file
    /// `WEBHOOK_SECRET_FILE`.
    ///
    /// # Panics
    /// If neither variable is set.
    #[expect(clippy::disallowed_methods, reason = "these variables are read only here")]
    pub fn from_env(environment: &SdkConfig) -> Self {
        let variable = |name| std::env::var(name).ok().filter(|it| !it.is_empty());
        Self::at(match (variable("WEBHOOK_SECRET"), variable("WEBHOOK_SECRET_FILE")) {
            (Some(arn), _) => Place::SecretsManager {
                environment: Box::new(environment.clone()),
                arn: arn.into(),
            },
            (None, Some(file)) => Place::File(Arc::new(file.into())),
            (None, None) => panic!("WEBHOOK_SECRET is not set; template.yaml sets it"),
        })
    }

    fn at(place: Place) -> Self {
        Self { place, read: Arc::default() }
    }

    pub(crate) async fn get(&self) -> Result<&WebhookSecret, NoSecret> {
        self.read.get_or_try_init(|| self.read_once()).await
    }

    async fn read_once(&self) -> Result<WebhookSecret, NoSecret> {
        let secret = match &self.place {
            Place::Given(secret) => secret.clone(),
            Place::SecretsManager { environment, arn } => {
                Secret::new(aws_environment::secret(environment, arn).await?)
            }
            Place::File(path) => Secret::new(tokio::fs::read_to_string(&**path).await?),
        };
        Ok(WebhookSecret::new(&secret)?)
    }
}
