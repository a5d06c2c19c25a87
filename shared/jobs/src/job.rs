//! Every job that is sent: one type for sender and worker.

use domain::Uid;
use jiff::Timestamp;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sources::{Page, Source};

/// What a queue carries. Each worker has a queue and a type of its own, so that it cannot be sent
/// what it does not know: Lambda hands a queue to one function.
pub trait Message: Serialize + DeserializeOwned {
    /// The environment variable that holds the queue's address.
    const VARIABLE: &'static str;

    /// What is done one after the other, where the queue keeps an order (a FIFO queue): other groups go on
    /// meanwhile.
    fn group(&self) -> &str;
}

/// What is asked of `ingest`. Harmless when done twice: a fact that is known already changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "snake_case")]
pub enum IngestJob {
    /// See what these sources have published since they were last read: the schedules of
    /// `template.yaml` send it.
    Look { sources: Vec<Source> },
    /// Fetch a page of a source and read it. What follows it is a job of its own, so a long load is
    /// never one long invocation, and goes on where it was left.
    Fetch { page: Page },
    /// Read an object of the bucket, a file of this source.
    File {
        source: Source,
        /// The object's key.
        key: String,
        /// How many of its facts were stored by jobs before: a long file is one job after another,
        /// each sending the next.
        #[serde(default, skip_serializing_if = "is_zero")]
        from: usize,
        /// Whether an operator knows that a whole list lost more than a tenth of what it had.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        accept_shrunk: bool,
    },
    /// Read the files again of which records of this source are in the quarantine, and its publications
    /// that were not understood: the reader has improved, or more companies are known.
    ReadAgain { source: Source },
    /// Read one of these files again.
    ReadFileAgain {
        source: Source,
        /// The object's key.
        key: String,
        /// The keys of its records in the quarantine.
        records: Vec<String>,
    },
    /// Fetch who consolidates whom and who issued what, for the companies whose identifiers were fetched
    /// last. The last page of those sends it.
    Groups {
        /// Whether an operator knows that one of the tables lost more than a tenth of what it had.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        accept_shrunk: bool,
    },
    /// Fetch the directory of localities, by which records are completed.
    Localities,
    /// Complete the records by the newest directory of localities. Those that are left after some
    /// thousand are a job of its own.
    Locate {
        /// The company whose record was completed last.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        behind: Option<Uid>,
    },
}

/// What is asked of `indexer`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "snake_case")]
pub enum IndexJob {
    /// Publish a generation with all that the registry held at this moment. Nothing is left to do
    /// where a later one stands already: many that ask together get one.
    Publish { asked_at: Timestamp },
}

impl Message for IngestJob {
    const VARIABLE: &'static str = "INGEST_QUEUE";

    /// One process takes its turns at a source's host; several would not know of each other.
    fn group(&self) -> &str {
        match self {
            Self::Look { .. } => "look",
            Self::Fetch { page } => page.source().name(),
            Self::File { source, .. }
            | Self::ReadAgain { source }
            | Self::ReadFileAgain { source, .. } => source.name(),
            Self::Groups { .. } => Source::Gleif.name(),
            Self::Localities | Self::Locate { .. } => "localities",
        }
    }
}

impl Message for IndexJob {
    const VARIABLE: &'static str = "INDEX_QUEUE";

    /// One publisher at a time.
    fn group(&self) -> &str {
        "generation"
    }
}

fn is_zero(from: &usize) -> bool {
    *from == 0
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use serde_json::{Value, json};

    use super::*;

    /// Messages outlive deployments: what is in a queue must be readable by the next version.
    #[test]
    fn jobs_are_written_as_they_ever_were() {
        let key = || "incoming/a.json".to_owned();
        let file = |from| IngestJob::File {
            source: Source::Zefix,
            key: key(),
            from,
            accept_shrunk: false,
        };
        let shrunk =
            IngestJob::File { source: Source::Finma, key: key(), from: 0, accept_shrunk: true };
        for (job, written) in [
            (
                IngestJob::Look { sources: vec![Source::Shab, Source::Finma] },
                json!({ "job": "look", "sources": ["shab", "finma"] }),
            ),
            (
                IngestJob::Fetch { page: Page::Zefix { day: date(2026, 3, 2) } },
                json!({ "job": "fetch", "page": { "page": "zefix", "day": "2026-03-02" } }),
            ),
            (file(0), json!({ "job": "file", "source": "zefix", "key": "incoming/a.json" })),
            (
                file(500),
                json!({ "job": "file", "source": "zefix", "key": "incoming/a.json", "from": 500 }),
            ),
            (
                IngestJob::ReadAgain { source: Source::Shab },
                json!({ "job": "read_again", "source": "shab" }),
            ),
            (
                IngestJob::ReadFileAgain {
                    source: Source::Shab,
                    key: key(),
                    records: vec!["quarantine/shab/b.json".into()],
                },
                json!({ "job": "read_file_again", "source": "shab", "key": "incoming/a.json",
                    "records": ["quarantine/shab/b.json"] }),
            ),
            (IngestJob::Groups { accept_shrunk: false }, json!({ "job": "groups" })),
            (
                IngestJob::Groups { accept_shrunk: true },
                json!({ "job": "groups", "accept_shrunk": true }),
            ),
            (IngestJob::Localities, json!({ "job": "localities" })),
            (IngestJob::Locate { behind: None }, json!({ "job": "locate" })),
            (
                IngestJob::Locate { behind: "CHE-600.000.012".parse().ok() },
                json!({ "job": "locate", "behind": "CHE-600.000.012" }),
            ),
            (
                shrunk,
                json!({ "job": "file", "source": "finma", "key": "incoming/a.json", "accept_shrunk": true }),
            ),
        ] {
            assert_eq!(serde_json::to_value(&job).expect("plain data"), written);
            assert_eq!(serde_json::from_value::<IngestJob>(written).expect("a job"), job);
        }
        let publish: Value = json!({ "job": "publish", "asked_at": "2026-11-20T04:00:00Z" });
        let asked_at = "2026-11-20T04:00:00Z".parse().expect("a moment");
        let job = IndexJob::Publish { asked_at };
        assert_eq!(serde_json::to_value(&job).expect("plain data"), publish);
        assert_eq!(serde_json::from_value::<IndexJob>(publish).expect("a job"), job);
    }
}
