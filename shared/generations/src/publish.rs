use std::path::Path;

use objects::Objects;
use uuid::Uuid;

use crate::{
    Contents, Error, Manifest,
    manifest::{self, ALL, CURRENT, Current, file_key, manifest_key},
};

/// Number of generations kept before the current one, for readers that are still downloading. What a killed
/// publisher has left is not a generation: it has no manifest.
pub const PREVIOUS_GENERATIONS: usize = 2;

/// Publishes the files in a directory as the current generation: first the files, then the manifest, then
/// `current.json`. If it is interrupted, nothing is published.
///
/// Only one publisher may run at a time. The indexer's FIFO queue ensures this.
pub async fn publish(
    objects: &Objects,
    directory: &Path,
    contents: Contents,
) -> Result<Manifest, Error> {
    let id = Uuid::now_v7().to_string();
    let files = Manifest::files_in(directory)?;
    let manifest = Manifest { id: id.clone(), contents, files };
    for file in &manifest.files {
        objects.put_file(&file_key(&id, &file.path), &directory.join(&file.path)).await?;
    }
    objects.put(&manifest_key(&id), json(&manifest)).await?;
    objects.put(CURRENT, json(&Current { id })).await?;
    // The generation is published. The next run deletes what could not be deleted now.
    if let Err(failure) = delete_old(objects, &manifest.id).await {
        tracing::warn!(failure = errors::chain(&failure), "old generations were not deleted");
    }
    Ok(manifest)
}

/// The manifest of the current generation. `None` before the first.
pub async fn published(objects: &Objects) -> Result<Option<Manifest>, Error> {
    match manifest::current(objects).await? {
        Some(id) => Manifest::read(objects, &id).await.map(Some),
        None => Ok(None),
    }
}

/// The manifests of the current generation and of those before it that are kept, newest first.
pub async fn kept(objects: &Objects) -> Result<Vec<Manifest>, Error> {
    let current = manifest::current(objects).await?.ok_or(Error::None)?;
    let mut ids: Vec<String> = objects.keys(ALL).await?.iter().filter_map(id_of_manifest).collect();
    // A later one is being published.
    ids.retain(|it| *it <= current);
    ids.sort_unstable();
    ids.dedup();
    let mut manifests = Vec::with_capacity(ids.len());
    for id in ids.iter().rev() {
        // It may be deleted meanwhile.
        manifests.extend(Manifest::find(objects, id).await?);
    }
    Ok(manifests)
}

/// The id of the generation of which this is the key of the manifest.
fn id_of_manifest(key: &String) -> Option<String> {
    id_of(key).filter(|it| *key == manifest_key(it))
}

fn id_of(key: &str) -> Option<String> {
    Some(key.strip_prefix(ALL)?.split_once('/')?.0.to_owned())
}

async fn delete_old(objects: &Objects, current: &str) -> Result<(), Error> {
    let keys = objects.keys(ALL).await?;
    let published = keys.iter().filter_map(id_of_manifest);
    let mut older: Vec<String> = published.filter(|it| it.as_str() < current).collect();
    older.sort_unstable();
    let kept = &older[older.len().saturating_sub(PREVIOUS_GENERATIONS)..];
    for key in &keys {
        if id_of(key).is_some_and(|id| id.as_str() < current && !kept.contains(&id)) {
            objects.delete(key).await?;
        }
    }
    Ok(())
}

#[expect(clippy::expect_used, reason = "these types always serialise")]
fn json(value: &impl serde::Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("plain data")
}
