//! Institutions that the Swiss Financial Market Supervisory Authority (FINMA) has authorised. A hit is information, not
//! a risk.
//!
//! Format: the table of the source [`finma`](crate::finma), with the columns `Name`, `UID`, `City`,
//! `AuthorisationTypeEN`, `…DE`, `…FR`, `…IT`; one row for each licence. Rows about the same institution are merged: its
//! licences are the programmes of the entry. An institution without UID, about one in thirty, is identified by its name
//! and city.
//!
//! The list has 3,000 rows and is in memory as a whole.

use std::io::{self, BufRead, Read};

use domain::{
    Uid,
    lists::{
        EntryKind, IdentifierKind, List, ListAddress, ListEntry, ListIdentifier, ListName,
        ListVersion, NameQuality, Programme, Translations,
    },
    text::fold,
};

use crate::{
    UnreadableList,
    left_out::LeftOut,
    lists::{
        ReadEntry,
        hashed::Hashed,
        output::{Output, unreadable},
    },
    table::{Row, Table},
    text::single_spaced,
};

/// Reads the list. See [`lists::read`](super::read).
pub fn read<R: BufRead>(
    mut open: impl FnMut() -> io::Result<R>,
    mut each: impl FnMut(ReadEntry),
) -> Result<ListVersion, UnreadableList> {
    let file = open().map_err(|it| it.to_string());
    let read = file.and_then(|it| rows(Hashed::new(it), &mut each));
    read.map_err(unreadable("the institutions authorised by FINMA"))
}

fn rows<R: BufRead>(
    mut file: Hashed<R>,
    each: &mut dyn FnMut(ReadEntry),
) -> Result<ListVersion, String> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|it| it.to_string())?;
    let mut table = Table::detect(&bytes)?;
    table.require(&["Name", "UID", "City", "AuthorisationTypeEN"])?;
    let mut output = Output::merged(List::FinmaAuthorised, each);
    while let Some(row) = table.next() {
        match row {
            Err(rejected) => output.reject(None, &rejected.record, rejected.reason),
            Ok(row) => {
                let mut left_out = LeftOut::default();
                let entry = entry(&row, &mut left_out);
                output.entry(entry, &left_out, || row.joined());
            }
        }
    }
    output.finish(None, file.finish().map_err(|it| it.to_string())?)
}

fn entry(row: &Row, left_out: &mut LeftOut) -> ListEntry {
    let uid: Option<Uid> = left_out.value(row.parsed("UID")).flatten();
    let mut text = |column| left_out.value(row.text(column)).flatten().and_then(single_spaced);
    let city = text("City");
    let mut licence = Translations {
        de: text("AuthorisationTypeDE"),
        fr: text("AuthorisationTypeFR"),
        it: text("AuthorisationTypeIT"),
        ..Translations::default()
    };
    licence.en = left_out.value(row.required("AuthorisationTypeEN")).map(str::to_owned);
    let name = left_out.value(row.required("Name")).and_then(single_spaced);
    let id = uid.map_or_else(
        || {
            let folded = |it: &Option<String>| fold(it.as_deref().unwrap_or_default());
            format!("{}, {}", folded(&name), folded(&city))
        },
        |uid| uid.to_string(),
    );
    let mut entry = ListEntry::new(List::FinmaAuthorised, &id, EntryKind::Organisation);
    entry.names.extend(name.map(|it| ListName::new(NameQuality::Primary, &it)));
    let uid = uid.map(|it| ListIdentifier::new(IdentifierKind::Uid, &it.to_string()));
    entry.identifiers.extend(uid);
    let address = ListAddress { city, ..ListAddress::default() };
    entry.addresses.extend(Some(address).filter(|it| !it.is_empty()));
    let programme = Programme { name: licence, ..Programme::default() };
    entry.programmes.extend(Some(programme).filter(|it| !it.name.is_empty()));
    entry.topics.insert("fin".to_owned());
    entry
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lists::{ListFile, ListFormat, read_bytes};

    const LIST: &str = include_str!("../../fixtures/lists/finma_authorised.csv");

    fn read(text: &str) -> ListFile {
        read_bytes(ListFormat::FinmaAuthorised, text.as_bytes()).expect("a list")
    }

    #[test]
    fn institution_has_all_its_licences() {
        let list = read(LIST);
        let bank = list.entries.iter().find(|it| it.id == "CHE-600.000.026").expect("the bank");
        let licences: Vec<Option<&str>> = bank.programmes.iter().map(|it| it.name.any()).collect();
        assert_eq!(licences, [Some("Bank"), Some("Custodian bank")]);
        assert_eq!(bank.name(), Some("Bank Erfunden AG"));
        assert_eq!(bank.identifiers.first().map(|it| it.kind), Some(IdentifierKind::Uid));
        assert!(!bank.is_sanctioned());
    }

    #[test]
    fn institution_without_company_number_is_identified_by_name_and_city() {
        let list = read(LIST);
        let fund = list.entries.iter().find(|it| it.identifiers.is_empty()).expect("one");
        assert_eq!(fund.id, "fonds ohne nummer, zug");
        assert_eq!(fund.programmes.len(), 2, "both rows");
    }

    #[test]
    fn member_that_cannot_be_read_is_left_out_with_its_column() {
        let list = read(&format!("{LIST}Kurz AG,CHE-600.000.144,Zug\n"));
        let reasons: Vec<&str> = list.rejected.iter().map(|it| it.reason.as_str()).collect();
        assert_eq!(
            reasons,
            [
                "UID: must be a company number of the form `CHE-NNN.NNN.NNN`; got `CHE-12`",
                "AuthorisationTypeEN: is empty",
                "has 3 fields; the header has 7",
            ]
        );
        assert_eq!((list.version.entries, list.version.active), (18, 14));
    }

    #[test]
    fn delimiter_is_detected() {
        let other: String = LIST.replace(',', ";");
        assert_eq!(read(&other).entries, read(LIST).entries);
    }

    #[test]
    fn file_in_another_format_is_an_error() {
        let error = read_bytes(ListFormat::FinmaAuthorised, b"<html>").expect_err("html");
        assert_eq!(
            error.to_string(),
            "not a list of the institutions authorised by FINMA: the header has no column `Name`; it has: <html>"
        );
        let header = LIST.lines().next().expect("a header");
        let error = read_bytes(ListFormat::FinmaAuthorised, header.as_bytes()).expect_err("empty");
        assert!(error.to_string().ends_with("contains no record"));
    }
}
