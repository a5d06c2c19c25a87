//! Every job that is sent. The sender and the worker share these types.

use access::Environment;
use accounts::StoredSearch;
use auth::{Owner, TeamId};
use domain::{Uid, lists::List};
use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sources::{Page, lists::ListFormat};
use statements::Source;
use uuid::Uuid;

/// UUID namespace of the deduplication ids of runs.
const RUN: Uuid = Uuid::from_u128(0x5d0a_9e1c_41f7_5b86_a3c2_6f90_d8e4_17b5);

/// UUID namespace of the deduplication ids of digests.
const DIGEST: Uuid = Uuid::from_u128(0x9a4c_17f2_6e3b_5d08_b1f5_28c6_04ad_7e93);

/// The type of message that a queue carries. Each worker has its own queue and its own type, so that it
/// cannot receive a job that it does not know.
pub trait Message: Serialize + DeserializeOwned {
    /// The environment variable that holds the queue's URL.
    const VARIABLE: &'static str;

    /// The message group. The jobs of one group run one after another, in the order in which they were
    /// sent; different groups run in parallel.
    fn group(&self) -> &str;

    /// The same for messages that are the same job. `None`: each message that is sent is a job of its own.
    fn deduplication_id(&self) -> Option<String> {
        None
    }
}

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
    /// Compare a part of the watched companies and their officers with the entries that changed. The last `RescreenSubjects` of an
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
    /// Compare all companies with a list. Does nothing if that is done. The last job of a re-screening sends it, too.
    ScreenList { list: List },
    /// Compare a part of the companies, and send the job of the next part; the last one publishes the result. Safe to run twice:
    /// a part that is stored is not compared again, and a result is published once.
    ScreenPart {
        list: List,
        /// Id of the version of the list.
        version: String,
        /// Id of the generation with the names.
        generation: String,
        /// Id of the result from which this one follows. Absent if every company is compared with the whole list.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<String>,
        /// Number of the file of names.
        part: usize,
    },
}

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

/// A job for the `delivery` worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "snake_case")]
pub enum DeliveryJob {
    /// Notify the teams that watch the companies of new events in the change feed. Safe to run twice, because the id of
    /// a notification is derived from team and event. The schedule in `template.yaml` sends this job.
    NotifyWatchers,
    /// Notify the teams that watch a company if its risk level on the day of a publication is another one than on the day before.
    /// `NotifyWatchers` sends this job. Safe to run twice, because the id of a notification is derived from team, company, day and
    /// levels.
    CompareRisk {
        company: Uid,
        /// Sequence number of a change of that day.
        change: u64,
    },
}

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
}

/// A job for the `saved-searches` worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "snake_case")]
pub enum SearchJob {
    /// Run a saved search or an alert for the period that was due at this time. Safe to run twice: a period that has run,
    /// or that is older than one that has, does nothing.
    Run { team: TeamId, environment: Environment, search: StoredSearch, period: Timestamp },
}

/// A job for the `notification-mails` worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "snake_case")]
pub enum MailJob {
    /// Send the mails that wait for an owner who gets each notification at once. Safe to run twice: a mail that was sent
    /// does not wait any more. If a worker is killed after it has sent a mail, the mail is sent again with the same id.
    Send { team: TeamId, environment: Environment, owner: Owner },
    /// Send an owner the digest that was due at this time. Safe to run twice for the same reason; and a period whose digest
    /// was sent, or that is older, does nothing.
    Digest { team: TeamId, environment: Environment, owner: Owner, period: Timestamp },
}

/// A job for the `webhooks` worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "snake_case")]
pub enum WebhookJob {
    /// Make the deliveries of a webhook that are due. Safe to run twice: a delivery that another job has made is not due
    /// any more. A worker that is killed may make a delivery again, with the same id.
    Deliver { team: TeamId, environment: Environment, webhook: String },
}

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

/// A job for the `dossiers` worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "snake_case")]
pub enum DossierJob {
    /// Write a dossier. Safe to run twice: a process writes only while it has the lease of the dossier, and a dossier that has
    /// ended or was deleted does nothing.
    Write { team: TeamId, environment: Environment, dossier: String },
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

impl Message for IndexJob {
    const VARIABLE: &'static str = "INDEX_QUEUE";

    /// One group for all jobs: only one generation is built at a time.
    fn group(&self) -> &str {
        "generation"
    }
}

impl Message for DeliveryJob {
    const VARIABLE: &'static str = "DELIVERY_QUEUE";

    /// One group for each kind of job: a second worker would only repeat the work of the first, and risks do not delay the
    /// notifications of changes.
    fn group(&self) -> &str {
        match self {
            Self::NotifyWatchers => "delivery",
            Self::CompareRisk { .. } => "risk",
        }
    }
}

impl Message for ScheduleJob {
    const VARIABLE: &'static str = "SCHEDULE_QUEUE";

    /// One group for each job: two would send the same searches or webhooks.
    fn group(&self) -> &str {
        match self {
            Self::SendDue => "schedule",
            Self::SendDueWebhooks => "webhooks",
        }
    }
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

impl Message for MailJob {
    const VARIABLE: &'static str = "MAILS_QUEUE";

    /// One group for each team: two workers would send the same mails, and count them at the same time.
    fn group(&self) -> &str {
        let (Self::Send { team, .. } | Self::Digest { team, .. }) = self;
        &team.0
    }

    fn deduplication_id(&self) -> Option<String> {
        match self {
            Self::Send { .. } => None,
            Self::Digest { team, environment, owner, period } => {
                let name = format!("{team}/{environment}/{owner}/{period}");
                Some(format!("digest-{}", Uuid::new_v5(&DIGEST, name.as_bytes())))
            }
        }
    }
}

impl Message for WebhookJob {
    const VARIABLE: &'static str = "WEBHOOKS_QUEUE";

    /// One group for each webhook: a slow receiver delays only its own deliveries.
    fn group(&self) -> &str {
        let Self::Deliver { webhook, .. } = self;
        webhook
    }
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

impl Message for DossierJob {
    const VARIABLE: &'static str = "DOSSIERS_QUEUE";

    /// One group for each dossier: different dossiers do not wait for each other.
    fn group(&self) -> &str {
        let Self::Write { dossier, .. } = self;
        dossier
    }
}

fn is_zero(offset: &usize) -> bool {
    *offset == 0
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use serde_json::{Value, json};

    use super::*;

    /// A queue may hold messages of the previous version during a deployment.
    #[test]
    fn wire_format_of_jobs_is_stable() {
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
        let changes: Value = json!({ "job": "publish_changes" });
        assert_eq!(serde_json::to_value(IndexJob::PublishChanges).expect("plain data"), changes);
        assert_eq!(
            serde_json::from_value::<IndexJob>(changes).expect("a job"),
            IndexJob::PublishChanges
        );
        let due: Value = json!({ "job": "send_due" });
        assert_eq!(serde_json::to_value(ScheduleJob::SendDue).expect("plain data"), due);
        assert_eq!(
            serde_json::from_value::<ScheduleJob>(due).expect("a job"),
            ScheduleJob::SendDue
        );
        let webhooks: Value = json!({ "job": "send_due_webhooks" });
        let job: ScheduleJob = serde_json::from_value(webhooks).expect("a job");
        assert_eq!((job.group(), ScheduleJob::SendDue.group()), ("webhooks", "schedule"));
        let deliver: Value = json!({
            "job": "deliver", "team": "a-team", "environment": "live", "webhook": "an-id",
        });
        let job: WebhookJob = serde_json::from_value(deliver.clone()).expect("a job");
        assert_eq!(serde_json::to_value(&job).expect("plain data"), deliver);
        assert_eq!(job.group(), "an-id");
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
        let dossier: Value = json!({
            "job": "write", "team": "a-team", "environment": "live", "dossier": "an-id",
        });
        let job: DossierJob = serde_json::from_value(dossier.clone()).expect("a job");
        assert_eq!(serde_json::to_value(&job).expect("plain data"), dossier);
        assert_eq!(job.group(), "an-id");
        let run: Value = json!({
            "job": "run", "team": "a-team", "environment": "live",
            "search": { "kind": "saved_search", "id": "an-id" }, "period": "2026-11-20T04:00:00Z",
        });
        let job: SearchJob = serde_json::from_value(run.clone()).expect("a job");
        assert_eq!(serde_json::to_value(&job).expect("plain data"), run);
        assert_eq!(job.group(), "an-id");
        let digest: Value = json!({
            "job": "digest", "team": "a-team", "environment": "live", "owner": "team",
            "period": "2026-11-20T07:00:00Z",
        });
        let job: MailJob = serde_json::from_value(digest.clone()).expect("a job");
        assert_eq!(serde_json::to_value(&job).expect("plain data"), digest);
        assert_eq!(job.group(), "a-team");
        let send: Value =
            json!({ "job": "send", "team": "a-team", "environment": "live", "owner": "an-id" });
        let job = MailJob::Send {
            team: TeamId("a-team".into()),
            environment: Environment::Live,
            owner: Owner::User("an-id".into()),
        };
        assert_eq!(serde_json::to_value(&job).expect("plain data"), send);
        assert_eq!(serde_json::from_value::<MailJob>(send).expect("a job"), job);
        let publish: Value = json!({ "job": "publish", "requested_at": "2026-11-20T04:00:00Z" });
        let requested_at = "2026-11-20T04:00:00Z".parse().expect("a timestamp");
        let job = IndexJob::Publish { requested_at };
        assert_eq!(serde_json::to_value(&job).expect("plain data"), publish);
        assert_eq!(serde_json::from_value::<IndexJob>(publish).expect("a job"), job);
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
