//! The account for the commercial register, stored in AWS Secrets Manager.

use auth::Secret;
use aws::{NotRead, SdkConfig};
use fetch::Account;
use serde::Deserialize;

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

/// Reads the account from the secret with this ARN.
pub async fn account(environment: &SdkConfig, secret: &str) -> Result<Account, AccountError> {
    let secret = aws::secret(environment, secret).await?;
    let Credentials { username, password } =
        serde_json::from_str(secret.expose()).map_err(|_| AccountError::Unreadable)?;
    Ok(Account { user: username, password: Secret::new(password) })
}
