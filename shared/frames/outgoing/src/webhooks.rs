//! Signs deliveries of webhooks and sends them to their receivers: Standard Webhooks 1.0.
//!
//! Invariants: the address of the receiver is checked at every delivery; redirects are not followed; time and size of a
//! response are limited; neither the address nor a key appears in an error or a log line.

mod secret;

use std::time::Duration;

use auth::{InvalidSigningKey, SignatureScheme, WebhookKey};
use bytes::Bytes;
use components::{Component, Components};
use http::{Method, Request, Response, header};
use jiff::Timestamp;
use network::outgoing::{Limits, NotAnswered, OutgoingHttp};
use serde::Deserialize;
use store::TeamKey;
use teams::{Attempt, PendingDelivery, Webhook, WebhookSigningKey};
use url::Url;
use uuid::Uuid;

pub use self::secret::{KeySecret, NoSecret};

/// Maximum length of an address, in bytes.
pub const MAX_ADDRESS: usize = 2_048;
/// Limits of a delivery.
const LIMITS: Limits = Limits { timeout: Duration::from_secs(15), max_bytes: 65_536 };

/// Signs and sends deliveries. Clones share the secret and the connections.
#[derive(Clone, Debug)]
pub struct WebhookSender {
    secret: KeySecret,
    http: OutgoingHttp,
}

/// Why an address is not that of a receiver.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidAddress {
    #[error("it is not a valid URL")]
    NotAnUrl,
    #[error("it has more than {MAX_ADDRESS} bytes")]
    TooLong,
    #[error(transparent)]
    Forbidden(#[from] network::outgoing::Forbidden),
}

/// Why a delivery was not sent. The receiver is not to blame.
#[derive(Debug, thiserror::Error)]
pub enum NotSent {
    #[error(transparent)]
    Secret(#[from] NoSecret),
    #[error("the delivery could not be signed")]
    Key(#[from] InvalidSigningKey),
}

impl Component for WebhookSender {
    fn open(components: &Components) -> Self {
        Self::new(
            KeySecret::of(components.required_secret("WEBHOOK_SECRET")),
            OutgoingHttp::public(),
        )
    }
}

impl WebhookSender {
    pub fn new(secret: KeySecret, http: OutgoingHttp) -> Self {
        Self { secret, http }
    }

    /// Checks an address before it is stored. Whether its name leads to a public address is checked at every delivery.
    pub fn checked_address(&self, text: &str) -> Result<Url, InvalidAddress> {
        let url = Url::parse(text).map_err(|_| InvalidAddress::NotAnUrl)?;
        if url.as_str().len() > MAX_ADDRESS {
            return Err(InvalidAddress::TooLong);
        }
        self.http.check(&url)?;
        Ok(url)
    }

    /// A new key of a webhook, which signs from now on.
    pub async fn new_key(
        &self,
        team: &TeamKey,
        webhook: &str,
        scheme: SignatureScheme,
        now: Timestamp,
    ) -> Result<(WebhookSigningKey, WebhookKey), NotSent> {
        let id = Uuid::new_v4();
        let mut stored =
            WebhookSigningKey { id, scheme, public_key: None, created_at: now, expires_at: None };
        let key = self.key(team, webhook, &stored).await?;
        stored.public_key = key.public_key();
        Ok((stored, key))
    }

    /// Sends a delivery once.
    pub async fn send(
        &self,
        team: &TeamKey,
        webhook: &Webhook,
        delivery: &PendingDelivery,
        now: Timestamp,
    ) -> Result<Attempt, NotSent> {
        let answered = |it: Response<Bytes>| Attempt::answered(it.status().as_u16());
        self.send_and(team, webhook, delivery, now, answered).await
    }

    /// Sends a challenge once. The attempt succeeds only if the receiver returns it.
    pub async fn challenge(
        &self,
        team: &TeamKey,
        webhook: &Webhook,
        delivery: &PendingDelivery,
        challenge: &str,
        now: Timestamp,
    ) -> Result<Attempt, NotSent> {
        let answered = |it: Response<Bytes>| {
            Attempt::challenged(it.status().as_u16(), returns(it.body(), challenge))
        };
        self.send_and(team, webhook, delivery, now, answered).await
    }

    async fn send_and(
        &self,
        team: &TeamKey,
        webhook: &Webhook,
        PendingDelivery { delivery, body }: &PendingDelivery,
        now: Timestamp,
        answered: impl FnOnce(Response<Bytes>) -> Attempt,
    ) -> Result<Attempt, NotSent> {
        let (id, timestamp) = (delivery.id.to_string(), now.as_second());
        let mut signatures = Vec::new();
        for key in webhook.valid_keys(now) {
            signatures.push(self.key(team, &webhook.id, key).await?.sign(&id, timestamp, body)?);
        }
        let url = match self.checked_address(&webhook.url) {
            Ok(url) => url,
            Err(refused) => return Ok(Attempt::failed(refused.to_string())),
        };
        let request = Request::builder()
            .method(Method::POST)
            .header(header::CONTENT_TYPE, "application/cloudevents+json; charset=utf-8")
            .header(header::USER_AGENT, "Gotthard-Webhooks/1.0")
            .header("webhook-id", id)
            .header("webhook-timestamp", timestamp)
            .header("webhook-signature", signatures.join(" "));
        let sent = self.http.send(&url, request, Bytes::from(body.clone()), LIMITS).await;
        Ok(match sent {
            Ok(response) => answered(response),
            Err(NotAnswered::Unreachable(cause)) => Attempt::failed(format!(
                "the receiver cannot be reached: {}",
                errors::reason(&*cause)
            )),
            Err(other) => Attempt::failed(other.to_string()),
        })
    }

    async fn key(
        &self,
        team: &TeamKey,
        webhook: &str,
        key: &WebhookSigningKey,
    ) -> Result<WebhookKey, NotSent> {
        let secret = self.secret.get().await?;
        let of = (team.team(), team.environment());
        Ok(secret.key(of, webhook, &key.id.to_string(), key.scheme)?)
    }
}

/// Whether a response is the challenge: the member `challenge` of a JSON object, or the whole text.
fn returns(body: &[u8], challenge: &str) -> bool {
    #[derive(Deserialize)]
    struct Returned {
        challenge: String,
    }
    match serde_json::from_slice::<Returned>(body) {
        Ok(returned) => returned.challenge == challenge,
        Err(_) => body.trim_ascii() == challenge.as_bytes(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_challenge_is_returned_as_json_or_as_text() {
        for (body, expected) in [
            (r#"{"challenge":"abc"}"#, true),
            (r#"{"challenge":"abc","more":1}"#, true),
            ("abc", true),
            (" abc\r\n", true),
            ("", false),
            ("ABC", false),
            (r#""abc""#, false),
            (r#"{"challenge":"abd"}"#, false),
            (r#"{"challenge":["abc"]}"#, false),
            // What was sent, sent back.
            (r#"{"data":{"challenge":"abc"}}"#, false),
            ("the challenge is abc", false),
        ] {
            assert_eq!(returns(body.as_bytes(), "abc"), expected, "{body}");
        }
    }
}
