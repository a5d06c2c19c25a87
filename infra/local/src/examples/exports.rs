//! The random values of exports and snapshots in the examples.

use access::Environment;
use auth::TeamId;
use bulk_export::Worker;
use generations::Generations;
use jiff::Timestamp;
use jobs::ExportJob;
use serde_json::Value;
use store::TeamKey;
use uuid::Uuid;

use super::{TEAM_ID, failed};
use crate::{CommandError, cloud::Cloud};

/// The export that the examples show.
const EXPORT: &str = "0199c0de-5d00-7000-8000-000000000000";
/// Addresses of files, which are signed.
const FILE: &str = "https://bucket.example/file?X-Amz-Signature=…";

/// Writes the file of an export that was created, and returns its id and its times, each with the value shown instead.
#[expect(clippy::disallowed_methods, reason = "no request is served here")]
pub(super) async fn written(
    cloud: &Cloud,
    generations: &Generations,
    created: &Value,
    now: Timestamp,
) -> Result<Vec<(String, String)>, CommandError> {
    let Some(id) = created["id"].as_str() else { return Ok(Vec::new()) };
    let worker = Worker {
        tenants: cloud.tenants.clone(),
        objects: cloud.objects.clone(),
        generations: generations.clone(),
        jobs: cloud.exports_queue.clone(),
        part: bulk_export::PART,
        rows_per_group: bulk_export::ROWS_PER_GROUP,
    };
    let (team, environment) = (TeamId(TEAM_ID.to_owned()), Environment::Live);
    let job =
        ExportJob::Run { team: team.clone(), environment, export: id.to_owned(), again: None };
    worker.handle(job, now).await.map_err(failed)?;
    let uuid: Uuid = id.parse().map_err(failed)?;
    let export = cloud.tenants.export(&TeamKey::as_operator(team, environment), uuid).await;
    let export = export.map_err(failed)?;
    let mut replacements = vec![(id.to_owned(), EXPORT.to_owned())];
    if let Some(file) = export.as_ref().and_then(|it| it.file.as_ref()) {
        let bytes = cloud.objects.get(&file.key).await.map_err(failed)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let times = text.split("\"boardAsOf\":\"").skip(1).filter_map(|it| it.split('"').next());
        replacements.extend(times.map(|it| (it.to_owned(), now.to_string())));
    }
    if let Some(completed) = export.and_then(|it| it.completed_at) {
        let expires = |it: Timestamp| (it + teams::export::RETENTION).to_string();
        replacements.push((completed.to_string(), now.to_string()));
        replacements.push((expires(completed), expires(now)));
    }
    Ok(replacements)
}

/// The addresses of files in an answer, each with the address shown instead.
pub(super) fn addresses(body: &Value) -> Vec<(String, String)> {
    let snapshots = body.as_array().into_iter().flatten();
    let files = snapshots.flat_map(|it| it["files"].as_array().into_iter().flatten());
    let addresses = files.map(|it| &it["url"]).chain([&body["job"]["downloadUrl"]]);
    let address = |it: &Value| Some((it.as_str()?.to_owned(), FILE.to_owned()));
    addresses.filter_map(address).collect()
}
