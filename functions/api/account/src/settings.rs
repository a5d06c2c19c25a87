//! Free-form settings of a user, or of the team's API keys.

use axum::{Json as JsonResponse, extract::State};
use http_service::{
    Description, Json, NoParameters, Query, Routes, Tenant, handler, reads, writes,
};
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(0).with_token(), handler!(preferences))
        .route(writes(0), handler!(replace_preferences))
}

/// Maximum size of the settings, in bytes of JSON.
const MAX_BYTES: usize = 16_384;
/// Maximum number of objects and lists inside each other.
const MAX_DEPTH: usize = 10;

/// Settings: any JSON object. The service stores and returns it, and does not interpret it.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
struct Preferences {
    #[schema(additional_properties, example = json!({ "theme": "dark", "language": "de" }))]
    settings: Map<String, Value>,
}

/// Get the settings
///
/// Settings of the caller. All API keys of a team share the same settings. Empty if none were stored.
#[utoipa::path(
    get,
    path = "/v1/settings/preferences",
    tag = "Settings",
    responses((status = OK, body = Object, example = json!({ "theme": "dark", "language": "de" }))),
)]
async fn preferences(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<JsonResponse<Preferences>, Problem> {
    let settings = state.tenants.settings(&team, caller.principal()).await?;
    Ok(JsonResponse(Preferences { settings }))
}

/// Replace the settings
///
/// Replaces all settings of the caller and returns them; settings that are left out are removed. At most 16,384 bytes, and at most 10 objects
/// and lists inside each other.
#[utoipa::path(
    put,
    path = "/v1/settings/preferences",
    tag = "Settings",
    request_body = Object,
    responses((status = OK, body = Object)),
)]
async fn replace_preferences(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
    Json(preferences): Json<Preferences>,
) -> Result<JsonResponse<Preferences>, Problem> {
    let bytes = serde_json::to_vec(&preferences.settings)?.len();
    if bytes > MAX_BYTES {
        let detail = format!("must have at most {MAX_BYTES} bytes; got {bytes}");
        return Err(Problem::invalid("body", detail));
    }
    if preferences.settings.values().any(|it| depth(it) >= MAX_DEPTH) {
        let detail = format!("must have at most {MAX_DEPTH} objects and lists inside each other");
        return Err(Problem::invalid("body", detail));
    }
    let settings = preferences.settings.clone();
    state.tenants.put_settings(&team, caller.principal(), settings).await?;
    Ok(JsonResponse(preferences))
}

/// Number of objects and lists inside each other. The JSON reader refuses more than 128.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or_default(),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or_default(),
        _ => 0,
    }
}
