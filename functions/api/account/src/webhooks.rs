//! Webhooks of a team: addresses to which changes, or new results of alerts, are sent.

mod deliveries;
mod keys;
mod limits;
mod update;
mod verification;

use access::{TeamLimits, Tier};
use auth::{SignatureScheme, WebhookKey};
use axum::{Json as JsonResponse, extract::State, response::IntoResponse};
use company_reader::refuse_mistyped;
use domain::{Uid, changes::Severity};
use http::StatusCode;
use http_service::{
    ContainsSecret, Description, Json, NoParameters, Query, ResourceId, Routes, Tenant, Text,
    handler, manages,
};
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use store::TeamKey;
use teams::{EventFilter, Watchlist, Webhook, WebhookState, WebhookStatus, WebhookView};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::problems::refused;

pub(crate) use self::verification::ask;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(manages(0), handler!(webhooks))
        .route(manages(0), handler!(create_webhook))
        .route(manages(0), handler!(webhook))
        .route(manages(0), handler!(update::update_webhook))
        .route(manages(0), handler!(delete_webhook))
        .route(manages(0), handler!(keys::rotate_webhook_key))
        .route(manages(0), handler!(deliveries::webhook_deliveries))
        .route(manages(0), handler!(deliveries::test_webhook))
        .route(manages(0), handler!(deliveries::replay_webhook))
        .route(manages(0), handler!(verification::verify_webhook))
}

/// Maximum number of change types of a webhook.
const MAX_EVENTS: usize = 50;
/// Maximum number of companies of a webhook: each has a copy, and they are written together.
const MAX_COMPANIES: usize = 40;
/// Maximum number of watchlists of a webhook.
const MAX_WATCHLISTS: usize = 100;

#[derive(Debug, thiserror::Error)]
#[error("the team has no webhook with the id `{0}`")]
struct UnknownWebhook(String);

async fn known_webhook(state: &crate::State, team: &TeamKey, id: &str) -> Result<Webhook, Problem> {
    let webhook = state.tenants.resource(team, id).await?;
    webhook.ok_or_else(|| Problem::not_found(UnknownWebhook(id.to_owned())))
}

#[derive(Debug, thiserror::Error)]
#[error("the webhook belongs to the alert `{0}`: delete the alert, and create another one")]
struct OfAlert(String);

/// The webhook, unless it is that of an alert.
fn of_changes(webhook: Webhook) -> Result<Webhook, Problem> {
    match webhook.alert_id {
        Some(alert) => Err(Problem::conflict(OfAlert(alert))),
        None => Ok(webhook),
    }
}

#[derive(Debug, thiserror::Error)]
#[error("webhooks of the sandbox send nothing")]
struct Sandbox;

#[derive(Debug, thiserror::Error)]
#[error(
    "the tier `{tier}` allows {max} webhooks, and the team has as many that are older; this one is paused"
)]
struct PausedByTier {
    tier: Tier,
    max: u32,
}

/// Refuses to send anything to a webhook that the tier of the team does not allow at present.
async fn within_tier(
    state: &crate::State,
    team: &TeamKey,
    tier: Tier,
    id: &str,
) -> Result<(), Problem> {
    match state.tenants.within_tier::<Webhook>(team, tier).await?.includes(id) {
        true => Ok(()),
        false => {
            let max = TeamLimits::of(tier).webhooks;
            Err(Problem::conflict(PausedByTier { tier, max }))
        }
    }
}

/// The webhook as it is shown, with this state of its receiver.
async fn view(
    state: &crate::State,
    team: &TeamKey,
    tier: Tier,
    webhook: Webhook,
    known: &WebhookState,
) -> Result<WebhookView, Problem> {
    let within = state.tenants.within_tier::<Webhook>(team, tier).await?;
    let paused = within.paused_reason(&webhook.id);
    Ok(WebhookView::new(webhook, known, paused))
}

/// List webhooks
///
/// Webhooks of the team, oldest first, with those of its alerts.
#[utoipa::path(
    get,
    path = "/v1/webhooks",
    tag = "Webhooks",
    responses((status = OK, body = Vec<WebhookView>)),
)]
async fn webhooks(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<JsonResponse<Vec<WebhookView>>, Problem> {
    let webhooks: Vec<Webhook> = state.tenants.resources(&team, "").await?;
    let states = state.tenants.webhook_states(&team, &webhooks).await?;
    let within = state.tenants.within_tier::<Webhook>(&team, caller.tier()).await?;
    let view = |(it, state): (Webhook, WebhookState)| {
        let paused = within.paused_reason(&it.id);
        WebhookView::new(it, &state, paused)
    };
    Ok(JsonResponse(webhooks.into_iter().zip(states).map(view).collect()))
}

/// Get a webhook
///
/// The webhook with its filters and the state of its receiver, without its secret.
#[utoipa::path(
    get,
    path = "/v1/webhooks/{id}",
    tag = "Webhooks",
    params(("id" = Uuid, Path, description = "Id of the webhook.", example = "0199c0de-0060-7000-8000-000000000000")),
    responses((status = OK, body = WebhookView)),
)]
async fn webhook(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<JsonResponse<WebhookView>, Problem> {
    let webhook = known_webhook(&state, &team, &id).await?;
    let known = state.tenants.webhook_state(&team, &webhook.id).await?;
    Ok(JsonResponse(view(&state, &team, caller.tier(), webhook, &known).await?))
}

/// A new webhook.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CreateWebhook {
    /// Address to which changes are sent: an https URL of at most 2,048 bytes, without user, password and fragment. Its host
    /// must have a public address.
    #[schema(
        pattern = "^https://",
        max_length = 2_048,
        example = "https://example.com/hooks/gotthard"
    )]
    url: String,
    /// Description, 1–1,000 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 1_000, example = "Changes of our suppliers.")]
    description: Option<Text<1_000, true>>,
    /// What is delivered, at most 50: change types, `company.changed` for all except `other`, and `screening.hit` for new hits
    /// of monitored subjects and watched companies after an update of a screening list. Default: all change types except
    /// `other`, and no hits.
    #[serde(default, alias = "event_filters")]
    #[schema(max_items = 50, example = json!(["auditor_change", "bankruptcy"]))]
    event_filters: Vec<EventFilter>,
    /// Companies whose changes are delivered, at most 40 company numbers (UID). For more, use a watchlist.
    #[serde(default, alias = "company_filters")]
    #[schema(value_type = Vec<String>, max_items = 40, example = json!(["CHE-812.460.660"]))]
    company_filters: Vec<Uid>,
    /// Watchlists of the team whose companies' changes are delivered, at most 100 ids.
    #[serde(default)]
    #[schema(max_items = 100)]
    watchlist_filters: Vec<Uuid>,
    /// Whether changes of the companies that the team watches, directly or in watchlists, are delivered, in addition to
    /// those of `companyFilters` and `watchlistFilters`. Default: `false`.
    #[serde(default)]
    #[schema(default = false)]
    watched_only: bool,
    /// Lowest severity that is delivered. Default: `low`.
    #[serde(default)]
    minimum_severity: Option<Severity>,
    /// How deliveries are signed. Default: `v1`.
    #[serde(default)]
    signature_scheme: SignatureScheme,
}

/// A webhook with the key that verifies its signatures. Only this response contains the secret.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct WebhookWithKey {
    /// The webhook.
    webhook: WebhookView,
    /// Secret that verifies signatures of the scheme `v1`. Absent for `v1a`.
    #[schema(example = "whsec_…")]
    signing_secret: Option<String>,
    /// Public key that verifies signatures of the scheme `v1a`. Absent for `v1`.
    public_key: Option<String>,
}

fn with_key(webhook: WebhookView, key: &WebhookKey) -> impl IntoResponse + use<> {
    let id = webhook.webhook.id.clone();
    let response = WebhookWithKey {
        webhook,
        signing_secret: key.secret().map(|it| it.expose().to_owned()),
        public_key: key.public_key(),
    };
    (ContainsSecret { id }, JsonResponse(response))
}

/// Create a webhook
///
/// From now on, changes that are added to the change feed are sent to the address, each in a POST request with a CloudEvent
/// (`application/cloudevents+json`), signed as Standard Webhooks 1.0 requires. Without `companyFilters`, `watchlistFilters`
/// and `watchedOnly`, changes of all companies are delivered. With any of them, only changes of companies that match at
/// least one filter are delivered. Changes published more than 7 days before they are added to the change feed are not
/// delivered.
///
/// With `screening.hit`, new hits are delivered too, as `ch.gotthard.screening.hit`: after an update of a screening list,
/// hits of monitored subjects, of watched companies, of the officers of watched companies, and of the parents that
/// watched companies report to GLEIF (except direct parents in the Swiss register). `data` has `screeningId`,
/// `subjectName`, `companyUid`, `officerOf` and `parentOf` (for a hit about an officer or a parent: name of the
/// company), `watchlistIds` and the `hits` with id, list, name, score, risk level and source. Members that do not apply
/// are `null`. With filters, a hit of a company is delivered only if a filter includes the company, and a hit of a
/// monitored subject only if its company number is in `companyFilters`. `minimumSeverity` has no effect on hits.
///
/// The receiver must first prove that it wants deliveries. This request sends it an event of the type
/// `ch.gotthard.webhook.verify` and waits up to 15 seconds for the response. The webhook is `verified` if the status is from 200 to
/// 299 and the body is the text in `data.challenge`, as `{"challenge": "…"}` or alone. The event is signed, but the receiver does
/// not know the secret yet: it can return the challenge without verifying the signature, or be asked again with
/// `POST /v1/webhooks/{id}/verify`. Until the webhook is verified, changes are not collected for it, and it gets no tests and no
/// replays. A new address has to be verified again.
///
/// The header `webhook-id` is the same for every attempt of a delivery. A delivery may arrive more than once, and in another
/// order than the changes: `sequence` is their order. A response with a status from 200 to 299 within 15 seconds, of at most
/// 64 KiB, accepts the delivery. Otherwise it is sent again up to nine times. The waiting times after each attempt are 5
/// seconds, 5 minutes, 30 minutes, and 2, 5, 10, 14, 20 and 24 hours. The webhook is disabled and the team is notified if
/// the response is 410 (Gone), or if no attempt has succeeded for 72 hours and at least ten have failed. Redirects are not
/// followed. On one day (UTC), 1,000 (Free), 10,000 (Starter), 100,000 (Professional) or 1,000,000 (Enterprise) deliveries are
/// made for a team, every attempt counted; all Free teams that one user has created share theirs. The others wait for the next day,
/// or for a higher tier. At most as many wait for a webhook as are made on a day, and at most 100,000; what exceeds this is left out
/// and counted (`droppedCount`), and the team is notified.
///
/// Only this response contains the secret. If the secret is lost, call `POST /v1/webhooks/{id}/rotate`: a repeated request
/// with the same `Idempotency-Key` gets 409. A team can have 3 webhooks (Free), 10 (Starter), 20 (Professional) or 50
/// (Enterprise); after a change to a lower tier, the newest pause (`pausedReason`). Webhooks that a test key creates send nothing.
#[utoipa::path(
    post,
    path = "/v1/webhooks",
    tag = "Webhooks",
    request_body = CreateWebhook,
    responses((status = CREATED, body = WebhookWithKey)),
)]
async fn create_webhook(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<CreateWebhook>,
) -> Result<impl IntoResponse, Problem> {
    let (id, now) = (Uuid::now_v7().to_string(), state.clock.now());
    let url = checked_url(&state, "url", &request.url)?;
    let mut webhook = Webhook {
        id: id.clone(),
        url,
        description: request.description.map(|it| it.0).unwrap_or_default(),
        event_filters: distinct("eventFilters", request.event_filters, MAX_EVENTS)?,
        company_filters: companies(&state, request.company_filters).await?,
        watchlist_filters: watchlists(&state, &team, request.watchlist_filters).await?,
        watched_only: request.watched_only,
        alert_id: None,
        minimum_severity: request.minimum_severity.unwrap_or(Severity::Low),
        status: WebhookStatus::Active,
        signing_keys: Vec::new(),
        after_sequence: state.registry.feed_end().await?,
        created_by: caller.principal().clone(),
        created_at: now,
        updated_at: now,
    };
    let (stored, key) = state.webhooks.new_key(&team, &id, request.signature_scheme, now).await?;
    webhook.signing_keys.push(stored);
    state.tenants.create(&team, caller.tier(), &webhook).await.map_err(refused)?;
    let known = verification::ask(&state, &team, &caller, &webhook).await;
    let view = WebhookView::new(webhook, &known, None);
    Ok((StatusCode::CREATED, with_key(view, &key)))
}

/// The address, if deliveries can be sent to it.
pub(crate) fn checked_url(
    state: &crate::State,
    member: &'static str,
    text: &str,
) -> Result<String, Problem> {
    state.webhooks.checked_address(text).map(String::from).map_err(|reason| {
        let shown: String = text.chars().take(100).collect();
        let detail = format!("must be an https URL with a public host: {reason}; got `{shown}`");
        Problem::invalid(member, detail)
    })
}

/// The list without repetitions.
fn distinct<T: PartialEq>(
    member: &'static str,
    given: Vec<T>,
    max: usize,
) -> Result<Vec<T>, Problem> {
    if given.len() > max {
        let detail = format!("must have at most {max} items; got {}", given.len());
        return Err(Problem::invalid(member, detail));
    }
    let mut distinct = Vec::with_capacity(given.len());
    for item in given {
        if !distinct.contains(&item) {
            distinct.push(item);
        }
    }
    Ok(distinct)
}

/// A company that is not in the register yet may be named.
async fn companies(state: &crate::State, given: Vec<Uid>) -> Result<Vec<Uid>, Problem> {
    let companies = distinct("companyFilters", given, MAX_COMPANIES)?;
    refuse_mistyped(&state.registry, "companyFilters", companies.iter().copied()).await?;
    Ok(companies)
}

async fn watchlists(
    state: &crate::State,
    team: &TeamKey,
    given: Vec<Uuid>,
) -> Result<Vec<String>, Problem> {
    let ids: Vec<String> = given.iter().map(Uuid::to_string).collect();
    let ids = distinct("watchlistFilters", ids, MAX_WATCHLISTS)?;
    if ids.is_empty() {
        return Ok(ids);
    }
    let known: Vec<Watchlist> = state.tenants.resources(team, "").await?;
    match ids.iter().find(|id| known.iter().all(|it| it.id != **id)) {
        Some(unknown) => {
            let detail = format!("must be ids of watchlists of the team; got `{unknown}`");
            Err(Problem::invalid("watchlistFilters", detail))
        }
        None => Ok(ids),
    }
}

/// Delete a webhook
///
/// Deliveries that wait for another attempt are not made. For the webhook of an alert, the status is 409: delete the
/// alert instead.
#[utoipa::path(
    delete,
    path = "/v1/webhooks/{id}",
    tag = "Webhooks",
    params(("id" = Uuid, Path, description = "Id of the webhook.", example = "0199c0de-0060-7000-8000-000000000000")),
    responses((status = NO_CONTENT), (status = CONFLICT)),
)]
async fn delete_webhook(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<StatusCode, Problem> {
    of_changes(known_webhook(&state, &team, &id).await?)?;
    match state.tenants.delete_webhook(&team, &id, |_| true).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(Problem::not_found(UnknownWebhook(id))),
    }
}
