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
#[schema(as = SpreadsheetFormat)]
pub(super) enum Format {
    /// Text in UTF-8 with commas (RFC 4180).
    Csv,
    /// An Excel workbook.
    Xlsx,
}

/// Maximum size of the texts of a file in bytes, because a file is made in memory.
const MAX_TEXT: usize = 50_000_000;

#[derive(Debug, thiserror::Error)]
#[error(
    "must choose fewer columns or companies: the file would have more than {MAX_TEXT} bytes of text. `POST /v1/exports`, which requires the tier `enterprise`, writes larger files"
)]
struct TooLarge;

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

    /// Adds a row. If the table is too large, the refusal names this member of the request.
    pub(super) fn push(&mut self, company: &Company, member: &str) -> Result<(), Problem> {
        let text = match self {
            Self::Csv(table) => {
                table.push(company)?;
                table.target().len()
            }
            Self::Xlsx(table) => {
                table.push(company)?;
                table.text_bytes()
            }
        };
        match text {
            ..=MAX_TEXT => Ok(()),
            _ => Err(Problem::invalid(member, TooLarge)),
        }
    }

    /// The bytes of the file.
    pub(super) fn finish(self, about: &[(String, String)]) -> Result<Vec<u8>, Problem> {
        Ok(match self {
            Self::Csv(table) => table.finish()?,
            Self::Xlsx(table) => table.finish(about)?,
        })
    }
}
