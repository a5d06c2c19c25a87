//! Companies as tables: chosen columns, one company a row.
//!
//! Invariants: no clock. No text of a company is a formula when a spreadsheet program opens the table.
//!
//! Reading order: `cell` (a value and its type), `column` (the columns that exist), `selection` (those of a request),
//! `csv` (the table as text), `xlsx` (the table as an Excel workbook), `parquet` (the table by columns), `lines` (one JSON
//! object a line).

mod cell;
mod column;
mod csv;
mod lines;
mod parquet;
mod selection;
mod xlsx;

pub use rust_xlsxwriter::XlsxError;

pub use cell::{Cell, Kind};
pub use column::Column;
pub use csv::CsvTable;
pub use lines::JsonLines;
pub use parquet::{ParquetError, ParquetTable, ROWS_PER_GROUP};
pub use selection::{DEFAULT, Selection, UnknownColumns};
pub use xlsx::{XLSX, XlsxTable};
