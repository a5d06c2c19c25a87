//! The last run of each source.

use axum::{Json, extract::State};
use domain::Source;
use http_service::{Description, NoParameters, Query, Routes, handler, reads};
use jiff::Timestamp;
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use sources::{STALE_AFTER_INTERVALS, description};
use utoipa::ToSchema;

use crate::source_status::{LoadState, SourceHealth, health, run_state};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(0), handler!(sync_status))
}

/// State of each data source.
#[derive(Serialize, ToSchema)]
struct SyncStatuses {
    /// One entry for each data source. These are not pipelines of prospects.
    pipelines: Vec<SyncStatus>,
}

/// State of one data source: its last run, totals of all runs, and its schedule.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SyncStatus {
    /// Name of the source.
    #[schema(example = "shab")]
    pipeline: &'static str,
    /// State of the last run.
    status: LoadState,
    /// Number of valid records in all runs.
    items_processed: u64,
    /// Number of records in all runs, including invalid ones.
    items_total: u64,
    /// Time when the last completed run ended. Absent if no run has completed.
    last_completed_at: Option<Timestamp>,
    /// Time when the last run started. Absent if there was none.
    last_started_at: Option<Timestamp>,
    /// Health of the source. Absent for a source without a schedule.
    health: Option<SourceHealth>,
    /// Minutes between two runs. Absent for a source without a schedule.
    expected_run_interval_minutes: Option<u32>,
    /// Minutes since the last completed run after which the source is `stale`. Absent for a source without a
    /// schedule.
    alert_threshold_minutes: Option<u32>,
    /// Names of the sources that must run before.
    depends_on: Vec<&'static str>,
    /// Minutes since the last completed run. Absent if no run has completed.
    minutes_since_completion: Option<f64>,
    /// Error of the last run. Absent if it did not fail.
    last_failure: Option<String>,
}

/// Get the sync status
///
/// For each source: state of the last run, number of records, schedule and health.
#[utoipa::path(
    get,
    path = "/v1/sync/status",
    tag = "Service",
    responses((status = OK, body = SyncStatuses)),
)]
async fn sync_status(
    State(state): State<crate::State>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<Json<SyncStatuses>, Problem> {
    let now = state.clock.now();
    let mut pipelines = Vec::new();
    for source in Source::ALL {
        let status = state.registry.source_status(source).await?;
        let interval = description(source).interval_minutes();
        let since = status.last_completed_at.map(|it| now.duration_since(it).as_secs_f64() / 60.0);
        pipelines.push(SyncStatus {
            pipeline: source.name(),
            status: run_state(&status),
            items_processed: status.readable,
            items_total: status.read,
            last_completed_at: status.last_completed_at,
            last_started_at: status.last_started_at,
            health: health(source, &status, now),
            expected_run_interval_minutes: interval,
            alert_threshold_minutes: interval.map(|it| it * STALE_AFTER_INTERVALS),
            // The other sources identify companies by the names and numbers of the register.
            depends_on: description(source).depends_on.iter().map(|it| it.name()).collect(),
            minutes_since_completion: since.map(|it| (it * 10.0).round() / 10.0),
            last_failure: status.last_failure,
        });
    }
    Ok(Json(SyncStatuses { pipelines }))
}
