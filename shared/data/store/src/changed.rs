//! Marks of the companies that change on a day. They tell the indexer which companies it has to read again.
//!
//! Invariant: every transaction that writes the record or the history of a company also writes its mark. Marks are not deleted
//! when they are read, so that two versions of the indexer, and a run that is repeated, find the same ones. They expire.

use std::collections::BTreeSet;

use domain::Uid;
use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};
use serde::{Deserialize, Serialize};

use crate::{Error, Registry, keys, table::Write};

/// How long marks are read. They expire a day later.
const READ_FOR: SignedDuration = SignedDuration::from_hours(9 * 24);
/// Longest time from choosing the day of a mark to the end of its transaction, with the differences between clocks.
const LATENESS: SignedDuration = SignedDuration::from_hours(1);
/// Number of partitions that are read in parallel.
const PARALLEL_SHARDS: usize = 16;

/// A company that was changed.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Changed {
    uid: Uid,
}

/// The mark of a company that is changed now.
pub(crate) fn mark(uid: Uid) -> Result<Write, Error> {
    let now = now();
    let expires = now + READ_FOR + SignedDuration::from_hours(24);
    let mark = Write::put_document(keys::changed(day_of(now), uid), &Changed { uid })?;
    Ok(mark.expiring(expires.as_second()))
}

fn day_of(time: Timestamp) -> Date {
    time.to_zoned(TimeZone::UTC).date()
}

impl Registry {
    /// The companies that have changed since a time, and others that changed shortly before. `None`: that is too long ago to
    /// know, or in the future.
    pub async fn changed_since(
        &self,
        since: Timestamp,
        now: Timestamp,
    ) -> Result<Option<BTreeSet<Uid>>, Error> {
        // A clock that is ahead may have left out the day of a mark.
        if since > now || now.duration_since(since) > READ_FOR {
            return Ok(None);
        }
        let days = day_of(since - LATENESS).series(jiff::Span::new().days(1));
        let days = days.take_while(|it| *it <= day_of(now + LATENESS));
        let shards = days.flat_map(|day| (0..keys::CHANGED_SHARDS).map(move |it| (day, it)));
        let marks = stream::iter(shards).map(async |(day, shard)| {
            self.table.query::<Changed>(keys::changed_on(day, shard)).await
        });
        let marks: Vec<Vec<Changed>> =
            marks.buffer_unordered(PARALLEL_SHARDS).try_collect().await?;
        Ok(Some(marks.into_iter().flatten().map(|it| it.uid).collect()))
    }

    /// Marks companies of generated registers, whose records are written without transactions. These marks do not expire.
    pub(crate) async fn mark_changed(&self, uids: &[Uid]) -> Result<(), Error> {
        let today = day_of(now());
        let marks = uids.iter().map(|it| (keys::changed(today, *it), Changed { uid: *it }));
        self.table.put_documents(marks).await
    }
}

#[expect(clippy::disallowed_methods, reason = "the moment of the write: each attempt has another")]
fn now() -> Timestamp {
    Timestamp::now()
}
