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
/// The files with records: the ending of their names, format and compression.
const FORMATS: [(&str, &str, Option<&str>); 2] =
    [(".ndjson.zst", "ndjson", Some("zstd")), (".parquet", "parquet", None)];

/// The register at one point in time.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Snapshot {
    /// Id of the generation, as in the header `x-data-generation`. Ids sort by time.
    id: String,
    /// Sequence number of the last change that is certainly included. Records that changed while the snapshot was built may
    /// also contain later changes.
    as_of_sequence: u64,
    /// Feed position after `asOfSequence`: `cursor` of `GET /v1/changes/feed`.
    feed_cursor: String,
    /// Time at which reading the register started.
    built_at: Timestamp,
    /// Number of companies.
    companies: u64,
    /// Files with the records. Those of one format contain each company once, in the order of the numbers.
    files: Vec<SnapshotFile>,
}

/// A file of a snapshot.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SnapshotFile {
    /// Name of the file.
    #[schema(example = "00000.ndjson.zst")]
    name: String,
    /// Format: `ndjson`, one company record a line as JSON, or `parquet`, a table with the columns of an export.
    #[schema(example = "ndjson")]
    format: &'static str,
    /// Compression of the whole file: `zstd` (RFC 8878). Absent for Parquet, which is compressed inside.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "zstd")]
    compression: Option<&'static str>,
    /// Size in bytes.
    size_bytes: u64,
    /// SHA-256 of the file in hexadecimal.
    #[schema(example = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
    sha256: String,
    /// Address of the file, which needs no API key. It is valid for an hour, or less if the credentials with which this
    /// service signed it expire before: then read this list again.
    url: String,
}

/// List snapshots of the register
///
/// Snapshots of the whole register, newest first. The files of a snapshot contain every company once as NDJSON and once
/// as Parquet. The list contains the two newest snapshots and all others of the last 23 hours. A snapshot is not deleted
/// while a URL from this list is valid.
///
/// To follow the register: load a snapshot, read `GET /v1/changes/feed` from its `feedCursor` on, and read again the companies that
/// changed. Data of other sources than the gazette, such as an LEI, a licence or the result of a screening, changes records without
/// a change in the feed. The next snapshot contains it.
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
    let kept = generations::kept_for(&state.objects, state.clock.now(), ADDRESS).await;
    let kept = kept.map_err(generations::Unavailable::from)?;
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
        let Some(name) = name else { continue };
        let Some((_, format, compression)) = FORMATS.iter().find(|it| name.ends_with(it.0)) else {
            continue;
        };
        let key = manifest.key_of(&state.objects, file);
        files.push(SnapshotFile {
            name: name.to_owned(),
            format,
            compression: *compression,
            size_bytes: file.size,
            sha256: file.sha256.clone(),
            url: state.objects.presigned(&key, name, ADDRESS).await?,
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
