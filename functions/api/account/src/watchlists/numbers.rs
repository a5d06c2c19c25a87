//! Company numbers in a file that a person has made: with or without a header, in any column, from any spreadsheet program.

use csv::{ReaderBuilder, StringRecord};
use domain::Uid;
use encoding_rs::UTF_8;

/// What separates the cells of a line.
const DELIMITERS: [u8; 3] = *b",;\t";
/// Names of the column with the numbers, in capital letters: UID, IDE (French) and IDI (Italian).
const COLUMNS: [&str; 3] = ["UID", "IDE", "IDI"];
/// Other names of columns, in capital letters, in English, German, French and Italian. An entry may begin with such a word.
const OTHER_COLUMNS: [&str; 24] = [
    "NUMBER",
    "COMPANY NUMBER",
    "COMPANY",
    "COMPANY NAME",
    "NAME",
    "NUMMER",
    "NR",
    "FIRMA",
    "FIRMENNAME",
    "FIRMENNUMMER",
    "UNTERNEHMEN",
    "GESELLSCHAFT",
    "NUMÉRO",
    "NO",
    "N°",
    "NOM",
    "ENTREPRISE",
    "SOCIÉTÉ",
    "RAISON SOCIALE",
    "NUMERO",
    "NOME",
    "IMPRESA",
    "DITTA",
    "SOCIETÀ",
];

/// A line of the file with its company number.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// The first line of the file is 1.
    pub(super) number: u64,
    /// The cell as it stands in the file.
    pub(super) cell: String,
    /// `None`: the cell is not a company number.
    pub(super) uid: Option<Uid>,
}

/// The lines with a company number or with anything else in its place; not the header, nor empty lines.
///
/// The first line is a header if it contains no digit, and the name of a column. The numbers are in the column whose name is
/// or begins with UID, IDE or IDI; otherwise in the column of the first number of the file.
///
/// # Errors
/// If a line cannot be split into cells.
pub(super) fn read(file: &[u8]) -> Result<Vec<Line>, csv::Error> {
    // With a byte order mark, the text is in the encoding that the mark names.
    let (text, ..) = UTF_8.decode(file);
    let text = text.replace("\r\n", "\n");
    let records = records(&text)?;
    let records: Vec<&StringRecord> =
        records.iter().filter(|it| it.iter().any(|cell| !cell.trim().is_empty())).collect();
    let header = records.first().filter(|it| is_header(it)).copied();
    let named = header.and_then(|it| it.iter().position(is_column));
    let first = || records.iter().find_map(|it| it.iter().position(|it| it.parse::<Uid>().is_ok()));
    let column = named.or_else(first).unwrap_or(0);
    let mut numbers = LineNumbers { text: &text, at: 0, number: 1 };
    let line = |record: &&StringRecord| {
        let cell = record.get(column).unwrap_or_default().trim();
        let number = numbers.of(record);
        Line { number, cell: cell.to_owned(), uid: cell.parse().ok() }
    };
    Ok(records.iter().skip(usize::from(header.is_some())).map(line).collect())
}

/// Counts lines. The reader does not count the empty lines before a record.
struct LineNumbers<'a> {
    text: &'a str,
    /// The byte up to which lines are counted.
    at: usize,
    /// The number of the line with this byte.
    number: u64,
}

impl LineNumbers<'_> {
    /// The number of the line on which a record begins. Records in the order of the text.
    fn of(&mut self, record: &StringRecord) -> u64 {
        let start = record.position().and_then(|it| usize::try_from(it.byte()).ok());
        let start = start.unwrap_or(self.at);
        let bytes = self.text.as_bytes();
        let empty = bytes[start..].iter().take_while(|it| **it == b'\n').count();
        let lines = bytes[self.at..start + empty].iter().filter(|it| **it == b'\n').count();
        self.at = start + empty;
        self.number += lines as u64;
        self.number
    }
}

/// The lines as cells. What separates these is the character with which most lines have a cell with a company number; of several,
/// the one that is first in the text.
fn records(text: &str) -> Result<Vec<StringRecord>, csv::Error> {
    let separated = |delimiter| {
        let mut reader = ReaderBuilder::new();
        let reader = reader.has_headers(false).flexible(true).delimiter(delimiter);
        reader.from_reader(text.as_bytes()).into_records().collect::<Result<Vec<_>, _>>()
    };
    let has_number = |it: &&StringRecord| it.iter().any(|cell| cell.trim().parse::<Uid>().is_ok());
    let mut delimiters = DELIMITERS;
    delimiters.sort_by_key(|it| text.bytes().position(|byte| byte == *it).unwrap_or(usize::MAX));
    let [first, others @ ..] = delimiters;
    let mut best = separated(first)?;
    for other in others {
        // With a character that is no separator here, quotation marks may not fit.
        let Ok(records) = separated(other) else { continue };
        if records.iter().filter(has_number).count() > best.iter().filter(has_number).count() {
            best = records;
        }
    }
    Ok(best)
}

/// Whether a line names columns.
fn is_header(line: &StringRecord) -> bool {
    let names_column = |it: &str| {
        let name = it.trim_matches([' ', '.']).to_uppercase();
        is_column(it) || OTHER_COLUMNS.contains(&name.as_str())
    };
    let has_digit = |it: &str| it.contains(|c: char| c.is_ascii_digit());
    !line.iter().any(has_digit) && line.iter().any(names_column)
}

fn is_column(name: &str) -> bool {
    let name = name.trim().to_uppercase();
    COLUMNS
        .iter()
        .any(|it| name.strip_prefix(it).is_some_and(|rest| !rest.starts_with(char::is_alphabetic)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "CHE-105.909.036";
    const SECOND: &str = "CHE-101.049.653";

    /// Number, cell, and whether it is a company number.
    fn lines(file: impl AsRef<[u8]>) -> Vec<(u64, String, bool)> {
        let lines = read(file.as_ref()).expect("cells");
        lines.into_iter().map(|it| (it.number, it.cell, it.uid.is_some())).collect()
    }

    fn both(first: u64, second: u64) -> Vec<(u64, String, bool)> {
        vec![(first, FIRST.to_owned(), true), (second, SECOND.to_owned(), true)]
    }

    #[test]
    fn every_spreadsheet_program_s_file_is_read() {
        for (file, first, second) in [
            (format!("{FIRST}\n{SECOND}"), 1, 2),
            (format!("{FIRST}\r\n\r\n{SECOND}\r\n"), 1, 3),
            (format!("\u{feff}UID\r\n{FIRST}\r\n{SECOND}\r\n"), 2, 3),
            (format!("\"{FIRST}\"\n\" {SECOND} \"\n"), 1, 2),
            (
                format!("Name;UID-Nr.;Ort\nMuster, Söhne AG;{FIRST};Bern\nAndere AG;{SECOND};Ur\n"),
                2,
                3,
            ),
            (format!("Numéro\tNom\n{FIRST}\tExemple SA\n{SECOND}\tAutre SA\n"), 2, 3),
            (format!("name,uid\n\"Muster\nAG\",{FIRST}\n\"A \"\"B\"\", C\",{SECOND}\n"), 2, 4),
            (format!("Muster AG;{FIRST}\nAndere AG;{SECOND}\n"), 1, 2),
            // The first of the possible separators is none.
            (format!("Firma, Ort;UID\nMuster, Bern;{FIRST}\nAndere, Ur;{SECOND}\n"), 2, 3),
            (format!("Muster, Bern;{FIRST}\nAndere\tAG, Ur;{SECOND}\n"), 1, 2),
        ] {
            assert_eq!(lines(&file), both(first, second), "{file:?}");
        }
        let text = format!("UID\r\n{FIRST}\r\n{SECOND}");
        let utf_16: Vec<u8> =
            [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        assert_eq!(lines(utf_16), both(2, 3));
        // Windows-1252.
        let latin: Vec<u8> =
            [&b"Soci\xe9t\xe9;IDE\nCaf\xe9;"[..], FIRST.as_bytes(), b"\n;", SECOND.as_bytes()]
                .concat();
        assert_eq!(lines(latin), both(2, 3));
    }

    #[test]
    fn what_is_no_company_number_is_reported_with_its_line() {
        let file = format!("{FIRST}\nMuster AG 12\n{FIRST}\nCHE-105.909.03\n");
        let expected = [
            (1, FIRST.to_owned(), true),
            (2, "Muster AG 12".to_owned(), false),
            (3, FIRST.to_owned(), true),
            (4, "CHE-105.909.03".to_owned(), false),
        ];
        assert_eq!(lines(file), expected);
        assert_eq!(lines("uid;name\n;Muster 1 AG\n"), [(2, String::new(), false)]);
        // A first line that names no column is an entry, not a header.
        for entry in ["Muster AG", "Nordwind AG", "Gesellschaft für Handel AG"] {
            let expected = [(1, entry.to_owned(), false), (2, FIRST.to_owned(), true)];
            assert_eq!(lines(format!("{entry}\n{FIRST}\n")), expected);
        }
        assert!(lines("").is_empty() && lines("UID\n").is_empty() && lines(" \n;;\n").is_empty());
    }
}
