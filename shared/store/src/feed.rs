//! The change feed: every event gets one place in it, in one step, and keeps it as it is.

use domain::{Uid, changes::PublishedEvent};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{ATTEMPTS, Error, Registry, history::Waiting, keys, table::Write};

/// How many events a block of the feed holds.
pub(crate) const BLOCK: u64 = 100;
/// How many events are looked through for an id.
const LOOKED_THROUGH: usize = 10_000;
/// How many companies get their places in one transaction at most.
const COMPANIES_AT_A_TIME: usize = 20;
/// How many events are placed in one transaction at most.
const EVENTS_AT_A_TIME: usize = 500;

/// The end of the feed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct End {
    /// The last place that is taken; 0 while the feed is empty.
    pub(crate) sequence: u64,
}

/// A block of the feed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Block {
    pub(crate) events: Vec<PublishedEvent>,
}

impl Registry {
    /// The place of the last event in the feed, 0 while it is empty.
    pub async fn feed_end(&self) -> Result<u64, Error> {
        let end: Option<End> = self.table.get(keys::feed_end()).await?;
        Ok(end.unwrap_or_default().sequence)
    }

    /// At most `limit` events that come after this place in the feed, in their order.
    pub async fn feed(&self, after: u64, limit: usize) -> Result<Vec<PublishedEvent>, Error> {
        let last = self.feed_end().await?.min(after.saturating_add(limit as u64));
        if last <= after {
            return Ok(Vec::new());
        }
        let blocks = (after / BLOCK)..=((last - 1) / BLOCK);
        let blocks: Vec<Block> =
            self.table.get_all_now(blocks.map(keys::feed_block).collect()).await?;
        let mut events: Vec<_> = blocks.into_iter().flat_map(|it| it.events).collect();
        events.retain(|it| it.sequence > after && it.sequence <= last);
        events.sort_unstable_by_key(|it| it.sequence);
        Ok(events)
    }

    /// The event with this id, if it comes after this place in the feed: where the generation ends, as a
    /// rule a few blocks before the end. Behind a register that is being loaded, not all are looked through.
    pub async fn event_after(&self, after: u64, id: Uuid) -> Result<Option<PublishedEvent>, Error> {
        let newer = self.feed(after, LOOKED_THROUGH).await?;
        Ok(newer.into_iter().find(|it| it.event.id == id))
    }

    /// Gives every event that waits its place in the feed, and answers how many did. A company's
    /// events come in the order of their days, and unless there are very many, together.
    ///
    /// Whoever dies on the way has placed whole transactions or none; two that run at the same time
    /// place nothing twice.
    pub async fn publish_events(&self, now: Timestamp) -> Result<u64, Error> {
        let mut placed = 0;
        for shard in 0..keys::OUTBOX_SHARDS {
            let waiting: Vec<Waiting> = self.table.query(keys::outbox_shard(shard)).await?;
            for some in waiting.chunks(COMPANIES_AT_A_TIME) {
                let mut left: Vec<Uid> = some.iter().map(|it| it.uid).collect();
                let (mut together, mut lost) = (COMPANIES_AT_A_TIME, 0);
                while let Some(&first) = left.first() {
                    match self.place(&left[..together.min(left.len())], now).await {
                        Ok((companies, events)) => {
                            left.drain(..companies);
                            placed += events;
                        }
                        Err(Error::Changed) if lost < ATTEMPTS => lost += 1,
                        Err(Error::Unwritable(_)) if together > 1 => together = 1,
                        // It goes on waiting, and nobody else waits for it.
                        Err(Error::Unwritable(failure)) => {
                            tracing::error!(company = %first, failure = errors::chain(&*failure), "too large for the feed");
                            left.remove(0);
                        }
                        Err(error) => return Err(error),
                    }
                }
            }
        }
        Ok(placed)
    }

    /// Places the waiting events of the first of these companies, as many as one transaction holds; of one
    /// with very many, the first of them. Answers how many companies wait no more, and how many events
    /// that were.
    async fn place(&self, uids: &[Uid], now: Timestamp) -> Result<(usize, u64), Error> {
        let end = self.feed_end().await?;
        let mut last = end;
        let mut writes = Vec::new();
        let mut placed: Vec<PublishedEvent> = Vec::new();
        let mut companies = 0;
        for &uid in uids {
            let kept = self.kept_history(uid).await?;
            let (mut history, mut next) = (kept.history.clone(), last);
            let told = history.tell(&mut next, now, EVENTS_AT_A_TIME);
            let waits = history.has_untold();
            let mut its = kept.replaced_by(uid, history)?;
            if !waits {
                its.push(Write::delete(keys::outbox(uid)));
            }
            let is_first = companies == 0;
            let fits = placed.len() + told.len() <= EVENTS_AT_A_TIME
                && Write::fit_together(writes.iter().chain(&its));
            if !is_first && (waits || !fits) {
                break;
            }
            writes.extend(its);
            placed.extend(told);
            last = next;
            if waits {
                break;
            }
            companies += 1;
        }
        if last > end {
            writes.extend(self.extended_feed(end, placed).await?);
            let to = End { sequence: last };
            writes.push(Write::put_document(keys::feed_end(), &to)?.revise(at(end), at(last)));
        }
        self.table.transact(writes).await?;
        Ok((companies, last - end))
    }

    /// The blocks of the feed with these events at its end.
    async fn extended_feed(
        &self,
        end: u64,
        events: Vec<PublishedEvent>,
    ) -> Result<Vec<Write>, Error> {
        let mut block = end / BLOCK;
        let open: Option<Block> = self.table.get(keys::feed_block(block)).await?;
        let mut open = open.unwrap_or_default();
        // What stands beyond the end was never published.
        open.events.retain(|it| it.sequence <= end);
        let mut writes = Vec::new();
        for event in events {
            let own = (event.sequence - 1) / BLOCK;
            if own != block {
                if !open.events.is_empty() {
                    writes.push(Write::put_document(keys::feed_block(block), &open)?);
                }
                (block, open) = (own, Block::default());
            }
            open.events.push(event);
        }
        writes.push(Write::put_document(keys::feed_block(block), &open)?);
        Ok(writes)
    }
}

/// A place in the feed as a revision: the feed only grows.
fn at(sequence: u64) -> usize {
    usize::try_from(sequence).unwrap_or(usize::MAX)
}
