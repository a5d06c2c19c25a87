//! A whole registry at once, past the table's own interface: what a loader puts into an empty table is
//! what one ingest after the other would have left there.

use domain::{Company, History};
use facts::Fact;
use jiff::Timestamp;
use serde::Serialize;

use crate::{
    Error,
    feed::{BLOCK, Block, End},
    history::parts_of,
    keys::{self, Key},
};

/// An item as it lies in the table.
#[derive(Clone, Debug)]
pub struct BulkItem {
    pub key: Key,
    /// What lies in [`crate::table::DOCUMENT`].
    pub document: String,
    /// What lies in [`crate::table::REVISION`], if that is kept.
    pub revision: Option<u64>,
}

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
        history: &mut History,
        facts: &[Fact],
    ) -> Result<Vec<BulkItem>, Error> {
        let mut items = vec![item(keys::company(company.uid), company)?];
        for event in history.tell(&mut self.sequence, self.now, usize::MAX) {
            let is_full = event.sequence.is_multiple_of(BLOCK);
            self.open.events.push(event);
            if is_full {
                items.push(self.block()?);
            }
        }
        for (at, part) in parts_of(history.clone())?.iter().enumerate() {
            let revision = (at == 0).then_some(1);
            items.push(BulkItem { revision, ..item(keys::history(company.uid, at), part)? });
        }
        for fact in facts {
            items.push(item(keys::fact(fact), fact)?);
        }
        Ok(items)
    }

    /// What is left to put in after the last company: the end of the feed, with the place of its last
    /// event.
    pub fn finish(mut self) -> Result<(Vec<BulkItem>, u64), Error> {
        let mut items = Vec::new();
        if !self.open.events.is_empty() {
            items.push(self.block()?);
        }
        if self.sequence > 0 {
            let end = item(keys::feed_end(), &End { sequence: self.sequence })?;
            items.push(BulkItem { revision: Some(self.sequence), ..end });
        }
        Ok((items, self.sequence))
    }

    fn block(&mut self) -> Result<BulkItem, Error> {
        let block = std::mem::take(&mut self.open);
        let number = block.events.first().map_or(0, |it| (it.sequence - 1) / BLOCK);
        item(keys::feed_block(number), &block)
    }
}

fn item(key: Key, item: &impl Serialize) -> Result<BulkItem, Error> {
    let document = serde_json::to_string(item).map_err(|it| Error::Unwritable(it.into()))?;
    Ok(BulkItem { key, document, revision: None })
}
