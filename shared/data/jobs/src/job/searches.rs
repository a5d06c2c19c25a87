//! The runs of saved searches and alerts.

use access::Environment;
use auth::TeamId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use teams::StoredSearch;
use uuid::Uuid;

use super::Message;

/// UUID namespace of the deduplication ids of runs.
const RUN: Uuid = Uuid::from_u128(0x5d0a_9e1c_41f7_5b86_a3c2_6f90_d8e4_17b5);

/// A job for the `saved-searches` worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "snake_case")]
pub enum SearchJob {
    /// Run a saved search or an alert for the period that was due at this time. Safe to run twice: a period that has run,
    /// or that is older than one that has, does nothing.
    Run { team: TeamId, environment: Environment, search: StoredSearch, period: Timestamp },
}

impl Message for SearchJob {
    const VARIABLE: &'static str = "SEARCHES_QUEUE";

    /// One group for each search: its runs depend on each other, those of different searches do not.
    fn group(&self) -> &str {
        let Self::Run { search, .. } = self;
        &search.id
    }

    fn deduplication_id(&self) -> Option<String> {
        let Self::Run { team, environment, search, period } = self;
        let name = format!("{team}/{environment}/{search}/{period}");
        Some(format!("run-{}", Uuid::new_v5(&RUN, name.as_bytes())))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// A queue may hold messages of the previous version during a deployment.
    #[test]
    fn wire_format_is_stable() {
        let run: Value = json!({
            "job": "run", "team": "a-team", "environment": "live",
            "search": { "kind": "saved_search", "id": "an-id" }, "period": "2026-11-20T04:00:00Z",
        });
        let job: SearchJob = serde_json::from_value(run.clone()).expect("a job");
        assert_eq!(serde_json::to_value(&job).expect("plain data"), run);
        assert_eq!(job.group(), "an-id");
    }

    #[test]
    fn deduplication_id_of_a_run_follows_from_search_and_period() {
        let run = |team: &str, id: &str, period: &str| {
            let job = json!({
                "job": "run", "team": team, "environment": "live",
                "search": { "kind": "alert", "id": id }, "period": period,
            });
            serde_json::from_value::<SearchJob>(job).expect("a job").deduplication_id()
        };
        let one = run("a", "b", "2026-11-20T04:00:00Z");
        assert!(one.is_some() && one == run("a", "b", "2026-11-20T04:00:00Z"));
        for other in [
            run("c", "b", "2026-11-20T04:00:00Z"),
            run("a", "c", "2026-11-20T04:00:00Z"),
            run("a", "b", "2026-11-20T05:00:00Z"),
        ] {
            assert_ne!(one, other);
        }
    }
}
