//! Whether the service can answer.

use axum::{Json, extract::State};
use http_service::{Description, NoParameters, Query, Routes, handler, reads};
use problem_details::{Problem, SERVICE_UNAVAILABLE};
use serde::Serialize;
use utoipa::ToSchema;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(0), handler!(health))
}

/// The service is up; a service that is not answers a problem.
#[derive(Serialize, ToSchema)]
struct Health {
    /// `healthy`.
    #[schema(example = "healthy")]
    status: &'static str,
    /// `connected`.
    #[schema(example = "connected")]
    database: &'static str,
    #[schema(example = "0.1.0")]
    version: &'static str,
}

/// Health
///
/// Asks the database: `healthy` means that it answered now.
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
        tracing::error!(failure = errors::chain(&failure), "unhealthy");
        Problem::new(&SERVICE_UNAVAILABLE, "the database does not answer")
    })?;
    let version = env!("CARGO_PKG_VERSION");
    Ok(Json(Health { status: "healthy", database: "connected", version }))
}
