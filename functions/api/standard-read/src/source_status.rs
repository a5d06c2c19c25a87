//! The status of a source: the result of its last run, and whether it runs as often as expected.

use domain::Source;
use jiff::Timestamp;
use serde::Serialize;
use sources::description;
use store::SourceStatus;
use utoipa::ToSchema;

/// The health of a source; `None` for a source without a schedule.
pub(crate) fn health(
    source: Source,
    status: &SourceStatus,
    now: Timestamp,
) -> Option<SourceHealth> {
    let description = description(source);
    description.interval_minutes()?;
    Some(match status.last_completed_at {
        None => SourceHealth::Never,
        Some(completed) if description.is_stale(completed, now) => SourceHealth::Stale,
        Some(_) => SourceHealth::Fresh,
    })
}

/// The state of the last run.
pub(crate) fn run_state(status: &SourceStatus) -> LoadState {
    match (status.last_started_at, status.last_completed_at) {
        _ if status.last_failure.is_some() => LoadState::Failed,
        (None, _) => LoadState::Idle,
        (Some(started), Some(completed)) if completed >= started => LoadState::Ok,
        _ => LoadState::Running,
    }
}

/// Whether a source is up to date: `fresh`, `stale` if its last completed run is older than twice the expected
/// interval, `never` if no run has completed.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SourceHealth {
    Fresh,
    Stale,
    Never,
}

/// State of the last run of a source: `ok` (completed), `running` (started and not completed), `failed` (`lastFailure`
/// of `/v1/sync/status` states why) or `idle` (there was none).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LoadState {
    Ok,
    Running,
    Failed,
    Idle,
}
