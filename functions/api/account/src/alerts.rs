//! Alerts of a team: searches that run by themselves.

use access::Scope;
use auth::{SignatureScheme, WebhookKey};
use axum::{
    Json as JsonResponse,
    extract::State,
    response::{IntoResponse, Response},
};
use http::StatusCode;
use http_service::{
    ContainsSecret, Description, Json, Name, NoParameters, Query, ResourceId, Routes, Tenant,
    handler, reads, writes,
};
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use teams::{Alert, AlertFrequency, AlertView, SavedSearch, SearchKind, SearchParams, Webhook};
use url::Url;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    problems::refused,
    saved_searches::{checked_params, last_runs},
    webhooks::{ask, checked_url},
};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(0).with_token(), handler!(alerts))
        .route(writes(0), handler!(create_alert))
        .route(writes(0), handler!(delete_alert))
}

#[derive(Debug, thiserror::Error)]
#[error("the team has no alert with the id `{0}`")]
struct UnknownAlert(String);

#[derive(Debug, thiserror::Error)]
#[error("an alert with `webhookUrl` has a webhook, which requires the scope `manage`")]
struct MayNotManage;

/// The part of an address that contains no secret.
fn origin(address: &str) -> Option<String> {
    Some(Url::parse(address).ok()?.origin().ascii_serialization())
}

/// List alerts
///
/// Alerts of the team, oldest first. Callers without the scope `manage` see only the origin of `webhookUrl`, such as
/// `https://example.com`.
#[utoipa::path(
    get,
    path = "/v1/alerts",
    tag = "Saved searches and alerts",
    responses((status = OK, body = Vec<AlertView>)),
)]
async fn alerts(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<JsonResponse<Vec<AlertView>>, Problem> {
    let alerts: Vec<Alert> = state.tenants.resources(&team, "").await?;
    let mut runs = last_runs(&state, &team, SearchKind::Alert).await?;
    let within = state.tenants.within_tier::<Alert>(&team, caller.tier()).await?;
    let now = state.clock.now();
    let view = |mut it: Alert| {
        if !caller.may(Scope::Manage) {
            it.webhook_url = it.webhook_url.as_deref().and_then(origin);
        }
        let last = runs.remove(&it.id);
        let paused = within.paused_reason(&it.id);
        AlertView::new(it, last, paused, now)
    };
    Ok(JsonResponse(alerts.into_iter().map(view).collect()))
}

/// A new alert.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CreateAlert {
    /// Name of the alert, 1–100 characters.
    #[schema(value_type = String, min_length = 1, max_length = 100, example = "New plastics companies")]
    name: Name,
    /// Filters: query parameters of `GET /v1/companies` as a JSON object. Names may be written in snake case; several values
    /// are a list, or one text with commas. At most 10,000 bytes of JSON.
    #[schema(value_type = HashMap<String, Value>, example = json!({ "canton": "ZH", "capital_min": 100_000 }))]
    query_params: SearchParams,
    /// Address to which new results are sent, as to that of a webhook: an https URL of at most 2,048 bytes, without user,
    /// password and fragment, whose host has a public address. Requires the scope `manage`.
    #[serde(default)]
    #[schema(
        pattern = "^https://",
        max_length = 2_048,
        example = "https://example.com/hooks/gotthard"
    )]
    webhook_url: Option<String>,
    /// How often the alert runs. Default: `daily`.
    #[serde(default)]
    #[schema(example = "daily")]
    frequency: AlertFrequency,
    /// Saved search of the team that the alert belongs to. The alert runs its own filters, not those of the search.
    #[serde(default)]
    saved_search_id: Option<Uuid>,
}

/// A new alert. Only this response contains the secret.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CreatedAlert {
    #[serde(flatten)]
    alert: AlertView,
    /// Secret that verifies the signatures of deliveries (scheme `v1`). Absent without `webhookUrl`.
    #[schema(example = "whsec_…")]
    signing_secret: Option<String>,
}

/// Create an alert
///
/// An alert runs every hour, day or week, counted from its creation: hourly at the same minute, daily at the same time
/// of day in Switzerland, weekly on the same weekday at the same time. A run starts within 15 minutes after that time.
/// The first run only remembers what it finds; each later run creates one notification if it finds companies that no
/// earlier run has found. If a run finds more than 10,000 companies, only the totals are compared: the notification
/// states the increase and lists no companies.
///
/// With `webhookUrl`, the alert also has a webhook with the id of the alert, whose receiver has to be verified like that of
/// `POST /v1/webhooks` before it gets results. Its deliveries are CloudEvents of the type
/// `ch.gotthard.search.new_results`, signed and repeated like those of `POST /v1/webhooks`. Their `data` contains the members
/// `alertId`, `alertName`, `newCount`, `totalCount` and `companies` (`uid` and `name` of the first 20). Only this response
/// contains the secret; to replace it, call `POST /v1/webhooks/{id}/rotate`.
///
/// The response contains the alert. A team can have 20 alerts (Free), 50 (Starter), 100 (Professional) or 200
/// (Enterprise); a further one is refused with 409. After a change to a lower tier, the newest pause (`pausedReason`); the first run
/// afterwards finds what is new since the last one.
#[utoipa::path(
    post,
    path = "/v1/alerts",
    tag = "Saved searches and alerts",
    request_body = CreateAlert,
    // Only an alert without a webhook is replayed.
    responses((
        status = CREATED,
        body = CreatedAlert,
        headers(("Idempotent-Replayed" = String)),
    )),
)]
async fn create_alert(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<CreateAlert>,
) -> Result<Response, Problem> {
    let webhook_url = match &request.webhook_url {
        Some(_) if !caller.may(Scope::Manage) => return Err(Problem::forbidden(MayNotManage)),
        Some(url) => Some(checked_url(&state, "webhookUrl", url)?),
        None => None,
    };
    let query_params = checked_params("queryParams", request.query_params)?;
    let saved_search_id = request.saved_search_id.map(|it| it.to_string());
    if let Some(id) = &saved_search_id
        && state.tenants.resource::<SavedSearch>(&team, id).await?.is_none()
    {
        let detail = format!("must be the id of a saved search of the team; got `{id}`");
        return Err(Problem::invalid("savedSearchId", detail));
    }
    let now = state.clock.now();
    let alert = Alert {
        id: Uuid::now_v7().to_string(),
        name: request.name.0,
        query_params,
        webhook_url,
        frequency: request.frequency,
        is_active: true,
        saved_search_id,
        created_by: caller.principal().clone(),
        created_at: now,
        updated_at: now,
    };
    let (webhook, key) = match &alert.webhook_url {
        Some(url) => {
            let scheme = SignatureScheme::V1;
            let (stored, key) = state.webhooks.new_key(&team, &alert.id, scheme, now).await?;
            (Some(Webhook::of_alert(&alert, url.clone(), stored)), Some(key))
        }
        None => (None, None),
    };
    let created = state.tenants.create_alert(&team, caller.tier(), &alert, webhook.as_ref()).await;
    created.map_err(refused)?;
    if let Some(webhook) = &webhook {
        ask(&state, &team, &caller, webhook).await;
    }
    let secret = key.is_some().then(|| ContainsSecret { id: alert.id.clone() });
    let signing_secret = key.as_ref().and_then(WebhookKey::secret).map(|it| it.expose().to_owned());
    let alert = AlertView::new(alert, None, None, now);
    let answer = JsonResponse(CreatedAlert { alert, signing_secret });
    Ok((StatusCode::CREATED, secret, answer).into_response())
}

/// Delete an alert
///
/// Deletes the alert, which then no longer runs, and its webhook. Its notifications stay. An alert with a webhook requires the
/// scope `manage`.
#[utoipa::path(
    delete,
    path = "/v1/alerts/{id}",
    tag = "Saved searches and alerts",
    params(("id" = Uuid, Path, description = "Id of the alert.", example = "0199c0de-0021-7000-8000-000000000000")),
    responses((status = NO_CONTENT)),
)]
async fn delete_alert(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<StatusCode, Problem> {
    let alert = state.tenants.resource::<Alert>(&team, &id).await?;
    if alert.is_some_and(|it| it.webhook_url.is_some()) && !caller.may(Scope::Manage) {
        return Err(Problem::forbidden(MayNotManage));
    }
    if state.tenants.delete_alert(&team, &id).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Problem::not_found(UnknownAlert(id)))
    }
}
