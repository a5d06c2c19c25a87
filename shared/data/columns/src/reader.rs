//! Fetches columns from the bucket.

use std::sync::{Arc, PoisonError, RwLock};

use analytics::{
    Needs,
    columns::{ChangeColumn, Changes, Companies, CompanyColumn, Firm, Firms},
};
use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use objects::Objects;
use tokio::sync::Mutex;

use crate::{
    Error,
    builder::file,
    chunks::{Chunk, Chunks, Place},
    decode::decode,
    layout::{FIRMS, FIRMS_NAME, Table},
    value::{Column, Kind},
};

/// Maximum size of a request for several columns, in bytes. A larger column is one request.
const READ: u64 = 4 * 1024 * 1024;
/// Number of requests in parallel.
const PARALLEL_READS: usize = 4;

/// The columns of one generation. Those that were needed are kept in memory.
pub struct Columns {
    objects: Objects,
    /// The key of their folder in the bucket.
    folder: String,
    chunks: Chunks,
    kept: RwLock<Tables>,
    /// Held while columns are fetched, so that none is fetched twice.
    fetching: Mutex<()>,
}

/// Tables with some columns. Clones share their values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tables {
    /// A row for each company.
    pub companies: Companies,
    /// A row for each change.
    pub changes: Changes,
    /// The firms of the columns that name them. Empty if none of these was fetched.
    pub firms: Arc<Firms>,
}

/// A column that is to be fetched.
struct Wanted {
    table: &'static str,
    column: Column,
    rows: u32,
    chunk: Chunk,
    of: Of,
}

/// Which column it is.
#[derive(Clone, Copy)]
enum Of {
    Companies(CompanyColumn),
    Changes(ChangeColumn),
    Firms,
}

impl Columns {
    /// The columns in a folder of the bucket, which these chunks describe.
    pub fn new(objects: Objects, folder: String, chunks: Chunks) -> Self {
        let mut tables = Tables::default();
        tables.companies.set_rows(chunks.companies.rows);
        tables.changes.set_rows(chunks.changes.rows);
        let fetching = Mutex::default();
        Self { objects, folder, chunks, kept: RwLock::new(tables), fetching }
    }

    /// The tables with these columns. Fetches those that were not needed before.
    pub async fn get(&self, needs: &Needs) -> Result<Tables, Error> {
        let kept = self.kept();
        if kept.missing(needs).is_empty() {
            return Ok(kept.with_only(needs));
        }
        let _fetching = self.fetching.lock().await;
        // Another one has fetched meanwhile.
        let mut tables = self.kept();
        let wanted = self.wanted(&tables.missing(needs), &tables)?;
        let read = stream::iter(together(wanted)).map(|it| self.read(it)).buffered(PARALLEL_READS);
        let read: Vec<Vec<(Wanted, Bytes)>> = read.try_collect().await?;
        // Decoding megabytes would block requests on an async thread.
        let decode = move || tables.fill(read.into_iter().flatten()).map(|()| tables);
        let tables = tokio::task::spawn_blocking(decode).await.map_err(std::io::Error::other)??;
        *self.kept.write().unwrap_or_else(PoisonError::into_inner) = tables.clone();
        Ok(tables.with_only(needs))
    }

    /// The columns that were needed until now.
    pub fn needed(&self) -> Needs {
        self.kept().has()
    }

    /// Whether these columns were fetched.
    pub fn has(&self, needs: &Needs) -> bool {
        self.kept().missing(needs).is_empty()
    }

    fn kept(&self) -> Tables {
        self.kept.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn wanted(&self, missing: &Needs, tables: &Tables) -> Result<Vec<Wanted>, Error> {
        let Chunks { companies, changes, firms } = &self.chunks;
        let mut wanted = Vec::new();
        for column in &missing.companies {
            let of = Of::Companies(*column);
            wanted.push(Wanted::new(Companies::NAME, Companies::column(*column), companies, of)?);
        }
        for column in &missing.changes {
            let of = Of::Changes(*column);
            wanted.push(Wanted::new(Changes::NAME, Changes::column(*column), changes, of)?);
        }
        let name_firms = wanted.iter().any(|it| matches!(it.column.kind, Kind::Firm));
        if name_firms && tables.firms.is_empty() && firms.rows > 0 {
            for column in FIRMS {
                wanted.push(Wanted::new(FIRMS_NAME, column, firms, Of::Firms)?);
            }
        }
        Ok(wanted)
    }

    /// Reads columns that follow each other in a file.
    async fn read(&self, wanted: Vec<Wanted>) -> Result<Vec<(Wanted, Bytes)>, Error> {
        let (Some(first), Some(last)) = (wanted.first(), wanted.last()) else {
            return Ok(Vec::new());
        };
        let start = first.chunk.offset;
        let key = format!("{}/{}", self.folder, file(first.table));
        let bytes = match self.objects.get_range(&key, start..last.chunk.end()).await {
            Ok(bytes) => bytes,
            Err(failure @ (objects::Error::Missing(_) | objects::Error::Shorter { .. })) => {
                return Err(last.damaged(failure.to_string()));
            }
            Err(failure) => return Err(failure.into()),
        };
        let of_column = |it: Wanted| {
            let position = |offset: u64| usize::try_from(offset - start).unwrap_or(usize::MAX);
            let bytes = bytes.slice(position(it.chunk.offset)..position(it.chunk.end()));
            (it, bytes)
        };
        Ok(wanted.into_iter().map(of_column).collect())
    }
}

impl Wanted {
    fn new(table: &'static str, column: Column, place: &Place, of: Of) -> Result<Self, Error> {
        let missing = || Error::Damaged {
            table,
            column: column.name.to_owned(),
            reason: "it is not in the file".to_owned(),
        };
        let chunk = place.chunk(column.name).ok_or_else(missing)?.clone();
        Ok(Self { table, column, rows: place.rows, chunk, of })
    }

    fn damaged(&self, reason: String) -> Error {
        Error::Damaged { table: self.table, column: self.column.name.to_owned(), reason }
    }
}

/// Columns that follow each other in a file, up to the maximum size of a request.
fn together(mut wanted: Vec<Wanted>) -> Vec<Vec<Wanted>> {
    wanted.sort_by_key(|it| (it.table, it.chunk.offset));
    let mut reads: Vec<Vec<Wanted>> = Vec::new();
    for next in wanted {
        match reads.last_mut() {
            Some(read) if follows(read, &next) => read.push(next),
            _ => reads.push(vec![next]),
        }
    }
    reads
}

fn follows(read: &[Wanted], next: &Wanted) -> bool {
    let (Some(first), Some(last)) = (read.first(), read.last()) else { return false };
    let is_next = last.table == next.table && last.chunk.end() == next.chunk.offset;
    is_next && next.chunk.end().saturating_sub(first.chunk.offset) <= READ
}

impl Tables {
    /// The columns that it has.
    fn has(&self) -> Needs {
        let companies = Companies::COLUMNS.iter().copied();
        let changes = Changes::COLUMNS.iter().copied();
        Needs {
            companies: companies.filter(|it| self.companies.has(*it)).collect(),
            changes: changes.filter(|it| self.changes.has(*it)).collect(),
        }
    }

    /// Others that were fetched are left out: an analysis that does not name all its columns fails always, not only at first.
    fn with_only(self, needs: &Needs) -> Self {
        let (companies, changes) = needs.select(self.companies, self.changes);
        Self { companies, changes, firms: self.firms }
    }

    fn missing(&self, needs: &Needs) -> Needs {
        let has = self.has();
        Needs {
            companies: &needs.companies - &has.companies,
            changes: &needs.changes - &has.changes,
        }
    }

    fn fill(&mut self, read: impl Iterator<Item = (Wanted, Bytes)>) -> Result<(), Error> {
        let mut texts = Vec::new();
        for (wanted, bytes) in read {
            let decoded = decode(wanted.column, wanted.rows, &wanted.chunk, bytes);
            let decoded = decoded.map_err(|it| wanted.damaged(it))?;
            let filled = match wanted.of {
                Of::Companies(column) => self.companies.fill(column, &decoded),
                Of::Changes(column) => self.changes.fill(column, &decoded),
                Of::Firms => {
                    let column = decoded.texts();
                    texts.push(column.ok_or_else(|| wanted.damaged("it is not UTF-8".to_owned()))?);
                    Ok(())
                }
            };
            let meaningless =
                |row| wanted.damaged(format!("the value in row {row} has no meaning"));
            filled.map_err(meaningless)?;
        }
        if let Ok([keys, names]) = <[Vec<String>; 2]>::try_from(texts) {
            let mut firms = Firms::default();
            for (key, name) in keys.into_iter().zip(names) {
                firms.add(Firm { key, name });
            }
            self.firms = Arc::new(firms);
        }
        Ok(())
    }
}
