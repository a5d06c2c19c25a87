//! What the examples of webhooks need: a receiver, a delivery, and fixed values instead of random ones.

use access::Environment;
use auth::{Secret, TeamId};
use axum::{Json, Router};
use jiff::Timestamp;
use network::outgoing::OutgoingHttp;
use outgoing::webhooks::{KeySecret, WebhookSender};
use serde_json::Value;
use store::{TeamKey, Tenants};
use teams::{Attempt, WebhookDelivery};
use uuid::Uuid;

use super::{SIGNING_KEY, SIGNING_SECRET};
use crate::{CommandError, Context};

/// Id of the delivery with the challenge.
const CHALLENGE: &str = "0199c0de-0062-7000-8000-000000000000";

/// Sends to a receiver that returns challenges and accepts everything.
pub(super) fn sender() -> WebhookSender {
    let secret = Secret::new("the secret of the examples, which signs nothing else".into());
    let receiver = Router::new().fallback(async |Json(event): Json<Value>| {
        event["data"]["challenge"].as_str().unwrap_or_default().to_owned()
    });
    let receiver = OutgoingHttp::simulated(receiver.into_service());
    WebhookSender::new(KeySecret::given(secret), receiver)
}

/// Replacements for the secrets and ids of keys in an answer.
pub(super) fn replacements(body: &Value) -> Vec<(String, String)> {
    let own = body.get("webhook").unwrap_or(body);
    let webhooks = own.as_array().map_or(std::slice::from_ref(own), Vec::as_slice);
    let keys = webhooks.iter().filter_map(|it| it["signingKeys"].as_array()).flatten();
    let ids = keys.filter_map(|it| it["id"].as_str()).map(|it| (it, SIGNING_KEY));
    let secret = body["signingSecret"].as_str().map(|it| (it, SIGNING_SECRET));
    ids.chain(secret).map(|(random, fixed)| (random.to_owned(), fixed.to_owned())).collect()
}

/// Adds a delivery to a new webhook. Returns replacements for the ids of other deliveries.
pub(super) async fn add_delivery(
    tenants: &Tenants,
    team: &TeamId,
    webhook: &str,
    now: Timestamp,
) -> Result<Vec<(String, String)>, CommandError> {
    #[expect(clippy::disallowed_methods, reason = "this sets up an example")]
    let team = TeamKey::as_operator(team.clone(), Environment::Live);
    let [id, event] = [
        Uuid::from_u128(0x0199_c0de_0061_7000_8000_0000_0000_0000),
        Uuid::from_u128(0x5b2a_9f60_3c1d_5e48_a7f3_6d90_b2c4_e815),
    ];
    let kind = "ch.gotthard.company.auditor_change".to_owned();
    let delivery = WebhookDelivery::due(id, event, kind, now);
    let delivered = delivery.after(&Attempt::answered(200), now);
    let challenges = tenants.webhook_deliveries(&team, webhook, 1).await;
    let challenges = challenges.context("cannot read the deliveries")?;
    let logged = tenants.log_webhook_delivery(&team, webhook, &delivered).await;
    logged.context("cannot store a delivery")?;
    Ok(challenges.into_iter().map(|it| (it.id.to_string(), CHALLENGE.to_owned())).collect())
}
