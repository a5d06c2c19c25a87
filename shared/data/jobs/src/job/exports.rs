//! The files of exports.

use access::Environment;
use auth::TeamId;
use serde::{Deserialize, Serialize};

use super::Message;

/// A job for the `bulk-export` worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "snake_case")]
pub enum ExportJob {
    /// Write the file of an export. Safe to run twice: a worker writes only while it has the lease of the export, and an
    /// export that has ended does nothing.
    Run {
        team: TeamId,
        environment: Environment,
        export: String,
        /// Different each time that the job is sent again. Absent the first time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        again: Option<String>,
    },
    /// Continue exports whose workers were killed, and delete what has expired. The schedule in `template.yaml` sends this job
    /// every minute, each time in a group of its own. Safe to run twice, because an export has one state, and deleting is.
    Sweep,
}

impl Message for ExportJob {
    const VARIABLE: &'static str = "EXPORTS_QUEUE";

    /// One group for each export: different exports do not wait for each other. A job that is sent again has a group of its
    /// own: the message of a worker that was killed is in flight until its visibility ends, and the queue delivers no other one of
    /// its group before.
    fn group(&self) -> &str {
        match self {
            Self::Run { export, again, .. } => again.as_ref().unwrap_or(export),
            Self::Sweep => "sweep",
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// A queue may hold messages of the previous version during a deployment.
    #[test]
    fn wire_format_is_stable() {
        let export: Value = json!({
            "job": "run", "team": "a-team", "environment": "live", "export": "an-id",
        });
        let job: ExportJob = serde_json::from_value(export.clone()).expect("a job");
        assert_eq!(serde_json::to_value(&job).expect("plain data"), export);
        assert_eq!((job.group(), ExportJob::Sweep.group()), ("an-id", "sweep"));
        let again: Value = json!({
            "job": "run", "team": "a-team", "environment": "live", "export": "an-id", "again": "a",
        });
        let job: ExportJob = serde_json::from_value(again.clone()).expect("a job");
        assert_eq!(serde_json::to_value(&job).expect("plain data"), again);
        assert_eq!(job.group(), "a", "it waits for no other message of the export");
        let sweep: ExportJob = serde_json::from_value(json!({ "job": "sweep" })).expect("a job");
        assert_eq!(sweep, ExportJob::Sweep);
    }
}
