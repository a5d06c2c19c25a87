use std::{path::Path, time::Duration};

use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use objects::Objects;
use published::POINTER;
use uuid::Uuid;

use crate::{Contents, Error, Layout, Manifest, index::is_downloaded};

/// Number of generations before the current one that are kept, however old they are, and of those that are listed. What a killed
/// publisher has left is not a generation: it has no manifest.
const NEWEST: usize = 2;
/// Generations that were published so long before the current one are kept too: processes that answer few requests still read
/// records from them.
const KEPT_FOR: Duration = Duration::from_hours(24);
/// Generations of an earlier layout are deleted when none was published in it for so long before the current one: until then, the
/// version that reads them can be rolled back to.
const SUPERSEDED_FOR: Duration = Duration::from_hours(30 * 24);
/// Number of manifests that are read in parallel.
const PARALLEL_MANIFESTS: usize = 8;

/// Publishes the files in a directory as the current generation. If it is interrupted, nothing is published.
pub async fn publish(
    objects: &Objects,
    directory: &Path,
    contents: Contents,
) -> Result<Manifest, Error> {
    let (layout, id) = (Layout::PRESENT, Uuid::now_v7().to_string());
    let location = layout.location(objects);
    let before = location.begin().await?;
    let files = location.put_files(&id, directory, is_downloaded).await?;
    let manifest = Manifest { layout, id, contents, files };
    location.publish(&manifest, &before).await?;
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

/// The manifest of the current generation. `None` before the first.
pub async fn published(objects: &Objects) -> Result<Option<Manifest>, Error> {
    Ok(Layout::PRESENT.location(objects).current().await?)
}

/// The manifests of the two newest generations, and of those that are kept for at least `longer` from `now` on, newest first.
pub async fn kept_for(
    objects: &Objects,
    now: Timestamp,
    longer: Duration,
) -> Result<Vec<Manifest>, Error> {
    let location = &Layout::PRESENT.location(objects);
    let current = location.current_id().await?.ok_or(Error::None)?;
    let mut ids = location.ids::<Manifest>().await?;
    // A later one is being published.
    ids.retain(|it| *it <= current);
    let now = Duration::from_secs(u64::try_from(now.as_second()).unwrap_or_default());
    let manifests = stream::iter(kept_at(now + longer, ids))
        .map(async |id| Ok(location.find(&id).await?))
        .buffered(PARALLEL_MANIFESTS);
    // One may be deleted meanwhile.
    manifests.try_filter_map(async |it| Ok(it)).try_collect().await
}

/// Deletes all generations but the current one, of every layout, however old they are: something was erased that they contain.
/// A process that still reads one of them fails until it opens the current one.
pub async fn delete_previous(objects: &Objects) -> Result<(), Error> {
    let present = Layout::PRESENT.location(objects);
    let current = present.current_id().await?.ok_or(Error::None)?;
    for layout in Layout::earlier() {
        let location = layout.location(objects);
        // First the pointer: a process finds no generation rather than a part of one.
        location.delete(POINTER).await?;
        location.retain(|_, _| false).await?;
    }
    // A later one is being published.
    Ok(present.retain(|id, _| *id >= *current).await?)
}

async fn delete_old(objects: &Objects, current: &str) -> Result<(), Error> {
    let location = Layout::PRESENT.location(objects);
    let mut before = location.ids::<Manifest>().await?;
    before.retain(|it| it.as_str() < current);
    let kept = kept_at(time_of(current).unwrap_or_default(), before);
    Ok(location.retain(|id, _| id >= current || kept.iter().any(|it| it == id)).await?)
}

/// Deletes the generations of earlier layouts that no version can be rolled back to any more.
async fn delete_superseded(objects: &Objects, current: &str) -> Result<(), Error> {
    let is_old = |id: &str| match (time_of(id), time_of(current)) {
        (Some(it), Some(current)) => current.saturating_sub(it) >= SUPERSEDED_FOR,
        _ => false,
    };
    for layout in Layout::earlier() {
        let location = layout.location(objects);
        match location.current_id().await? {
            Some(newest) if !is_old(&newest) => continue,
            Some(_) => location.delete(POINTER).await?,
            None => {}
        }
        location.retain(|id, _| !is_old(id)).await?;
    }
    Ok(())
}

/// The newest of these generations, and those that were published not long before a time since the Unix epoch, newest first.
fn kept_at(time: Duration, mut ids: Vec<String>) -> Vec<String> {
    ids.sort_unstable_by(|one, other| other.cmp(one));
    let is_recent = |it: &String| time_of(it).is_some_and(|it| time.saturating_sub(it) < KEPT_FOR);
    let kept = ids.into_iter().enumerate().filter(|(at, id)| *at < NEWEST || is_recent(id));
    kept.map(|(_, id)| id).collect()
}

/// Time of the id of a generation since the Unix epoch.
fn time_of(id: &str) -> Option<Duration> {
    let (seconds, nanoseconds) = Uuid::try_parse(id).ok()?.get_timestamp()?.to_unix();
    Some(Duration::new(seconds, nanoseconds))
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
        let kept = |current: usize| {
            let time = time_of(&all[current]).expect("a time");
            let mut kept = kept_at(time, all[..current].to_vec());
            kept.reverse();
            kept
        };
        assert_eq!(kept(5), all[2..5], "of the last 24 hours");
        assert_eq!(kept(2), all[..2], "older ones, but only two");
        assert_eq!(kept(0), Vec::<String>::new());
    }

    #[test]
    fn generations_are_listed_if_no_publisher_deletes_them_soon() {
        let all: Vec<String> = [0, 30, 60, 61, 72, 83].map(id).into();
        let listed = |hours: u64| {
            let end = Duration::from_secs(1_700_000_000 + hours * 3_600);
            let mut listed = kept_at(end, all.clone());
            listed.reverse();
            listed
        };
        assert_eq!(listed(84), all[3..], "61 and later: of the last 24 hours");
        assert_eq!(listed(200), all[4..], "the two newest");
    }
}
