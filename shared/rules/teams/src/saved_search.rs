use auth::Principal;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::{LastRun, PausedReason, Schedule, SearchFrequency, SearchParams};

/// A search that a team saved.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StoredSavedSearch)]
pub struct SavedSearch {
    /// Id of the saved search.
    #[schema(example = "0199c0de-0020-7000-8000-000000000000")]
    pub id: String,
    /// Name of the saved search.
    #[schema(example = "Plastics in Zürich")]
    pub name: String,
    /// Description. Absent if there is none.
    pub description: Option<String>,
    /// Filters, as they were given: query parameters of `GET /v1/companies`.
    #[schema(value_type = HashMap<String, Value>, example = json!({ "canton": "ZH", "capitalMin": 100_000 }))]
    pub search_params: SearchParams,
    /// Whether the search runs by itself and notifies of new results.
    pub is_scheduled: bool,
    /// How often it runs by itself. Absent if it never did.
    pub schedule_frequency: Option<SearchFrequency>,
    /// Time at which the schedule was set. Absent if the search is not scheduled.
    pub scheduled_at: Option<Timestamp>,
    /// Who saved the search.
    pub created_by: Principal,
    /// Time when the search was saved.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

impl SavedSearch {
    /// When the search runs by itself. `None`: it does not.
    pub fn schedule(&self) -> Option<Schedule> {
        let since = self.scheduled_at.filter(|_| self.is_scheduled)?;
        Some(Schedule::new(self.schedule_frequency?, since))
    }
}

/// A saved search with its last and next run.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SavedSearch)]
pub struct SavedSearchView {
    #[serde(flatten)]
    pub search: SavedSearch,
    /// Time of the last run, scheduled or not. Absent before the first.
    pub last_run_at: Option<Timestamp>,
    /// Number of companies that the last run found. Absent before the first.
    pub last_result_count: Option<u64>,
    /// Time from which the next scheduled run is due. Absent if the search is not scheduled, or pauses.
    pub next_run_at: Option<Timestamp>,
    /// Why the search does not run by itself at present, scheduled or not. Absent if the tier allows it.
    pub paused_reason: Option<PausedReason>,
}

impl SavedSearchView {
    pub fn new(
        search: SavedSearch,
        last: Option<LastRun>,
        paused_reason: Option<PausedReason>,
        now: Timestamp,
    ) -> Self {
        let schedule = search.schedule().filter(|_| paused_reason.is_none());
        Self {
            last_run_at: last.as_ref().map(|it| it.run_at),
            last_result_count: last.as_ref().map(|it| it.result_count),
            next_run_at: schedule.map(|it| it.next_after(now)),
            paused_reason,
            search,
        }
    }
}
