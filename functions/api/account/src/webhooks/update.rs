//! The change of a webhook.

use axum::{Json as JsonResponse, extract::State};
use domain::{Uid, changes::Severity};
use http_service::{Json, NoParameters, Query, ResourceId, Tenant, Text};
use problem_details::Problem;
use serde::Deserialize;
use teams::{EventFilter, Webhook, WebhookState, WebhookStatus, WebhookView};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    MAX_EVENTS, UnknownWebhook, checked_url, companies, distinct, known_webhook, of_changes,
    verification, view, watchlists,
};
use crate::problems::refused;

/// Changes of a webhook. Fields that are left out stay as they are.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct UpdateWebhook {
    /// Address to which changes are sent: an https URL of at most 2,048 bytes, without user, password and fragment.
    #[serde(default)]
    #[schema(
        pattern = "^https://",
        max_length = 2_048,
        example = "https://example.com/hooks/gotthard"
    )]
    url: Option<String>,
    /// Description, 1–1,000 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 1_000, example = "Changes of our clients.")]
    description: Option<Text<1_000, true>>,
    /// What is delivered, at most 50, as when a webhook is created. Empty: all change types except `other`.
    #[serde(default, alias = "event_filters")]
    #[schema(max_items = 50, example = json!(["company.changed"]))]
    event_filters: Option<Vec<EventFilter>>,
    /// Companies whose changes are delivered, at most 40 company numbers (UID).
    #[serde(default, alias = "company_filters")]
    #[schema(value_type = Option<Vec<String>>, max_items = 40)]
    company_filters: Option<Vec<Uid>>,
    /// Watchlists of the team whose companies' changes are delivered, at most 100 ids.
    #[serde(default)]
    #[schema(max_items = 100)]
    watchlist_filters: Option<Vec<Uuid>>,
    /// Whether changes of the companies that the team watches, directly or in watchlists, are delivered, in addition to
    /// those of `companyFilters` and `watchlistFilters`.
    #[serde(default)]
    watched_only: Option<bool>,
    /// Lowest severity that is delivered.
    #[serde(default)]
    minimum_severity: Option<Severity>,
    /// `active` or `paused`. `active` also enables a webhook that was disabled.
    #[serde(default)]
    status: Option<WantedStatus>,
}

/// Status that a team can give a webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum WantedStatus {
    /// Changes are delivered.
    Active,
    /// Changes are not delivered.
    Paused,
}

/// Change a webhook
///
/// Changes the given fields and leaves the others as they are. While a webhook is paused or disabled, changes are not
/// delivered; `POST /v1/webhooks/{id}/replay` delivers them later. With the status `active`, deliveries that waited for
/// another attempt are continued. A new `url` has to be verified as when a webhook is created: until the receiver returns the
/// challenge, nothing else is sent to it. For the webhook of an alert, only `description` and `status` can be changed.
#[utoipa::path(
    put,
    path = "/v1/webhooks/{id}",
    tag = "Webhooks",
    params(("id" = Uuid, Path, description = "Id of the webhook.", example = "0199c0de-0060-7000-8000-000000000000")),
    request_body = UpdateWebhook,
    responses((status = OK, body = WebhookView)),
)]
pub(super) async fn update_webhook(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<UpdateWebhook>,
) -> Result<JsonResponse<WebhookView>, Problem> {
    let url = request.url.as_deref().map(|it| checked_url(&state, "url", it)).transpose()?;
    let events = request.event_filters.map(|it| distinct("eventFilters", it, MAX_EVENTS));
    let events = events.transpose()?;
    let companies = match request.company_filters {
        Some(given) => Some(companies(&state, given).await?),
        None => None,
    };
    let lists = match request.watchlist_filters {
        Some(given) => Some(watchlists(&state, &team, given).await?),
        None => None,
    };
    let changes_more = url.is_some()
        || events.is_some()
        || companies.is_some()
        || lists.is_some()
        || request.watched_only.is_some()
        || request.minimum_severity.is_some();
    if changes_more {
        of_changes(known_webhook(&state, &team, &id).await?)?;
    }
    let now = state.clock.now();
    let change = |old: &Webhook| {
        let status = match request.status {
            Some(WantedStatus::Active) => WebhookStatus::Active,
            Some(WantedStatus::Paused) => WebhookStatus::Paused,
            None => old.status,
        };
        Some(Webhook {
            url: url.clone().unwrap_or_else(|| old.url.clone()),
            description: match &request.description {
                Some(text) => text.0.clone(),
                None => old.description.clone(),
            },
            event_filters: events.clone().unwrap_or_else(|| old.event_filters.clone()),
            company_filters: companies.clone().unwrap_or_else(|| old.company_filters.clone()),
            watchlist_filters: lists.clone().unwrap_or_else(|| old.watchlist_filters.clone()),
            watched_only: request.watched_only.unwrap_or(old.watched_only),
            minimum_severity: request.minimum_severity.unwrap_or(old.minimum_severity),
            status,
            updated_at: now,
            ..old.clone()
        })
    };
    if request.status == Some(WantedStatus::Active) {
        // First, so that deliveries that waited are always found.
        state.tenants.schedule_webhooks(&[(team.clone(), id.clone())], now).await?;
    }
    let changed = state.tenants.change::<Webhook>(&team, &id, change).await.map_err(refused)?;
    let changed = changed.ok_or_else(|| Problem::not_found(UnknownWebhook(id.clone())))?;
    if request.status == Some(WantedStatus::Active) {
        let reset = |it: &mut WebhookState| {
            *it = WebhookState { dropped: None, ..it.without_failures() };
        };
        state.tenants.change_webhook_state(&team, &id, reset).await?;
    }
    let mut known = state.tenants.webhook_state(&team, &id).await?;
    if url.is_some() && !known.is_verified(&changed.url) {
        known = verification::ask(&state, &team, &caller, &changed).await;
    }
    Ok(JsonResponse(view(&state, &team, caller.tier(), changed, &known).await?))
}
