//! The account with the commercial register, which lies in AWS Secrets Manager.

use auth::Secret;
use aws_environment::{NotAnswered, SdkConfig};
use fetch::Account;
use serde::Deserialize;

/// Why the account is not known. Says nothing of what the secret holds.
#[derive(Debug, thiserror::Error)]
pub enum UnknownAccount {
    #[error(transparent)]
    NotAnswered(#[from] NotAnswered),
    #[error("the secret of the account is not JSON with the texts `username` and `password`")]
    Unreadable,
}

/// As the console of AWS writes credentials.
#[derive(Deserialize)]
struct Credentials {
    username: String,
    password: String,
}

/// The account that a secret holds, which is named by its ARN.
pub async fn account(environment: &SdkConfig, secret: &str) -> Result<Account, UnknownAccount> {
    let text = aws_environment::secret(environment, secret).await?;
    let Credentials { username, password } =
        serde_json::from_str(&text).map_err(|_| UnknownAccount::Unreadable)?;
    Ok(Account { user: username, password: Secret::new(password) })
}
