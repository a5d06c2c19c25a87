//! Snapshots: the generations of the register that are kept, as files.

use std::time::Duration;

use access::Tier;
use axum::{Json as JsonResponse, extract::State};
use generations::{Manifest, RECORDS};
use http_service::{Description, FeedCursor, NoParameters, Query, Routes, Tenant, handler, reads};
use jiff::Timestamp;
use problem_details::Problem;
use serde::Serialize;
use utoipa::ToSchema;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(10).from_tier(Tier::Enterprise).with_token(), handler!(snapshots))
}

/// How long the address of a file is valid.
const ADDRESS: Duration = Duration::from_hours(1);
/// Ending of the names of the files with records.
const COMPRESSED_LINES: &str = ".ndjson.zst";

/// The state of the register at a time.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Snapshot {
    /// Id of the generation, as in the header `x-data-generation`. Ids sort by time.
    id: String,
    /// Sequence number of the last change that is included. All changes of the feed up to it are included, and none after it.
    as_of_sequence: u64,
    /// The position after that change: `cursor` of `GET /v1/changes/feed`.
    feed_cursor: String,
    /// Time at which reading the register started.
    built_at: Timestamp,
    /// Number of companies.
    companies: u64,
    /// Files with the records, in the order of the company numbers. Each record is in one file.
    files: Vec<SnapshotFile>,
}

/// A file of a snapshot.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SnapshotFile {
    /// Name of the file.
    #[schema(example = "00000.ndjson.zst")]
    name: String,
    /// Format: always `ndjson`, one company record a line.
    #[schema(example = "ndjson")]
    format: &'static str,
    /// Compression: always `zstd` (RFC 8878).
    #[schema(example = "zstd")]
    compression: &'static str,
    /// Size in bytes, compressed.
    size_bytes: u64,
    /// SHA-256 of the file in hexadecimal.
    #[schema(example = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
    sha256: String,
    /// Address of the file, which needs no API key and is valid for an hour.
    url: String,
}

/// List snapshots of the register
///
/// The newest state of the register and the states before it that are kept, newest first, each with files that together contain
/// every company. To follow the register: load a snapshot, read `GET /v1/changes/feed` from its `feedCursor` on, and read again the
/// companies that changed.
#[utoipa::path(
    get,
    path = "/v1/snapshots",
    tag = "Exports",
    responses((status = OK, body = Vec<Snapshot>)),
)]
async fn snapshots(
    State(state): State<crate::State>,
    Tenant { .. }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<JsonResponse<Vec<Snapshot>>, Problem> {
    let kept = generations::kept(&state.objects).await.map_err(generations::Unavailable::from)?;
    let mut snapshots = Vec::with_capacity(kept.len());
    for manifest in kept {
        snapshots.push(snapshot(&state, manifest).await?);
    }
    Ok(JsonResponse(snapshots))
}

async fn snapshot(state: &crate::State, manifest: Manifest) -> Result<Snapshot, Problem> {
    let mut files = Vec::new();
    for file in &manifest.files {
        let name = file.path.strip_prefix(RECORDS).and_then(|it| it.strip_prefix('/'));
        let Some(name) = name.filter(|it| it.ends_with(COMPRESSED_LINES)) else { continue };
        files.push(SnapshotFile {
            name: name.to_owned(),
            format: "ndjson",
            compression: "zstd",
            size_bytes: file.size,
            sha256: file.sha256.clone(),
            url: state.objects.presigned(&manifest.key_of(file), name, ADDRESS).await?,
        });
    }
    Ok(Snapshot {
        as_of_sequence: manifest.as_of_sequence,
        feed_cursor: FeedCursor::after(manifest.as_of_sequence).to_string(),
        built_at: manifest.built_at,
        companies: manifest.companies,
        id: manifest.id,
        files,
    })
}
