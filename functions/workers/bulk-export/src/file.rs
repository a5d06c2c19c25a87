//! A file in one of the formats, written row by row. Its bytes are taken away while it grows.

use std::{
    collections::VecDeque,
    io::{self, Write},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use jiff::Timestamp;
use records::Record;
use spreadsheet::{CsvTable, JsonLines, ParquetTable, Selection};
use teams::ExportFormat;

use crate::Error;

/// A file that is being written.
pub(crate) struct File {
    bytes: Bytes,
    table: Table,
}

enum Table {
    Ndjson(JsonLines<Bytes>),
    Csv(Box<CsvTable<Bytes>>),
    Parquet(Box<ParquetTable<Bytes>>),
}

impl File {
    /// `columns` are those of the request; without any, a file has all. `generation` and `as_of` say where the rows are from.
    /// `rows_per_group` matters to Parquet only. `part` is the size of the parts in which the bytes are taken.
    pub(crate) fn new(
        format: ExportFormat,
        columns: Option<Selection>,
        generation: &str,
        as_of: Option<Timestamp>,
        rows_per_group: usize,
        part: usize,
    ) -> Result<Self, Error> {
        let bytes = Bytes::of(part);
        let to = bytes.clone();
        let all = || columns.clone().unwrap_or_else(Selection::all);
        let table = match format {
            ExportFormat::Ndjson => Table::Ndjson(JsonLines::new(to, columns)),
            ExportFormat::Csv => {
                let table = CsvTable::new(to, all()).map_err(|it| Error::Row(it.into()))?;
                Table::Csv(Box::new(table))
            }
            ExportFormat::Parquet => {
                let table = ParquetTable::new(to, all(), Some(generation), as_of)?;
                Table::Parquet(Box::new(table.with_rows_per_group(rows_per_group)))
            }
        };
        Ok(Self { bytes, table })
    }

    /// Writes a row.
    pub(crate) fn push(&mut self, record: &Record<'_>) -> Result<(), Error> {
        match &mut self.table {
            Table::Ndjson(lines) => lines.push(record.json)?,
            Table::Csv(table) => {
                table.push(&record.company()?).map_err(|it| Error::Row(it.into()))?;
            }
            Table::Parquet(table) => table.push(&record.company()?)?,
        }
        Ok(())
    }

    /// Writes a line of JSON. Only a file of lines has such rows.
    pub(crate) fn push_line(&mut self, line: &str) -> Result<(), Error> {
        match &mut self.table {
            Table::Ndjson(lines) => Ok(lines.push(line)?),
            _ => Err(Error::Invalid("profiles can only be written as NDJSON".to_owned())),
        }
    }

    /// Takes the next part, once it is full.
    pub(crate) fn take(&mut self) -> Option<Vec<u8>> {
        self.bytes.lock().full.pop_front()
    }

    /// Writes the end of the file, and returns the full parts that were not taken, and the last one, which may be empty.
    pub(crate) fn finish(self) -> Result<(VecDeque<Vec<u8>>, Vec<u8>), Error> {
        match self.table {
            Table::Ndjson(_) => {}
            Table::Csv(table) => drop(table.finish().map_err(|it| Error::Row(it.into()))?),
            Table::Parquet(table) => table.finish()?,
        }
        let mut parts = self.bytes.lock();
        Ok((std::mem::take(&mut parts.full), std::mem::take(&mut parts.current)))
    }
}

/// Bytes that one owner writes and another takes.
#[derive(Clone)]
struct Bytes(Arc<Mutex<Parts>>);

/// Bytes in parts of one size. A part never has more memory than its size, however much is written at once.
struct Parts {
    size: usize,
    full: VecDeque<Vec<u8>>,
    /// Not full.
    current: Vec<u8>,
}

impl Bytes {
    fn of(size: usize) -> Self {
        let parts = Parts { size, full: VecDeque::new(), current: Vec::new() };
        Self(Arc::new(Mutex::new(parts)))
    }

    fn lock(&self) -> MutexGuard<'_, Parts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Parts {
    fn push(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(self.size - self.current.len()));
            // Doubled like any vector, but not beyond the size of a part.
            let needed = self.current.len() + now.len();
            if needed > self.current.capacity() {
                let capacity = (self.current.capacity() * 2).clamp(needed, self.size);
                self.current.reserve_exact(capacity - self.current.len());
            }
            self.current.extend_from_slice(now);
            if self.current.len() == self.size {
                self.full.push_back(std::mem::take(&mut self.current));
            }
            bytes = later;
        }
    }
}

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.lock().push(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_the_same_size_and_no_more_memory() {
        const SIZE: usize = 1_000;
        let written: Vec<u8> = (0..10_500).map(|it| it as u8).collect();
        // Rows, and the columns of a row group.
        for at_once in [1, 7, 999, 1_000, 1_001, 4_321, written.len()] {
            let mut bytes = Bytes::of(SIZE);
            for piece in written.chunks(at_once) {
                bytes.write_all(piece).expect("memory");
                let parts = bytes.lock();
                assert!(parts.current.capacity() <= SIZE && parts.current.len() < SIZE);
            }
            let mut parts = bytes.lock();
            assert_eq!(parts.full.len(), 10);
            assert!(parts.full.iter().all(|it| it.len() == SIZE && it.capacity() == SIZE));
            let last = std::mem::take(&mut parts.current);
            let all: Vec<u8> = parts.full.drain(..).flatten().chain(last).collect();
            assert!(all == written, "{at_once} bytes at once");
        }
    }
}
