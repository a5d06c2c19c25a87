//! Items for loading a whole registry into an empty table without the table's API. The result is the same as
//! after ingesting each company, except that events are not items of their own: the generation published
//! with the registry contains all of them.

use domain::{Company, History, changes::PublishedEvent};
use facts::Fact;
use jiff::Timestamp;
use serde::Serialize;

use crate::{
    Error,
    change_feed::{End, chunks},
    history,
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
    /// Events that are not yet in an item: those of the last block.
    open: Vec<PublishedEvent>,
}

impl Bulk {
    /// Publishes every event to the feed at `now`.
    pub fn new(now: Timestamp) -> Self {
        Self { now, sequence: 0, open: Vec::new() }
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
            let is_new_block = (self.open.last()).is_some_and(|it| {
                keys::feed_block(it.sequence) != keys::feed_block(event.sequence)
            });
            if is_new_block {
                items.extend(self.block()?);
            }
            self.open.push(event);
        }
        for (key, document, revision) in history::items(company.uid, history.clone())? {
            items.push(BulkItem { key, document, revision: Some(revision) });
        }
        for fact in facts {
            items.push(item(keys::fact(fact), fact)?);
        }
        Ok(items)
    }

    /// The items to load after the last company, and the last sequence of the feed.
    pub fn finish(mut self) -> Result<(Vec<BulkItem>, u64), Error> {
        let mut items = self.block()?;
        if self.sequence > 0 {
            let end = item(keys::feed_end(), &End { sequence: self.sequence })?;
            items.push(BulkItem { revision: Some(self.sequence), ..end });
        }
        Ok((items, self.sequence))
    }

    /// The items of the last block.
    fn block(&mut self) -> Result<Vec<BulkItem>, Error> {
        let chunks = chunks(std::mem::take(&mut self.open))?;
        chunks.into_iter().map(|(key, chunk)| item(key, &chunk)).collect()
    }
}

fn item(key: Key, item: &impl Serialize) -> Result<BulkItem, Error> {
    let document = serde_json::to_string(item).map_err(|it| Error::Unwritable(it.into()))?;
    Ok(BulkItem { key, document, revision: None })
}
