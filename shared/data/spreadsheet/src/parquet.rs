//! Companies as an Apache Parquet file: one column for each chosen column, compressed with Snappy.
//!
//! A row group is written column by column, but rows arrive company by company. Each column therefore encodes its values into
//! pages in memory, compressed, until the row group is complete.

mod chunk;

use std::{io::Write, sync::Arc};

use domain::Company;
use jiff::Timestamp;
use parquet::{
    basic::{Compression, LogicalType, Repetition, TimeUnit, Type as PhysicalType},
    file::{
        metadata::KeyValue,
        properties::{WriterProperties, WriterPropertiesPtr},
        writer::SerializedFileWriter,
    },
    schema::types::Type,
};

pub use parquet::errors::ParquetError;

use self::chunk::Chunk;
use crate::{Column, Kind, Selection};

/// Number of rows of a row group, the unit that readers read in parallel. The last one may have fewer.
pub const ROWS_PER_GROUP: usize = 100_000;
/// Size in bytes, before compression, up to which values are collected in a page or a dictionary. All columns have such a page in
/// memory at the same time. Snappy compresses blocks of 64 KiB, so larger pages are not compressed better.
const PAGE: usize = 256 * 1024;

/// A table in the format of Apache Parquet. Every value may be missing. Amounts are decimal numbers, days and times are those
/// of the format.
pub struct ParquetTable<W: Write + Send> {
    selection: Selection,
    file: SerializedFileWriter<W>,
    properties: WriterPropertiesPtr,
    /// The columns of the current row group.
    chunks: Vec<Chunk>,
    /// Number of rows in them.
    rows: usize,
    rows_per_group: usize,
}

impl<W: Write + Send> ParquetTable<W> {
    /// Starts a file. `generation` and `as_of` say where the rows are from, as far as it is known; the metadata of the file contain
    /// them.
    ///
    /// # Errors
    /// If the target fails.
    pub fn new(
        to: W,
        selection: Selection,
        generation: Option<&str>,
        as_of: Option<Timestamp>,
    ) -> Result<Self, ParquetError> {
        let fields = selection.columns().map(|(name, column)| Ok(Arc::new(field(name, column)?)));
        let fields = fields.collect::<Result<Vec<_>, ParquetError>>()?;
        let schema = Type::group_type_builder("company").with_fields(fields).build()?;
        let mut about = Vec::new();
        about.extend(generation.map(|it| KeyValue::new("generation".to_owned(), it.to_owned())));
        about.extend(as_of.map(|it| KeyValue::new("asOf".to_owned(), it.to_string())));
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_data_page_size_limit(PAGE)
            .set_dictionary_page_size_limit(PAGE)
            .set_created_by("gotthard".to_owned())
            .set_key_value_metadata(Some(about));
        let properties = Arc::new(properties.build());
        let file = SerializedFileWriter::new(to, Arc::new(schema), properties.clone())?;
        let mut table = Self {
            selection,
            file,
            properties,
            chunks: Vec::new(),
            rows: 0,
            rows_per_group: ROWS_PER_GROUP,
        };
        table.start_group();
        Ok(table)
    }

    /// The same table with row groups of another size.
    #[must_use]
    pub fn with_rows_per_group(mut self, rows: usize) -> Self {
        self.rows_per_group = rows;
        self
    }

    fn start_group(&mut self) {
        let columns = self.file.schema_descr().columns().to_vec();
        let chunk = |it| Chunk::new(it, self.properties.clone());
        self.chunks = columns.into_iter().map(chunk).collect();
        self.rows = 0;
    }

    /// Writes a row.
    ///
    /// # Errors
    /// If the target fails.
    pub fn push(&mut self, company: &Company) -> Result<(), ParquetError> {
        for ((_, column), chunk) in self.selection.columns().zip(&mut self.chunks) {
            chunk.push(column.value(company))?;
        }
        self.rows += 1;
        match self.rows >= self.rows_per_group {
            true => self.end_group(),
            false => Ok(()),
        }
    }

    fn end_group(&mut self) -> Result<(), ParquetError> {
        let chunks = std::mem::take(&mut self.chunks);
        let mut group = self.file.next_row_group()?;
        for chunk in chunks {
            let (bytes, closed) = chunk.close()?;
            group.append_column(&bytes, closed)?;
        }
        group.close()?;
        self.start_group();
        Ok(())
    }

    /// Writes the rest of the file.
    ///
    /// # Errors
    /// If the target fails.
    pub fn finish(mut self) -> Result<(), ParquetError> {
        if self.rows > 0 {
            self.end_group()?;
        }
        self.file.close().map(drop)
    }
}

/// The type of a column in the file.
fn field(name: &str, column: &Column) -> Result<Type, ParquetError> {
    let (physical, logical) = match column.kind {
        Kind::Text => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
        Kind::Integer => (PhysicalType::INT64, None),
        Kind::Decimal => (PhysicalType::DOUBLE, None),
        Kind::Amount => (PhysicalType::INT64, Some(LogicalType::decimal(4, 18))),
        Kind::Date => (PhysicalType::INT32, Some(LogicalType::Date)),
        Kind::Time => (PhysicalType::INT64, Some(LogicalType::timestamp(true, TimeUnit::MILLIS))),
        Kind::Boolean => (PhysicalType::BOOLEAN, None),
    };
    let field = Type::primitive_type_builder(name, physical).with_repetition(Repetition::OPTIONAL);
    let field = field.with_logical_type(logical);
    let field = match column.kind {
        Kind::Amount => field.with_precision(18).with_scale(4),
        _ => field,
    };
    field.build()
}

#[cfg(test)]
mod tests {
    use std::io;

    use bytes::Bytes;
    use parquet::{
        file::reader::{FileReader, SerializedFileReader},
        record::Field,
    };

    use super::*;

    fn company(number: u32) -> Company {
        let uid = domain::Uid::from_number(100_000_000 + number).expect("nine digits");
        let mut company = Company::new(uid, format!("Muster {number} AG"));
        company.share_capital =
            (number.is_multiple_of(2)).then(|| "100000.5".parse().expect("an amount"));
        company.founding_date = Some(jiff::civil::date(1901, 2, 3));
        company.is_finma_regulated = (number.is_multiple_of(3)).then_some(number.is_multiple_of(2));
        company.latitude = Some(47.25);
        company.ehraid = Some(number.into());
        company.auditor_name = Some(format!("{number} {}", "Revision AG ".repeat(30)));
        company.updated_at = "2026-01-04T00:00:00Z".parse().ok();
        company
    }

    /// What a target has got, which can be read while it is written.
    #[derive(Clone, Default)]
    struct Shared(Arc<std::sync::Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("not poisoned").write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn written(count: u32, names: &[&str]) -> SerializedFileReader<Bytes> {
        let names: Vec<String> = names.iter().map(|it| (*it).to_owned()).collect();
        let selection = Selection::try_from(names).expect("columns");
        let target = Shared::default();
        let mut table =
            ParquetTable::new(target.clone(), selection, Some("a"), None).expect("started");
        for number in 0..count {
            table.push(&company(number)).expect("memory");
        }
        table.finish().expect("memory");
        let bytes = std::mem::take(&mut *target.0.lock().expect("not poisoned"));
        SerializedFileReader::new(Bytes::from(bytes)).expect("a file")
    }

    #[test]
    fn values_come_back_with_their_types_and_missing_ones_are_null() {
        let columns = [
            "name",
            "capital",
            "foundingDate",
            "isFinmaRegulated",
            "latitude",
            "ehraid",
            "updatedAt",
            "purpose",
        ];
        let file = written(3, &columns);
        let rows: Vec<_> =
            file.get_row_iter(None).expect("rows").map(|it| it.expect("it")).collect();
        assert_eq!(rows.len(), 3);
        let values: Vec<(String, Field)> = rows[0].clone().into_columns();
        assert_eq!(values.iter().map(|it| it.0.as_str()).collect::<Vec<_>>(), columns);
        assert_eq!(values[0].1, Field::Str("Muster 0 AG".to_owned()));
        let Field::Decimal(capital) = &values[1].1 else { panic!("{:?}", values[1]) };
        assert_eq!((capital.scale(), capital.data()), (4, &1_000_005_000_i64.to_be_bytes()[..]));
        assert_eq!(values[2].1, Field::Date(-25_169));
        assert_eq!(values[3].1, Field::Bool(true));
        assert_eq!(values[4].1, Field::Double(47.25));
        assert_eq!(values[5].1, Field::Long(0));
        assert_eq!(values[6].1, Field::TimestampMillis(1_767_484_800_000));
        assert_eq!(values[7].1, Field::Null);
        let second = rows[1].clone().into_columns();
        assert_eq!((&second[1].1, &second[3].1), (&Field::Null, &Field::Null));
    }

    #[test]
    fn long_texts_are_in_many_small_pages() {
        let file = written(20_000, &["uid", "auditorName"]);
        let group = file.get_row_group(0).expect("a group");
        let mut pages = group.get_column_page_reader(1).expect("a column");
        let mut sizes = Vec::new();
        while let Some(page) = pages.get_next_page().expect("a page") {
            sizes.push(page.buffer().len());
        }
        assert!(sizes.len() > 20, "{sizes:?}");
        assert!(sizes.iter().all(|it| *it < 2 * PAGE), "{sizes:?}");
    }

    #[test]
    fn a_row_group_has_100000_rows_and_the_last_one_the_rest() {
        let file = written(250_001, &["uid", "name", "purpose"]);
        let groups = file.metadata().row_groups().iter().map(|it| it.num_rows());
        assert_eq!(groups.collect::<Vec<_>>(), [100_000, 100_000, 50_001]);
        let last = file.get_row_iter(None).expect("rows").last().expect("a row").expect("it");
        let last = last.into_columns();
        assert_eq!(last[0].1, Field::Str(company(250_000).uid.to_string()));
        assert_eq!(last[1].1, Field::Str("Muster 250000 AG".to_owned()));
        assert_eq!(written(0, &["uid"]).metadata().row_groups().len(), 0);
    }
}
