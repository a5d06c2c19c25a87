//! Appending to the feed: events are stored in chunks of limited size.

use domain::changes::PublishedEvent;
use serde::{Deserialize, Serialize};

use super::End;
use crate::{
    Error,
    keys::{self, Key},
    table::Write,
};

/// Maximum size of a chunk, in bytes of JSON. An item of DynamoDB holds 400 KB, so that a chunk fits even if it
/// cannot be compressed. A longer event is alone in its chunk, which is compressed.
const CHUNK_BYTES: usize = 300_000;

/// Events that follow each other in the feed, of the same block. The last chunk of the feed grows; the others
/// never change.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Chunk {
    pub(crate) events: Vec<PublishedEvent>,
}

impl Chunk {
    fn key(&self) -> Key {
        keys::feed_chunk(self.events.first().map_or(0, |it| it.sequence))
    }
}

/// The items that continue a feed.
#[derive(Clone)]
pub(super) struct Appender {
    /// The last sequence number in the table.
    end: u64,
    /// The last sequence number with the appended events.
    last: u64,
    /// The chunks to write.
    chunks: Vec<Chunk>,
    /// Size of the last chunk.
    bytes: usize,
}

impl Appender {
    /// Continues the feed after the sequence number `end`, whose last chunk is `open`.
    pub(super) fn after(end: u64, open: Option<Chunk>) -> Self {
        let bytes = open.iter().flat_map(|it| &it.events).map(|it| size(it).unwrap_or(0)).sum();
        Self { end, last: end, chunks: open.into_iter().collect(), bytes }
    }

    /// The sequence number of the last event.
    pub(super) fn last(&self) -> u64 {
        self.last
    }

    /// Number of appended events.
    pub(super) fn count(&self) -> u64 {
        self.last - self.end
    }

    /// Appends events. Their sequence numbers must continue those of the feed.
    pub(super) fn append(&mut self, events: Vec<PublishedEvent>) -> Result<(), Error> {
        for event in events {
            self.last = event.sequence;
            extend(&mut self.chunks, &mut self.bytes, event)?;
        }
        Ok(())
    }

    /// The writes that append the events and move the end of the feed, on condition that it has not moved.
    pub(super) fn writes(&self) -> Result<Vec<Write>, Error> {
        let chunks = self.chunks.iter().map(|it| Write::put_document(it.key(), it));
        let mut writes = chunks.collect::<Result<Vec<Write>, Error>>()?;
        let events = self.chunks.iter().flat_map(|it| &it.events);
        for event in events.filter(|it| it.sequence > self.end) {
            writes.push(Write::put_document(keys::event(event.event.id), event)?);
        }
        let end = Write::put_document(keys::feed_end(), &End { sequence: self.last })?;
        writes.push(end.revise(revision(self.end), revision(self.last)));
        Ok(writes)
    }
}

/// Splits a whole feed into chunks, with their keys.
pub(crate) fn chunks(events: Vec<PublishedEvent>) -> Result<Vec<(Key, Chunk)>, Error> {
    let (mut chunks, mut bytes) = (Vec::new(), 0);
    for event in events {
        extend(&mut chunks, &mut bytes, event)?;
    }
    Ok(chunks.into_iter().map(|it| (it.key(), it)).collect())
}

/// Adds an event to the last chunk, or to a new one if it belongs to another block or does not fit. `bytes` is
/// the size of the last chunk.
fn extend(chunks: &mut Vec<Chunk>, bytes: &mut usize, event: PublishedEvent) -> Result<(), Error> {
    let (size, block) = (size(&event)?, keys::feed_block(event.sequence));
    let first = chunks.last().and_then(|it| it.events.first());
    let is_same_block = first.is_some_and(|it| keys::feed_block(it.sequence) == block);
    match chunks.last_mut() {
        Some(chunk) if is_same_block && *bytes + size <= CHUNK_BYTES => {
            *bytes += size;
            chunk.events.push(event);
        }
        _ => {
            *bytes = size;
            chunks.push(Chunk { events: vec![event] });
        }
    }
    Ok(())
}

/// Size of an event in bytes of JSON.
pub(super) fn size(event: &PublishedEvent) -> Result<usize, Error> {
    Ok(serde_json::to_vec(event).map_err(|it| Error::Unwritable(it.into()))?.len())
}

/// The last sequence number serves as revision of the feed, which only grows.
fn revision(sequence: u64) -> usize {
    usize::try_from(sequence).unwrap_or(usize::MAX)
}
