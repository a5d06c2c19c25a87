//! The deliveries of webhooks.

use access::Environment;
use auth::TeamId;
use serde::{Deserialize, Serialize};

use super::Message;

/// A job for the `webhooks` worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "snake_case")]
pub enum WebhookJob {
    /// Make the deliveries of a webhook that are due. Safe to run twice: a delivery that another job has made is not due
    /// any more. A worker that is killed may make a delivery again, with the same id.
    Deliver { team: TeamId, environment: Environment, webhook: String },
}

impl Message for WebhookJob {
    const VARIABLE: &'static str = "WEBHOOKS_QUEUE";

    /// One group for each webhook: a slow receiver delays only its own deliveries.
    fn group(&self) -> &str {
        let Self::Deliver { webhook, .. } = self;
        webhook
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// A queue may hold messages of the previous version during a deployment.
    #[test]
    fn wire_format_is_stable() {
        let deliver: Value = json!({
            "job": "deliver", "team": "a-team", "environment": "live", "webhook": "an-id",
        });
        let job: WebhookJob = serde_json::from_value(deliver.clone()).expect("a job");
        assert_eq!(serde_json::to_value(&job).expect("plain data"), deliver);
        assert_eq!(job.group(), "an-id");
    }
}
