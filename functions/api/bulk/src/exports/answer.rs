//! What a team sees of an export.

use accounts::{Export, ExportFormat, ExportStatus};
use jiff::Timestamp;
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

/// An export.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExportJob {
    /// Id of the export.
    id: Uuid,
    /// Status.
    status: ExportStatus,
    /// Format of the file.
    format: ExportFormat,
    /// Id of the generation of the register from which all rows are. If it is deleted before the file is written, the export
    /// uses the newest one instead.
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
    /// Address of the file, which needs no API key and is valid for 15 minutes. Only in `GET /v1/exports/{id}`, once the file is
    /// complete.
    pub(super) download_url: Option<String>,
}

impl From<&Export> for ExportJob {
    fn from(export: &Export) -> Self {
        Self {
            id: export.id,
            status: export.status,
            format: export.format,
            generation: export.generation.clone(),
            processed_rows: export.processed_rows,
            total_rows: export.total_rows,
            file_size_bytes: export.file.as_ref().map(|it| it.size),
            error_message: export.error_message.clone(),
            created_at: export.created_at,
            completed_at: export.completed_at,
            expires_at: export.expires_at,
            download_url: None,
        }
    }
}
