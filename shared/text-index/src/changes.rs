//! The index of the changes: lists, counts, and the feed as far as the generation knows it.
//!
//! The whole events are kept in it. Every total is exact.

mod builder;
mod filters;
mod schema;
mod statistics;
#[cfg(test)]
mod tests;

use std::{io, path::Path};

use domain::{Canton, ChangeKind, Uid, changes::PublishedEvent, search::changes::ChangeQuery};
use uuid::Uuid;

use self::schema::{Index, Key, Number, Record, schema};
pub use self::{
    builder::{Builder, Summary},
    statistics::Statistics,
};
use crate::{Error, codes, daily::Daily, documents::Documents};

/// The changes of one generation. Cheap to open; asked from many threads at once.
pub struct Changes {
    index: Index,
    statistics: Daily<Statistics>,
}

/// One page of a list, and how long the whole list is.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeHits {
    /// The newest first.
    pub events: Vec<PublishedEvent>,
    pub total: u64,
}

/// A part of the feed. A list that is empty asks for any.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FeedQuery {
    /// The place that was read last; 0 for the beginning.
    pub after: u64,
    pub kinds: Vec<ChangeKind>,
    pub cantons: Vec<Canton>,
    pub uids: Vec<Uid>,
}

impl Changes {
    /// Maps the files that [`Builder::finish`] has written; see
    /// [`Companies::open`](crate::companies::Companies::open).
    pub fn open(directory: &Path) -> Result<Self, Error> {
        Ok(Self { index: Index::open(directory, &schema())?, statistics: Daily::default() })
    }

    /// How many changes there are, those among them that are internal or replaced.
    pub fn change_count(&self) -> u64 {
        self.index.count.into()
    }

    /// The last place in the feed that this generation knows; 0 where it knows none.
    pub fn last_sequence(&self) -> u64 {
        if self.index.count == 0 { 0 } else { self.index.column(Number::Sequence).get(0) }
    }

    /// The page of the list that the query asks for, the newest first.
    pub fn search(&self, query: &ChangeQuery) -> Result<ChangeHits, Error> {
        let found = self.find(query)?;
        let total = found.count();
        let places = query.page.places(query.page_size, total);
        let page = found.iter().take(places.end).skip(places.start);
        Ok(ChangeHits { events: self.events(page)?, total })
    }

    /// The events that come next in the feed, in its order: those too that are internal or replaced.
    pub fn feed(&self, query: &FeedQuery, limit: usize) -> Result<Vec<PublishedEvent>, Error> {
        // The newest come first: what comes later in the feed lies before.
        let end = self.index.column(Number::Sequence).first_that(|it| it <= query.after);
        let mut found = Documents::from_range(0..end, self.index.count);
        self.narrow(&mut found, &query.kinds, &query.cantons, &query.uids)?;
        self.events(found.iter_back().take(limit))
    }

    /// The event with this id, whether it counts or not.
    pub fn event(&self, id: Uuid) -> Result<Option<PublishedEvent>, Error> {
        let alike = self.index.keyed(Key::ById, [codes::id(id)])?;
        Ok(self.events(alike.iter())?.into_iter().find(|it| it.event.id == id))
    }

    fn events(&self, documents: impl Iterator<Item = u32>) -> Result<Vec<PublishedEvent>, Error> {
        let event = |it| self.index.records.get(it, Record::Event);
        Ok(documents.map(event).collect::<io::Result<_>>()?)
    }
}
