use std::{fmt, path::PathBuf, sync::Arc};

use auth::Secret;
use aws_config::SdkConfig;
use aws_sdk_secretsmanager::Client;

use crate::{Limits, setting};

/// Why a secret could not be read. Contains no part of it.
#[derive(Debug, thiserror::Error)]
pub enum NotRead {
    #[error("AWS Secrets Manager did not return the secret")]
    NotAnswered(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("the file of the secret cannot be read")]
    File(#[from] std::io::Error),
}

/// Where a secret is. Its `Debug` output shows nothing of it.
#[derive(Clone)]
pub enum SecretSource {
    /// Here.
    Given(Secret),
    /// In AWS Secrets Manager.
    SecretsManager { environment: Box<SdkConfig>, arn: Arc<str> },
    /// In a file of a developer's machine.
    File(Arc<PathBuf>),
}

impl SecretSource {
    /// The secret of AWS Secrets Manager whose ARN is in the environment variable with this name, or, on a developer's machine, the
    /// one in the file whose path is in the same with `_FILE`. `None`: neither variable is set.
    pub fn from_settings(environment: &SdkConfig, name: &str) -> Option<Self> {
        match (setting(name), setting(&format!("{name}_FILE"))) {
            (Some(arn), _) => Some(Self::SecretsManager {
                environment: Box::new(environment.clone()),
                arn: arn.into(),
            }),
            (None, Some(file)) => Some(Self::File(Arc::new(file.into()))),
            (None, None) => None,
        }
    }

    /// Reads the secret.
    pub async fn read(&self) -> Result<Secret, NotRead> {
        match self {
            Self::Given(secret) => Ok(secret.clone()),
            Self::SecretsManager { environment, arn } => secret(environment, arn).await,
            Self::File(path) => Ok(Secret::new(tokio::fs::read_to_string(&**path).await?)),
        }
    }
}

impl fmt::Debug for SecretSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretSource(…)")
    }
}

const LIMITS: Limits = Limits::of_seconds(2, 6);

/// The AWS Secrets Manager secret with this ARN. Empty if it has no text.
pub async fn secret(environment: &SdkConfig, arn: &str) -> Result<Secret, NotRead> {
    #[expect(clippy::disallowed_methods, reason = "the one place that creates this client")]
    let client = Client::new(&LIMITS.of(environment));
    let response = client.get_secret_value().secret_id(arn).send().await;
    // Only the messages: the SDK's error may hold the answer.
    let secret = response.map_err(|it| NotRead::NotAnswered(errors::chain(&it).into()))?;
    Ok(Secret::new(secret.secret_string.unwrap_or_default()))
}
