//! Items for loading a whole registry into an empty table without the table's API. The result is the same as
//! after ingesting each company.

use domain::{Company, History};
use facts::Fact;
use jiff::Timestamp;
use serde::Serialize;

use crate::{
    Error,
    change_feed::{BLOCK, Block, End},
    history::parts_of,
    keys::{self, Key},
};

/// An item as stored in the table.
#[derive(Clone, Debug)]
pub struct BulkItem {
    pub key: Key,
    /// Value of the attribute [`crate::table::DOCUMENT`].
    pub document: String,
    /// Value of the attribute [`crate::table::REVISION`], if the item has one.
    pub revision: Option<u64>,
}

/// Builds the items of a registry, company by company.
#[derive(Debug)]
pub struct Bulk {
    now: Timestamp,
    sequence: u64,
    open: Block,
}

impl Bulk {
    /// Publishes every event to the feed at `now`.
    pub fn new(now: Timestamp) -> Self {
        Self { now, sequence: 0, open: Block::default() }
    }

    /// The items of one company with its history and facts. Its events are appended to the feed.
    pub fn company(
        &mut self,
        company: &Company,
        history: &mut History,
        facts: &[Fact],
    ) -> Result<Vec<BulkItem>, Error> {
        let mut items = vec![item(keys::company(company.uid), company)?];
        for event in history.publish(&mut self.sequence, self.now, usize::MAX) {
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

    /// The items to load after the last company, and the last sequence of the feed.
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
