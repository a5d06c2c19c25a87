//! The file of an export, inside an answer.

use std::time::Duration;

use accounts::{Export, ExportStatus, export::ExportedFile};
use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use futures_util::TryStreamExt;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use http_service::{NoParameters, Path, Query, Tenant};
use problem_details::Problem;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{ExportPath, answer::ExportJob, known_export};

/// Size in bytes up to which an answer contains the file.
pub(super) const MAX_INLINE: u64 = 10_000_000;

/// How long the address of a file is valid.
const ADDRESS: Duration = Duration::from_mins(15);

/// An export, and its file.
#[derive(Serialize, ToSchema)]
pub(super) struct ExportDownload {
    /// The export.
    job: ExportJob,
    /// The file as text. Absent until it is complete, and for a Parquet file or one with more than 10,000,000 bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    data: Option<String>,
}

/// The bytes of a file, for the description of the API only.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "utoipa reads only its attributes")]
pub(super) struct ExportFile(Vec<u8>);

#[derive(Debug, thiserror::Error)]
enum NoFile {
    #[error("the export `{0}` has not ended yet; `GET /v1/exports/{0}` has its status")]
    Unfinished(Uuid),
    #[error("the export `{0}` failed, so it has no file")]
    Failed(Uuid),
    #[error(
        "the file has {size} bytes, more than the {MAX_INLINE} that are answered here; `job.downloadUrl` of `GET /v1/exports/{id}` is its address"
    )]
    TooLarge { id: Uuid, size: u64 },
}

/// Get an export
///
/// The status of an export, and the file in `data` if it is text of at most 10,000,000 bytes. Larger files can be read at
/// `job.downloadUrl`.
#[utoipa::path(
    get,
    path = "/v1/exports/{id}",
    tag = "Exports",
    params(ExportPath),
    responses((status = OK, body = ExportDownload)),
)]
pub(super) async fn export(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    Path(ExportPath { id }): Path<ExportPath>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<Json<ExportDownload>, Problem> {
    let export = known_export(&state, &team, id).await?;
    let mut job = ExportJob::from(&export);
    let mut data = None;
    if let Some(file) = &export.file {
        let address = state.objects.presigned(&file.key, &export.file_name(), ADDRESS).await;
        job.download_url = Some(address?);
        if file.size <= MAX_INLINE && export.format.is_text() {
            data = Some(String::from_utf8(bytes(&state, file).await?)?);
        }
    }
    Ok(Json(ExportDownload { job, data }))
}

/// Download the file of an export
///
/// The file itself, of at most 10,000,000 bytes. 404 while there is none, and if the file is larger: `job.downloadUrl` of
/// `GET /v1/exports/{id}` is its address.
#[utoipa::path(
    get,
    path = "/v1/exports/{id}/download",
    tag = "Exports",
    params(ExportPath),
    responses((status = OK, content(
        (String = "application/x-ndjson"), (String = "text/csv", example = "uid,name\r\nCHE-101.049.653,ABB SA\r\n"), (inline(ExportFile) = "application/vnd.apache.parquet"),
    ))),
)]
pub(super) async fn download_export(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    Path(ExportPath { id }): Path<ExportPath>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<Response, Problem> {
    let export = known_export(&state, &team, id).await?;
    let file = readable(&export).map_err(Problem::not_found)?;
    let headers = [
        (CONTENT_TYPE, export.format.media_type().to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{}\"", export.file_name())),
    ];
    Ok((headers, bytes(&state, file).await?).into_response())
}

fn readable(export: &Export) -> Result<&ExportedFile, NoFile> {
    let id = export.id;
    match (&export.file, export.status) {
        (Some(file), _) if file.size > MAX_INLINE => Err(NoFile::TooLarge { id, size: file.size }),
        (Some(file), _) => Ok(file),
        (None, ExportStatus::Failed) => Err(NoFile::Failed(id)),
        (None, _) => Err(NoFile::Unfinished(id)),
    }
}

/// The bytes of a file. Read to the end before the answer begins, so that a file that cannot be read is an error and not half an
/// answer.
async fn bytes(state: &crate::State, file: &ExportedFile) -> Result<Vec<u8>, Problem> {
    let pieces = state.objects.stream(&file.key, file.size);
    let whole = pieces.try_fold(Vec::new(), async |mut whole: Vec<u8>, piece| {
        whole.extend_from_slice(&piece);
        Ok(whole)
    });
    Ok(whole.await?)
}
