//! Companies whose stored data cannot be decoded. They are left out of the generation, and their reasons are in the
//! bucket, below `quarantine/registry/`, as long as they cannot be decoded.

use std::collections::{BTreeMap, HashSet};

use domain::{ChangeKind, Uid};
use facts::erasures::Erasures;
use futures_util::{StreamExt, TryStreamExt, stream};
use objects::Objects;
use serde_json::json;
use store::{Registry, Unreadable};

use crate::{Builder, Error};

/// This many companies may be left out of any generation.
const MIN_ALLOWED: usize = 10;
/// One of this many companies may be left out of a large generation: 0.1 %. More have a common cause, such as a
/// deployment with a defect, and the previous generation is better than one without them.
const ALLOWED_SHARE: usize = 1_000;
/// Number of events of the feed that are read at once.
const EVENTS_PER_READ: usize = 100;
/// Number of objects that are written in parallel.
const PARALLEL_OBJECTS: usize = 16;

const PREFIX: &str = "quarantine/registry/";

/// Puts the companies into the quarantine, counts and logs them. Refuses to continue if there are too many of them.
/// `companies` is the number of all companies.
pub(crate) async fn quarantine(
    objects: &Objects,
    unreadable: &[Unreadable],
    companies: usize,
) -> Result<(), Error> {
    let allowed = MIN_ALLOWED.max(companies / ALLOWED_SHARE);
    let listed = unreadable.iter().take(allowed);
    let listed: BTreeMap<String, &Unreadable> =
        listed.map(|it| (format!("{PREFIX}{}.json", it.company), it)).collect();
    for it in listed.values() {
        let Unreadable { company, reason } = it;
        tracing::error!(metric = "UnreadableRecord", company, reason, "company left out");
    }
    let saved = listed.iter().map(async |(key, it)| {
        let content = json!({ "company": it.company, "reason": it.reason });
        objects.put(key, content.to_string()).await
    });
    let saved: Vec<_> = saved.collect();
    stream::iter(saved).buffer_unordered(PARALLEL_OBJECTS).try_collect::<()>().await?;
    match unreadable.first() {
        Some(first) if unreadable.len() > allowed => Err(Error::TooManyUnreadable {
            left_out: unreadable.len(),
            companies,
            first: first.company.clone(),
            reason: first.reason.clone(),
        }),
        _ => Ok(()),
    }
}

/// Companies that can be decoded again leave the quarantine, after the generation that contains them was published: until then,
/// an update that was killed must find them here.
pub(crate) async fn release(objects: &Objects, unreadable: &[Unreadable]) -> Result<(), Error> {
    let kept: HashSet<String> =
        unreadable.iter().map(|it| format!("{PREFIX}{}.json", it.company)).collect();
    for key in objects.keys(PREFIX).await? {
        if !kept.contains(&key) {
            objects.delete(&key).await?;
        }
    }
    Ok(())
}

/// The companies in the quarantine. `None` if one of them has no company number.
pub(crate) async fn listed(objects: &Objects) -> Result<Option<Vec<Uid>>, Error> {
    let keys = objects.keys(PREFIX).await?;
    let company = |key: &String| key.strip_prefix(PREFIX)?.strip_suffix(".json")?.parse().ok();
    Ok(keys.iter().map(company).collect())
}

/// Adds the events of these companies from the feed, and what remains of events of erased companies: the generation contains every
/// change up to `as_of_sequence`, also those of companies that it leaves out.
pub(crate) async fn add_events(
    registry: &Registry,
    unreadable: &[Unreadable],
    builder: &mut Builder,
    as_of_sequence: u64,
    erasures: &Erasures,
) -> Result<(), Error> {
    let left_out: HashSet<&str> = unreadable.iter().map(|it| it.company.as_str()).collect();
    let missing = builder.missing(as_of_sequence);
    let mut events = Vec::new();
    let mut read_through = 0;
    for sequence in missing.iter().copied() {
        if sequence <= read_through {
            continue;
        }
        let next = registry.feed(sequence - 1, EVENTS_PER_READ).await?.events;
        read_through = next.last().map_or(sequence, |it| it.sequence);
        let next = next.into_iter().map(|it| erasures.redact_event(it));
        events.extend(next.filter(|it| {
            missing.binary_search(&it.sequence).is_ok()
                && (it.event.kind == ChangeKind::Erased
                    || left_out.contains(it.event.uid.to_string().as_str()))
        }));
    }
    builder.push_events(&events)?;
    Ok(())
}
