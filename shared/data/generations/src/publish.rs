use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use objects::Objects;
use uuid::Uuid;

use crate::{Contents, Error, File, Layout, Manifest, index::is_downloaded, manifest::Current};

/// Number of generations kept before the current one, however old they are. What a killed publisher has left is not a
/// generation: it has no manifest.
const PREVIOUS_GENERATIONS: usize = 2;
/// Generations that were published so long before the current one are kept too: processes that answer few requests still read
/// records from them.
const KEPT_FOR: Duration = Duration::from_hours(24);
/// Generations of an earlier layout are deleted when none was published in it for so long before the current one: until then, the
/// version that reads them can be rolled back to.
const SUPERSEDED_FOR: Duration = Duration::from_hours(30 * 24);
/// Number of generations that are listed whatever their age is.
const NEWEST: usize = 2;
/// Number of files that are compressed and stored in parallel.
const PARALLEL_FILES: usize = 4;
/// Number of manifests that are read in parallel.
const PARALLEL_MANIFESTS: usize = 8;

/// Publishes the files in a directory as the current generation: first the files, then the manifest, then
/// `current.json`. If it is interrupted, nothing is published.
///
/// Only one publisher may run at a time. The indexer's FIFO queue ensures this.
pub async fn publish(
    objects: &Objects,
    directory: &Path,
    contents: Contents,
) -> Result<Manifest, Error> {
    let (layout, id) = (Layout::PRESENT, Uuid::now_v7().to_string());
    let files = Manifest::files_in(directory)?;
    let empty = Manifest { layout, id: id.clone(), contents, files: Vec::new() };
    let put = stream::iter(files).map(|file| put(objects, &empty, directory, file));
    let files = put.buffered(PARALLEL_FILES).try_collect().await?;
    let manifest = Manifest { files, ..empty };
    objects.put(&layout.manifest_key(&id), json(&manifest)).await?;
    objects.put(&layout.pointer(), json(&Current { id })).await?;
    // The generation is published. The next run deletes what could not be deleted now.
    for deleted in
        [delete_old(objects, &manifest.id).await, delete_superseded(objects, &manifest.id).await]
    {
        if let Err(failure) = deleted {
            tracing::warn!(failure = errors::chain(&failure), "old generations were not deleted");
        }
    }
    Ok(manifest)
}

async fn put(
    objects: &Objects,
    manifest: &Manifest,
    directory: &Path,
    file: File,
) -> Result<File, Error> {
    let path = directory.join(&file.path);
    // Compressing nothing would give an object of several bytes.
    if is_downloaded(&file.path) && file.size > 0 {
        return put_compressed(objects, manifest, file, path).await;
    }
    objects.put_file(&manifest.key_of(&file), &path).await?;
    Ok(file)
}

async fn put_compressed(
    objects: &Objects,
    manifest: &Manifest,
    file: File,
    path: PathBuf,
) -> Result<File, Error> {
    let compressed = path.with_added_extension("zst");
    let to = compressed.clone();
    let file = tokio::task::spawn_blocking(move || file.compress(&path, &to)).await;
    let file = file.map_err(std::io::Error::other)??;
    objects.put_file(&manifest.key_of(&file), &compressed).await?;
    std::fs::remove_file(&compressed)?;
    Ok(file)
}

/// The manifest of the current generation. `None` before the first.
pub async fn published(objects: &Objects) -> Result<Option<Manifest>, Error> {
    let layout = Layout::PRESENT;
    match layout.current(objects).await? {
        Some(id) => Manifest::read(objects, layout, &id).await.map(Some),
        None => Ok(None),
    }
}

/// The manifests of the two newest generations, and of those that are kept for at least `longer` from `now` on, newest first.
pub async fn kept_for(
    objects: &Objects,
    now: Timestamp,
    longer: Duration,
) -> Result<Vec<Manifest>, Error> {
    let layout = Layout::PRESENT;
    let current = layout.current(objects).await?.ok_or(Error::None)?;
    let keys = objects.keys(&layout.folder()).await?;
    let mut ids: Vec<String> = keys.iter().filter_map(id_of_manifest).collect();
    // A later one is being published.
    ids.retain(|it| *it <= current);
    let now = Duration::from_secs(u64::try_from(now.as_second()).unwrap_or_default());
    let manifests = stream::iter(kept_until(now + longer, ids))
        .map(async |id| Manifest::find(objects, layout, &id).await)
        .buffered(PARALLEL_MANIFESTS);
    // One may be deleted meanwhile.
    manifests.try_filter_map(async |it| Ok(it)).try_collect().await
}

/// The two newest of these generations, and those that no publisher deletes before a time since the Unix epoch, newest first.
fn kept_until(end: Duration, mut ids: Vec<String>) -> Vec<String> {
    ids.sort_unstable_by(|one, other| other.cmp(one));
    ids.dedup();
    let is_kept = |id: &String| age(id).is_some_and(|it| end.saturating_sub(it) < KEPT_FOR);
    let listed = ids.into_iter().enumerate().filter(|(at, id)| *at < NEWEST || is_kept(id));
    listed.map(|(_, id)| id).collect()
}

/// The id of the generation of which this is the key of the manifest.
fn id_of_manifest(key: &String) -> Option<String> {
    id_of(key).filter(|it| *key == Layout::PRESENT.manifest_key(it))
}

fn id_of(key: &str) -> Option<String> {
    id_in(Layout::PRESENT, key)
}

/// The id of the generation of this layout to which an object belongs.
fn id_in(layout: Layout, key: &str) -> Option<String> {
    Some(key.strip_prefix(&layout.folder())?.split_once('/')?.0.to_owned())
}

/// Deletes all generations but the current one, of every layout, however old they are: something was erased that they contain.
/// A process that still reads one of them fails until it opens the current one.
pub async fn delete_previous(objects: &Objects) -> Result<(), Error> {
    let current = Layout::PRESENT.current(objects).await?.ok_or(Error::None)?;
    for layout in (1..=Layout::PRESENT.0).map(Layout) {
        let is_present = layout == Layout::PRESENT;
        if !is_present {
            // First the pointer: an earlier version finds no generation rather than a part of one.
            objects.delete(&layout.pointer()).await?;
        }
        for key in objects.keys(&layout.folder()).await? {
            // A later one is being published.
            let is_kept = |id: String| is_present && id >= current;
            if id_in(layout, &key).is_some_and(|it| !is_kept(it)) {
                objects.delete(&key).await?;
            }
        }
    }
    Ok(())
}

async fn delete_old(objects: &Objects, current: &str) -> Result<(), Error> {
    let keys = objects.keys(&Layout::PRESENT.folder()).await?;
    let kept = kept_with(current, keys.iter().filter_map(id_of_manifest).collect());
    for key in &keys {
        if id_of(key).is_some_and(|id| id.as_str() < current && !kept.contains(&id)) {
            objects.delete(key).await?;
        }
    }
    Ok(())
}

/// Deletes the generations of earlier layouts that no version can be rolled back to any more.
async fn delete_superseded(objects: &Objects, current: &str) -> Result<(), Error> {
    let is_old = |id: &str| match (age(id), age(current)) {
        (Some(it), Some(current)) => current.saturating_sub(it) >= SUPERSEDED_FOR,
        _ => false,
    };
    for layout in (1..Layout::PRESENT.0).map(Layout) {
        let newest = layout.current(objects).await?;
        if newest.as_deref().is_some_and(|it| !is_old(it)) {
            continue;
        }
        // First the pointer: a version that was rolled back to finds no generation rather than a part of one.
        if newest.is_some() {
            objects.delete(&layout.pointer()).await?;
        }
        for key in objects.keys(&layout.folder()).await? {
            if id_in(layout, &key).is_some_and(|it| is_old(&it)) {
                objects.delete(&key).await?;
            }
        }
    }
    Ok(())
}

/// Those of the published generations that are kept before the current one.
fn kept_with(current: &str, mut published: Vec<String>) -> Vec<String> {
    published.retain(|it| it.as_str() < current);
    published.sort_unstable();
    let first = published.len().saturating_sub(PREVIOUS_GENERATIONS);
    let is_recent = |it: &String| match (age(it), age(current)) {
        (Some(it), Some(current)) => current.saturating_sub(it) < KEPT_FOR,
        _ => false,
    };
    let by_age = published.iter().position(is_recent).unwrap_or(first);
    published.split_off(first.min(by_age))
}

/// Time of the id of a generation since the Unix epoch.
fn age(id: &str) -> Option<Duration> {
    let (seconds, nanoseconds) = Uuid::try_parse(id).ok()?.get_timestamp()?.to_unix();
    Some(Duration::new(seconds, nanoseconds))
}

#[expect(clippy::expect_used, reason = "these types always serialise")]
fn json(value: &impl serde::Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("plain data")
}

#[cfg(test)]
mod tests {
    use uuid::{NoContext, Timestamp};

    use super::*;

    /// The id of a generation that was published so many hours after the first one.
    fn id(hours: u64) -> String {
        let time = Timestamp::from_unix(NoContext, 1_700_000_000 + hours * 3_600, 0);
        Uuid::new_v7(time).to_string()
    }

    #[test]
    fn generations_of_the_last_day_and_two_more_are_kept() {
        let all: Vec<String> = [0, 30, 60, 61, 72, 83].map(id).into();
        let kept = |current: usize| kept_with(&all[current], all.clone());
        assert_eq!(kept(5), all[2..5], "of the last 24 hours");
        assert_eq!(kept(2), all[..2], "older ones, but only two");
        assert_eq!(kept(0), Vec::<String>::new());
    }

    #[test]
    fn generations_are_listed_if_no_publisher_deletes_them_soon() {
        let all: Vec<String> = [0, 30, 60, 61, 72, 83].map(id).into();
        let listed = |hours: u64| {
            let end = Duration::from_secs(1_700_000_000 + hours * 3_600);
            let mut listed = kept_until(end, all.clone());
            listed.reverse();
            listed
        };
        assert_eq!(listed(84), all[3..], "61 and later: of the last 24 hours");
        assert_eq!(listed(200), all[4..], "the two newest");
    }
}
