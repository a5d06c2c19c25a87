//! The account for Zefix, read from a secret of AWS Secrets Manager.

use auth::Secret;
use aws::{SdkConfig, SecretSource};
use axum::{Router, http::StatusCode, routing::post};
use fetch::{Account, AccountError, RegisterAccount};
use local::cloud::clients::emulator_config;
use serde_json::{Value, json};
use tokio::net::TcpListener;

pub(crate) const ARN: &str = "arn:aws:secretsmanager:eu-central-2:123456789012:secret:zefix-AbCdEf";

/// An AWS configuration with a secrets manager that responds like this.
pub(crate) async fn secrets_manager(status: StatusCode, answer: Value) -> SdkConfig {
    let respond = move |request: String| async move {
        let request: Value = serde_json::from_str(&request).expect("json");
        assert_eq!(request, json!({ "SecretId": ARN }));
        (status, answer.to_string())
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(axum::serve(listener, Router::new().route("/", post(respond))).into_future());
    emulator_config(&format!("http://{address}"))
}

/// The account that is read when the secrets manager responds like this.
async fn read_account(status: StatusCode, answer: Value) -> Result<Account, AccountError> {
    let environment = Box::new(secrets_manager(status, answer).await);
    let secret = SecretSource::SecretsManager { environment, arn: ARN.into() };
    RegisterAccount::in_secret(secret).get().await.cloned()
}

/// The response of the secrets manager with this secret.
pub(crate) fn secret(text: &str) -> Value {
    json!({ "ARN": ARN, "Name": "zefix", "SecretString": text })
}

#[tokio::test]
async fn the_account_is_read_from_the_secret() {
    let text = r#"{"username": "muster", "password": "geheim"}"#;
    let account = read_account(StatusCode::OK, secret(text)).await.expect("an account");
    assert_eq!((account.user.as_str(), Secret::expose(&account.password)), ("muster", "geheim"));
}

#[tokio::test]
async fn a_secret_without_account_is_refused_and_not_shown_in_the_error() {
    for text in ["geheim", r#"{"username": "geheim"}"#, r#"{"password": "geheim"}"#, ""] {
        let refused = read_account(StatusCode::OK, secret(text)).await.expect_err("no account");
        assert!(matches!(refused, AccountError::Unreadable), "{refused:?}");
        assert!(!format!("{refused} {refused:?}").contains("geheim"));
    }
    let missing = json!({ "__type": "ResourceNotFoundException", "Message": "no such secret" });
    let missing = read_account(StatusCode::BAD_REQUEST, missing).await.expect_err("no account");
    let message = errors::chain(&missing);
    assert!(message.contains("no such secret"), "{message}");
}
