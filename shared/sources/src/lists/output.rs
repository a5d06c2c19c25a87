use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    hash::{DefaultHasher, Hash, Hasher},
};

use domain::lists::{List, ListEntry, ListVersion};
use jiff::civil::Date;

use crate::{
    UnreadableList,
    lists::{ReadEntry, RejectedEntry},
};

/// Maximum length of the part of a record that is kept when it is rejected.
const MAX_EXCERPT: usize = 4_000;

/// The beginning of a record, for quarantine.
pub(super) fn excerpt(record: &str) -> String {
    match record.char_indices().nth(MAX_EXCERPT) {
        Some((end, _)) => format!("{}…", &record[..end]),
        None => record.to_owned(),
    }
}

/// Identifiers of records, to find those that occur more than once. Keeps eight bytes per identifier.
#[derive(Default)]
pub(super) struct Identifiers {
    hashes: HashSet<u64>,
    repeated: BTreeSet<String>,
}

impl Identifiers {
    pub(super) fn add(&mut self, id: &str) {
        // Always the same hashes. Two identifiers with the same hash count as repeated, which has no other effect than
        // that the entry is kept in memory.
        let mut hasher = DefaultHasher::new();
        id.hash(&mut hasher);
        if !self.hashes.insert(hasher.finish()) {
            self.repeated.insert(id.to_owned());
        }
    }
}

/// Passes entries on, merges those that occur more than once, and counts.
pub(super) struct Output<'a> {
    list: List,
    /// Identifiers of which all records are merged. All of them if absent.
    repeated: Option<BTreeSet<String>>,
    held: BTreeMap<String, ListEntry>,
    records: u64,
    active: u64,
    rejected: u64,
    each: &'a mut dyn FnMut(ReadEntry),
}

impl<'a> Output<'a> {
    /// Passes entries on as they are read, except those that occur more than once.
    pub(super) fn streamed(
        list: List,
        identifiers: Identifiers,
        each: &'a mut dyn FnMut(ReadEntry),
    ) -> Self {
        Self { repeated: Some(identifiers.repeated), ..Self::merged(list, each) }
    }

    /// Keeps all entries in memory until the end. For small lists.
    pub(super) fn merged(list: List, each: &'a mut dyn FnMut(ReadEntry)) -> Self {
        let held = BTreeMap::new();
        Self { list, repeated: None, held, records: 0, active: 0, rejected: 0, each }
    }

    /// Counts a record that is no longer in force.
    pub(super) fn inactive(&mut self) {
        self.records += 1;
    }

    pub(super) fn entry(&mut self, mut entry: ListEntry) {
        self.records += 1;
        entry.keep_best_names();
        let is_single = self.repeated.as_ref().is_some_and(|it| !it.contains(&entry.id));
        if is_single {
            self.active += 1;
            return (self.each)(Ok(entry));
        }
        match self.held.get_mut(&entry.id) {
            Some(held) => held.merge(entry),
            None => drop(self.held.insert(entry.id.clone(), entry)),
        }
    }

    pub(super) fn reject(&mut self, id: Option<&str>, record: &str, reason: String) {
        self.records += 1;
        self.rejected += 1;
        let (id, record) = (id.map(str::to_owned), excerpt(record));
        (self.each)(Err(RejectedEntry { id, record, reason }));
    }

    /// Passes the merged entries on. A file without records is an error.
    pub(super) fn finish(
        mut self,
        date: Option<Date>,
        sha256: String,
    ) -> Result<ListVersion, String> {
        self.active += self.held.len() as u64;
        std::mem::take(&mut self.held).into_values().for_each(|it| (self.each)(Ok(it)));
        let Self { list, records: entries, active, rejected, .. } = self;
        match entries {
            0 => Err("contains no record".to_owned()),
            _ => Ok(ListVersion { list, date, sha256, entries, active, rejected }),
        }
    }
}

/// Makes errors of a list.
pub(super) fn unreadable(list: &'static str) -> impl Fn(String) -> UnreadableList {
    move |reason| UnreadableList { list, reason }
}
