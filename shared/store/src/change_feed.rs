//! The change feed. Each event is appended once, gets the next sequence number, and never changes.

use domain::{Uid, changes::PublishedEvent};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{ATTEMPTS, Error, Registry, history::Waiting, keys, table::Write};

/// Number of events in a block of the feed.
pub(crate) const BLOCK: u64 = 100;
/// Maximum number of events searched for an id.
const MAX_EVENTS_SEARCHED: usize = 10_000;
/// Maximum number of companies whose events are published in one transaction.
const MAX_COMPANIES: usize = 20;
/// Maximum number of events published in one transaction.
const MAX_EVENTS: usize = 500;

/// The end of the feed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct End {
    /// The last sequence number; 0 while the feed is empty.
    pub(crate) sequence: u64,
}

/// A block of the feed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Block {
    pub(crate) events: Vec<PublishedEvent>,
}

impl Registry {
    /// The last sequence number of the feed; 0 while it is empty.
    pub async fn feed_end(&self) -> Result<u64, Error> {
        let end: Option<End> = self.table.get(keys::feed_end()).await?;
        Ok(end.unwrap_or_default().sequence)
    }

    /// The next events after this sequence number, in order; at most `limit`.
    pub async fn feed(&self, after: u64, limit: usize) -> Result<Vec<PublishedEvent>, Error> {
        let last = self.feed_end().await?.min(after.saturating_add(limit as u64));
        if last <= after {
            return Ok(Vec::new());
        }
        let blocks = (after / BLOCK)..=((last - 1) / BLOCK);
        let blocks: Vec<Block> =
            self.table.get_all_consistent(blocks.map(keys::feed_block).collect()).await?;
        let mut events: Vec<_> = blocks.into_iter().flat_map(|it| it.events).collect();
        events.retain(|it| it.sequence > after && it.sequence <= last);
        events.sort_unstable_by_key(|it| it.sequence);
        Ok(events)
    }

    /// The event with this id among the first 10,000 events after this sequence number.
    ///
    /// Used for events that are newer than the generation, which are usually a few blocks. While a register
    /// is being loaded there may be more than are searched.
    pub async fn event_after(&self, after: u64, id: Uuid) -> Result<Option<PublishedEvent>, Error> {
        let newer = self.feed(after, MAX_EVENTS_SEARCHED).await?;
        Ok(newer.into_iter().find(|it| it.event.id == id))
    }

    /// Publishes all waiting events to the feed and returns their number. The events of a company are
    /// published in order of date, and together unless there are very many.
    ///
    /// Safe to interrupt, to repeat and to run concurrently: each transaction publishes its events once or not
    /// at all.
    pub async fn publish_events(&self, now: Timestamp) -> Result<u64, Error> {
        let mut published = 0;
        for shard in 0..keys::OUTBOX_SHARDS {
            let waiting: Vec<Waiting> = self.table.query(keys::outbox_shard(shard)).await?;
            for companies in waiting.chunks(MAX_COMPANIES) {
                let mut left: Vec<Uid> = companies.iter().map(|it| it.uid).collect();
                let (mut together, mut conflicts) = (MAX_COMPANIES, 0);
                while let Some(&first) = left.first() {
                    match self.publish_some(&left[..together.min(left.len())], now).await {
                        Ok((companies, events)) => {
                            left.drain(..companies);
                            published += events;
                        }
                        Err(Error::Changed) if conflicts < ATTEMPTS => conflicts += 1,
                        Err(Error::Unwritable(_)) if together > 1 => together = 1,
                        // It stays in the outbox without blocking the others.
                        Err(Error::Unwritable(failure)) => {
                            tracing::error!(company = %first, failure = errors::chain(&*failure), "events too large for the feed");
                            left.remove(0);
                        }
                        Err(error) => return Err(error),
                    }
                }
            }
        }
        Ok(published)
    }

    /// Publishes the waiting events of the first of these companies, as many as fit in one transaction. If the
    /// first company has more, only its first events are published. Returns the number of companies whose
    /// events are all published, and the number of events.
    async fn publish_some(&self, uids: &[Uid], now: Timestamp) -> Result<(usize, u64), Error> {
        let end = self.feed_end().await?;
        let mut last = end;
        let mut writes = Vec::new();
        let mut published: Vec<PublishedEvent> = Vec::new();
        let mut companies = 0;
        for &uid in uids {
            let stored = self.stored_history(uid).await?;
            let (mut history, mut next) = (stored.history.clone(), last);
            let next_events = history.publish(&mut next, now, MAX_EVENTS);
            let has_more = history.has_unpublished();
            let mut company_writes = stored.replace_with(uid, history)?;
            if !has_more {
                company_writes.push(Write::delete(keys::outbox(uid)));
            }
            let is_first = companies == 0;
            let fits = published.len() + next_events.len() <= MAX_EVENTS
                && Write::fit_together(writes.iter().chain(&company_writes));
            if !is_first && (has_more || !fits) {
                break;
            }
            writes.extend(company_writes);
            published.extend(next_events);
            last = next;
            if has_more {
                break;
            }
            companies += 1;
        }
        if last > end {
            writes.extend(self.append_to_feed(end, published).await?);
            let to = End { sequence: last };
            writes.push(
                Write::put_document(keys::feed_end(), &to)?.revise(revision(end), revision(last)),
            );
        }
        self.table.transact(writes).await?;
        Ok((companies, last - end))
    }

    /// The writes that append these events to the blocks of the feed.
    async fn append_to_feed(
        &self,
        end: u64,
        events: Vec<PublishedEvent>,
    ) -> Result<Vec<Write>, Error> {
        let mut block = end / BLOCK;
        let open: Option<Block> = self.table.get(keys::feed_block(block)).await?;
        let mut open = open.unwrap_or_default();
        // Events after the end were never published.
        open.events.retain(|it| it.sequence <= end);
        let mut writes = Vec::new();
        for event in events {
            let event_block = (event.sequence - 1) / BLOCK;
            if event_block != block {
                if !open.events.is_empty() {
                    writes.push(Write::put_document(keys::feed_block(block), &open)?);
                }
                (block, open) = (event_block, Block::default());
            }
            open.events.push(event);
        }
        writes.push(Write::put_document(keys::feed_block(block), &open)?);
        Ok(writes)
    }
}

/// The last sequence number serves as revision of the feed, which only grows.
fn revision(sequence: u64) -> usize {
    usize::try_from(sequence).unwrap_or(usize::MAX)
}
