//! Issues the tokens of sessions.

use std::{fmt, path::PathBuf, sync::Arc};

use auth::{InvalidSigningKey, NotSigned, Secret, Session, SigningKey};
use aws_environment::{NotAnswered, SdkConfig};
use jiff::{SignedDuration, Timestamp};
use store::Tenants;
use tokio::sync::Mutex;

/// How long a process uses a signing key before it reads the secret again. Rotation takes this long at most.
const KEY_DURATION: SignedDuration = SignedDuration::from_hours(1);

/// Signs the tokens of sessions. The other functions verify them with the public key, which this one publishes.
#[derive(Clone)]
pub struct SessionIssuer {
    source: Source,
    tenants: Tenants,
    /// The address of the API.
    url: Arc<str>,
    current: Arc<Mutex<Option<Current>>>,
}

/// Where the secret of the signing key is.
#[derive(Clone)]
enum Source {
    Given(Secret),
    SecretsManager { environment: Box<SdkConfig>, arn: Arc<str> },
    File(Arc<PathBuf>),
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
    Secret(#[from] NotAnswered),
    #[error("the secret of the session keys (SESSION_SECRET_FILE) cannot be read")]
    File(#[from] std::io::Error),
    #[error(transparent)]
    Key(#[from] InvalidSigningKey),
    #[error(transparent)]
    Signature(#[from] NotSigned),
    #[error("the public key of the session keys could not be published")]
    NotPublished(#[from] store::Error),
}

impl SessionIssuer {
    /// An issuer whose key is derived from this secret.
    pub fn new(secret: Secret, tenants: Tenants, url: &str) -> Self {
        Self::with(Source::Given(secret), tenants, url)
    }

    /// An issuer whose secret is the one of AWS Secrets Manager with the ARN in `SESSION_SECRET`, or, on a developer's
    /// machine, in the file `SESSION_SECRET_FILE`. It is read when it is first needed: most processes issue no token.
    ///
    /// # Panics
    /// If neither variable is set.
    #[expect(clippy::disallowed_methods, reason = "these variables are read only here")]
    pub fn from_env(environment: &SdkConfig, tenants: Tenants, url: &str) -> Self {
        let variable = |name| std::env::var(name).ok().filter(|it| !it.is_empty());
        let source = match (variable("SESSION_SECRET"), variable("SESSION_SECRET_FILE")) {
            (Some(arn), _) => Source::SecretsManager {
                environment: Box::new(environment.clone()),
                arn: arn.into(),
            },
            (None, Some(file)) => Source::File(Arc::new(file.into())),
            (None, None) => panic!("SESSION_SECRET is not set; template.yaml sets it"),
        };
        Self::with(source, tenants, url)
    }

    fn with(source: Source, tenants: Tenants, url: &str) -> Self {
        Self { source, tenants, url: url.into(), current: Arc::default() }
    }

    /// The token of a session. Its key is published before the token is returned.
    pub async fn token(&self, session: &Session, now: Timestamp) -> Result<Secret, NotIssued> {
        let mut current = self.current.lock().await;
        let is_new = |it: &Current| now.duration_since(it.published_at) < KEY_DURATION;
        let key = match current.take().filter(is_new) {
            Some(current) => current,
            None => {
                let key = SigningKey::from_secret(&self.secret().await?)?;
                self.tenants.publish_session_key(key.public(), now).await?;
                Current { key, published_at: now }
            }
        };
        let token = key.key.sign(session, &self.url);
        *current = Some(key);
        Ok(token?)
    }

    async fn secret(&self) -> Result<Secret, NotIssued> {
        match &self.source {
            Source::Given(secret) => Ok(secret.clone()),
            Source::SecretsManager { environment, arn } => {
                Ok(Secret::new(aws_environment::secret(environment, arn).await?))
            }
            Source::File(path) => Ok(Secret::new(tokio::fs::read_to_string(&**path).await?)),
        }
    }
}
