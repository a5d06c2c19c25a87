//! The change feed. Each event is appended once, gets the next sequence number, and never changes.

mod append;

use domain::{Uid, changes::PublishedEvent};
use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use self::append::Appender;
pub(crate) use self::append::{Chunk, chunks};
use crate::{
    ATTEMPTS, Error, Registry, companies::readable, keys, pause_after_conflict, table::Write,
};

/// Maximum number of companies whose events are published in one transaction.
const MAX_COMPANIES: usize = 20;
/// Maximum number of events published in one transaction, which holds 100 writes. Each event is also an item of its own, by
/// which it is found.
const MAX_EVENTS: usize = 75;
/// Number of blocks of which a reader reads the first page at the same time.
const PARALLEL_BLOCKS: usize = 4;
/// Number of chunks per page of a query. Most blocks have one chunk.
const PAGE_CHUNKS: i32 = 3;
/// Size of the events, in bytes of JSON, after which a reader stops.
const READ_BYTES: usize = 4_000_000;

/// The end of the feed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct End {
    /// The last sequence number; 0 while the feed is empty.
    pub(crate) sequence: u64,
}

/// A part of the feed.
#[derive(Clone, Debug, PartialEq)]
pub struct FeedPart {
    /// Events in order of their sequence numbers.
    ///
    /// If a stored part of the feed cannot be decoded, which is logged, its events are missing here. They are in the next
    /// generation that is built from the histories of the companies.
    pub events: Vec<PublishedEvent>,
    /// All events up to this sequence number were read.
    pub read_to: u64,
    /// Whether the feed continues after `read_to`.
    pub has_more: bool,
}

impl FeedPart {
    /// Without the events that follow missing ones, for a reader that has read the events up to `after` and must get all; and
    /// whether any are missing.
    pub fn up_to_a_gap(mut self, after: u64) -> (Self, bool) {
        let expected = after + 1..;
        let whole = self.events.iter().zip(expected).take_while(|(it, at)| it.sequence == *at);
        self.events.truncate(whole.count());
        let whole_to = after + self.events.len() as u64;
        let has_gap = whole_to < self.read_to;
        self.read_to = whole_to;
        (self, has_gap)
    }
}

impl Registry {
    /// The last sequence number of the feed; 0 while it is empty.
    pub async fn feed_end(&self) -> Result<u64, Error> {
        let end: Option<End> = self.table.get(keys::feed_end()).await?;
        Ok(end.unwrap_or_default().sequence)
    }

    /// The next events after this sequence number, in order; at most `limit`, and fewer if they are long.
    pub async fn feed(&self, after: u64, limit: usize) -> Result<FeedPart, Error> {
        let end = self.feed_end().await?;
        let last = end.min(after.saturating_add(limit as u64));
        if last <= after {
            return Ok(FeedPart { events: Vec::new(), read_to: after, has_more: after < end });
        }
        let mut chunks = std::pin::pin!(self.chunks_between(after + 1, last));
        let (mut events, mut bytes) = (Vec::new(), 0);
        while let Some(chunk) = chunks.try_next().await? {
            for event in chunk.events {
                if event.sequence <= after || event.sequence > last {
                    continue;
                }
                let read_to = event.sequence;
                bytes += append::size(&event)?;
                events.push(event);
                if bytes > READ_BYTES {
                    return Ok(FeedPart { events, read_to, has_more: read_to < end });
                }
            }
        }
        Ok(FeedPart { events, read_to: last, has_more: last < end })
    }

    /// A sequence number of the feed: the events up to it were added before this time, those after it were not. About: the
    /// times of events that were added at nearly the same time are not in order. 20 reads for a million events.
    pub async fn feed_before(&self, time: Timestamp) -> Result<u64, Error> {
        let (mut before, mut last) = (0, self.feed_end().await?);
        while before < last {
            let middle = before + (last - before).div_ceil(2);
            let chunk = self.chunk_at(middle).await?.unwrap_or_default();
            let event = chunk.events.iter().find(|it| it.sequence == middle);
            // Events that were loaded in bulk are missing. They are the oldest.
            if event.is_none_or(|it| it.recorded_at < time) {
                before = middle;
            } else {
                last = middle - 1;
            }
        }
        Ok(before)
    }

    /// The chunks with the events from `first` to `last`, in order. Reads them only when the stream is polled, and at
    /// most a page of each of the next [`PARALLEL_BLOCKS`] blocks ahead.
    fn chunks_between(
        &self,
        first: u64,
        last: u64,
    ) -> impl Stream<Item = Result<Chunk, Error>> + '_ {
        let chunks = async move {
            let chunk = self.chunk_at(first).await?.unwrap_or_default();
            // Chunks follow each other without gaps.
            let next = last_of(&chunk.events, 0).max(first - 1) + 1;
            let others = self.chunks_from(next, last);
            Ok::<_, Error>(stream::iter([Ok(chunk)]).chain(others))
        };
        stream::once(chunks).try_flatten()
    }

    /// The chunks from the one that starts with the sequence number `first` to the one with `last`, in order.
    fn chunks_from(&self, first: u64, last: u64) -> impl Stream<Item = Result<Chunk, Error>> + '_ {
        let blocks = (first <= last).then(|| keys::feed_block(first)..=keys::feed_block(last));
        stream::iter(blocks.into_iter().flatten())
            .map(move |block| async move {
                let (from, to) = (keys::feed_chunk(first).sort, keys::feed_chunk(last).sort);
                let partition = keys::feed_chunks(block).partition;
                let pages =
                    self.table.query_forwards_consistently(&partition, (&from, &to), PAGE_CHUNKS);
                let mut pages = Box::pin(pages);
                let first_page = pages.try_next().await?;
                Ok::<_, Error>(stream::iter(first_page.map(Ok)).chain(pages))
            })
            .buffered(PARALLEL_BLOCKS)
            .try_flatten()
            .map_ok(|rows| stream::iter(rows.into_iter().filter_map(readable)))
            .try_flatten()
    }

    /// The event with this id. Events loaded with [`crate::Bulk`] are not found; the generation contains them.
    pub async fn event(&self, id: Uuid) -> Result<Option<PublishedEvent>, Error> {
        self.table.get(keys::event(id)).await
    }

    /// The chunk with this sequence number; if the feed ends before it, the last chunk of its block. `None` also if that
    /// chunk cannot be decoded, which is logged.
    async fn chunk_at(&self, sequence: u64) -> Result<Option<Chunk>, Error> {
        let first = keys::feed_chunks(keys::feed_block(sequence));
        let row = self.table.last_between(first, &keys::feed_chunk(sequence).sort).await?;
        row.and_then(readable).transpose()
    }

    /// Publishes all waiting events to the feed and returns their number. The events of a company are
    /// published in order of date, and together unless there are very many.
    ///
    /// Safe to interrupt, to repeat and to run concurrently: each transaction publishes its events once or not
    /// at all.
    pub async fn publish_events(&self, now: Timestamp) -> Result<u64, Error> {
        let mut published = 0;
        for shard in 0..keys::OUTBOX_SHARDS {
            let waiting = self.table.query_rows(keys::outbox_shard(shard)).await?;
            // The key says it all: such an item cannot be damaged.
            let waiting: Vec<Uid> = waiting.iter().filter_map(|it| it.sort.parse().ok()).collect();
            for companies in waiting.chunks(MAX_COMPANIES) {
                let mut left = companies.to_vec();
                let (mut together, mut conflicts) = (MAX_COMPANIES, 0);
                while let Some(&first) = left.first() {
                    match self.publish_some(&left[..together.min(left.len())], now).await {
                        Ok((companies, events)) => {
                            left.drain(..companies);
                            published += events;
                            conflicts = 0;
                        }
                        // Another process publishes too.
                        Err(Error::Changed) if conflicts < ATTEMPTS => {
                            pause_after_conflict(conflicts).await;
                            conflicts += 1;
                        }
                        Err(Error::Unwritable(_)) if together > 1 => together = 1,
                        // It stays in the outbox without blocking the others.
                        Err(Error::Unwritable(failure)) => {
                            tracing::error!(metric = "UnpublishedEvents", company = %first, failure = errors::chain(&*failure), "events cannot be published");
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
        let mut feed = Appender::after(end, self.open_chunk(end).await?);
        let (mut writes, mut feed_writes) = (Vec::new(), Vec::new());
        let mut companies = 0;
        'companies: for &uid in uids {
            let stored = match self.stored_history(uid).await {
                // The company stays in the outbox without blocking the others.
                Err(Error::Shape(cause)) => {
                    let reason = errors::chain(&*cause);
                    tracing::error!(metric = "UnreadableRecord", company = %uid, reason, "events not published");
                    companies += 1;
                    continue;
                }
                stored => stored?,
            };
            let mut limit = MAX_EVENTS;
            let has_more = loop {
                let (mut history, mut last) = (stored.history.clone(), feed.last());
                let events = history.publish(&mut last, now, limit);
                let count = events.len();
                let has_more = history.has_unpublished();
                let mut company_writes = stored.replace_with(uid, history)?;
                if !has_more {
                    company_writes.push(Write::delete(keys::outbox(uid)));
                }
                let mut longer_feed = feed.clone();
                longer_feed.append(events)?;
                let longer_feed_writes = longer_feed.writes()?;
                let all = writes.iter().chain(&company_writes).chain(&longer_feed_writes);
                let fits =
                    longer_feed.last() - end <= MAX_EVENTS as u64 && Write::fit_together(all);
                if companies > 0 && (has_more || !fits) {
                    // The next transaction publishes this company.
                    break 'companies;
                }
                if fits || count <= 1 {
                    writes.extend(company_writes);
                    (feed, feed_writes) = (longer_feed, longer_feed_writes);
                    break has_more;
                }
                limit = count / 2;
            };
            if has_more {
                break;
            }
            companies += 1;
        }
        let events = feed.count();
        if events > 0 {
            writes.extend(feed_writes);
        }
        if !writes.is_empty() {
            self.table.transact(writes).await?;
        }
        Ok((companies, events))
    }

    /// The chunk that the event after `end` may extend.
    async fn open_chunk(&self, end: u64) -> Result<Option<Chunk>, Error> {
        let Some(mut chunk) = self.chunk_at(end + 1).await? else { return Ok(None) };
        // Later events were published after `end` was read. The transaction will be refused.
        chunk.events.retain(|it| it.sequence <= end);
        Ok((!chunk.events.is_empty()).then_some(chunk))
    }
}

/// The sequence number of the last of these events; without events, `otherwise`.
fn last_of(events: &[PublishedEvent], otherwise: u64) -> u64 {
    events.last().map_or(otherwise, |it| it.sequence)
}
