//! A file in one of the formats, written row by row. Its bytes are taken away while it grows.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use accounts::ExportFormat;
use jiff::Timestamp;
use records::Record;
use spreadsheet::{CsvTable, JsonLines, ParquetTable, Selection};

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
    /// `rows_per_group` matters to Parquet only.
    pub(crate) fn new(
        format: ExportFormat,
        columns: Option<Selection>,
        generation: &str,
        as_of: Option<Timestamp>,
        rows_per_group: usize,
    ) -> Result<Self, Error> {
        let bytes = Bytes::default();
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

    /// Takes the bytes that were written since the last call, if they are at least so many.
    pub(crate) fn take(&mut self, at_least: usize) -> Option<Vec<u8>> {
        let mut bytes = self.bytes.lock();
        (bytes.len() >= at_least).then(|| std::mem::take(&mut *bytes))
    }

    /// Writes the end of the file, and returns the bytes that were written since the last call of `take`.
    pub(crate) fn finish(self) -> Result<Vec<u8>, Error> {
        match self.table {
            Table::Ndjson(_) => {}
            Table::Csv(table) => drop(table.finish().map_err(|it| Error::Row(it.into()))?),
            Table::Parquet(table) => table.finish()?,
        }
        Ok(std::mem::take(&mut *self.bytes.lock()))
    }
}

/// Bytes that one owner writes and another takes.
#[derive(Clone, Default)]
struct Bytes(Arc<Mutex<Vec<u8>>>);

impl Bytes {
    fn lock(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.lock().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
