//! Events of the payment provider, which change the tiers of teams.
//!
//! The provider sends events late, repeatedly and in any order, so an event only says which subscription may have changed.
//! Its state is then read from the provider, and stored if nobody has stored another one since before the reading: so an
//! older state never replaces a newer one. A failure is answered with 5xx, and the provider sends the event again, for three
//! days.

use access::RateGroup;
use auth::TeamId;
use axum::{Extension, Json, extract::State};
use billing::{EventError, InvalidSignature, PaymentError, ReportedSubscription};
use bytes::Bytes;
use http::HeaderMap;
use http_service::{AuditContext, Description, NoParameters, Query, Routes, handler, reads};
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use store::{Error, PaymentEvent};
use teams::{AuditActor, Audited};
use utoipa::ToSchema;

use crate::not_paid;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(0).counted_in(RateGroup::Public), handler!(payment_event))
}

/// The header with the signature.
const SIGNATURE: &str = "stripe-signature";
/// Number of attempts to store a state, while other events about the same team are handled.
const ATTEMPTS: usize = 10;

/// An event of the payment provider. The signature is checked against the unmodified body.
#[derive(Deserialize, ToSchema)]
#[expect(dead_code, reason = "documents the body, which is read by `billing`")]
struct ProviderEvent {
    /// Id of the event.
    #[schema(pattern = "^[A-Za-z0-9_]{1,255}$", example = "evt_1QexampleEvent")]
    id: String,
    /// Type of the event.
    #[serde(rename = "type")]
    #[schema(max_length = 100, example = "customer.subscription.updated")]
    kind: String,
    /// What the event is about.
    #[schema(value_type = HashMap<String, Value>, example = json!({ "object": { "id": "sub_1Qexample", "object": "subscription" } }))]
    data: Map<String, Value>,
}

/// Confirmation that the event was received.
#[derive(Serialize, ToSchema)]
struct ReceivedEvent {
    /// Whether the event is about a subscription of a team. Others have no effect.
    handled: bool,
}

#[derive(Debug, thiserror::Error)]
#[error("this deployment has no payment provider")]
struct NoProvider;

/// Receive a payment event
///
/// For the payment provider only: the header `Stripe-Signature` proves that the payment provider sent the event. It must
/// not be older than five minutes. The team of the subscription gets the tier that it pays for. Each event takes effect
/// once. The status is 404 if the deployment has no payment provider.
#[utoipa::path(
    post,
    path = "/v1/webhooks/stripe",
    tag = "Billing",
    params((
        "Stripe-Signature" = String,
        Header,
        description = "Time and signatures of the event (HMAC-SHA256).",
        pattern = "^t=[0-9]{1,20}(,v[0-9]{1,2}=[0-9a-f]{64}){1,10}$",
        example = "t=1792324800,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd",
    )),
    request_body = ProviderEvent,
    responses((status = OK, body = ReceivedEvent), (status = NOT_FOUND)),
)]
async fn payment_event(
    State(state): State<crate::State>,
    Extension(context): Extension<AuditContext>,
    headers: HeaderMap,
    Query(NoParameters {}): Query<NoParameters>,
    body: Bytes,
) -> Result<Json<ReceivedEvent>, Problem> {
    let now = state.clock.now();
    let signature = headers.get(SIGNATURE).and_then(|it| it.to_str().ok()).unwrap_or_default();
    let event = state.provider.event(signature, &body, now).await.map_err(refused)?;
    let Some(subscription) = event.subscription else {
        return Ok(Json(ReceivedEvent { handled: false }));
    };
    let event = PaymentEvent { id: event.id, at: now };
    let handled = state.update(&event, &by_provider(&context), &subscription).await?;
    Ok(Json(ReceivedEvent { handled }))
}

/// The entry of the audit log about a tier that follows from what the provider says.
pub(crate) fn by_provider(context: &AuditContext) -> Audited {
    let mut audited = context.succeeded(AuditActor::payment_provider());
    audited.entry.target = "/v1/teams/me".to_owned();
    audited
}

fn refused(error: EventError) -> Problem {
    match error {
        EventError::Signature(wrong @ InvalidSignature::Malformed) => {
            Problem::invalid("Stripe-Signature", wrong)
        }
        EventError::Signature(wrong) => {
            // Somebody tries, or the secret of the deployment is not the one of the provider.
            tracing::warn!(reason = %wrong, "a payment event was refused");
            Problem::invalid("Stripe-Signature", wrong)
        }
        EventError::Malformed => Problem::invalid("body", error),
        EventError::Failed(PaymentError::NotConfigured) => Problem::not_found(NoProvider),
        EventError::Failed(failure) => not_paid(failure),
    }
}

impl crate::State {
    /// Stores the state of the subscription that an event is about. `false`: it is not of a team.
    async fn update(
        &self,
        event: &PaymentEvent,
        audited: &Audited,
        subscription: &str,
    ) -> Result<bool, Problem> {
        let mut team: Option<TeamId> = None;
        for _ in 0..ATTEMPTS {
            if self.tenants.is_payment_event_done(&event.id).await? {
                return Ok(true);
            }
            // What is stored is read before the state, see above. The first reading of the state tells which team it is.
            let read = match &team {
                Some(team) => Some(self.tenants.read_subscriptions(team).await?),
                None => None,
            };
            let state = self.provider.subscription(subscription, self.clock.now()).await;
            let ReportedSubscription { team: of, state } = state.map_err(not_paid)?;
            let (Some(of), Some(state)) = (of, state) else {
                tracing::info!(subscription, "a subscription is not of a team");
                return Ok(false);
            };
            let Some(read) = read.filter(|_| team.as_ref() == Some(&of)) else {
                if self.tenants.team(&of, self.clock.now()).await?.is_none() {
                    tracing::error!(subscription, "the team of a subscription does not exist");
                    return Ok(false);
                }
                team = Some(of);
                continue;
            };
            let mut new = read.value.clone();
            new.update(state, event.at);
            let stored =
                self.tenants.put_subscriptions(&of, &read, &new, audited, Some(event)).await;
            match stored {
                Ok(()) => {
                    let tier = new.tier(event.at);
                    tracing::info!(team = %of, %tier, subscription, "subscription updated");
                    // If this fails, they wait for the next day.
                    let retried = self.tenants.retry_webhooks(&of, self.clock.now()).await;
                    if let Err(failure) = retried {
                        tracing::error!(failure = errors::chain(&failure), "deliveries wait");
                    }
                    return Ok(true);
                }
                Err(Error::Changed) => {}
                Err(failure) => return Err(failure.into()),
            }
        }
        Err(Error::Changed.into())
    }
}
