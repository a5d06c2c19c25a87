//! Alerts of a team: searches that run by themselves.

use accounts::{Alert, AlertFrequency, AlertView, SavedSearch, SearchKind, SearchParams};
use axum::{Json as JsonResponse, extract::State};
use http::StatusCode;
use http_service::{
    Description, Json, Name, NoParameters, Query, ResourceId, Routes, Tenant, handler, reads,
    writes,
};
use problem_details::Problem;
use serde::{Deserialize, Deserializer, de::Error as _};
use url::Url;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    problems::refused,
    saved_searches::{checked_params, last_runs},
};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(0).with_token(), handler!(alerts))
        .route(writes(0), handler!(create_alert))
        .route(writes(0), handler!(delete_alert))
}

/// Maximum length of an address for webhooks, in bytes.
const MAX_ADDRESS: usize = 2_048;

#[derive(Debug, thiserror::Error)]
#[error("the team has no alert with the id `{0}`")]
struct UnknownAlert(String);

/// An address for webhooks: https, with a host, without user, password and fragment.
struct WebhookUrl(String);

impl<'de> Deserialize<'de> for WebhookUrl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let is_plain = |it: &Url| {
            it.scheme() == "https"
                && it.host_str().is_some_and(|host| !host.is_empty())
                && it.username().is_empty()
                && it.password().is_none()
                && it.fragment().is_none()
        };
        let url = Url::parse(&text).ok().filter(is_plain).map(String::from);
        url.filter(|it| it.len() <= MAX_ADDRESS).map(Self).ok_or_else(|| {
            D::Error::custom(format!(
                "must be an https URL without user, password and fragment, of at most {MAX_ADDRESS} bytes; got `{text}`"
            ))
        })
    }
}

/// List alerts
///
/// Alerts of the team, oldest first.
#[utoipa::path(
    get,
    path = "/v1/alerts",
    tag = "Saved searches and alerts",
    responses((status = OK, body = Vec<AlertView>)),
)]
async fn alerts(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<JsonResponse<Vec<AlertView>>, Problem> {
    let alerts: Vec<Alert> = state.tenants.resources(&team, "").await?;
    let mut runs = last_runs(&state, &team, SearchKind::Alert).await?;
    let now = state.clock.now();
    let view = |it: Alert| {
        let last = runs.remove(&it.id);
        AlertView::new(it, last, now)
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
    /// Address for webhooks: an https URL of at most 2,048 bytes. It is only stored: alerts
    /// cause notifications, not webhooks.
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = "^https://", max_length = 2_048, example = "https://example.com/hooks/gotthard")]
    webhook_url: Option<WebhookUrl>,
    /// How often the alert runs. Default: `daily`.
    #[serde(default)]
    #[schema(example = "daily")]
    frequency: AlertFrequency,
    /// Saved search of the team that the alert belongs to. The alert runs its own filters, not those of the search.
    #[serde(default)]
    saved_search_id: Option<Uuid>,
}

/// Create an alert
///
/// An alert runs every hour, day or week, at the minute, time of day or weekday at which it was created. A run starts within
/// 15 minutes after that time. The first run only remembers what it finds; each later run creates one
/// notification if it finds companies that no earlier run has found. If a run finds more than 10,000 companies, it is
/// compared with other runs by number: the notification then says how many more there are, and lists none.
///
/// The response contains the alert. A team can have 20 alerts (Free), 50 (Starter), 100 (Professional) or 200
/// (Enterprise); a further one is refused with 409.
#[utoipa::path(
    post,
    path = "/v1/alerts",
    tag = "Saved searches and alerts",
    request_body = CreateAlert,
    responses((status = CREATED, body = AlertView)),
)]
async fn create_alert(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<CreateAlert>,
) -> Result<(StatusCode, JsonResponse<AlertView>), Problem> {
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
        webhook_url: request.webhook_url.map(|it| it.0),
        frequency: request.frequency,
        is_active: true,
        saved_search_id,
        created_by: caller.principal().clone(),
        created_at: now,
        updated_at: now,
    };
    state.tenants.create(&team, caller.tier(), &alert).await.map_err(refused)?;
    Ok((StatusCode::CREATED, JsonResponse(AlertView::new(alert, None, now))))
}

/// Delete an alert
///
/// Deletes the alert, which then no longer runs. Its notifications stay.
#[utoipa::path(
    delete,
    path = "/v1/alerts/{id}",
    tag = "Saved searches and alerts",
    params(("id" = Uuid, Path, description = "Id of the alert.", example = "0199c0de-0021-7000-8000-000000000000")),
    responses((status = NO_CONTENT)),
)]
async fn delete_alert(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<StatusCode, Problem> {
    if state.tenants.delete_alert(&team, &id).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Problem::not_found(UnknownAlert(id)))
    }
}
