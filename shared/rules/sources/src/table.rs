//! Delimited text tables (CSV) with a header.

use std::{collections::HashMap, io::Read};

use csv::{ByteRecord, ReaderBuilder};

use crate::{Rejected, left_out::LeftOut};

/// A table that is read row by row. Columns are found by their name in the header.
pub(crate) struct Table<R> {
    reader: csv::Reader<R>,
    columns: HashMap<String, usize>,
    width: usize,
    row: ByteRecord,
}

impl<'a> Table<&'a [u8]> {
    /// Opens a table and detects its delimiter: the most frequent of comma, semicolon and tab in the header.
    pub(crate) fn detect(bytes: &'a [u8]) -> Result<Self, String> {
        let header = bytes.split(|it| matches!(it, b'\n' | b'\r')).next().unwrap_or_default();
        let count = |wanted: &u8| header.iter().filter(|it| *it == wanted).count();
        let delimiter = *[b'\t', b';', b','].iter().max_by_key(|it| count(it)).unwrap_or(&b',');
        Self::open(bytes, delimiter)
    }
}

impl<R: Read> Table<R> {
    pub(crate) fn open(reader: R, delimiter: u8) -> Result<Self, String> {
        let mut reader = ReaderBuilder::new()
            .delimiter(delimiter)
            // A short row is rejected on its own, without an error for the table.
            .flexible(true)
            .from_reader(reader);
        let header = reader.byte_headers().map_err(|it| it.to_string())?;
        let width = header.len();
        let mut columns = HashMap::with_capacity(width);
        for (at, name) in header.iter().enumerate() {
            let name = name.strip_prefix(b"\xef\xbb\xbf").unwrap_or(name);
            let name = std::str::from_utf8(name).map_err(|_| "the header is not valid UTF-8")?;
            if columns.insert(column(name), at).is_some() {
                return Err(format!("the header has the column `{name}` twice"));
            }
        }
        Ok(Self { reader, columns, width, row: ByteRecord::new() })
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.columns.contains_key(&column(name))
    }

    /// Names of the columns, in lower case and undefined order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.keys().map(String::as_str)
    }

    /// Checks that the header has these columns. The error names the first that is missing, and what the
    /// header has instead.
    pub(crate) fn require(&self, names: &[&str]) -> Result<(), String> {
        let Some(missing) = names.iter().find(|it| !self.has(it)) else { return Ok(()) };
        let mut found: Vec<&str> = self.names().collect();
        found.sort_unstable();
        // The header of a file in another format can be the whole file.
        let found: String = found.join(", ").chars().take(200).collect();
        Err(format!("the header has no column `{missing}`; it has: {found}"))
    }

    /// Position of a column, for large tables in which a search by name for each row is too slow.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.columns.get(&column(name)).copied()
    }

    /// The next row. `None` at the end. The error is a row with the wrong number of fields, or a read
    /// error (with an empty record), after which the table ends.
    pub(crate) fn next(&mut self) -> Option<Result<Row<'_>, Rejected>> {
        match self.reader.read_byte_record(&mut self.row) {
            Ok(false) => None,
            Ok(true) => {
                let row = Row { columns: &self.columns, fields: &self.row };
                if self.row.len() == self.width {
                    return Some(Ok(row));
                }
                let reason =
                    format!("has {} fields; the header has {}", self.row.len(), self.width);
                Some(Err(row.rejected(reason)))
            }
            // After an error of the stream, the reader returns `None` on the next call.
            Err(error) => Some(Err(Rejected::new(String::new(), error.to_string()))),
        }
    }
}

/// Normalizes a column name: case and surrounding whitespace do not matter.
fn column(name: &str) -> String {
    name.trim().to_lowercase()
}

/// One row of a [`Table`].
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    columns: &'a HashMap<String, usize>,
    fields: &'a ByteRecord,
}

impl<'a> Row<'a> {
    /// The bytes in this column. Empty if the column does not exist.
    pub(crate) fn bytes(&self, name: &str) -> &'a [u8] {
        let at = self.columns.get(name).or_else(|| self.columns.get(&column(name)));
        at.and_then(|at| self.fields.get(*at)).unwrap_or_default()
    }

    /// The bytes in the column at this position.
    pub(crate) fn at(&self, position: usize) -> &'a [u8] {
        self.fields.get(position).unwrap_or_default()
    }

    /// The trimmed text in this column. `None` if it is empty or the column does not exist.
    pub(crate) fn text(&self, name: &str) -> Result<Option<&'a str>, String> {
        let text = std::str::from_utf8(self.bytes(name))
            .map_err(|_| format!("{name}: is not valid UTF-8"))?
            .trim();
        Ok((!text.is_empty()).then_some(text))
    }

    /// As [`text`](Self::text), but an empty text is an error.
    pub(crate) fn required(&self, name: &str) -> Result<&'a str, String> {
        self.text(name)?.ok_or_else(|| format!("{name}: is empty"))
    }

    /// The parsed value of this column. `None` if it is empty or the column does not exist.
    pub(crate) fn parsed<T>(&self, name: &str) -> Result<Option<T>, String>
    where
        T: std::str::FromStr<Err: std::fmt::Display>,
    {
        let parsed = self.text(name)?.map(str::parse).transpose();
        parsed.map_err(|it| format!("{name}: {it}"))
    }

    /// The parsed value of this column. `None` if it is empty or the column does not exist, or if it cannot be read, which is
    /// kept in `left_out`.
    pub(crate) fn optional<T>(&self, name: &str, left_out: &mut LeftOut) -> Option<T>
    where
        T: std::str::FromStr<Err: std::fmt::Display>,
    {
        left_out.value(self.parsed(name)).flatten()
    }

    /// The original row as one text, for quarantine.
    pub(crate) fn joined(&self) -> String {
        let fields: Vec<_> = self.fields.iter().map(String::from_utf8_lossy).collect();
        // Fields do not contain the unit separator, so that the row can be split again.
        fields.join("\u{1f}")
    }

    /// The original row, for quarantine.
    pub(crate) fn rejected(&self, reason: String) -> Rejected {
        Rejected::new(self.joined(), reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delimiter_is_detected_and_byte_order_mark_is_removed() {
        for text in ["a,b\n1,2\n", "\u{feff}A;b\n1;2\n", "a\tB\r\n1\t2\r\n"] {
            let mut table = Table::detect(text.as_bytes()).expect("a table");
            assert!(table.has("a") && table.has("b") && !table.has("c"));
            let row = table.next().expect("a row").expect("read");
            assert_eq!((row.text("a"), row.text("b")), (Ok(Some("1")), Ok(Some("2"))));
            assert!(table.next().is_none());
        }
    }

    #[test]
    fn short_row_is_rejected_and_the_next_is_read() {
        let mut table = Table::detect(b"a,b\n1\n3,4\n").expect("a table");
        let rejected = table.next().expect("a row").err().expect("rejected");
        assert_eq!(rejected.reason, "has 1 fields; the header has 2");
        assert!(table.next().expect("a row").is_ok());
    }

    #[test]
    fn duplicate_column_is_an_error() {
        assert!(Table::detect(b"a,A\n").is_err());
    }
}
