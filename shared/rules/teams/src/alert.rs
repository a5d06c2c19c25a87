use auth::Principal;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::{AlertFrequency, LastRun, PausedReason, Schedule, SearchParams};

/// A search that runs by itself and notifies of new results.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StoredAlert)]
pub struct Alert {
    /// Id of the alert.
    #[schema(example = "0199c0de-0021-7000-8000-000000000000")]
    pub id: String,
    /// Name of the alert.
    #[schema(example = "New plastics companies")]
    pub name: String,
    /// Filters, as they were given: query parameters of `GET /v1/companies`.
    #[schema(value_type = HashMap<String, Value>, example = json!({ "canton": "ZH", "capitalMin": 100_000 }))]
    pub query_params: SearchParams,
    /// Address to which new results are sent. The webhook with the id of the alert has its state and its deliveries. Absent if
    /// none was given.
    #[schema(example = "https://example.com/hooks/gotthard")]
    pub webhook_url: Option<String>,
    /// How often the alert runs.
    pub frequency: AlertFrequency,
    /// Whether the alert runs. Always `true`.
    pub is_active: bool,
    /// Saved search that the alert belongs to. Absent if none was given.
    pub saved_search_id: Option<String>,
    /// Who created the alert.
    pub created_by: Principal,
    /// Time when the alert was created.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

impl Alert {
    /// When the alert runs. `None`: it does not.
    pub fn schedule(&self) -> Option<Schedule> {
        self.is_active.then(|| Schedule::new(self.frequency, self.created_at))
    }
}

/// An alert with its last and next run.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Alert)]
pub struct AlertView {
    #[serde(flatten)]
    pub alert: Alert,
    /// Time of the last run that found something new. Absent before the first.
    pub last_triggered_at: Option<Timestamp>,
    /// Number of companies that the last run found. Absent before the first.
    pub last_result_count: Option<u64>,
    /// Number of runs that found something new.
    pub trigger_count: u64,
    /// Time from which the next run is due. Absent while the alert pauses.
    pub next_run_at: Option<Timestamp>,
    /// Why the alert does not run at present. Absent if it does.
    pub paused_reason: Option<PausedReason>,
}

impl AlertView {
    pub fn new(
        alert: Alert,
        last: Option<LastRun>,
        paused_reason: Option<PausedReason>,
        now: Timestamp,
    ) -> Self {
        let schedule = alert.schedule().filter(|_| paused_reason.is_none());
        Self {
            last_triggered_at: last.as_ref().and_then(|it| it.triggered_at),
            last_result_count: last.as_ref().map(|it| it.result_count),
            trigger_count: last.as_ref().map_or(0, |it| it.trigger_count),
            next_run_at: schedule.map(|it| it.next_after(now)),
            paused_reason,
            alert,
        }
    }
}
