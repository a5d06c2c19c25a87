//! Builds the index.

use std::{cmp::Reverse, collections::HashSet, path::Path};

use domain::changes::PublishedEvent;
use tantivy::TantivyDocument;
use uuid::Uuid;

use super::{
    id_prefix,
    schema::{EVENTS, Key, Number, Term, schema},
};
use crate::{
    Error, codes,
    layout::Fields,
    names::beginnings,
    segment, stored,
    words::{bare, folded, indexed},
};

/// Collects the events of the feed, each once and in any order, and writes their index.
#[derive(Default)]
pub struct Builder {
    rows: Vec<Row>,
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

/// An event in memory until all are known.
struct Row {
    sequence: u64,
    id: Uuid,
    uid: u32,
    kind: u8,
    canton: u8,
    date: u32,
    json: Box<[u8]>,
    name: Box<str>,
}

impl Builder {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an event. Keeps its JSON and about 100 bytes in memory.
    #[expect(clippy::expect_used, reason = "an event always serialises")]
    pub fn push(&mut self, published: &PublishedEvent) {
        let event = &published.event;
        self.replaced.extend(&published.replaces);
        self.rows.push(Row {
            sequence: published.sequence,
            id: event.id,
            uid: event.uid.number(),
            kind: codes::change(event.kind) as u8,
            canton: event.canton.map_or(0, codes::canton) as u8,
            date: codes::day(event.date) as u32,
            json: serde_json::to_vec(published).expect("plain data").into(),
            name: folded(&event.company_name).into(),
        });
    }

    /// Writes the index into an empty directory, which is created if it does not exist.
    pub fn finish(mut self, directory: &Path) -> Result<Summary, Error> {
        self.rows.sort_unstable_by_key(|it| Reverse((it.date, it.sequence, it.id)));
        let events = self.rows.len() as u64;
        let mut in_feed_order: Vec<u32> = (0..self.rows.len() as u32).collect();
        in_feed_order.sort_unstable_by_key(|it| {
            let row = &self.rows[*it as usize];
            (row.sequence, row.id)
        });
        let mut in_id_order: Vec<u32> = (0..self.rows.len() as u32).collect();
        in_id_order.sort_unstable_by_key(|it| self.rows[*it as usize].id);
        let ids = in_id_order.iter().map(|it| id_prefix(self.rows[*it as usize].id));
        let ids: Vec<u64> = ids.collect();
        let last_sequence = in_feed_order.last().map_or(0, |it| self.rows[*it as usize].sequence);
        segment::create(directory)?;
        let failed = |it| Error::unwritable(directory, it);
        let mut stored = stored::Writer::create(&directory.join(EVENTS)).map_err(failed)?;
        self.rows.iter().try_for_each(|it| stored.push_json(&it.json)).map_err(failed)?;
        let stored = stored.finish().map_err(failed)?;
        let orders = in_feed_order.into_iter().zip(in_id_order.into_iter().zip(ids));
        let documents =
            self.rows.into_iter().zip(orders).map(|(row, (in_feed_order, (it, id)))| {
                let mut document = document(&row, self.replaced.contains(&row.id));
                document.add_u64(Number::InFeedOrder.field(), in_feed_order.into());
                document.add_u64(Number::SortedIds.field(), id);
                document.add_u64(Number::InIdOrder.field(), it.into());
                document
            });
        let bytes = segment::write(directory, schema(), documents)?;
        Ok(Summary { events, last_sequence, bytes: bytes + stored })
    }
}

fn document(row: &Row, is_replaced: bool) -> TantivyDocument {
    let mut document = TantivyDocument::default();
    document.add_u64(Number::Sequence.field(), row.sequence);
    document.add_u64(Number::Kind.field(), row.kind.into());
    document.add_u64(Number::Canton.field(), row.canton.into());
    document.add_u64(Number::Date.field(), row.date.into());
    document.add_u64(Number::Replaced.field(), is_replaced.into());
    document.add_u64(Key::ByUid.field(), row.uid.into());
    let mut words = indexed(&row.name);
    words.sort_unstable();
    words.dedup();
    for word in &words {
        beginnings(word).for_each(|it| document.add_text(Term::WordBeginning.field(), it));
        document.add_text(Term::Word.field(), word);
    }
    let bare = bare(&row.name);
    if !bare.is_empty() {
        document.add_text(Term::BareName.field(), bare);
    }
    document
}
