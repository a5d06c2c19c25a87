//! Health check.

use axum::{Json, extract::State};
use http_service::{Description, NoParameters, Query, Routes, handler, reads};
use problem_details::{Problem, SERVICE_UNAVAILABLE};
use serde::Serialize;
use utoipa::ToSchema;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(0), handler!(health))
}

/// Health of the service. An unhealthy service returns status 503 instead.
#[derive(Serialize, ToSchema)]
struct Health {
    /// Health of the service. Always `healthy`.
    #[schema(example = "healthy")]
    status: &'static str,
    /// Connection to the database. Always `connected`.
    #[schema(example = "connected")]
    database: &'static str,
    /// Version of the service.
    #[schema(example = "0.1.0")]
    version: &'static str,
}

/// Check the service health
///
/// Sends a request to the database. Returns 503 if the database does not respond.
#[utoipa::path(
    get,
    path = "/health",
    tag = "Service",
    responses((status = OK, body = Health)),
)]
async fn health(
    State(state): State<crate::State>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<Json<Health>, Problem> {
    state.registry.ping().await.map_err(|failure| {
        tracing::error!(failure = errors::chain(&failure), "health check failed");
        Problem::new(&SERVICE_UNAVAILABLE, "the database does not respond")
    })?;
    let version = env!("CARGO_PKG_VERSION");
    Ok(Json(Health { status: "healthy", database: "connected", version }))
}
