//! The simplified table of OpenSanctions, `targets.simple.csv`.
//!
//! Format: CSV with a header; columns are found by name, because the publisher has added some. A cell with several values
//! joins them with `;`, and quotes values that contain one. A row is about one entry that the list is about.
//!
//! The table says less than the [entities](super::opensanctions): all names but one are aliases, all countries and all
//! identifiers are together, and it states neither topics nor offices nor relations. Derived are:
//! - the topic `sanction`, from the columns `sanctions` and `program_ids`. OpenSanctions fills them with sanctions, but also with
//!   other measures, such as an exclusion from public contracts. Somebody checks a hit too many, and nobody one too few;
//! - legal entity identifiers, and the IMO numbers of vessels, which have check digits.
//!
//! A politically exposed person is found but not recognised as one.
//!
//! The file is read twice, to merge rows with the same identifier. In memory are the identifiers and one row.

use std::io::{self, BufRead};

use domain::{
    Lei,
    lists::{
        BirthDate, EntryKind, IdentifierKind, InvalidPartialDate, List, ListAddress, ListEntry,
        ListIdentifier, ListName, ListVersion, NameQuality, Programme,
    },
};
use jiff::civil::Date;

use crate::{
    UnreadableList,
    left_out::LeftOut,
    lists::{
        ReadEntry,
        hashed::Hashed,
        opensanctions::{country, kind},
        output::{Identifiers, Output, made_from, unreadable},
    },
    table::{Row, Table},
    text::single_spaced,
};

/// Columns without which entries would lose what a screening compares.
const REQUIRED: [&str; 7] =
    ["id", "schema", "name", "aliases", "birth_date", "countries", "identifiers"];

/// Reads the table. See [`lists::read`](super::read).
pub fn read<R: BufRead>(
    mut open: impl FnMut() -> io::Result<R>,
    mut each: impl FnMut(ReadEntry),
) -> Result<ListVersion, UnreadableList> {
    let mut file = || open().map_err(|it| it.to_string());
    let mut read = || {
        let identifiers = identifiers(file()?)?;
        rows(file()?, identifiers, &mut each)
    };
    read().map_err(unreadable("the targets of OpenSanctions"))
}

fn table<R: io::Read>(file: R) -> Result<Table<R>, String> {
    let table = Table::open(file, b',')?;
    table.require(&REQUIRED)?;
    Ok(table)
}

fn identifiers<R: BufRead>(file: R) -> Result<Identifiers, String> {
    let mut table = table(file)?;
    let mut identifiers = Identifiers::default();
    while let Some(row) = table.next() {
        if let Ok(Some(id)) = row.as_ref().map_or(Ok(None), |it| it.text("id")) {
            identifiers.add(id);
        }
    }
    Ok(identifiers)
}

fn rows<R: BufRead>(
    file: R,
    identifiers: Identifiers,
    each: &mut dyn FnMut(ReadEntry),
) -> Result<ListVersion, String> {
    let mut file = Hashed::new(file);
    let mut output = Output::streamed(List::Opensanctions, identifiers, each);
    let mut table = table(&mut file)?;
    let mut newest: Option<Date> = None;
    let position = table.position("id").unwrap_or_default();
    while let Some(row) = table.next() {
        let row = match row {
            Ok(row) => row,
            Err(rejected) => {
                let id = rejected.record.split('\u{1f}').nth(position);
                output.reject(id.filter(|it| !it.is_empty()), &rejected.record, rejected.reason);
                continue;
            }
        };
        let mut left_out = LeftOut::default();
        let entry = entry(&row, &mut left_out);
        newest = newest.max(day(&row, "last_seen").unwrap_or_default());
        output.entry(entry, &left_out, || row.joined());
    }
    drop(table);
    output.finish(newest, file.finish().map_err(|it| it.to_string())?)
}

fn entry(row: &Row, left_out: &mut LeftOut) -> ListEntry {
    let id = left_out
        .value(row.required("id"))
        .map_or_else(|| made_from(row.joined().as_bytes()), str::to_owned);
    let schema = left_out.value(row.required("schema")).unwrap_or_default();
    let mut entry = ListEntry::new(List::Opensanctions, &id, kind(schema));
    let name = left_out.value(row.required("name")).and_then(single_spaced);
    entry.names.extend(name.map(|it| ListName::new(NameQuality::Primary, &it)));
    let mut all = |column| left_out.value(values(row, column)).unwrap_or_default();
    let aliases = all("aliases");
    entry.names.extend(aliases.iter().map(|it| ListName::new(NameQuality::Alias, it)));
    entry.countries = all("countries").iter().map(|it| country(it)).collect();
    let address = |it| ListAddress { text: Some(it), ..ListAddress::default() };
    entry.addresses = all("addresses").into_iter().map(address).collect();
    let identifier = |it: &String| ListIdentifier::new(identifier_kind(entry.kind, it), it);
    entry.identifiers = all("identifiers").iter().map(identifier).collect();
    entry.reasons = all("sanctions").into_iter().collect();
    let programme = |id| Programme { id: Some(id), ..Programme::default() };
    entry.programmes = all("program_ids").into_iter().map(programme).collect();
    entry.datasets = all("dataset").into_iter().collect();
    let birth_dates = all("birth_date");
    for text in birth_dates {
        let date = text.parse().map_err(|it: InvalidPartialDate| format!("birth_date: {it}"));
        entry.birth_dates.extend(left_out.value(date).map(BirthDate::exact));
    }
    // A measure that cannot be read is one.
    let is_sanctioned = |column| has_measure(row, column).unwrap_or(true);
    if is_sanctioned("sanctions") || is_sanctioned("program_ids") {
        entry.topics.insert("sanction".to_owned());
    }
    entry.listed = left_out.value(day(row, "first_seen")).flatten();
    entry.changed = left_out.value(day(row, "last_change")).flatten();
    left_out.value(day(row, "last_seen"));
    entry
}

/// Whether a cell states a measure. One without details is written as two quotation marks, which are no value.
fn has_measure(row: &Row, column: &str) -> Result<bool, String> {
    let is_stated = |it: &str| it.contains(|it: char| it != ';' && !it.is_whitespace());
    Ok(row.text(column)?.is_some_and(is_stated))
}

/// What a number of an entry of this kind identifies, as far as its form and its check digits show.
fn identifier_kind(entry: EntryKind, value: &str) -> IdentifierKind {
    // By chance, one in 97 numbers of digits passes the check of an LEI.
    let has_letter = value.contains(|it: char| it.is_ascii_alphabetic());
    if has_letter && value.parse::<Lei>().is_ok() {
        return IdentifierKind::Lei;
    }
    match entry {
        EntryKind::Vessel if is_imo(value) => IdentifierKind::Imo,
        _ => IdentifierKind::Other,
    }
}

/// Whether this is the IMO number of a ship, such as `IMO 9074729`: `IMO` and seven digits. The last one is that of the sum of the
/// others, multiplied by 7 to 2. Source: resolution A.1117(30) of the IMO.
fn is_imo(value: &str) -> bool {
    let Some(digits) = value.strip_prefix("IMO") else { return false };
    let digits: Option<Vec<u32>> = digits.trim_start().chars().map(|it| it.to_digit(10)).collect();
    let Some([digits @ .., check]) = digits.as_deref() else { return false };
    let sum: u32 = digits.iter().zip((2..=7).rev()).map(|(digit, factor)| digit * factor).sum();
    digits.len() == 6 && sum % 10 == *check
}

/// The day of a moment such as `2023-04-20T18:00:25`.
fn day(row: &Row, column: &str) -> Result<Option<Date>, String> {
    let Some(text) = row.text(column)? else { return Ok(None) };
    let day = text.split(['T', ' ']).next().and_then(|it| it.parse().ok());
    day.map(Some).ok_or_else(|| format!("{column}: `{text}` is not a day such as 2026-09-28"))
}

/// The values of a cell.
fn values(row: &Row, column: &str) -> Result<Vec<String>, String> {
    let Some(cell) = row.text(column)? else { return Ok(Vec::new()) };
    if !cell.contains('"') {
        return Ok(cell.split(';').filter_map(single_spaced).collect());
    }
    let mut reader = csv::ReaderBuilder::new();
    let mut reader =
        reader.delimiter(b';').has_headers(false).flexible(true).from_reader(cell.as_bytes());
    let mut values = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|it| format!("{column}: {it}"))?;
        values.extend(record.iter().filter_map(single_spaced));
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::lists::{ListFile, ListFormat, read_bytes};

    const TABLE: &str = include_str!("../../fixtures/lists/targets.simple.csv");

    fn read(text: &str) -> ListFile {
        read_bytes(ListFormat::Targets, text.as_bytes()).expect("a table")
    }

    fn entry(id: &str) -> ListEntry {
        let list = read(TABLE);
        list.entries.into_iter().find(|it| it.id == id).unwrap_or_else(|| panic!("{id}"))
    }

    fn texts<'a>(names: impl IntoIterator<Item = &'a ListName>) -> Vec<&'a str> {
        names.into_iter().map(|it| it.text.as_str()).collect()
    }

    #[test]
    fn cells_with_several_values_are_split() {
        let entry = entry("NK-inv0001");
        let expected = ["Mikalaj Dovreshenka", "Dovreshenko; Nikolai", "Николай Доврешенко"];
        assert_eq!(texts(&entry.names), expected);
        assert_eq!(entry.names.first().map(|it| it.quality), Some(NameQuality::Primary));
        let dates: Vec<String> = entry.birth_dates.iter().map(|it| it.date.to_string()).collect();
        assert_eq!(dates, ["1971", "1971-03-23"]);
        assert_eq!(Vec::from_iter(&entry.countries), ["BY", "RU"]);
        let ids: Vec<Option<&str>> = entry.programmes.iter().map(|it| it.id.as_deref()).collect();
        assert_eq!(ids, [Some("EU-ZBR"), Some("SECO-ZBR")]);
        assert_eq!(Vec::from_iter(&entry.datasets), ["EU Invented List", "Swiss Invented List"]);
        assert_eq!(
            (entry.listed, entry.changed),
            (Some(date(2023, 4, 20)), Some(date(2026, 7, 26)))
        );
    }

    #[test]
    fn schema_decides_what_the_entry_is() {
        use EntryKind::{Aircraft, Organisation, Other, Person, Vessel};
        let ids = ["NK-inv0001", "NK-inv0004", "NK-inv0006", "NK-inv0007", "NK-inv0008"];
        assert_eq!(ids.map(|it| entry(it).kind), [Person, Organisation, Vessel, Aircraft, Other]);
    }

    #[test]
    fn numbers_of_companies_are_recognised() {
        let identifiers = entry("NK-inv0004").identifiers;
        let kinds: Vec<_> = identifiers.iter().map(|it| (it.kind, it.value.as_str())).collect();
        assert_eq!(
            kinds,
            [
                (IdentifierKind::Uid, "CHE-600.000.026"),
                (IdentifierKind::Lei, "999900SUBSIDIARY0002"),
            ]
        );
    }

    #[test]
    fn numbers_with_check_digits_are_recognised() {
        use EntryKind::{Organisation, Vessel};
        let of_company = |it| identifier_kind(Organisation, it);
        assert_eq!(of_company("506700GE1G29325QX363"), IdentifierKind::Lei);
        assert_eq!(of_company("506700GE1G29325QX364"), IdentifierKind::Other);
        assert_eq!(of_company("IMO9074729"), IdentifierKind::Other, "companies have others");
        for number in ["IMO9074729", "IMO 9074729"] {
            assert_eq!(identifier_kind(Vessel, number), IdentifierKind::Imo);
        }
        for number in ["IMO9074728", "9074729", "IMO", "IMO907472", "IMO90747290", "IMOä"] {
            assert_eq!(identifier_kind(Vessel, number), IdentifierKind::Other, "{number}");
        }
    }

    #[test]
    fn measures_are_sanctions() {
        let of = |sanctions: &str, programmes: &str| {
            let header =
                "id,schema,name,aliases,birth_date,countries,identifiers,sanctions,program_ids";
            let read =
                read(&format!("{header}\n1,Person,Anna Muster,,,,,{sanctions},{programmes}\n"));
            read.entries.iter().all(ListEntry::is_sanctioned)
        };
        assert!(of("Asset freeze", "") && of("", "EU-ZBR"));
        assert!(of("\"\"\"\"\"\"", ""), "a measure without details");
        assert!(!of("", "") && !of(" ", " ; "));
    }

    #[test]
    fn version_is_of_the_day_on_which_entries_were_last_seen() {
        let version = read(TABLE).version;
        assert_eq!(version.date, Some(date(2026, 9, 28)));
        assert_eq!((version.entries, version.active, version.rejected), (17, 14, 2));
    }

    #[test]
    fn rows_about_the_same_entry_are_merged() {
        let entry = entry("NK-inv0009");
        assert_eq!(texts(&entry.names), ["Halfdan Opfunnen", "H. Opfunnen"]);
        assert_eq!(Vec::from_iter(&entry.countries), ["DK", "NO"]);
    }

    #[test]
    fn what_cannot_be_read_is_reported_with_its_identifier_and_column() {
        let rejected = read(TABLE).rejected;
        let reasons: Vec<(Option<&str>, &str)> =
            rejected.iter().map(|it| (it.id.as_deref(), it.reason.as_str())).collect();
        assert_eq!(
            reasons,
            [
                (
                    Some("NK-inv0013"),
                    "birth_date: `23 March` is not a date such as 1980, 1980-03 or 1980-03-23"
                ),
                (Some("NK-inv0014"), "name: is empty; has no readable name"),
                (Some("NK-inv0015"), "has 4 fields; the header has 16"),
            ]
        );
        assert_eq!(entry("NK-inv0013").unreadable, ["birth_date".to_owned()].into());
    }

    #[test]
    fn columns_are_found_by_name() {
        let (header, rows) = TABLE.split_once('\n').expect("a header");
        // Before `program_ids` was added.
        let renamed = header.replace("\"program_ids\"", "\"other\"");
        let older = read(&format!("{renamed}\n{rows}"));
        assert!(older.entries.iter().all(|it| it.programmes.is_empty()));
        assert_eq!(older.entries.len(), read(TABLE).entries.len());
    }

    #[test]
    fn table_in_another_format_is_an_error_that_names_its_columns() {
        let error = |text: &str| {
            let error = read_bytes(ListFormat::Targets, text.as_bytes()).expect_err(text);
            error.to_string()
        };
        assert_eq!(
            error("uid,sdn_name\n1,x\n"),
            "not a list of the targets of OpenSanctions: the header has no column `id`; it has: sdn_name, uid"
        );
        assert!(error("<html>").contains("it has: <html>"));
        assert!(error("").contains("no column `id`"));
        let header = TABLE.lines().next().expect("a header");
        assert!(error(header).ends_with("contains no record"));
    }
}
