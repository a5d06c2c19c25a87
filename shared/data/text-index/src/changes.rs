//! The index of changes: lists, counts, and the feed up to the generation.
//!
//! It stores whole events. Totals are exact.

mod builder;
mod filters;
mod names;
mod schema;
mod statistics;
#[cfg(test)]
mod tests;

use std::path::Path;

use domain::{Canton, ChangeKind, Uid, changes::PublishedEvent, search::changes::ChangeQuery};
use uuid::Uuid;

pub use self::{
    builder::{Builder, Summary},
    statistics::Statistics,
};
use self::{
    names::CompanyNames,
    schema::{EVENTS, Index, Key, Number, schema},
};
use crate::{Error, Storage, best::Best, columns::first_position, daily::Daily, stored::Stored};

/// The changes of one generation. Cheap to open; safe to use from many threads.
pub struct Changes {
    index: Index,
    names: CompanyNames,
    events: Stored<PublishedEvent>,
    statistics: Daily<Statistics>,
}

/// One page of a list, and the total number of matches.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeHits {
    pub events: Vec<PublishedEvent>,
    pub total: u64,
}

/// A query for events of the feed. Empty lists do not filter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FeedQuery {
    /// The last sequence number read; 0 for the start of the feed.
    pub after: u64,
    pub kinds: Vec<ChangeKind>,
    pub cantons: Vec<Canton>,
    pub uids: Vec<Uid>,
}

impl FeedQuery {
    fn has_filters(&self) -> bool {
        !(self.kinds.is_empty() && self.cantons.is_empty() && self.uids.is_empty())
    }
}

/// The first four bytes of an id. Some ids share them, so lookups must compare the whole id.
fn id_prefix(id: Uuid) -> u64 {
    (id.as_u128() >> 96) as u64
}

impl Changes {
    /// Opens the files that [`Builder::finish`] wrote; see
    /// [`Companies::open`](crate::companies::Companies::open). The events are read from `storage`.
    pub fn open(directory: &Path, storage: &(impl Storage + ?Sized)) -> Result<Self, Error> {
        let index = Index::open(directory, &schema())?;
        let events = Stored::open(directory, EVENTS, storage, index.count)?;
        let names = CompanyNames::open(directory)?;
        Ok(Self { index, names, events, statistics: Daily::default() })
    }

    /// Number of changes, including internal and replaced ones.
    pub fn change_count(&self) -> u64 {
        self.index.count.into()
    }

    /// The greatest sequence number in this generation; 0 if it has no changes.
    pub fn last_sequence(&self) -> u64 {
        self.index.count.checked_sub(1).map_or(0, |it| self.sequence_in_feed(it))
    }

    /// A page of the list, sorted by publication date, newest first, then by sequence, newest first. `among`: the companies of
    /// [`ChangeQuery::companies`], which this index does not know.
    pub async fn search(
        &self,
        query: &ChangeQuery,
        among: Option<&[Uid]>,
    ) -> Result<ChangeHits, Error> {
        let found = self.find(query, among)?;
        let total = found.count();
        let places = query.page.places(query.page_size, total);
        let page = found.iter().take(places.end).skip(places.start);
        Ok(ChangeHits { events: self.events.get(page).await?, total })
    }

    /// The newest changes of these companies, in the order of [`Changes::search`], and their total number.
    pub async fn newest_of(
        &self,
        uids: &[Uid],
        include_internal: bool,
        limit: usize,
    ) -> Result<ChangeHits, Error> {
        let uids = uids.iter().map(|it| it.number().into());
        let mut found = self.index.keyed(Key::ByUid, uids)?;
        self.leave_out_replaced(&mut found);
        if !include_internal {
            self.leave_out_internal(&mut found);
        }
        let total = found.count();
        Ok(ChangeHits { events: self.events.get(found.iter().take(limit)).await?, total })
    }

    /// The next events of the feed, sorted by sequence. Internal and replaced events are included.
    pub async fn feed(
        &self,
        query: &FeedQuery,
        limit: usize,
    ) -> Result<Vec<PublishedEvent>, Error> {
        if !query.has_filters() {
            let count = self.index.count;
            let start = first_position(count, |it| self.sequence_in_feed(it) > query.after);
            let next = (start..count).take(limit).map(|it| self.document_in_feed(it));
            return self.events.get(next).await;
        }
        let mut found = self.index.every();
        self.narrow(&mut found, &query.kinds, &query.cantons, &query.uids)?;
        let mut next = Best::new(limit);
        self.index.column(Number::Sequence).for_each(&found, |document, sequence| {
            if sequence > query.after {
                next.offer((sequence, document));
            }
        });
        self.events.get(next.into_sorted().into_iter().map(|(_, document)| document)).await
    }

    /// The document of the event at a position of the feed, counted from 0.
    fn document_in_feed(&self, position: u32) -> u32 {
        self.index.column(Number::InFeedOrder).get(position) as u32
    }

    fn sequence_in_feed(&self, position: u32) -> u64 {
        self.index.column(Number::Sequence).get(self.document_in_feed(position))
    }

    /// The event with this id, including internal and replaced ones.
    pub async fn event(&self, id: Uuid) -> Result<Option<PublishedEvent>, Error> {
        let (ids, prefix) = (self.index.column(Number::SortedIds), id_prefix(id));
        let first = first_position(self.index.count, |it| ids.get(it) >= prefix);
        let rows = (first..self.index.count).take_while(|it| ids.get(*it) == prefix);
        let candidates = rows.map(|it| self.index.column(Number::InIdOrder).get(it) as u32);
        let events = self.events.get(candidates).await?;
        Ok(events.into_iter().find(|it| it.event.id == id))
    }
}
