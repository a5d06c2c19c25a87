//! The file that is written row by row.

use domain::Company;
use http::HeaderMap;
use http_service::accepts;
use jiff::Timestamp;
use problem_details::Problem;
use serde::Deserialize;
use spreadsheet::{CsvTable, Selection, XLSX, XlsxTable};
use utoipa::ToSchema;

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Format {
    /// Text in UTF-8 with commas (RFC 4180).
    Csv,
    /// An Excel workbook.
    Xlsx,
}

#[derive(Debug, thiserror::Error)]
#[error("must choose fewer columns or companies: the file would have more than {0} bytes")]
struct TooLarge(usize);

/// Texts of companies never become this many times smaller in a workbook.
const MOST_COMPRESSION: usize = 20;

impl Format {
    /// The format that the caller's program asks for.
    pub(super) fn accepted(headers: &HeaderMap) -> Self {
        match accepts(headers, XLSX) {
            true => Self::Xlsx,
            false => Self::Csv,
        }
    }

    pub(super) fn media_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8",
            Self::Xlsx => XLSX,
        }
    }

    /// The header with the name of the file.
    pub(super) fn disposition(self) -> &'static str {
        match self {
            Self::Csv => "attachment; filename=\"companies-export.csv\"",
            Self::Xlsx => "attachment; filename=\"companies-export.xlsx\"",
        }
    }

    /// Maximum size of a file in bytes. A Lambda function answers at most 6 MB of JSON, in which line ends are escaped and
    /// binary files are encoded with base64.
    fn max_bytes(self) -> usize {
        match self {
            Self::Csv => 5_500_000,
            Self::Xlsx => 4_400_000,
        }
    }

    fn check(self, bytes: usize) -> Result<(), Problem> {
        match self.max_bytes() {
            max if bytes > max => Err(Problem::invalid("fields", TooLarge(max))),
            _ => Ok(()),
        }
    }
}

/// A table in one of the formats.
pub(super) enum Table {
    Csv(Box<CsvTable<Vec<u8>>>),
    Xlsx(Box<XlsxTable>),
}

impl Table {
    pub(super) fn new(
        format: Format,
        columns: Selection,
        created: Timestamp,
    ) -> Result<Self, Problem> {
        Ok(match format {
            Format::Csv => Self::Csv(Box::new(CsvTable::new(Vec::new(), columns)?)),
            Format::Xlsx => Self::Xlsx(Box::new(XlsxTable::new(columns, created)?)),
        })
    }

    /// Adds a row. Stops when the table is too large.
    pub(super) fn push(&mut self, company: &Company) -> Result<(), Problem> {
        match self {
            Self::Csv(table) => {
                table.push(company)?;
                Format::Csv.check(table.target().len())
            }
            Self::Xlsx(table) => {
                table.push(company)?;
                // A file that is certainly too large is not written to the end.
                Format::Xlsx.check(table.text_bytes() / MOST_COMPRESSION)
            }
        }
    }

    /// The bytes of the file.
    pub(super) fn finish(self, about: &[(String, String)]) -> Result<Vec<u8>, Problem> {
        let (format, file) = match self {
            Self::Csv(table) => (Format::Csv, table.finish()?),
            Self::Xlsx(table) => (Format::Xlsx, table.finish(about)?),
        };
        format.check(file.len())?;
        Ok(file)
    }
}
