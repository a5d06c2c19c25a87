//! One column, from its bytes.

use std::sync::Arc;

use bytes::Bytes;
use parquet::{
    basic::{Compression, ZstdLevel},
    column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader},
    data_type::DataType,
    errors::ParquetError,
    file::{metadata::ColumnChunkMetaData, serialized_reader::SerializedPageReader},
    schema::types::SchemaDescriptor,
};
use sha2::{Digest, Sha256};

use crate::{
    chunks::Chunk,
    table::{Filled, Values, schema},
    value::{Column, Field, Kind},
};

/// The values of a column.
pub(crate) struct Decoded {
    rows: usize,
    column: Column,
    filled: Filled,
    /// Of each number that means a name: the code of the value with this name. -1: no value has it.
    codes: Vec<i64>,
}

/// The column with these bytes, which must be the ones that were written. `Err`: why they are not.
pub(crate) fn decode(
    column: Column,
    rows: u32,
    chunk: &Chunk,
    bytes: Bytes,
) -> Result<Decoded, String> {
    if hex::encode(Sha256::digest(&bytes)) != chunk.sha256 {
        return Err("its SHA-256 is not the one of the description".to_owned());
    }
    let rows = rows as usize;
    let filled = read(column, rows, bytes).map_err(|it| it.to_string())?;
    let codes = match (column.kind, &chunk.names) {
        (Kind::Name(own), Some(names)) => codes(&own(), names),
        (Kind::Name(_), None) => return Err("it has no names".to_owned()),
        _ => Vec::new(),
    };
    Ok(Decoded { rows, column, filled, codes })
}

/// For each name, the code of the value.
fn codes(own: &[&str], names: &[String]) -> Vec<i64> {
    let code = |name: &String| own.iter().zip(0..).find(|(it, _)| *it == name);
    names.iter().map(|it| code(it).map_or(-1, |(_, code)| code)).collect()
}

fn read(column: Column, rows: usize, bytes: Bytes) -> Result<Filled, ParquetError> {
    let schema = SchemaDescriptor::new(schema("column", &[column])?);
    let descriptor = schema.column(0);
    let size = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
    let metadata = ColumnChunkMetaData::builder(descriptor.clone())
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_num_values(i64::try_from(rows).unwrap_or(i64::MAX))
        .set_total_compressed_size(size)
        .set_data_page_offset(0)
        .build()?;
    let pages = SerializedPageReader::new(Arc::new(bytes), &metadata, rows, None)?;
    let mut levels = Vec::new();
    let values = match get_column_reader(descriptor, Box::new(pages)) {
        ColumnReader::Int32ColumnReader(from) => {
            Values::Numbers(values(from, column, rows, &mut levels)?)
        }
        ColumnReader::Int64ColumnReader(from) => {
            Values::Amounts(values(from, column, rows, &mut levels)?)
        }
        ColumnReader::ByteArrayColumnReader(from) => {
            Values::Texts(values(from, column, rows, &mut levels)?)
        }
        _ => return Err(ParquetError::General("a column has another type".to_owned())),
    };
    Ok(Filled { levels, values })
}

fn values<T: DataType>(
    mut from: ColumnReaderImpl<T>,
    column: Column,
    rows: usize,
    levels: &mut Vec<i16>,
) -> Result<Vec<T::T>, ParquetError> {
    let mut values = Vec::with_capacity(rows);
    let mut read = 0;
    while read < rows {
        let levels = column.is_optional.then_some(&mut *levels);
        let (records, _, _) = from.read_records(rows - read, levels, None, &mut values)?;
        if records == 0 {
            return Err(ParquetError::General(format!("it has {read} rows, not {rows}")));
        }
        read += records;
    }
    Ok(values)
}

impl Decoded {
    /// What each row has in the column. `Err`: the number of a row with a value that has no meaning.
    pub(crate) fn fields<F: Field>(&self) -> Result<Vec<F>, usize> {
        match &self.filled.values {
            Values::Numbers(numbers) => self.fields_of(numbers.iter().map(|it| self.code(*it))),
            Values::Amounts(amounts) => self.fields_of(amounts.iter().copied()),
            Values::Texts(_) => Err(0),
        }
    }

    fn code(&self, number: i32) -> i64 {
        match self.column.kind {
            Kind::Day => number.into(),
            Kind::Name(_) => {
                let position = number.cast_unsigned() as usize;
                self.codes.get(position).copied().unwrap_or(-1)
            }
            _ => number.cast_unsigned().into(),
        }
    }

    fn fields_of<F: Field>(&self, mut codes: impl Iterator<Item = i64>) -> Result<Vec<F>, usize> {
        let levels = &self.filled.levels;
        let mut fields = Vec::with_capacity(self.rows);
        for row in 0..self.rows {
            let has_value = levels.get(row).is_none_or(|it| *it > 0);
            let code = if has_value { Some(codes.next().ok_or(row)?) } else { None };
            fields.push(F::from_code(code).map_err(|()| row)?);
        }
        Ok(fields)
    }

    /// The texts. `None` if one is not UTF-8, or if the column has no texts.
    pub(crate) fn texts(self) -> Option<Vec<String>> {
        let Values::Texts(texts) = self.filled.values else { return None };
        let text = |it: parquet::data_type::ByteArray| Some(it.as_utf8().ok()?.to_owned());
        texts.into_iter().map(text).collect()
    }
}
