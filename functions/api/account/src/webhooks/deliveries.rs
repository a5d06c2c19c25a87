//! The deliveries of a webhook: their log, a test, and a replay.

use access::Environment;
use axum::{Json as JsonResponse, extract::State};
use domain::search::PageSize;
use http::StatusCode;
use http_service::{Json, NoParameters, Query, ResourceId, Tenant, short_limits::count};
use jiff::{SignedDuration, Timestamp};
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use store::Subject;
use teams::{Attempt, PendingDelivery, WebhookDelivery, WebhookReplay, WebhookStatus};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::{Sandbox, known_webhook, limits, of_changes, verification::verified, within_tier};
use crate::mail_limits::REPLAYS;

/// Maximum number of replays of a team in 10 minutes.
const MAX_REPLAYS: u32 = 3;
/// How long ago the changes of a replay may have been added to the feed: as long as deliveries are listed.
const MAX_AGE: SignedDuration = SignedDuration::from_hours(30 * 24);

#[derive(Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct DeliveriesQuery {
    /// Maximum number of deliveries.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20, example = 20)]
    limit: PageSize,
}

/// List a webhook's deliveries
///
/// The last `limit` deliveries of the last 30 days, sorted by their event, newest first, each with its last attempt. Tests
/// and verifications are included. While the team has made all deliveries of the day (UTC) that its tier allows, deliveries that are
/// due wait for the next day (`waitsFor`).
#[utoipa::path(
    get,
    path = "/v1/webhooks/{id}/deliveries",
    tag = "Webhooks",
    params(
        ("id" = Uuid, Path, description = "Id of the webhook.", example = "0199c0de-0060-7000-8000-000000000000"),
        DeliveriesQuery,
    ),
    responses((status = OK, body = Vec<WebhookDelivery>)),
)]
pub(super) async fn webhook_deliveries(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    ResourceId(id): ResourceId,
    Query(query): Query<DeliveriesQuery>,
) -> Result<JsonResponse<Vec<WebhookDelivery>>, Problem> {
    known_webhook(&state, &team, &id).await?;
    let limit = query.limit.get() as usize;
    let deliveries = state.tenants.webhook_deliveries(&team, &id, limit).await?;
    Ok(JsonResponse(limits::shown(&state, &caller, deliveries).await?))
}

/// Result of a test delivery.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TestDelivery {
    /// Whether the receiver accepted it.
    success: bool,
    /// HTTP status of the response. Absent if there was none.
    #[schema(example = 200)]
    http_status: Option<u16>,
    /// Why the delivery failed. Absent if it succeeded.
    error: Option<String>,
}

/// Send a test delivery
///
/// Sends an event of the type `ch.gotthard.webhook.test` to the address at once, and waits for the response, also if the
/// webhook is paused or disabled. The event is signed like others. It is not sent again if it fails, and does not count as a
/// failure of the webhook. At most 10 tests in 10 minutes; they count as deliveries of the day (UTC). If the webhook is not
/// verified, or the tier does not allow it at present, the status is 409.
#[utoipa::path(
    post,
    path = "/v1/webhooks/{id}/test",
    tag = "Webhooks",
    params(("id" = Uuid, Path, description = "Id of the webhook.", example = "0199c0de-0060-7000-8000-000000000000")),
    responses((status = OK, body = TestDelivery)),
)]
pub(super) async fn test_webhook(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
    Json(NoParameters {}): Json<NoParameters>,
) -> Result<JsonResponse<TestDelivery>, Problem> {
    let webhook = known_webhook(&state, &team, &id).await?;
    let now = state.clock.now();
    let is_live = team.environment() == Environment::Live;
    if is_live {
        within_tier(&state, &team, caller.tier(), &id).await?;
        verified(&webhook, &state.tenants.webhook_state(&team, &id).await?)?;
    }
    limits::count_request(&state, &caller, &limits::TESTS, now).await?;
    let test = PendingDelivery::test(Uuid::now_v7(), &state.public_url, &id, now);
    let attempt = match is_live {
        true => {
            limits::count_immediate(&state, &caller, &webhook, now).await?;
            match state.webhooks.send(&team, &webhook, &test, now).await {
                Ok(attempt) => attempt,
                Err(failure) => {
                    limits::refund(&state, &caller, now).await;
                    return Err(failure.into());
                }
            }
        }
        false => Attempt::failed(Sandbox.to_string()),
    };
    let logged = test.delivery.after_last(&attempt, state.clock.now());
    state.tenants.log_webhook_delivery(&team, &id, &logged).await?;
    Ok(JsonResponse(TestDelivery {
        success: attempt.is_success(),
        http_status: attempt.http_status,
        error: attempt.error,
    }))
}

/// Which changes to deliver again.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ReplayWebhook {
    /// Changes from this time on are delivered, by the time when they were added to the change feed. At most 30 days ago.
    #[schema(example = "2026-10-30T00:00:00Z")]
    from: Timestamp,
    /// Changes before this time are delivered. Default: now.
    #[serde(default)]
    to: Option<Timestamp>,
}

#[derive(Debug, thiserror::Error)]
enum NotReplayed {
    #[error("the webhook is paused or disabled; set its status to `active` first")]
    NotActive,
    #[error("the last replay of the webhook has not ended; try again later")]
    Running,
}

/// Replay a webhook's deliveries
///
/// Delivers the changes of a time range again, in the background. It starts within a minute. Included are all changes that
/// match the current filters of the webhook, even if they were never delivered or are older than the webhook; not those that were published more than 7 days before they entered
/// the change feed, which are history. Each has the
/// same `webhook-id` as before. Deliveries that wait for another attempt are not changed. One replay at a time, and at most
/// 3 of the team in 10 minutes. Its deliveries count like others; if none of the day (UTC) are left, the status is 429. For the
/// webhook of an alert, the status is 409, because such a webhook gets no changes; also if the webhook is not verified, or the tier does
/// not allow it at present.
#[utoipa::path(
    post,
    path = "/v1/webhooks/{id}/replay",
    tag = "Webhooks",
    params(("id" = Uuid, Path, description = "Id of the webhook.", example = "0199c0de-0060-7000-8000-000000000000")),
    request_body = ReplayWebhook,
    responses((status = ACCEPTED, body = WebhookReplay)),
)]
pub(super) async fn replay_webhook(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<ReplayWebhook>,
) -> Result<(StatusCode, JsonResponse<WebhookReplay>), Problem> {
    let webhook = of_changes(known_webhook(&state, &team, &id).await?)?;
    let now = state.clock.now();
    let (from, to) = (request.from, request.to.unwrap_or(now).min(now));
    if from < now - MAX_AGE {
        let detail = format!("must be at most 30 days ago; got `{from}`");
        return Err(Problem::invalid("from", detail));
    }
    if from >= to {
        let detail = format!("must be before `to` and in the past; got `{from}`");
        return Err(Problem::invalid("from", detail));
    }
    let known = state.tenants.webhook_state(&team, &id).await?;
    if webhook.status != WebhookStatus::Active || known.disabled.is_some() {
        return Err(Problem::conflict(NotReplayed::NotActive));
    }
    let replay = WebhookReplay { from, to, requested_at: now };
    // Nothing is sent from the sandbox, so that nothing would end the replay.
    if team.environment() == Environment::Live {
        within_tier(&state, &team, caller.tier(), &id).await?;
        verified(&webhook, &known)?;
        limits::has_deliveries_left(&state, &caller, now).await?;
        let subject = format!("replays#{}", Subject::of(&caller));
        count(&state.counters, &REPLAYS, &subject, MAX_REPLAYS, now).await?;
        // First, so that a replay that is stored is always found.
        state.tenants.schedule_webhooks(&[(team.clone(), id.clone())], now).await?;
        if !state.tenants.start_webhook_replay(&team, &id, &replay).await? {
            return Err(Problem::conflict(NotReplayed::Running));
        }
    }
    Ok((StatusCode::ACCEPTED, JsonResponse(replay)))
}
