use auth::{Delegation, Principal, ProviderSignIn};
use domain::Uid;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::SearchParams;

/// Format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ExportFormat {
    /// One JSON object a line, in UTF-8.
    Ndjson,
    /// Text in UTF-8 with a header and commas (RFC 4180).
    Csv,
    /// Apache Parquet, with row groups of 100,000 rows.
    Parquet,
}

impl ExportFormat {
    /// Ending of the file's name.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Ndjson => "ndjson",
            Self::Csv => "csv",
            Self::Parquet => "parquet",
        }
    }

    /// Media type of the file.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Ndjson => "application/x-ndjson; charset=utf-8",
            Self::Csv => "text/csv; charset=utf-8",
            Self::Parquet => "application/vnd.apache.parquet",
        }
    }

    /// Whether the file is text, which a member of a JSON object can hold.
    pub fn is_text(self) -> bool {
        self != Self::Parquet
    }
}

/// Status of an export: `pending`, `processing`, `completed` or `failed`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ExportStatus {
    /// Waits for its start.
    Pending,
    /// The file is being written.
    Processing,
    /// The file is complete.
    Completed,
    /// There is no file. `errorMessage` has the reason.
    Failed,
}

/// The rows of a file.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ExportRows {
    /// The companies that match filters, in the order of their numbers.
    Companies {
        filter: SearchParams,
        /// The companies that had one of the tags of the filter when the export was created. `None`: it names no tag.
        #[serde(default)]
        tagged: Option<Vec<Uid>>,
        /// Names of the columns. `None`: all.
        columns: Option<Vec<String>>,
        max_rows: Option<u64>,
    },
    /// These companies, in the order of their numbers, each with what is known of it.
    Profiles { uids: Vec<Uid>, with_timeline: bool, with_board: bool },
}

/// The file of a completed export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportedFile {
    /// Key of the object.
    pub key: String,
    /// Size in bytes.
    pub size: u64,
    /// Number of rows.
    pub rows: u64,
}

/// The right of one worker to write the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    /// Chosen by the worker.
    pub token: Uuid,
    /// When it ends, unless it is extended.
    pub until: Timestamp,
}

/// An export, as it is stored.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Export {
    /// A UUIDv7, so that ids sort by time.
    pub id: Uuid,
    pub format: ExportFormat,
    pub rows: ExportRows,
    /// Id of the generation from which all rows are.
    pub generation: String,
    pub status: ExportStatus,
    pub created_by: Principal,
    pub created_at: Timestamp,
    /// The sign-in at an identity provider, if there was one.
    pub through: Option<ProviderSignIn>,
    /// Number of times that a worker has started.
    #[serde(default)]
    pub attempts: u32,
    /// The worker that writes the file.
    pub lease: Option<Lease>,
    #[serde(default)]
    pub processed_rows: u64,
    /// Number of rows of the file, once it is known.
    pub total_rows: Option<u64>,
    pub file: Option<ExportedFile>,
    /// Why the last worker did not complete the file, in words for the team. `None` while a worker writes, and after one whose
    /// process ended unexpectedly.
    pub last_failure: Option<String>,
    /// Why there is no file.
    pub error_message: Option<String>,
    pub completed_at: Option<Timestamp>,
    /// When the export and its file are deleted.
    pub expires_at: Option<Timestamp>,
}

impl Export {
    /// A new export.
    pub fn new(
        id: Uuid,
        rows: ExportRows,
        format: ExportFormat,
        generation: impl Into<String>,
        Delegation { by, at, through }: Delegation,
    ) -> Self {
        Self {
            id,
            format,
            rows,
            generation: generation.into(),
            status: ExportStatus::Pending,
            created_by: by,
            created_at: at,
            through,
            attempts: 0,
            lease: None,
            processed_rows: 0,
            total_rows: None,
            file: None,
            last_failure: None,
            error_message: None,
            completed_at: None,
            expires_at: None,
        }
    }

    /// Who has requested it: it ends with their rights.
    pub fn delegation(&self) -> Delegation {
        let (by, through) = (self.created_by.clone(), self.through.clone());
        Delegation { by, at: self.created_at, through }
    }

    /// Whether it has ended: nothing will change it any more.
    pub fn has_ended(&self) -> bool {
        matches!(self.status, ExportStatus::Completed | ExportStatus::Failed)
    }

    /// Whether its time is over, so that it is no longer answered.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|it| it <= now)
    }

    /// Name of the file.
    pub fn file_name(&self) -> String {
        format!("export-{}.{}", self.id, self.format.extension())
    }
}
