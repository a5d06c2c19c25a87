//! One table as a Parquet file.

use std::sync::Arc;

use parquet::{
    basic::{Compression, Encoding, LogicalType, Repetition, Type as PhysicalType, ZstdLevel},
    column::writer::ColumnWriter,
    data_type::ByteArray,
    errors::{ParquetError, Result},
    file::{
        metadata::KeyValue,
        properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr},
        writer::SerializedFileWriter,
    },
    schema::types::{ColumnPath, Type, TypePtr},
};
use sha2::{Digest, Sha256};

use crate::{
    chunks::{Chunk, Place},
    value::{Column, Kind},
};

/// Compression of columns: they are written once and read by many processes.
const LEVEL: i32 = 9;
/// Size in bytes up to which the different values of a column are collected: the days of a century are a tenth of it.
const DICTIONARY: usize = 1024 * 1024;

/// All values of a column.
pub(crate) struct Filled {
    /// For each row: 1 if it has a value, or else 0. Empty if all have.
    pub(crate) levels: Vec<i16>,
    /// Of the rows that have a value.
    pub(crate) values: Values,
}

/// Values of the type of a column in the file.
pub(crate) enum Values {
    Numbers(Vec<i32>),
    Amounts(Vec<i64>),
    Texts(Vec<ByteArray>),
}

impl Filled {
    /// The column with these codes.
    pub(crate) fn of(column: Column, codes: impl Iterator<Item = Option<i64>>) -> Self {
        let mut levels = Vec::new();
        let (mut numbers, mut amounts) = (Vec::new(), Vec::new());
        for code in codes {
            if column.is_optional {
                levels.push(i16::from(code.is_some()));
            }
            match (code, column.kind) {
                (None, _) => {}
                (Some(code), Kind::Amount) => amounts.push(code),
                // The lowest 32 bits, with or without a sign.
                (Some(code), _) => numbers.push(code as i32),
            }
        }
        let values = match column.kind {
            Kind::Amount => Values::Amounts(amounts),
            _ => Values::Numbers(numbers),
        };
        Self { levels, values }
    }

    /// A column of texts.
    pub(crate) fn of_texts<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let texts = texts.map(|it| ByteArray::from(it.as_bytes().to_vec()));
        Self { levels: Vec::new(), values: Values::Texts(texts.collect()) }
    }
}

/// The file of a table with so many rows, and where its columns are. `fill` returns the column at a position.
pub(crate) fn write(
    name: &str,
    columns: &[Column],
    rows: u32,
    mut fill: impl FnMut(usize) -> Filled,
) -> Result<(Vec<u8>, Place)> {
    let mut file =
        SerializedFileWriter::new(Vec::new(), schema(name, columns)?, properties(columns)?)?;
    let mut group = file.next_row_group()?;
    for position in 0..columns.len() {
        let Some(mut column) = group.next_column()? else { break };
        write_column(column.untyped(), &fill(position))?;
        column.close()?;
    }
    let group = group.close()?;
    let bytes = file.into_inner()?;
    let chunk = |(column, metadata): (&Column, &parquet::file::metadata::ColumnChunkMetaData)| {
        let (offset, size) = metadata.byte_range();
        let end = offset.saturating_add(size);
        let range = usize::try_from(offset).ok().zip(usize::try_from(end).ok());
        let bytes = range.and_then(|(start, end)| bytes.get(start..end));
        let bytes = bytes.ok_or_else(|| ParquetError::General("a column is not there".into()))?;
        let sha256 = hex::encode(Sha256::digest(bytes));
        let names = names(column).map(|it| it.into_iter().map(str::to_owned).collect());
        Ok(Chunk { name: column.name.to_owned(), offset, size, sha256, names })
    };
    let chunks = columns.iter().zip(group.columns()).map(chunk);
    let place = Place { rows, columns: chunks.collect::<Result<_>>()? };
    Ok((bytes, place))
}

fn write_column(to: &mut ColumnWriter<'_>, Filled { levels, values }: &Filled) -> Result<()> {
    let levels = (!levels.is_empty()).then_some(levels.as_slice());
    match (to, values) {
        (ColumnWriter::Int32ColumnWriter(to), Values::Numbers(values)) => {
            to.write_batch(values, levels, None)?;
        }
        (ColumnWriter::Int64ColumnWriter(to), Values::Amounts(values)) => {
            to.write_batch(values, levels, None)?;
        }
        (ColumnWriter::ByteArrayColumnWriter(to), Values::Texts(values)) => {
            to.write_batch(values, levels, None)?;
        }
        _ => return Err(ParquetError::General("a column has another type".to_owned())),
    }
    Ok(())
}

/// The names that the numbers of a column mean.
fn names(column: &Column) -> Option<Vec<&'static str>> {
    match column.kind {
        Kind::Name(names) => Some(names()),
        _ => None,
    }
}

fn properties(columns: &[Column]) -> Result<WriterPropertiesPtr> {
    let names = columns.iter().filter_map(|it| {
        let names = serde_json::Value::from(names(it)?).to_string();
        Some(KeyValue::new(format!("{}.names", it.name), names))
    });
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(LEVEL)?))
        .set_dictionary_page_size_limit(DICTIONARY)
        .set_statistics_enabled(EnabledStatistics::None)
        .set_offset_index_disabled(true)
        .set_created_by("gotthard".to_owned())
        .set_key_value_metadata(Some(names.collect()));
    // Every company has another number: a dictionary would contain all of them.
    if let Some(uid) = columns.iter().find(|it| it.name == "uid") {
        let path = ColumnPath::from(uid.name);
        properties = properties
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_encoding(path, Encoding::PLAIN);
    }
    Ok(Arc::new(properties.build()))
}

/// The types of the columns in the file.
pub(crate) fn schema(name: &str, columns: &[Column]) -> Result<TypePtr> {
    let fields = columns.iter().map(|it| Ok(Arc::new(field(it)?)));
    let fields = fields.collect::<Result<Vec<_>>>()?;
    Ok(Arc::new(Type::group_type_builder(name).with_fields(fields).build()?))
}

fn field(column: &Column) -> Result<Type> {
    let (physical, logical) = match column.kind {
        Kind::Number | Kind::Firm | Kind::Name(_) => {
            (PhysicalType::INT32, Some(LogicalType::integer(32, false)))
        }
        Kind::Day => (PhysicalType::INT32, Some(LogicalType::Date)),
        Kind::Amount => (PhysicalType::INT64, None),
        Kind::Text => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
    };
    let repetition = if column.is_optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    Type::primitive_type_builder(column.name, physical)
        .with_repetition(repetition)
        .with_logical_type(logical)
        .build()
}
