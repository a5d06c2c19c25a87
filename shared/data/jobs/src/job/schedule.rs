//! The jobs that send what is due.

use serde::{Deserialize, Serialize};

use super::Message;

/// A job for the `scheduler` worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "snake_case")]
pub enum ScheduleJob {
    /// Send everything that is due. The schedule in `template.yaml` sends this job every 15 minutes. Safe to run twice:
    /// what is due is sent as the same job again.
    SendDue,
    /// Send a job for each webhook that may have a delivery that is due. The schedule in `template.yaml` sends this job every
    /// minute. Safe to run twice, because the jobs are.
    SendDueWebhooks,
    /// Delete what erased users and teams have left. The schedule in `template.yaml` sends this job every minute. Safe to run
    /// twice: what is deleted already is not found again.
    Erase,
}

impl Message for ScheduleJob {
    const VARIABLE: &'static str = "SCHEDULE_QUEUE";

    /// One group for each job: two would send the same searches or webhooks.
    fn group(&self) -> &str {
        match self {
            Self::SendDue => "schedule",
            Self::SendDueWebhooks => "webhooks",
            Self::Erase => "erasures",
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
        let due: Value = json!({ "job": "send_due" });
        assert_eq!(serde_json::to_value(ScheduleJob::SendDue).expect("plain data"), due);
        assert_eq!(
            serde_json::from_value::<ScheduleJob>(due).expect("a job"),
            ScheduleJob::SendDue
        );
        let webhooks: Value = json!({ "job": "send_due_webhooks" });
        let job: ScheduleJob = serde_json::from_value(webhooks).expect("a job");
        assert_eq!((job.group(), ScheduleJob::SendDue.group()), ("webhooks", "schedule"));
        let erase: ScheduleJob = serde_json::from_value(json!({ "job": "erase" })).expect("a job");
        assert_eq!(erase, ScheduleJob::Erase);
        assert_eq!(erase.group(), "erasures");
    }
}
