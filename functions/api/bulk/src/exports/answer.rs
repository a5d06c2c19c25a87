//! What a team sees of an export.

use jiff::Timestamp;
use serde::Serialize;
use serde_with::skip_serializing_none;
use teams::{Export, ExportFormat, ExportRows, ExportStatus, SearchParams};
use utoipa::ToSchema;
use uuid::Uuid;

/// What the rows of an export are: `companies` or `profiles`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum ExportKind {
    /// The companies that match filters (`POST /v1/exports`).
    Companies,
    /// Profiles of chosen companies (`POST /v1/exports/bulk-profiles`).
    Profiles,
}

/// An export.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExportJob {
    /// Id of the export.
    id: Uuid,
    /// Status.
    status: ExportStatus,
    /// What the rows are.
    kind: ExportKind,
    /// Format of the file.
    format: ExportFormat,
    /// Filters, as they were given: query parameters of `GET /v1/companies`. Absent if there are none, and for profiles.
    #[schema(value_type = Option<HashMap<String, Value>>, example = json!({ "canton": "ZH", "capitalMin": 100_000 }))]
    filter: Option<SearchParams>,
    /// Columns, as they were given. Absent if the file has all of them.
    #[schema(example = json!(["uid", "name", "capital"]))]
    fields: Option<Vec<String>>,
    /// Maximum number of rows, as it was given. Absent if there is none.
    #[schema(example = 1000)]
    max_rows: Option<u64>,
    /// Id of the generation that all rows come from. If that generation is deleted before the file is written, the export
    /// uses the newest one.
    generation: String,
    /// Number of rows written so far. It starts at 0 again if the file must be started again.
    processed_rows: u64,
    /// Number of rows of the file. Absent until it is known.
    total_rows: Option<u64>,
    /// Size of the file in bytes. Absent until it is complete.
    file_size_bytes: Option<u64>,
    /// Why there is no file. Absent unless the export failed.
    error_message: Option<String>,
    /// Time of creation.
    created_at: Timestamp,
    /// Time of the end. Absent until then.
    completed_at: Option<Timestamp>,
    /// Time at which the export and its file are deleted. Absent until the export has ended.
    expires_at: Option<Timestamp>,
    /// Address of the file, which needs no API key. A download must begin within 60 seconds, or before the credentials that
    /// signed the address expire; for another download, get the export again. Only in `GET /v1/exports/{id}`, once the file is complete.
    pub(super) download_url: Option<String>,
    /// Why `data` does not contain the file, and how to get it. Only in `GET /v1/exports/{id}`, if the file is complete and has
    /// more than 10,000,000 bytes or is a Parquet file.
    #[schema(
        example = "The file has 12345678 bytes, and `data` contains at most 10000000. `GET /v1/exports/{id}/download` returns files of up to 200 MB, and `downloadUrl` is the address of any file. With `maxRows`, the file is smaller."
    )]
    pub(super) data_omitted: Option<String>,
}

impl From<&Export> for ExportJob {
    fn from(export: &Export) -> Self {
        let (kind, filter, fields, max_rows) = match &export.rows {
            ExportRows::Companies { filter, tagged: _, columns, max_rows } => {
                let filter = Some(filter).filter(|it| !it.0.is_empty()).cloned();
                (ExportKind::Companies, filter, columns.clone(), *max_rows)
            }
            ExportRows::Profiles { .. } => (ExportKind::Profiles, None, None, None),
        };
        Self {
            id: export.id,
            status: export.status,
            kind,
            format: export.format,
            filter,
            fields,
            max_rows,
            generation: export.generation.clone(),
            processed_rows: export.processed_rows,
            total_rows: export.total_rows,
            file_size_bytes: export.file.as_ref().map(|it| it.size),
            error_message: export.error_message.clone(),
            created_at: export.created_at,
            completed_at: export.completed_at,
            expires_at: export.expires_at,
            download_url: None,
            data_omitted: None,
        }
    }
}
