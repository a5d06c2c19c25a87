//! Sends requests to the provider: forms that create something, once although they are retried, and reads.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use auth::Secret;
use backon::{ExponentialBuilder, Retryable};
use bytes::Bytes;
use http::{Method, Request, StatusCode, header};
use http_body_util::{BodyExt, Full, Limited};
use network::transport::{GaiResolver, NetworkClient, Tls, network};
use serde::{Deserialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};
use tokio::time::timeout;
use url::{Url, form_urlencoded};

use crate::settings::NoKeys;

/// The version of the provider's API that this crate is written for. The provider keeps it working.
pub const VERSION: &str = "2025-03-31.basil";

/// Maximum time for one attempt. All attempts of two requests together take less than the gateway waits.
const TIMEOUT: Duration = Duration::from_secs(4);
const FIRST_PAUSE: Duration = Duration::from_millis(300);
const RETRIES: usize = 2;
/// Maximum size of a response in bytes. Those of the requests that are sent have a few kilobytes.
const MAX_RESPONSE: usize = 1_000_000;

/// Why the provider did not do what it was asked for.
#[derive(Debug, thiserror::Error)]
pub enum PaymentError {
    #[error("this deployment has no payment provider, so nothing can be subscribed to")]
    NotConfigured,
    #[error(transparent)]
    NoKeys(#[from] NoKeys),
    #[error("the payment provider did not answer: {0}")]
    NoAnswer(String),
    #[error("the payment provider refused the request: status {status}, {kind}, request {request}")]
    Refused {
        status: StatusCode,
        /// The provider's words for the reason. None of its texts, which may repeat what was sent.
        kind: String,
        /// The provider's id of the request.
        request: String,
    },
    #[error("the response of the payment provider cannot be read")]
    Unreadable,
    #[error("subscription {0} has no price that STRIPE_PRICES lists")]
    UnknownPrice(String),
}

impl PaymentError {
    /// Whether the same request may succeed soon.
    fn is_temporary(&self) -> bool {
        match self {
            Self::NoAnswer(_) => true,
            // 409: another request with the same idempotency key is still running.
            Self::Refused { status, .. } => {
                status.is_server_error()
                    || [StatusCode::TOO_MANY_REQUESTS, StatusCode::CONFLICT].contains(status)
            }
            _ => false,
        }
    }
}

/// A connection to the provider.
#[derive(Clone, Debug)]
pub(crate) struct StripeClient {
    address: Url,
    // Reading the root certificates takes milliseconds, and most processes send nothing.
    transport: Arc<OnceLock<NetworkClient>>,
}

/// What a request asks for.
pub(crate) enum Call<'a> {
    Get,
    /// Creates something with these members. Repeated calls with the same members and `period` create it once.
    Create {
        members: &'a [(&'a str, &'a str)],
        period: &'a str,
    },
}

/// An error as the provider describes it.
#[derive(Default, Deserialize)]
struct Failure {
    error: Option<Reason>,
}

#[derive(Default, Deserialize)]
struct Reason {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    code: String,
    #[serde(default)]
    param: String,
}

impl StripeClient {
    pub(crate) fn new(address: Url) -> Self {
        Self { address, transport: Arc::default() }
    }

    /// Sends a request, with retries after temporary failures.
    pub(crate) async fn call<T: DeserializeOwned>(
        &self,
        api_key: &Secret,
        path: &str,
        call: &Call<'_>,
    ) -> Result<T, PaymentError> {
        let pauses = ExponentialBuilder::default()
            .with_min_delay(FIRST_PAUSE)
            .with_max_times(RETRIES)
            .with_jitter();
        let attempt = || async {
            let sent = timeout(TIMEOUT, self.send(api_key, path, call)).await;
            sent.unwrap_or_else(|_| {
                let seconds = TIMEOUT.as_secs();
                Err(PaymentError::NoAnswer(format!("no response within {seconds} seconds")))
            })
        };
        let bytes = attempt.retry(pauses).when(PaymentError::is_temporary).await?;
        serde_json::from_slice(&bytes).map_err(|_| PaymentError::Unreadable)
    }

    async fn send(
        &self,
        api_key: &Secret,
        path: &str,
        call: &Call<'_>,
    ) -> Result<Bytes, PaymentError> {
        let url = format!("{}v1/{path}", self.address);
        let request = Request::builder()
            .uri(url)
            .header(header::AUTHORIZATION, format!("Bearer {}", api_key.expose()))
            .header("stripe-version", VERSION);
        let request = match call {
            Call::Get => request.method(Method::GET).body(Full::default()),
            Call::Create { members, period } => {
                let form = form_urlencoded::Serializer::new(String::new())
                    .extend_pairs(members.iter())
                    .finish();
                request
                    .method(Method::POST)
                    .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
                    .header("idempotency-key", idempotency_key(path, &form, period))
                    .body(Full::from(form))
            }
        };
        // The key has characters that a header cannot contain.
        let request = request.map_err(|_| NoKeys::Unreadable)?;
        let no_answer = |it: &(dyn std::error::Error + 'static)| {
            PaymentError::NoAnswer(errors::chain(it).to_string())
        };
        // Without TLS only to this machine: see `Settings`.
        let transport =
            self.transport.get_or_init(|| network(GaiResolver::new(), Tls::Optional, TIMEOUT));
        let response = transport.request(request).await.map_err(|it| no_answer(&it))?;
        let (head, body) = response.into_parts();
        let body = Limited::new(body, MAX_RESPONSE).collect().await;
        let bytes = body.map_err(|it| no_answer(&*it))?.to_bytes();
        if head.status.is_success() {
            return Ok(bytes);
        }
        let Failure { error } = serde_json::from_slice(&bytes).unwrap_or_default();
        let Reason { kind, code, param } = error.unwrap_or_default();
        let request = head.headers.get("request-id").and_then(|it| it.to_str().ok());
        Err(PaymentError::Refused {
            status: head.status,
            kind: [kind, code, param].join(" ").trim().to_owned(),
            request: request.unwrap_or_default().to_owned(),
        })
    }
}

/// Equal for requests that are retried: derived from everything that is sent, and from the period.
fn idempotency_key(path: &str, form: &str, period: &str) -> String {
    hex::encode(Sha256::digest(format!("{path}\n{form}\n{period}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idempotency_keys_differ_with_everything_that_is_sent() {
        let key = idempotency_key("customers", "name=A", "1");
        assert_eq!(key, idempotency_key("customers", "name=A", "1"));
        assert_eq!(key.len(), 64);
        for (path, form, period) in
            [("other", "name=A", "1"), ("customers", "name=B", "1"), ("customers", "name=A", "2")]
        {
            assert_ne!(key, idempotency_key(path, form, period));
        }
    }

    #[test]
    fn only_failures_that_may_pass_are_temporary() {
        let refused =
            |status| PaymentError::Refused { status, kind: String::new(), request: String::new() };
        for (status, is_temporary) in [
            (StatusCode::BAD_REQUEST, false),
            (StatusCode::UNAUTHORIZED, false),
            (StatusCode::CONFLICT, true),
            (StatusCode::TOO_MANY_REQUESTS, true),
            (StatusCode::BAD_GATEWAY, true),
        ] {
            assert_eq!(refused(status).is_temporary(), is_temporary, "{status}");
        }
        assert!(!PaymentError::NotConfigured.is_temporary());
    }
}
