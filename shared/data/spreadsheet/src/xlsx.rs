use domain::Company;
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, Worksheet, XlsxError};

use crate::{Cell, Column, Selection};

/// Media type of the format.
pub const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// Maximum number of characters of a cell (Microsoft, "Excel specifications and limits").
const MAX_CHARACTERS: usize = 32_767;

/// The first day that is written as a day. Excel's calendar has a 29 February 1900, which did not exist: for the days before it,
/// other programs show another day than Excel.
const FIRST_DAY: Date = jiff::civil::date(1900, 3, 1);

/// A table as an Excel workbook (Office Open XML): the sheet `Companies` with a header that stays visible, filters and
/// typed cells, and the sheet `About`. Text is stored as text, which no program evaluates as a formula. Rows go to a
/// temporary file; only the finished, compressed workbook is in memory.
pub struct XlsxTable {
    selection: Selection,
    workbook: Workbook,
    formats: Formats,
    /// Number of rows, with the header.
    rows: u32,
    /// Size of all texts, in bytes.
    text: usize,
}

/// How numbers are shown.
struct Formats {
    whole: Format,
    amount: Format,
    date: Format,
    time: Format,
}

impl XlsxTable {
    /// Writes the header. `created` is shown as the time at which the workbook was created.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub fn new(selection: Selection, created: Timestamp) -> Result<Self, XlsxError> {
        let mut workbook = Workbook::new();
        if let Some(created) = excel_time(created) {
            workbook.set_properties(&DocProperties::new().set_creation_datetime(&created));
        }
        let sheet = workbook.add_worksheet_with_constant_memory()?.set_name("Companies")?;
        // Before the first row: later, the beginning of the file is written.
        for (at, (_, column)) in (0..).zip(selection.columns()) {
            sheet.set_column_width(at, width(column))?;
        }
        sheet.set_freeze_panes(1, 0)?;
        let bold = Format::new().set_bold();
        for (at, (name, _)) in (0..).zip(selection.columns()) {
            sheet.write_string_with_format(0, at, name, &bold)?;
        }
        let number = |format: &str| Format::new().set_num_format(format);
        let formats = Formats {
            whole: number("0"),
            amount: number("#,##0.00"),
            date: number("yyyy-mm-dd"),
            time: number("yyyy-mm-dd hh:mm:ss"),
        };
        Ok(Self { selection, workbook, formats, rows: 1, text: 0 })
    }

    /// Writes a row.
    ///
    /// # Errors
    /// If a temporary file cannot be written, or if the sheet is full (1,048,576 rows).
    pub fn push(&mut self, company: &Company) -> Result<(), XlsxError> {
        let sheet = self.workbook.worksheet_from_index(0)?;
        for (at, (_, column)) in (0..).zip(self.selection.columns()) {
            let cell = column.value(company);
            if let Cell::Text(text) = &cell {
                self.text += text.len();
            }
            write(sheet, self.rows, at, cell, &self.formats)?;
        }
        self.rows += 1;
        Ok(())
    }

    /// Size of all texts so far, in bytes. Those of the file are compressed.
    pub fn text_bytes(&self) -> usize {
        self.text
    }

    /// The bytes of the workbook. `about` are the lines of the second sheet, each with a label.
    ///
    /// # Errors
    /// If a temporary file cannot be written or read.
    pub fn finish(mut self, about: &[(String, String)]) -> Result<Vec<u8>, XlsxError> {
        let last_column = u16::try_from(self.selection.columns().len() - 1).unwrap_or(u16::MAX);
        let sheet = self.workbook.worksheet_from_index(0)?;
        sheet.autofilter(0, 0, self.rows - 1, last_column)?;
        let sheet = self.workbook.add_worksheet().set_name("About")?;
        sheet.set_column_width(0, 30)?.set_column_width(1, 80)?;
        for (row, (label, text)) in (0..).zip(about) {
            sheet.write_string(row, 0, shortened(label))?.write_string(row, 1, shortened(text))?;
        }
        self.workbook.save_to_buffer()
    }
}

fn write(
    sheet: &mut Worksheet,
    row: u32,
    column: u16,
    cell: Cell<'_>,
    formats: &Formats,
) -> Result<(), XlsxError> {
    match cell {
        Cell::Empty => return Ok(()),
        Cell::Text(text) => sheet.write_string(row, column, shortened(&text)),
        Cell::Integer(number) => {
            sheet.write_number_with_format(row, column, number as f64, &formats.whole)
        }
        Cell::Decimal(number) => sheet.write_number(row, column, number),
        Cell::Amount(amount) => {
            sheet.write_number_with_format(row, column, amount.approximate(), &formats.amount)
        }
        Cell::Date(date) => match excel_date(date) {
            Some(day) => sheet.write_datetime_with_format(row, column, day, &formats.date),
            None => sheet.write_string(row, column, date.to_string()),
        },
        Cell::Time(time) => match excel_time(time) {
            Some(moment) => sheet.write_datetime_with_format(row, column, moment, &formats.time),
            None => sheet.write_string(row, column, time.to_string()),
        },
        Cell::Boolean(it) => sheet.write_boolean(row, column, it),
    }?;
    Ok(())
}

/// `None` for the days before [`FIRST_DAY`].
fn excel_date(date: Date) -> Option<ExcelDateTime> {
    let year = u16::try_from(date.year()).ok().filter(|_| date >= FIRST_DAY)?;
    let (month, day) = (u8::try_from(date.month()).ok()?, u8::try_from(date.day()).ok()?);
    ExcelDateTime::from_ymd(year, month, day).ok()
}

/// The time in UTC.
fn excel_time(time: Timestamp) -> Option<ExcelDateTime> {
    let utc = time.to_zoned(TimeZone::UTC).datetime();
    let (hour, minute) = (u16::from(utc.hour().unsigned_abs()), utc.minute().unsigned_abs());
    excel_date(utc.date())?.and_hms(hour, minute, f64::from(utc.second())).ok()
}

/// The text, cut off where a cell ends.
fn shortened(text: &str) -> String {
    // Excel counts in UTF-16.
    if text.encode_utf16().count() <= MAX_CHARACTERS {
        return text.to_owned();
    }
    let mut left = MAX_CHARACTERS - 1;
    let kept = text.chars().take_while(|it| {
        let fits = it.len_utf16() <= left;
        left = left.saturating_sub(it.len_utf16());
        fits
    });
    kept.chain(['…']).collect()
}

/// Width of a column, in characters.
fn width(column: &Column) -> f64 {
    match column.name {
        "purpose" | "oldNames" | "translations" | "address" | "sources" => 60.,
        "name" | "auditorName" | "ultimateParentName" | "cantonalExcerptUrl" => 40.,
        "legalForm" | "industry" | "subIndustry" | "website" | "chid" => 24.,
        _ => 18.,
    }
}

#[cfg(test)]
mod tests;
