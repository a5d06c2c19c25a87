use std::{
    collections::BTreeSet,
    fs::File,
    hash::{DefaultHasher, Hash, Hasher},
    io::{self, BufWriter, Write},
    os::unix::fs::FileExt,
    sync::OnceLock,
};

use domain::lists::{List, ListEntry, ListRelation};
use matching::{Candidates, Prepared};
use objects::Objects;
use published::Error;
use teams::screening::MAX_LINKS;

use crate::{PublishedVersion, browsed::Browsed, stored::StoredEntries, subject::subject_of};

/// A version of a list that can be searched. In memory: the names and what else is compared; on disk: the entries, in
/// a file that disappears with the process.
#[derive(Debug)]
pub struct OpenList {
    /// Which version it is.
    pub published: PublishedVersion,
    pub(crate) subjects: Vec<Prepared>,
    pub(crate) candidates: Candidates,
    entries: File,
    /// Where each entry starts in the file, and where the last one ends.
    starts: Vec<u64>,
    /// The hashes of the ids of the entries with their positions, sorted.
    by_id: Vec<(u32, u32)>,
    /// What the entries are filtered by, ordered by name. Filled when the list is browsed first.
    pub(crate) browsed: OnceLock<Vec<Browsed>>,
}

impl OpenList {
    /// Downloads and opens a version.
    pub(crate) async fn open(
        objects: &Objects,
        published: PublishedVersion,
    ) -> Result<Self, Error> {
        let stored = StoredEntries::download(objects, published).await?;
        tokio::task::spawn_blocking(|| Self::read(stored, |_| true))
            .await
            .map_err(io::Error::other)?
    }

    /// Reads those entries for which `is_wanted` returns true.
    pub(crate) fn read(
        mut stored: StoredEntries,
        mut is_wanted: impl FnMut(&ListEntry) -> bool,
    ) -> Result<Self, Error> {
        let mut entries = BufWriter::new(tempfile::tempfile()?);
        let (mut starts, mut subjects) = (vec![0], Vec::new());
        let (mut end, mut by_id) = (0, Vec::new());
        stored.for_each(|line, entry| {
            if !is_wanted(&entry) {
                return Ok(());
            }
            subjects.push(Prepared::new(&subject_of(&entry)));
            by_id.push((hash(&entry.id), subjects.len() as u32 - 1));
            end += line.len() as u64;
            starts.push(end);
            entries.write_all(line)
        })?;
        let published = stored.published;
        by_id.sort_unstable();
        let entries = entries.into_inner().map_err(io::IntoInnerError::into_error)?;
        let candidates = Candidates::new(&subjects);
        let browsed = OnceLock::new();
        Ok(Self { published, subjects, candidates, entries, starts, by_id, browsed })
    }

    /// The list.
    pub fn list(&self) -> List {
        self.published.version.list
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.subjects.len()
    }

    /// Whether it has no entry.
    pub fn is_empty(&self) -> bool {
        self.subjects.is_empty()
    }

    /// The position of the entry with this id.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn position(&self, id: &str) -> io::Result<Option<u32>> {
        let hash = hash(id);
        let first = self.by_id.partition_point(|it| it.0 < hash);
        for (_, position) in self.by_id[first..].iter().take_while(|it| it.0 == hash) {
            if self.entry(*position)?.id == id {
                return Ok(Some(*position));
            }
        }
        Ok(None)
    }

    /// Adds the names of the other entries to the relations of an entry. The list states only their ids.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn name_relations(&self, entry: &mut ListEntry) -> io::Result<()> {
        let relations = std::mem::take(&mut entry.relations).into_iter();
        let named = relations.enumerate().map(|(number, relation)| {
            // The evidence has no more.
            let position = if number < MAX_LINKS { self.position(&relation.id)? } else { None };
            let other = position.map(|it| self.entry(it)).transpose()?;
            let name = other.as_ref().and_then(ListEntry::name).map(str::to_owned);
            Ok(ListRelation { name, ..relation })
        });
        entry.relations = named.collect::<io::Result<BTreeSet<ListRelation>>>()?;
        Ok(())
    }

    /// The entry at a position.
    ///
    /// # Errors
    /// If the file cannot be read.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn entry(&self, position: u32) -> io::Result<ListEntry> {
        let at = position as usize;
        let (start, end) = (self.starts[at], self.starts[at + 1]);
        let mut line = vec![0; usize::try_from(end - start).map_err(io::Error::other)?];
        self.entries.read_exact_at(&mut line, start)?;
        Ok(serde_json::from_slice(&line)?)
    }
}

/// A hash of an id, the same within a process.
fn hash(id: &str) -> u32 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish() as u32
}
