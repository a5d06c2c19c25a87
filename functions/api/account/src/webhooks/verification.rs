//! The proof that the receiver at an address wants deliveries: it returns a challenge.

use access::Environment;
use auth::{Caller, OneTimeToken};
use axum::{Json as JsonResponse, extract::State};
use http_service::{Json, NoParameters, Query, ResourceId, Tenant};
use jiff::Timestamp;
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use store::TeamKey;
use teams::{Attempt, PendingDelivery, Verification, Webhook, WebhookState};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Sandbox, known_webhook, limits, within_tier};

#[derive(Debug, thiserror::Error)]
#[error(
    "the receiver is not verified: it must return the challenge that `POST /v1/webhooks/{0}/verify` sends"
)]
struct Unverified(String);

/// Refuses to send anything else to a receiver that has not returned a challenge.
pub(super) fn verified(webhook: &Webhook, known: &WebhookState) -> Result<(), Problem> {
    match known.is_verified(&webhook.url) {
        true => Ok(()),
        false => Err(Problem::conflict(Unverified(webhook.id.clone()))),
    }
}

/// Result of a verification.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct WebhookVerification {
    /// Whether the receiver is verified.
    verified: bool,
    /// HTTP status of the response. Absent if there was none, or if the receiver was verified before.
    #[schema(example = 200)]
    http_status: Option<u16>,
    /// Why the receiver is not verified. Absent if it is.
    error: Option<String>,
}

/// Verify a webhook
///
/// Sends an event of the type `ch.gotthard.webhook.verify` to the address at once, and waits for the response. The event is signed
/// like others. The receiver is verified if it answers within 15 seconds with a status from 200 to 299, and with the text in
/// `data.challenge`: as `{"challenge": "…"}`, or alone as text. Until then, nothing else is sent to the address. A verified
/// webhook is not asked again. At most 10 verifications in 10 minutes.
///
/// If the tier does not allow the webhook at present, the status is 409.
#[utoipa::path(
    post,
    path = "/v1/webhooks/{id}/verify",
    tag = "Webhooks",
    params(("id" = Uuid, Path, description = "Id of the webhook.", example = "0199c0de-0060-7000-8000-000000000000")),
    responses((status = OK, body = WebhookVerification)),
)]
pub(super) async fn verify_webhook(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
    Json(NoParameters {}): Json<NoParameters>,
) -> Result<JsonResponse<WebhookVerification>, Problem> {
    let webhook = known_webhook(&state, &team, &id).await?;
    if team.environment() == Environment::Test {
        let error = Some(Sandbox.to_string());
        return Ok(JsonResponse(WebhookVerification { verified: false, http_status: None, error }));
    }
    within_tier(&state, &team, caller.tier(), &id).await?;
    let known = state.tenants.webhook_state(&team, &id).await?;
    if known.is_verified(&webhook.url) {
        return Ok(JsonResponse(WebhookVerification {
            verified: true,
            http_status: None,
            error: None,
        }));
    }
    let (attempt, _) = challenge(&state, &team, &caller, &webhook).await?;
    Ok(JsonResponse(WebhookVerification {
        verified: attempt.is_success(),
        http_status: attempt.http_status,
        error: attempt.error,
    }))
}

/// Asks the receiver of a webhook whose address is new. The request that has set the address succeeds in any case; if the receiver
/// cannot be asked, the state says why.
pub(crate) async fn ask(
    state: &crate::State,
    team: &TeamKey,
    caller: &Caller,
    webhook: &Webhook,
) -> WebhookState {
    let asked = async {
        within_tier(state, team, caller.tier(), &webhook.id).await?;
        challenge(state, team, caller, webhook).await
    };
    let error = match team.environment() {
        Environment::Test => None,
        Environment::Live => match asked.await {
            Ok((_, known)) => return known,
            Err(problem) => Some(problem.detail),
        },
    };
    unproven(state, team, webhook, error).await.unwrap_or_else(|problem| {
        tracing::error!(webhook = %webhook.id, problem = problem.detail, "verification not stored");
        WebhookState::default()
    })
}

/// Sends a challenge to a receiver, if the limits allow it, and stores whether it was returned.
async fn challenge(
    state: &crate::State,
    team: &TeamKey,
    caller: &Caller,
    webhook: &Webhook,
) -> Result<(Attempt, WebhookState), Problem> {
    let (challenge, now) = (OneTimeToken::generate(), state.clock.now());
    limits::count_request(state, caller, &limits::CHALLENGES, now).await?;
    limits::count_immediate(state, caller, webhook, now).await?;
    let (id, challenge) = (Uuid::now_v7(), challenge.expose());
    let event = PendingDelivery::verify(id, challenge, &state.public_url, &webhook.id, now);
    let attempt = match state.webhooks.challenge(team, webhook, &event, challenge, now).await {
        Ok(attempt) => attempt,
        Err(failure) => {
            limits::refund(state, caller, now).await;
            return Err(failure.into());
        }
    };
    let ended = state.clock.now();
    let known = if attempt.is_success() {
        proven(state, team, webhook, ended).await?
    } else {
        unproven(state, team, webhook, attempt.error.clone()).await?
    };
    let logged = event.delivery.after_last(&attempt, ended);
    state.tenants.log_webhook_delivery(team, &webhook.id, &logged).await?;
    Ok((attempt, known))
}

async fn proven(
    state: &crate::State,
    team: &TeamKey,
    webhook: &Webhook,
    now: Timestamp,
) -> Result<WebhookState, Problem> {
    let id = &webhook.id;
    // First, so that deliveries that waited for the proof, since the address changed, are always found.
    if !state.tenants.pending_webhook_deliveries(team, id, 1).await?.is_empty() {
        state.tenants.schedule_webhooks(&[(team.clone(), id.clone())], now).await?;
    }
    let proof = Verification::proven(&webhook.url, now);
    let change = |it: &mut WebhookState| it.verification = Some(proof.clone());
    Ok(state.tenants.change_webhook_state(team, id, change).await?)
}

/// A proof that another request has received meanwhile stays.
async fn unproven(
    state: &crate::State,
    team: &TeamKey,
    webhook: &Webhook,
    error: Option<String>,
) -> Result<WebhookState, Problem> {
    let change = |it: &mut WebhookState| {
        if !it.is_verified(&webhook.url) {
            it.verification = Some(Verification::unproven(&webhook.url, error.clone()));
        }
    };
    Ok(state.tenants.change_webhook_state(team, &webhook.id, change).await?)
}
