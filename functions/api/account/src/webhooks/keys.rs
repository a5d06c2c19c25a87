//! The keys that sign deliveries.

use auth::SignatureScheme;
use axum::{extract::State, response::IntoResponse};
use http_service::{Json, NoParameters, Query, ResourceId, Tenant};
use jiff::SignedDuration;
use problem_details::Problem;
use serde::Deserialize;
use teams::Webhook;
use utoipa::ToSchema;

use super::{UnknownWebhook, WebhookWithKey, known_webhook, view, with_key};
use crate::problems::refused;

/// How long old keys sign if the request does not say it, and at most, in hours.
const OVERLAP: u32 = 24;
const MAX_OVERLAP: u32 = 168;

/// How to rotate the key.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct RotateWebhookKey {
    /// Number of hours, 0–168, in which the old key signs too. Default: 24. With 0, it stops signing at once.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 168, example = 48)]
    overlap_hours: Option<u32>,
    /// How the new key signs. Default: as the old one.
    #[serde(default)]
    signature_scheme: Option<SignatureScheme>,
}

/// Rotate a webhook's key
///
/// Gives the webhook a new key that signs its deliveries, and returns it. For `overlapHours`, deliveries are signed with
/// both keys: the header `webhook-signature` contains both signatures, and the receiver can verify either. At most the
/// newest four keys sign. Only this response contains the new secret. If the secret is lost, call this operation again: a
/// repeated request with the same `Idempotency-Key` gets 409.
#[utoipa::path(
    post,
    path = "/v1/webhooks/{id}/rotate",
    tag = "Webhooks",
    params(("id" = Uuid, Path, description = "Id of the webhook.", example = "0199c0de-0060-7000-8000-000000000000")),
    request_body = RotateWebhookKey,
    responses((status = OK, body = WebhookWithKey)),
)]
pub(super) async fn rotate_webhook_key(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<RotateWebhookKey>,
) -> Result<impl IntoResponse, Problem> {
    let hours = request.overlap_hours.unwrap_or(OVERLAP);
    if hours > MAX_OVERLAP {
        let detail = format!("must be at most {MAX_OVERLAP}; got {hours}");
        return Err(Problem::invalid("overlapHours", detail));
    }
    let webhook = known_webhook(&state, &team, &id).await?;
    let scheme = webhook.signing_keys.first().map(|it| it.scheme).unwrap_or_default();
    let (now, scheme) = (state.clock.now(), request.signature_scheme.unwrap_or(scheme));
    let (stored, key) = state.webhooks.new_key(&team, &id, scheme, now).await?;
    let overlap = SignedDuration::from_hours(hours.into());
    let rotate = |old: &Webhook| Some(old.rotated(stored.clone(), overlap, now));
    let rotated = state.tenants.change::<Webhook>(&team, &id, rotate).await.map_err(refused)?;
    let rotated = rotated.ok_or_else(|| Problem::not_found(UnknownWebhook(id.clone())))?;
    let known = state.tenants.webhook_state(&team, &id).await?;
    Ok(with_key(view(&state, &team, caller.tier(), rotated, &known).await?, &key))
}
