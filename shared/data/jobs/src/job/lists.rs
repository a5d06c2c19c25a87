//! The jobs of screening lists: publishing them, and screening again.

use domain::lists::List;
use serde::{Deserialize, Serialize};
use sources::lists::ListFormat;

use super::Message;

/// A job for the `screening-updates` worker. Every job is safe to run twice: a list that has not changed is not published
/// again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "snake_case")]
pub enum ListJob {
    /// Fetch and publish these lists. The schedule in `template.yaml` sends this job.
    FetchLists { lists: Vec<List> },
    /// Fetch and publish a list.
    FetchList { list: List },
    /// Publish a list from a file of the bucket.
    ImportList {
        format: ListFormat,
        /// The object key of the file.
        key: String,
        /// Accept a list that is implausibly small, or more than a tenth shorter than the previous one.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        accept_shrunk: bool,
    },
    /// Screen a part of the monitored subjects again, with the entries that changed between two versions of a list. The job that
    /// publishes a version sends the first one, and each the next. Safe to run twice: a subject that was screened with the
    /// version is left out, and the ids of its screening and notification follow from subject and version.
    RescreenSubjects {
        list: List,
        /// Id of the version.
        version: String,
        /// Id of the version with which all subjects were screened before. Absent if there is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<String>,
        /// Number of the shard of subjects.
        shard: u32,
        /// The last key of the shard that was read. Absent at its start.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<String>,
    },
    /// Screen one monitored subject again, because that failed in `RescreenSubjects`.
    RescreenSubject {
        list: List,
        version: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<String>,
        /// The key of the subject in its shard.
        subject: String,
    },
    /// Compare a part of the watched companies, their officers and parents with the entries that changed. The last `RescreenSubjects` of an
    /// update sends the first one, and each the next. Safe to run twice, because the ids of screenings and notifications follow
    /// from team, company or officer, and version.
    RescreenCompanies {
        list: List,
        version: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<String>,
        /// Number of the shard of watches.
        shard: u32,
        /// The last key of the shard that was read. Absent at its start.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<String>,
    },
    /// Compare one watched company again, because that failed in `RescreenCompanies`.
    RescreenCompany {
        list: List,
        version: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<String>,
        /// The company number.
        company: String,
    },
    /// Compare all companies of the register with these lists, as far as something has changed since that was done last: a
    /// list, or the names of the current generation. The schedule in `template.yaml` sends this job.
    ScreenRegister { lists: Vec<List> },
    /// Compare all companies with a list: sends the jobs of all parts. Does nothing if that is done. The last job of a re-screening
    /// sends it, too.
    ScreenList { list: List },
    /// Compare a part of the companies; the last that is stored publishes the result. Safe to run twice: a part that is stored is not
    /// compared again, and a result is published once.
    ScreenPart {
        list: List,
        /// Id of the version of the list.
        version: String,
        /// Id of the generation with the names.
        generation: String,
        /// Id of the result from which this one follows. Absent if every company is compared with the whole list.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<String>,
        /// Number of the part.
        part: usize,
    },
}

impl Message for ListJob {
    const VARIABLE: &'static str = "LISTS_QUEUE";

    /// One group for each list: a version is compared with the one before. What has failed alone is retried alone.
    fn group(&self) -> &str {
        match self {
            Self::FetchLists { .. } | Self::ScreenRegister { .. } => "fetch_lists",
            Self::FetchList { list }
            | Self::ScreenList { list }
            | Self::ScreenPart { list, .. }
            | Self::RescreenSubjects { list, .. }
            | Self::RescreenCompanies { list, .. } => list.name(),
            Self::RescreenSubject { subject, .. } => subject,
            Self::RescreenCompany { company, .. } => company,
            Self::ImportList { format, .. } => format.list().name(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A queue may hold messages of the previous version during a deployment.
    #[test]
    fn wire_format_is_stable() {
        let key = || "incoming/a.json".to_owned();
        for (job, expected, group) in [
            (
                ListJob::FetchLists { lists: vec![List::Seco, List::FinmaWarning] },
                json!({ "job": "fetch_lists", "lists": ["seco", "finma_warning"] }),
                "fetch_lists",
            ),
            (
                ListJob::FetchList { list: List::Seco },
                json!({ "job": "fetch_list", "list": "seco" }),
                "seco",
            ),
            (
                ListJob::ImportList {
                    format: ListFormat::Targets,
                    key: key(),
                    accept_shrunk: false,
                },
                json!({ "job": "import_list", "format": "targets", "key": "incoming/a.json" }),
                "opensanctions",
            ),
            (
                ListJob::RescreenSubjects {
                    list: List::Seco,
                    version: "b".into(),
                    before: None,
                    shard: 3,
                    after: None,
                },
                json!({ "job": "rescreen_subjects", "list": "seco", "version": "b", "shard": 3 }),
                "seco",
            ),
            (
                ListJob::RescreenCompanies {
                    list: List::Seco,
                    version: "b".into(),
                    before: Some("a".into()),
                    shard: 3,
                    after: Some("x".into()),
                },
                json!({
                    "job": "rescreen_companies", "list": "seco", "version": "b", "before": "a",
                    "shard": 3, "after": "x",
                }),
                "seco",
            ),
            (
                ListJob::RescreenSubject {
                    list: List::Seco,
                    version: "b".into(),
                    before: None,
                    subject: "t#live#1".into(),
                },
                json!({
                    "job": "rescreen_subject", "list": "seco", "version": "b", "subject": "t#live#1",
                }),
                "t#live#1",
            ),
            (
                ListJob::ScreenRegister { lists: vec![List::Seco] },
                json!({ "job": "screen_register", "lists": ["seco"] }),
                "fetch_lists",
            ),
            (
                ListJob::ScreenList { list: List::Seco },
                json!({ "job": "screen_list", "list": "seco" }),
                "seco",
            ),
            (
                ListJob::ScreenPart {
                    list: List::Seco,
                    version: "b".into(),
                    generation: "c".into(),
                    before: Some("a".into()),
                    part: 2,
                },
                json!({
                    "job": "screen_part", "list": "seco", "version": "b", "generation": "c",
                    "before": "a", "part": 2,
                }),
                "seco",
            ),
            (
                ListJob::RescreenCompany {
                    list: List::Seco,
                    version: "b".into(),
                    before: None,
                    company: "CHE-107.787.577".into(),
                },
                json!({
                    "job": "rescreen_company", "list": "seco", "version": "b",
                    "company": "CHE-107.787.577",
                }),
                "CHE-107.787.577",
            ),
        ] {
            assert_eq!(serde_json::to_value(&job).expect("plain data"), expected);
            assert_eq!(serde_json::from_value::<ListJob>(expected).expect("a job"), job);
            assert_eq!(job.group(), group);
        }
    }
}
