use std::io::Write;

use domain::Company;

use crate::Selection;

/// A table as CSV (RFC 4180) in UTF-8: a header with the names of the columns, one company a line, lines that end with CR
/// and LF. A list within a cell is separated by `; `. Every method fails only if the target does.
pub struct CsvTable<W: Write> {
    selection: Selection,
    writer: csv::Writer<W>,
}

impl<W: Write> CsvTable<W> {
    /// Writes the header.
    pub fn new(to: W, selection: Selection) -> csv::Result<Self> {
        let mut writer =
            csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(to);
        writer.write_record(selection.columns().map(|(name, _)| name))?;
        Ok(Self { selection, writer })
    }

    /// Writes a row.
    pub fn push(&mut self, company: &Company) -> csv::Result<()> {
        let cells = self.selection.columns().map(|(_, column)| column.value(company).into_csv());
        self.writer.write_record(cells)
    }

    /// The part of the table that has reached the target.
    pub fn target(&self) -> &W {
        self.writer.get_ref()
    }

    /// The target with the whole table.
    pub fn finish(self) -> csv::Result<W> {
        self.writer.into_inner().map_err(|it| it.into_error().into())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(selection: Selection, companies: &[Company]) -> String {
        let mut table = CsvTable::new(Vec::new(), selection).expect("memory");
        companies.iter().for_each(|it| table.push(it).expect("memory"));
        String::from_utf8(table.finish().expect("memory")).expect("UTF-8")
    }

    fn named(name: &str) -> Company {
        Company::new("CHE-107.787.577".parse().expect("well-formed"), name)
    }

    #[test]
    fn a_table_has_a_header_and_a_line_for_each_company() {
        let selection = vec!["uid".to_owned(), "name".to_owned(), "capital".to_owned()];
        let selection = Selection::try_from(selection).expect("columns");
        let table = written(selection, &[named("Muster, Söhne & \"Co\" AG"), named("=Muster AG")]);
        assert_eq!(
            table,
            "uid,name,capital\r\nCHE-107.787.577,\"Muster, Söhne & \"\"Co\"\" AG\",\r\nCHE-107.787.577,'=Muster AG,\r\n"
        );
    }

    /// The rows that a program with this separator sees.
    fn rows(table: &str, separator: u8) -> Vec<csv::StringRecord> {
        let mut reader = csv::ReaderBuilder::new();
        let reader = reader.delimiter(separator).has_headers(false).flexible(true);
        reader.from_reader(table.as_bytes()).records().map(|it| it.expect("a row")).collect()
    }

    proptest! {
        /// Any name comes back from the file, but for the apostrophes before formulas.
        #[test]
        fn names_survive_the_file(name in any::<String>()) {
            let table = written(Selection::default(), &[named(&name)]);
            let rows = rows(&table, b',');
            prop_assert_eq!(rows.len(), 2);
            let without = |it: &str| it.replace('\'', "");
            prop_assert_eq!(without(&rows[1][1]), without(&name));
        }

        /// Whatever the program takes as the separator, and wherever the name stands in the row.
        #[test]
        fn no_cell_is_a_formula(
            name in "([=+@＝;\t\r\n\" ,'-]|[a-c]){0,12}",
            separator in prop::sample::select(b",;\t".to_vec()),
            is_first in any::<bool>(),
        ) {
            let columns = if is_first { ["name", "oldNames"] } else { ["oldNames", "name"] };
            let columns = Selection::try_from(columns.map(str::to_owned).to_vec()).expect("columns");
            let mut company = named(&name);
            company.old_names = Some(vec!["Alt AG".to_owned(), name]);
            for row in rows(&written(columns, &[company]), separator) {
                for cell in &row {
                    let text = cell.trim_start_matches([' ', '\t', '\r', '\n', '\u{a0}', '\u{feff}']);
                    prop_assert!(!text.starts_with(['=', '+', '-', '@', '＝']), "{:?}", row);
                }
            }
        }
    }
}
