//! The jobs that fetch, import and read sources.

use domain::{Source, Uid};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use sources::Page;

use super::Message;

/// A job for the `ingest` worker. Every job is safe to run twice: storing a known fact again changes
/// nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "snake_case")]
pub enum IngestJob {
    /// Fetch what these sources have published since the last fetch. The schedules in `template.yaml`
    /// send this job.
    FetchSources { sources: Vec<Source> },
    /// Fetch and ingest one page of a source. The next page is a new job, so a long load is never one
    /// long invocation, and it resumes where it stopped.
    FetchPage { page: Page },
    /// Ingest a file of the bucket.
    ImportFile {
        source: Source,
        /// The object key of the file.
        key: String,
        /// Number of facts of the file that earlier jobs stored. A long file is a chain of jobs.
        #[serde(default, skip_serializing_if = "is_zero")]
        offset: usize,
        /// Accept a complete list that is more than a tenth shorter than the previous one.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        accept_shrunk: bool,
    },
    /// Read the quarantined records and the publications that were not understood again. Useful after
    /// the reader has improved, or after new companies were registered.
    Reprocess { source: Source },
    /// Read one file with quarantined records again. `Reprocess` sends this job.
    ReprocessFile {
        source: Source,
        /// The object key of the file.
        key: String,
        /// The object keys of its quarantined records.
        records: Vec<String>,
    },
    /// Fetch the parent companies and securities of the companies whose LEIs were fetched last. The last
    /// page of LEIs sends this job.
    FetchRelationships {
        /// Accept a table that is more than a tenth shorter than the previous one.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        accept_shrunk: bool,
    },
    /// Fetch the directory of localities.
    FetchLocalities,
    /// Update the locations of all companies from the newest directory of localities. Each job updates
    /// some thousand companies and sends the next job.
    UpdateLocations {
        /// The last company that was updated. Absent in the first job.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<Uid>,
        /// The date of the newest directory when the first job ran.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        directory: Option<Date>,
    },
}

impl Message for IngestJob {
    const VARIABLE: &'static str = "INGEST_QUEUE";

    /// One group for each source: two processes must not send requests to the same host at the same
    /// time, because they do not share a rate limit.
    fn group(&self) -> &str {
        match self {
            Self::FetchSources { .. } => "fetch_sources",
            Self::FetchPage { page } => page.source().name(),
            Self::ImportFile { source, .. }
            | Self::Reprocess { source }
            | Self::ReprocessFile { source, .. } => source.name(),
            Self::FetchRelationships { .. } => Source::Gleif.name(),
            Self::FetchLocalities | Self::UpdateLocations { .. } => "localities",
        }
    }
}

fn is_zero(offset: &usize) -> bool {
    *offset == 0
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use serde_json::json;

    use super::*;

    /// A queue may hold messages of the previous version during a deployment.
    #[test]
    fn wire_format_is_stable() {
        let key = || "incoming/a.json".to_owned();
        let file = |offset| IngestJob::ImportFile {
            source: Source::Zefix,
            key: key(),
            offset,
            accept_shrunk: false,
        };
        let shrunk = IngestJob::ImportFile {
            source: Source::Finma,
            key: key(),
            offset: 0,
            accept_shrunk: true,
        };
        for (job, expected) in [
            (
                IngestJob::FetchSources { sources: vec![Source::Shab, Source::Finma] },
                json!({ "job": "fetch_sources", "sources": ["shab", "finma"] }),
            ),
            (
                IngestJob::FetchPage { page: Page::Zefix { day: date(2026, 3, 2) } },
                json!({ "job": "fetch_page", "page": { "page": "zefix", "day": "2026-03-02" } }),
            ),
            (file(0), json!({ "job": "import_file", "source": "zefix", "key": "incoming/a.json" })),
            (
                file(500),
                json!({ "job": "import_file", "source": "zefix", "key": "incoming/a.json", "offset": 500 }),
            ),
            (
                IngestJob::Reprocess { source: Source::Shab },
                json!({ "job": "reprocess", "source": "shab" }),
            ),
            (
                IngestJob::ReprocessFile {
                    source: Source::Shab,
                    key: key(),
                    records: vec!["quarantine/shab/b.json".into()],
                },
                json!({ "job": "reprocess_file", "source": "shab", "key": "incoming/a.json",
                    "records": ["quarantine/shab/b.json"] }),
            ),
            (
                IngestJob::FetchRelationships { accept_shrunk: false },
                json!({ "job": "fetch_relationships" }),
            ),
            (
                IngestJob::FetchRelationships { accept_shrunk: true },
                json!({ "job": "fetch_relationships", "accept_shrunk": true }),
            ),
            (IngestJob::FetchLocalities, json!({ "job": "fetch_localities" })),
            (
                IngestJob::UpdateLocations { after: None, directory: None },
                json!({ "job": "update_locations" }),
            ),
            (
                IngestJob::UpdateLocations {
                    after: "CHE-600.000.012".parse().ok(),
                    directory: Some(date(2026, 3, 2)),
                },
                json!({ "job": "update_locations", "after": "CHE-600.000.012", "directory": "2026-03-02" }),
            ),
            (
                shrunk,
                json!({ "job": "import_file", "source": "finma", "key": "incoming/a.json", "accept_shrunk": true }),
            ),
        ] {
            assert_eq!(serde_json::to_value(&job).expect("plain data"), expected);
            assert_eq!(serde_json::from_value::<IngestJob>(expected).expect("a job"), job);
        }
    }
}
