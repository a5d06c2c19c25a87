//! The account with the commercial register, in a secret of AWS.

use auth::Secret;
use axum::{Router, http::StatusCode, routing::post};
use fetch::Account;
use ingest::account::{AccountError, account};
use local::cloud::emulated;
use serde_json::{Value, json};
use tokio::net::TcpListener;

const ARN: &str = "arn:aws:secretsmanager:eu-central-2:123456789012:secret:zefix-AbCdEf";

/// The account that a manager of secrets which answers this makes known.
async fn asked(status: StatusCode, answer: Value) -> Result<Account, AccountError> {
    let play = move |asked: String| async move {
        let asked: Value = serde_json::from_str(&asked).expect("json");
        assert_eq!(asked, json!({ "SecretId": ARN }));
        (status, answer.to_string())
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(axum::serve(listener, Router::new().route("/", post(play))).into_future());
    account(&emulated(&format!("http://{address}")), ARN).await
}

fn holding(text: &str) -> Value {
    json!({ "ARN": ARN, "Name": "zefix", "SecretString": text })
}

#[tokio::test]
async fn the_account_is_what_the_secret_holds() {
    let text = r#"{"username": "muster", "password": "geheim"}"#;
    let account = asked(StatusCode::OK, holding(text)).await.expect("an account");
    assert_eq!((account.user.as_str(), Secret::expose(&account.password)), ("muster", "geheim"));
}

#[tokio::test]
async fn what_holds_no_account_is_refused_without_a_word_of_it() {
    for text in ["geheim", r#"{"username": "geheim"}"#, r#"{"password": "geheim"}"#, ""] {
        let refused = asked(StatusCode::OK, holding(text)).await.expect_err("no account");
        assert!(matches!(refused, AccountError::Unreadable), "{refused:?}");
        assert!(!format!("{refused} {refused:?}").contains("geheim"));
    }
    let missing = json!({ "__type": "ResourceNotFoundException", "Message": "no such secret" });
    let missing = asked(StatusCode::BAD_REQUEST, missing).await.expect_err("no account");
    assert!(missing.to_string().contains("no such secret"), "{missing}");
}
