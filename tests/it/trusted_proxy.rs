//! Clients behind the operator's proxy are counted by their own addresses.

use auth::Secret;
use aws::{SdkConfig, SecretSource};
use http::{Request, StatusCode};
use http_service::{TrustedProxy, trusted_proxy::InvalidProxy};
use serde_json::json;
use tests::{Answer, Service, bearing};

use crate::accounts::{ARN, secret, secrets_manager};

const COUNT: &str = "/v1/companies/count";
const SECRET: &str = "the-secret-of-the-proxy";

fn proxy() -> TrustedProxy {
    let secrets = Secret::new(format!("{SECRET}\nthe-secret-before-it"));
    TrustedProxy::new("x-forwarded-for", &secrets).expect("a proxy")
}

/// Sends a request that claims to come from a proxy. Its own address is 192.0.2.1.
async fn claim(service: &Service, secret: &str, client: &str) -> Answer {
    let request = Request::get(COUNT).header("x-forwarded-for", client);
    service.send(request.header("x-proxy-secret", secret)).await
}

#[tokio::test]
async fn clients_behind_the_proxy_are_counted_by_their_own_address() {
    let service = Service::start().await.with_trusted_proxy(proxy());
    for (client, remaining) in [
        ("203.0.113.1", 59),
        ("203.0.113.2", 59),
        ("203.0.113.1", 58),
        // A client cannot choose its address: the last one is what the proxy saw, or the gateway after it.
        ("203.0.113.99, 203.0.113.1", 57),
        ("203.0.113.98, 203.0.113.1, 192.0.2.1", 56),
        ("2001:db8:1:2::1", 59),
        ("2001:db8:1:2::2", 58),
    ] {
        let answer = claim(&service, SECRET, client).await;
        assert_eq!(answer.number("x-ratelimit-remaining"), remaining, "{client}");
    }
    let other_secret = claim(&service, "the-secret-before-it", "203.0.113.2").await;
    assert_eq!(other_secret.number("x-ratelimit-remaining"), 58);
    // Nothing was counted for the address of the proxy.
    assert_eq!(service.get(COUNT).await.number("x-ratelimit-remaining"), 59);
}

#[tokio::test]
async fn without_the_secret_the_address_of_the_connection_counts() {
    let start = Service::start().await;
    let (with_proxy, without_proxy) = (start.with_trusted_proxy(proxy()), start.second_process());
    let mut remaining = 59;
    for (service, secret) in [
        (&with_proxy, ""),
        (&with_proxy, "wrong"),
        (&with_proxy, "the-secret-of-the-prox"),
        (&with_proxy, "the-secret-of-the-proxy the-secret-before-it"),
        (&without_proxy, SECRET),
    ] {
        let answer = claim(service, secret, "203.0.113.1").await;
        assert_eq!(answer.number("x-ratelimit-remaining"), remaining, "{secret}");
        remaining -= 1;
    }
    // The same if the proxy states no address that can be read.
    for client in ["", "unknown", "192.0.2.1"] {
        let answer = claim(&with_proxy, SECRET, client).await;
        assert_eq!(answer.number("x-ratelimit-remaining"), remaining, "{client}");
        remaining -= 1;
    }
    let no_secret =
        with_proxy.send(Request::get(COUNT).header("x-forwarded-for", "203.0.113.1")).await;
    assert_eq!(no_secret.number("x-ratelimit-remaining"), remaining);
}

#[tokio::test]
async fn wrong_keys_of_one_client_do_not_block_others_behind_the_proxy() {
    let service = Service::start().await.with_trusted_proxy(proxy());
    let guess = async |client: &str| {
        let wrong = auth::ApiKey::generate(access::Environment::Live).reveal();
        let request = bearing(wrong.expose(), Request::get("/health"));
        let request = request.header("x-forwarded-for", client).header("x-proxy-secret", SECRET);
        service.send(request).await.status
    };
    for _ in 0..20 {
        assert_eq!(guess("203.0.113.1").await, StatusCode::UNAUTHORIZED);
    }
    assert_eq!(guess("203.0.113.1").await, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(guess("203.0.113.2").await, StatusCode::UNAUTHORIZED);
}

/// The proxy with this header and the secret with this ARN.
async fn read(
    aws: &SdkConfig,
    header: Option<&str>,
    arn: Option<&str>,
) -> Result<Option<TrustedProxy>, InvalidProxy> {
    let environment = Box::new(aws.clone());
    let secret = |arn: &str| SecretSource::SecretsManager { environment, arn: arn.into() };
    TrustedProxy::from_settings(header, arn.map(secret).as_ref()).await
}

#[tokio::test]
async fn the_secret_is_read_from_the_secrets_manager() {
    let aws = secrets_manager(StatusCode::OK, secret(SECRET)).await;
    let proxy = read(&aws, Some("cf-connecting-ip"), Some(ARN)).await;
    let service = Service::start().await.with_trusted_proxy(proxy.expect("read").expect("a proxy"));
    let request = Request::get(COUNT).header("cf-connecting-ip", "203.0.113.1");
    service.send(request.header("x-proxy-secret", SECRET)).await;
    assert_eq!(service.get(COUNT).await.number("x-ratelimit-remaining"), 59);

    let none = read(&aws, None, None).await;
    assert!(matches!(none, Ok(None)), "{none:?}");
    for (header, arn) in [(Some("x-client"), None), (None, Some(ARN))] {
        let incomplete = read(&aws, header, arn).await;
        assert!(matches!(incomplete, Err(InvalidProxy::Incomplete)), "{incomplete:?}");
    }
}

#[tokio::test]
async fn an_unusable_secret_is_refused_and_not_shown_in_the_error() {
    for text in ["", "geheim", "a-long-enough-secret geheim"] {
        let aws = secrets_manager(StatusCode::OK, secret(text)).await;
        let refused = read(&aws, Some("x-client"), Some(ARN)).await;
        let refused = refused.expect_err("no secret");
        assert!(matches!(refused, InvalidProxy::Secret), "{refused:?}");
        assert!(!format!("{refused} {refused:?}").contains("geheim"));
    }
    let missing = json!({ "__type": "ResourceNotFoundException", "Message": "no such secret" });
    let aws = secrets_manager(StatusCode::BAD_REQUEST, missing).await;
    let missing = read(&aws, Some("x-client"), Some(ARN)).await.expect_err("no secret");
    assert!(errors::chain(&missing).contains("no such secret"), "{missing:?}");
}
