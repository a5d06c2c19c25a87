//! Every job that is sent: one type for sender and worker.

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sources::Source;

/// What a queue carries. Each worker has a queue and a type of its own, so that it cannot be sent
/// what it does not know: Lambda hands a queue to one function.
pub trait Message: Serialize + DeserializeOwned {
    /// The environment variable that holds the queue's address.
    const VARIABLE: &'static str;
}

/// What is asked of `ingest`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "snake_case")]
pub enum IngestJob {
    /// Read an object of the bucket, a file of this source. Harmless when done twice: a fact that
    /// is known already changes nothing.
    File {
        source: Source,
        /// The object's key.
        key: String,
        /// How many of its records were read by jobs before: a long file is one job after another,
        /// each sending the next.
        #[serde(default, skip_serializing_if = "is_zero")]
        from: u64,
    },
}

/// What is asked of `indexer`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "snake_case")]
pub enum IndexJob {
    /// Publish a generation of the registry as it is. Harmless when done twice: the second says the
    /// same.
    Publish,
}

impl Message for IngestJob {
    const VARIABLE: &'static str = "INGEST_QUEUE";
}

impl Message for IndexJob {
    const VARIABLE: &'static str = "INDEX_QUEUE";
}

fn is_zero(from: &u64) -> bool {
    *from == 0
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// Messages outlive deployments: what is in a queue must be readable by the next version.
    #[test]
    fn jobs_are_written_as_they_ever_were() {
        let file =
            |from| IngestJob::File { source: Source::Zefix, key: "zefix/a.json".into(), from };
        for (job, written) in [
            (file(0), json!({ "job": "file", "source": "zefix", "key": "zefix/a.json" })),
            (
                file(500),
                json!({ "job": "file", "source": "zefix", "key": "zefix/a.json", "from": 500 }),
            ),
        ] {
            assert_eq!(serde_json::to_value(&job).expect("plain data"), written);
            assert_eq!(serde_json::from_value::<IngestJob>(written).expect("a job"), job);
        }
        let publish: Value = json!({ "job": "publish" });
        assert_eq!(serde_json::to_value(IndexJob::Publish).expect("plain data"), publish);
        assert_eq!(serde_json::from_value::<IndexJob>(publish).expect("a job"), IndexJob::Publish);
    }
}
