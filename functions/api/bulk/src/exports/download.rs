//! The file of an export, inside an answer.
//!
//! The bytes pass through in pieces, so that the memory does not grow with the file.

use std::time::Duration;

use access::RateGroup;
use axum::{
    Json,
    body::Body,
    extract::State,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use http::{
    HeaderMap, HeaderValue,
    header::{CONTENT_DISPOSITION, CONTENT_TYPE, ETAG},
};
use http_service::{
    NoParameters, Path, Query, Tenant, entity_tag,
    short_limits::{Limited, count},
};
use problem_details::Problem;
use serde::Serialize;
use store::{MailWindow, TeamKey};
use teams::{Export, ExportRows, ExportStatus, export::ExportedFile};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{ExportPath, answer::ExportJob, known_export};

/// Size in bytes up to which `data` contains the file.
const MAX_INLINE: u64 = 10_000_000;
/// Size in bytes up to which an answer is the file: Lambda streams at most 200 MB.
const MAX_STREAMED: u64 = 200_000_000;

/// How long the address of a file is valid: as long as a key may be accepted after it was revoked. A download that has begun
/// goes on.
const ADDRESS: Duration = Duration::from_secs(60);

/// Maximum number of files that a team reads in 10 minutes.
const MAX_DOWNLOADS: u32 = 60;

const DOWNLOADS: Limited = Limited {
    group: RateGroup::Bulk,
    policy: "downloads",
    allowed: "downloads of files",
    plural: "downloads",
    singular: "download",
    window: MailWindow::TenMinutes,
};

/// An export, and its file.
// With `data`, it is written piece by piece.
#[derive(Serialize, ToSchema)]
pub(super) struct ExportDownload {
    /// The export.
    job: ExportJob,
    /// The file as text. Absent until it is complete, and for a Parquet file or one with more than 10,000,000 bytes:
    /// `job.dataOmitted` then has the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    data: Option<String>,
}

/// A table.
// For the description of the API only.
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
        "the file has {size} bytes, and this operation returns at most {MAX_STREAMED}; `job.downloadUrl` of `GET /v1/exports/{id}` is its address, and with {smaller}, the file is smaller"
    )]
    TooLarge { id: Uuid, size: u64, smaller: &'static str },
}

/// Get an export
///
/// The status of an export, and the file in `data` if it is text of at most 10,000,000 bytes. For other files, `job.dataOmitted`
/// has the reason; they can be read at `job.downloadUrl` and, if they have at most 200,000,000 bytes, with
/// `GET /v1/exports/{id}/download`. A team reads at most 60 files in 10 minutes.
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
) -> Result<Response, Problem> {
    let export = known_export(&state, &team, id).await?;
    let mut job = ExportJob::from(&export);
    let Some(file) = &export.file else {
        return Ok(Json(ExportDownload { job, data: None }).into_response());
    };
    let address = state.objects.presigned(&file.key, &export.file_name(), ADDRESS).await;
    job.download_url = Some(address?);
    job.data_omitted = omitted(&export, file);
    if job.data_omitted.is_some() {
        return Ok(Json(ExportDownload { job, data: None }).into_response());
    }
    count_download(&state, &team).await?;
    let start = format!("{{\"job\":{},\"data\":\"", serde_json::to_string(&job)?);
    let headers = headers("application/json", format!("{start}{}", file.key).as_bytes());
    let pieces = bytes(&state, file).await?.map_ok(|it| Bytes::from(escaped(&it)));
    let whole = stream::iter([Ok(Bytes::from(start))]).chain(pieces);
    let whole = whole.chain(stream::iter([Ok(Bytes::from_static(b"\"}"))]));
    Ok((headers, Body::from_stream(whole)).into_response())
}

/// Download the file of an export
///
/// The file itself, of at most 200,000,000 bytes. Returns 404 until the file is complete, or if it is larger. For
/// larger files use `job.downloadUrl` of `GET /v1/exports/{id}`, or limit the export with `maxRows` of
/// `POST /v1/exports`. A team reads at most 60 files in 10 minutes.
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
    count_download(&state, &team).await?;
    let headers = headers(export.format.media_type(), file.key.as_bytes());
    let name = format!("attachment; filename=\"{}\"", export.file_name());
    let body = Body::from_stream(bytes(&state, file).await?);
    Ok((headers, [(CONTENT_DISPOSITION, name)], body).into_response())
}

/// A download occupies a function for as long as the client takes to read it.
async fn count_download(state: &crate::State, team: &TeamKey) -> Result<(), Problem> {
    let (subject, now) = (format!("downloads#{}", team.team()), state.clock.now());
    count(&state.counters, &DOWNLOADS, &subject, MAX_DOWNLOADS, now).await
}

/// Why `data` does not contain the file, and how to get it. `None`: `data` contains it.
fn omitted(export: &Export, file: &ExportedFile) -> Option<String> {
    let reason = match (export.format.is_text(), file.size) {
        (false, _) => "The file is not text, so `data` does not contain it.".to_owned(),
        (true, ..=MAX_INLINE) => return None,
        (true, size) => {
            format!("The file has {size} bytes, and `data` contains at most {MAX_INLINE}.")
        }
    };
    let (id, megabytes, smaller) = (export.id, MAX_STREAMED / 1_000_000, smaller(export));
    let download = format!("`GET /v1/exports/{id}/download` returns files of up to {megabytes} MB");
    Some(format!(
        "{reason} {download}, and `downloadUrl` is the address of any file. With {smaller}, the file is smaller."
    ))
}

/// The member of a request with which the file of such an export is smaller.
fn smaller(export: &Export) -> &'static str {
    match export.rows {
        ExportRows::Companies { .. } => "`maxRows`",
        ExportRows::Profiles { .. } => "fewer `uids`",
    }
}

fn readable(export: &Export) -> Result<&ExportedFile, NoFile> {
    let id = export.id;
    match (&export.file, export.status) {
        (Some(file), _) if file.size > MAX_STREAMED => {
            Err(NoFile::TooLarge { id, size: file.size, smaller: smaller(export) })
        }
        (Some(file), _) => Ok(file),
        (None, ExportStatus::Failed) => Err(NoFile::Failed(id)),
        (None, _) => Err(NoFile::Unfinished(id)),
    }
}

/// The headers of a stream. `identity` differs for different bodies: the key of an object, which is written once, does.
fn headers(media_type: &'static str, identity: &[u8]) -> HeaderMap {
    let tag = entity_tag(identity).map(|it| (ETAG, it));
    [(CONTENT_TYPE, HeaderValue::from_static(media_type))].into_iter().chain(tag).collect()
}

/// The bytes of a file. Its first piece is read before the answer begins, so that a file that cannot be read is an error and not
/// half an answer.
async fn bytes(
    state: &crate::State,
    file: &ExportedFile,
) -> Result<impl Stream<Item = Result<Bytes, objects::Error>> + Send + use<>, Problem> {
    let mut pieces = Box::pin(state.objects.stream(&file.key, file.size));
    let first = pieces.try_next().await?;
    Ok(stream::iter(first.map(Ok)).chain(pieces))
}

/// The bytes of a text as they are inside a JSON string. All characters that must be escaped have one byte, so that a piece may
/// end within a character.
fn escaped(bytes: &[u8]) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(bytes.len() + bytes.len() / 8);
    for byte in bytes {
        match byte {
            b'"' => escaped.extend_from_slice(b"\\\""),
            b'\\' => escaped.extend_from_slice(b"\\\\"),
            b'\n' => escaped.extend_from_slice(b"\\n"),
            b'\r' => escaped.extend_from_slice(b"\\r"),
            b'\t' => escaped.extend_from_slice(b"\\t"),
            0..0x20 => escaped.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            _ => escaped.push(*byte),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_a_text_are_the_same_as_the_whole_text_as_json() {
        let text = "a\"b\\c\nd\re\tf\u{1}g\u{1f}é日😀\u{7f}";
        for size in 1..=text.len() {
            let pieces = text.as_bytes().chunks(size).flat_map(escaped);
            let json = [b"\"".to_vec(), pieces.collect(), b"\"".to_vec()].concat();
            assert_eq!(serde_json::from_slice::<String>(&json).expect("JSON"), text, "{size}");
        }
    }
}
