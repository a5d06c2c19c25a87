use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    hash::{DefaultHasher, Hash, Hasher},
};

use domain::lists::{EntryKind, List, ListEntry, ListVersion};
use jiff::civil::Date;
use sha2::{Digest, Sha256};

use crate::{
    UnreadableList,
    left_out::LeftOut,
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

/// Whether a text can be a name: nobody is found by signs alone, and no person by digits.
fn is_name(text: &str, kind: EntryKind) -> bool {
    match kind {
        EntryKind::Person => text.chars().any(char::is_alphabetic),
        _ => text.chars().any(char::is_alphanumeric),
    }
}

/// The identifier of an entry whose own one cannot be read. The same record has the same one.
pub(super) fn made_from(record: &[u8]) -> String {
    format!("unreadable-{}", &hex::encode(Sha256::digest(record))[..16])
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
    incomplete: u64,
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
        Self { list, repeated: None, held, records: 0, active: 0, rejected: 0, incomplete: 0, each }
    }

    /// Counts a record that is no longer in force.
    pub(super) fn inactive(&mut self) {
        self.records += 1;
    }

    /// An entry without the members that were left out of its record. Without a name, only the entry of an undamaged record
    /// is on the list: others would never be found by their name.
    pub(super) fn entry(
        &mut self,
        mut entry: ListEntry,
        left_out: &LeftOut,
        record: impl FnOnce() -> String,
    ) {
        let stated = entry.names.len();
        entry.names.retain(|it| is_name(&it.text, entry.kind));
        let is_damaged = !left_out.is_empty() || entry.names.len() < stated;
        if entry.names.is_empty() && (entry.identifiers.is_empty() || is_damaged) {
            let reasons = left_out.reason().into_iter().chain(["has no readable name".to_owned()]);
            return self.reject(Some(&entry.id), &record(), reasons.collect::<Vec<_>>().join("; "));
        }
        self.records += 1;
        self.incomplete(Some(&entry.id), left_out, record);
        entry.unreadable = left_out.members();
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

    /// Reports what was left out of a record of which the rest is read.
    pub(super) fn incomplete(
        &mut self,
        id: Option<&str>,
        left_out: &LeftOut,
        record: impl FnOnce() -> String,
    ) {
        if let Some(reason) = left_out.reason() {
            self.incomplete += 1;
            self.report(id, &record(), reason, true);
        }
    }

    /// Reports a record of which nothing is read.
    pub(super) fn reject(&mut self, id: Option<&str>, record: &str, reason: String) {
        self.records += 1;
        self.rejected += 1;
        self.report(id, record, reason, false);
    }

    fn report(&mut self, id: Option<&str>, record: &str, reason: String, is_read: bool) {
        let (id, record) = (id.map(str::to_owned), excerpt(record));
        (self.each)(Err(RejectedEntry { id, record, reason, is_read }));
    }

    /// Passes the merged entries on. A file without records is an error.
    pub(super) fn finish(
        mut self,
        date: Option<Date>,
        sha256: String,
    ) -> Result<ListVersion, String> {
        self.active += self.held.len() as u64;
        std::mem::take(&mut self.held).into_values().for_each(|it| (self.each)(Ok(it)));
        let Self { list, records: entries, active, rejected, incomplete, .. } = self;
        match entries {
            0 => Err("contains no record".to_owned()),
            _ => {
                let demo = false;
                Ok(ListVersion { list, date, sha256, entries, active, rejected, incomplete, demo })
            }
        }
    }
}

/// Makes errors of a list.
pub(super) fn unreadable(list: &'static str) -> impl Fn(String) -> UnreadableList {
    move |reason| UnreadableList { list, reason }
}
