//! The account for the API of the commercial register.

use std::sync::Arc;

use auth::Secret;
use aws::{NotRead, SecretSource};
use base64::{Engine, prelude::BASE64_STANDARD};
use components::Components;
use http::HeaderValue;
use serde::Deserialize;
use tokio::sync::OnceCell;

/// User name and password.
#[derive(Clone, Debug)]
pub struct Account {
    pub user: String,
    pub password: Secret,
}

/// The account, or where it is: a secret is read when the account is first needed.
#[derive(Clone, Debug)]
pub enum RegisterAccount {
    Given(Account),
    Stored { secret: SecretSource, read: Arc<OnceCell<Account>> },
}

/// Why the account could not be read. Contains nothing of the secret's value.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    #[error(transparent)]
    NotRead(#[from] NotRead),
    #[error("the secret must be a JSON object with the strings `username` and `password`")]
    Unreadable,
}

/// The format in which the AWS console stores credentials.
#[derive(Deserialize)]
struct Credentials {
    username: String,
    password: String,
}

impl RegisterAccount {
    /// The account in `ZEFIX_USER` and `ZEFIX_PASSWORD`, or in the secret `ZEFIX_SECRET`.
    pub(crate) fn of(components: &Components) -> Option<Self> {
        let given = components.setting("ZEFIX_USER").zip(components.setting("ZEFIX_PASSWORD"));
        if let Some((user, password)) = given {
            return Some(Self::Given(Account { user, password: Secret::new(password) }));
        }
        components.secret("ZEFIX_SECRET").map(Self::in_secret)
    }

    /// The account in a secret.
    pub fn in_secret(secret: SecretSource) -> Self {
        Self::Stored { secret, read: Arc::default() }
    }

    /// The account. A secret that was read once is not read again.
    pub async fn get(&self) -> Result<&Account, AccountError> {
        match self {
            Self::Given(account) => Ok(account),
            Self::Stored { secret, read } => {
                read.get_or_try_init(async || account(secret).await).await
            }
        }
    }
}

async fn account(secret: &SecretSource) -> Result<Account, AccountError> {
    let secret = secret.read().await?;
    let Credentials { username, password } =
        serde_json::from_str(secret.expose()).map_err(|_| AccountError::Unreadable)?;
    Ok(Account { user: username, password: Secret::new(password) })
}

impl Account {
    /// The header `Authorization` for basic authentication (RFC 7617).
    pub(crate) fn header(&self) -> HeaderValue {
        let pair = BASE64_STANDARD.encode(format!("{}:{}", self.user, self.password.expose()));
        // Base64 is always a valid header value, so the fallback is never used.
        let mut header = HeaderValue::try_from(format!("Basic {pair}"))
            .unwrap_or_else(|_| HeaderValue::from_static("Basic"));
        header.set_sensitive(true);
        header
    }
}
