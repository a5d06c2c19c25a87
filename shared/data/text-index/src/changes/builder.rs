//! Builds the index.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
    path::Path,
};

use domain::changes::PublishedEvent;
use tantivy::TantivyDocument;
use uuid::Uuid;

use super::{
    id_prefix, names,
    schema::{EVENTS, Key, Number, schema},
};
use crate::{
    Error, codes,
    layout::Fields,
    segment,
    spool::{Place, Spool},
    stored,
    words::folded,
};

/// Collects the events of the feed, each once and in any order, and writes their index.
#[derive(Default)]
pub struct Builder {
    rows: Vec<Row>,
    /// The events.
    events: Spool,
    /// The folded names of companies, each with its number in order of arrival.
    names: HashMap<Box<str>, u32>,
    /// Ids of replaced events.
    replaced: HashSet<Uuid>,
}

/// Summary of a written index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    pub events: u64,
    /// The greatest sequence number; 0 without events.
    pub last_sequence: u64,
    /// Total size of the files in bytes.
    pub bytes: u64,
}

/// What is in memory of an event until all are known.
struct Row {
    sequence: u64,
    id: Uuid,
    event: Place,
    uid: u32,
    /// The number of its name; its rank among the names as soon as all are known.
    name: u32,
    date: u32,
    kind: u8,
    canton: u8,
    legal_event: u8,
}

impl Builder {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an event. Keeps about 60 bytes in memory, and the name of the company if it is new.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub fn push(&mut self, published: &PublishedEvent) -> Result<(), Error> {
        let event = &published.event;
        self.replaced.extend(&published.replaces);
        let (names, name) = (self.names.len() as u32, folded(&event.company_name));
        self.rows.push(Row {
            sequence: published.sequence,
            id: event.id,
            event: self.events.push(published)?,
            uid: event.uid.number(),
            name: *self.names.entry(name.into()).or_insert(names),
            date: codes::day(event.date) as u32,
            kind: codes::change(event.kind) as u8,
            canton: event.canton.map_or(0, codes::canton) as u8,
            legal_event: event.legal_event.map_or(0, codes::legal_event) as u8,
        });
        Ok(())
    }

    /// Writes the index into an empty directory, which is created if it does not exist.
    pub fn finish(mut self, directory: &Path) -> Result<Summary, Error> {
        let names = self.rank_names();
        self.rows.sort_unstable_by_key(|it| Reverse((it.date, it.sequence, it.id)));
        let events = self.rows.len() as u64;
        let in_feed_order = self.sorted_by(|it| (it.sequence, it.id));
        let in_id_order = self.sorted_by(|it| it.id);
        let in_name_order = self.sorted_by(|it| it.name);
        let row = |it: &u32| &self.rows[*it as usize];
        let last_sequence = in_feed_order.last().map_or(0, |it| row(it).sequence);
        segment::create(directory)?;

        let failed = |it| Error::unwritable(directory, it);
        let mut stored = stored::Writer::create(&directory.join(EVENTS)).map_err(failed)?;
        let spooled = self.events.finish()?;
        for row in &self.rows {
            stored.push_json(&spooled.get(row.event)?).map_err(failed)?;
        }
        let mut bytes = stored.finish().map_err(failed)?;

        let of_equal_names = in_name_order.chunk_by(|one, other| row(one).name == row(other).name);
        let firsts = of_equal_names.scan(0, |next, equal| {
            let first = *next;
            *next += equal.len() as u32;
            Some(first)
        });
        bytes += names::write(directory, names.iter().map(|it| &**it).zip(firsts))?;

        let orders = in_feed_order.iter().zip(&in_id_order).zip(&in_name_order);
        let documents = self.rows.iter().zip(orders).map(|(row, ((feed, id), name))| {
            let mut document = document(row, self.replaced.contains(&row.id));
            let mut add = |number: Number, value: u64| document.add_u64(number.field(), value);
            add(Number::InFeedOrder, u64::from(*feed));
            add(Number::SortedIds, id_prefix(self.rows[*id as usize].id));
            add(Number::InIdOrder, u64::from(*id));
            add(Number::InNameOrder, u64::from(*name));
            document
        });
        bytes += segment::write(directory, schema(), documents.map(Ok))?;
        Ok(Summary { events, last_sequence, bytes })
    }

    /// Gives every event the rank of its name in alphabetical order, and returns the names in this order.
    fn rank_names(&mut self) -> Vec<Box<str>> {
        let mut names: Vec<(Box<str>, u32)> = self.names.drain().collect();
        names.sort_unstable();
        let mut ranks = vec![0; names.len()];
        for ((_, number), rank) in names.iter().zip(0..) {
            ranks[*number as usize] = rank;
        }
        self.rows.iter_mut().for_each(|it| it.name = ranks[it.name as usize]);
        names.into_iter().map(|(name, _)| name).collect()
    }

    /// The positions of all rows, sorted by a key; equal ones by position.
    fn sorted_by<K: Ord>(&self, key: impl Fn(&Row) -> K) -> Vec<u32> {
        let mut sorted: Vec<u32> = (0..self.rows.len() as u32).collect();
        sorted.sort_unstable_by_key(|it| (key(&self.rows[*it as usize]), *it));
        sorted
    }
}

fn document(row: &Row, is_replaced: bool) -> TantivyDocument {
    let mut document = TantivyDocument::default();
    document.add_u64(Number::Sequence.field(), row.sequence);
    document.add_u64(Number::Kind.field(), row.kind.into());
    document.add_u64(Number::Canton.field(), row.canton.into());
    document.add_u64(Number::LegalEvent.field(), row.legal_event.into());
    document.add_u64(Number::Date.field(), row.date.into());
    document.add_u64(Number::Replaced.field(), is_replaced.into());
    document.add_u64(Key::ByUid.field(), row.uid.into());
    document
}
