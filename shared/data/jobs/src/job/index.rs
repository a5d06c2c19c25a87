//! The jobs that publish a generation.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::Message;

/// A job for the `indexer` worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "snake_case")]
pub enum IndexJob {
    /// Publish a generation if companies have changed since the published one was built. The schedule in
    /// `template.yaml` sends this job. Its interval is the minimum interval between two generations.
    PublishChanges,
    /// Publish a generation that contains everything stored before `requested_at`. Does nothing if a
    /// newer generation is already published, so many requests at the same time lead to one generation.
    Publish { requested_at: Timestamp },
    /// Publish a generation that is built from the registry alone. The others take what has not changed from the generation
    /// before. The schedule in `template.yaml` sends this job once a week.
    Rebuild,
}

impl Message for IndexJob {
    const VARIABLE: &'static str = "INDEX_QUEUE";

    /// One group for all jobs: only one generation is built at a time.
    fn group(&self) -> &str {
        "generation"
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// A queue may hold messages of the previous version during a deployment.
    #[test]
    fn wire_format_is_stable() {
        let changes: Value = json!({ "job": "publish_changes" });
        assert_eq!(serde_json::to_value(IndexJob::PublishChanges).expect("plain data"), changes);
        assert_eq!(
            serde_json::from_value::<IndexJob>(changes).expect("a job"),
            IndexJob::PublishChanges
        );
        let publish: Value = json!({ "job": "publish", "requested_at": "2026-11-20T04:00:00Z" });
        let requested_at = "2026-11-20T04:00:00Z".parse().expect("a timestamp");
        let job = IndexJob::Publish { requested_at };
        assert_eq!(serde_json::to_value(&job).expect("plain data"), publish);
        assert_eq!(serde_json::from_value::<IndexJob>(publish).expect("a job"), job);
    }
}
