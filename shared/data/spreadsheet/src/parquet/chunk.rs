//! One column of a row group, in memory.

use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use jiff::civil::Date;
use parquet::{
    column::{
        page::{CompressedPage, PageWriteSpec, PageWriter},
        writer::{ColumnCloseResult, ColumnWriter, get_column_writer},
    },
    data_type::ByteArray,
    errors::{ParquetError, Result},
    file::{
        properties::WriterPropertiesPtr,
        writer::{SerializedPageWriter, TrackedWrite},
    },
    schema::types::ColumnDescPtr,
};

use crate::Cell;

/// Number of values that are encoded together.
const TOGETHER: usize = 1_024;

/// The values of a column.
pub(super) struct Chunk {
    writer: ColumnWriter<'static>,
    pages: Pages,
    /// The values that are not encoded yet.
    waiting: Values,
    /// For each row that is not encoded yet: 1 if it has a value, or else 0.
    levels: Vec<i16>,
}

/// Values of the type of a column.
enum Values {
    Booleans(Vec<bool>),
    Days(Vec<i32>),
    Numbers(Vec<i64>),
    Decimals(Vec<f64>),
    Texts(Vec<ByteArray>),
}

impl Chunk {
    pub(super) fn new(column: ColumnDescPtr, properties: WriterPropertiesPtr) -> Self {
        let pages = Pages::default();
        let writer = get_column_writer(column, properties, Box::new(pages.clone()));
        let waiting = match writer {
            ColumnWriter::BoolColumnWriter(_) => Values::Booleans(Vec::new()),
            ColumnWriter::Int32ColumnWriter(_) => Values::Days(Vec::new()),
            ColumnWriter::Int64ColumnWriter(_) => Values::Numbers(Vec::new()),
            ColumnWriter::DoubleColumnWriter(_) => Values::Decimals(Vec::new()),
            _ => Values::Texts(Vec::new()),
        };
        Self { writer, pages, waiting, levels: Vec::with_capacity(TOGETHER) }
    }

    pub(super) fn push(&mut self, cell: Cell<'_>) -> Result<()> {
        let is_value = !matches!(cell, Cell::Empty);
        match (&mut self.waiting, cell) {
            (_, Cell::Empty) => {}
            (Values::Texts(texts), Cell::Text(text)) => {
                texts.push(ByteArray::from(text.into_owned().into_bytes()));
            }
            (Values::Numbers(numbers), Cell::Integer(number)) => {
                numbers.push(i64::try_from(number).unwrap_or(i64::MAX));
            }
            (Values::Numbers(numbers), Cell::Amount(amount)) => {
                numbers.push(amount.ten_thousandths());
            }
            (Values::Numbers(numbers), Cell::Time(time)) => numbers.push(time.as_millisecond()),
            (Values::Decimals(decimals), Cell::Decimal(number)) => decimals.push(number),
            (Values::Days(days), Cell::Date(date)) => days.push(since_1970(date)),
            (Values::Booleans(booleans), Cell::Boolean(it)) => booleans.push(it),
            (_, cell) => {
                return Err(ParquetError::General(format!("{cell:?} is not of its column's kind")));
            }
        }
        self.levels.push(i16::from(is_value));
        match self.levels.len() == TOGETHER {
            true => self.encode(),
            false => Ok(()),
        }
    }

    fn encode(&mut self) -> Result<()> {
        let levels = Some(self.levels.as_slice());
        match (&mut self.writer, &mut self.waiting) {
            (ColumnWriter::BoolColumnWriter(to), Values::Booleans(values)) => {
                to.write_batch(values, levels, None)?;
                values.clear();
            }
            (ColumnWriter::Int32ColumnWriter(to), Values::Days(values)) => {
                to.write_batch(values, levels, None)?;
                values.clear();
            }
            (ColumnWriter::Int64ColumnWriter(to), Values::Numbers(values)) => {
                to.write_batch(values, levels, None)?;
                values.clear();
            }
            (ColumnWriter::DoubleColumnWriter(to), Values::Decimals(values)) => {
                to.write_batch(values, levels, None)?;
                values.clear();
            }
            (ColumnWriter::ByteArrayColumnWriter(to), Values::Texts(values)) => {
                to.write_batch(values, levels, None)?;
                values.clear();
            }
            _ => return Err(ParquetError::General("a column has another type".to_owned())),
        }
        self.levels.clear();
        Ok(())
    }

    /// The encoded column.
    pub(super) fn close(mut self) -> Result<(Bytes, ColumnCloseResult)> {
        self.encode()?;
        let closed = self.writer.close()?;
        let pages = std::mem::take(&mut *self.pages.lock());
        Ok((pages.0.into_inner()?.into(), closed))
    }
}

fn since_1970(date: Date) -> i32 {
    (date - jiff::civil::date(1970, 1, 1)).get_days()
}

/// The compressed pages of a column.
#[derive(Clone, Default)]
struct Pages(Arc<Mutex<Target>>);

struct Target(TrackedWrite<Vec<u8>>);

impl Default for Target {
    fn default() -> Self {
        Self(TrackedWrite::new(Vec::new()))
    }
}

impl Pages {
    fn lock(&self) -> std::sync::MutexGuard<'_, Target> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PageWriter for Pages {
    fn write_page(&mut self, page: CompressedPage) -> Result<PageWriteSpec> {
        SerializedPageWriter::new(&mut self.lock().0).write_page(page)
    }

    fn close(&mut self) -> Result<()> {
        Ok(())
    }
}
