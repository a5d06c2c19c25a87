//! Companies as tables: chosen columns, one company a row.
//!
//! Invariants: no clock. No text of a company is a formula when a spreadsheet program opens the table.
//!
//! Reading order: `cell` (a value and its type), `column` (the columns that exist), `selection` (those of a request),
//! `csv` (the table as text), `xlsx` (the table as an Excel workbook).

mod cell;
mod column;
mod csv;
mod selection;
mod xlsx;

pub use rust_xlsxwriter::XlsxError;

pub use cell::Cell;
pub use column::Column;
pub use csv::CsvTable;
pub use selection::{DEFAULT, Selection, UnknownColumns};
pub use xlsx::{XLSX, XlsxTable};
