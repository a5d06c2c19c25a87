//! A whole registry at once, past the table's own interface: what a loader puts into an empty table is
//! what one ingest after the other would have left there.

use domain::{Company, History};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use sources::Fact;

use crate::{
    Error,
    feed::{BLOCK, Block, End},
    history::parts_of,
    keys::{self, Key},
    table::REVISION,
};

/// An item as it lies in the table, without its key.
pub type BulkItem = (Key, Value);

/// Companies on their way into an empty table.
#[derive(Debug)]
pub struct Bulk {
    now: Timestamp,
    sequence: u64,
    open: Block,
}

impl Bulk {
    /// `now` is when every event gets its place in the feed.
    pub fn new(now: Timestamp) -> Self {
        Self { now, sequence: 0, open: Block::default() }
    }

    /// The items of one company with its history and the facts behind it. Its events get the next
    /// places in the feed.
    pub fn company(
        &mut self,
        company: &Company,
        mut history: History,
        facts: &[Fact],
    ) -> Result<Vec<BulkItem>, Error> {
        let mut items = vec![(keys::company(company.uid), value(company)?)];
        for recorded in &mut history.events {
            self.sequence += 1;
            recorded.sequence = Some(self.sequence);
            recorded.recorded_at = Some(self.now);
            self.open.events.extend(recorded.published());
            if self.sequence.is_multiple_of(BLOCK) {
                items.push(self.block()?);
            }
        }
        for (at, part) in parts_of(history)?.iter().enumerate() {
            let mut part = value(part)?;
            if at == 0 {
                part[REVISION] = 1.into();
            }
            items.push((keys::history(company.uid, at), part));
        }
        for fact in facts {
            items.push((keys::fact(fact), value(fact)?));
        }
        Ok(items)
    }

    /// What is left to put in after the last company: the end of the feed.
    pub fn finish(mut self) -> Result<Vec<BulkItem>, Error> {
        let mut items = Vec::new();
        if !self.open.events.is_empty() {
            items.push(self.block()?);
        }
        if self.sequence > 0 {
            let mut end = value(&End { sequence: self.sequence })?;
            end[REVISION] = self.sequence.into();
            items.push((keys::feed_end(), end));
        }
        Ok(items)
    }

    fn block(&mut self) -> Result<BulkItem, Error> {
        let block = std::mem::take(&mut self.open);
        let number = block.events.first().map_or(0, |it| (it.sequence - 1) / BLOCK);
        Ok((keys::feed_block(number), value(&block)?))
    }
}

fn value(item: &impl Serialize) -> Result<Value, Error> {
    serde_json::to_value(item).map_err(Error::Unwritable)
}
