//! Companies licensed by the Swiss Financial Market Supervisory Authority (FINMA): its consolidated list.
//!
//! Format: a table with the columns `Name`, `UID`, `City` and `AuthorisationTypeEN`, `…DE`, `…FR`,
//! `…IT`; one row for each licence, so that a company may have several.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    Source, Uid,
    statements::{
        CompanyStatement, Statement,
        finma::{Licence, Licensee},
    },
};

use crate::{
    Batch, Coverage, Exchange, FetchPolicy, Fetched, Page, Reader, Rejected, Request,
    RequiredSetting, Schedule, SourceDescription, Unreadable,
    left_out::LeftOut,
    table::{Row, Table},
};

pub(crate) const ADDRESS: &str =
    "https://www.finma.ch/en/~/media/finma/dokumente/bewilligungstraeger/csv/uid.csv";

/// How the list is fetched: as one file. Its rows have no date, so the date of the file is used.
pub(crate) fn exchange() -> Exchange<'static> {
    let request = Request::get(ADDRESS).accepting("text/csv");
    Exchange::single(Source::Finma, request, |response| {
        Ok(Fetched { day: response.modified, ..Fetched::new(response.bytes, None) })
    })
}

/// The description of the source.
pub(crate) const DESCRIPTION: SourceDescription = SourceDescription {
    title: "Swiss Financial Market Supervisory Authority",
    states: "licences of banks, insurers and other financial institutions",
    formats: &["CSV table of all licensed companies"],
    reader: Reader::Identified(read),
    // A company that is missing from the newest list has lost its licences.
    coverage: Coverage::CompleteList { removed: || Statement::Finma(Box::default()) },
    is_indexed: true,
    depends_on: &[Source::Lindas],
    schedule: Schedule::Weekly,
    requires: RequiredSetting::Nothing,
    // The source documents no limit. A load is one file.
    policy: FetchPolicy::new(Source::Finma.name(), 2_000, 16),
    first_pages: |_| vec![Page::Finma],
    has_relationship_files: false,
};

/// Reads the list. Rejects rows without UID, which is about one in thirty, and those without a readable licence: their
/// companies stay on the list.
pub fn read(bytes: &[u8]) -> Result<Batch, Unreadable> {
    let unreadable = |reason| Unreadable { source_name: Source::Finma, reason };
    let mut table = Table::detect(bytes).map_err(unreadable)?;
    table.require(&["Name", "UID", "AuthorisationTypeEN"]).map_err(unreadable)?;
    let (mut rejected, mut unreadable) = (Vec::new(), BTreeSet::new());
    let mut by_uid: BTreeMap<Uid, Licensee> = BTreeMap::new();
    while let Some(row) = table.next() {
        let row = match row {
            Ok(row) => row,
            Err(invalid) => {
                rejected.push(invalid);
                continue;
            }
        };
        let uid = match row.parsed("UID").and_then(|it| it.ok_or("UID: is empty".to_owned())) {
            Ok(uid) => uid,
            Err(reason) => {
                rejected.push(row.rejected(reason));
                continue;
            }
        };
        let mut left_out = LeftOut::default();
        match licence(&row, &mut left_out) {
            Ok(licence) => {
                let name: Option<String> = row.optional("Name", &mut left_out);
                let city: Option<String> = row.optional("City", &mut left_out);
                let known = by_uid.entry(uid).or_default();
                known.licences.insert(licence);
                // If spellings differ, the smallest is used, so that the order of rows does not matter.
                known.name = known.name.take().into_iter().chain(name).min();
                known.city = known.city.take().into_iter().chain(city).min();
                rejected.extend(Rejected::in_part(&left_out, || row.joined()));
            }
            Err(reason) => {
                unreadable.insert(uid);
                rejected.push(row.rejected(reason));
            }
        }
    }
    let statements = by_uid.into_iter().map(|(uid, licensee)| statement(uid, licensee)).collect();
    Ok(Batch { statements, rejected, unreadable })
}

fn licence(row: &Row, left_out: &mut LeftOut) -> Result<Licence, String> {
    let en = row.required("AuthorisationTypeEN")?.to_owned();
    let [de, fr, it] = ["AuthorisationTypeDE", "AuthorisationTypeFR", "AuthorisationTypeIT"]
        .map(|it| row.optional(it, left_out));
    Ok(Licence { en, de, fr, it })
}

fn statement(uid: Uid, licensee: Licensee) -> CompanyStatement {
    CompanyStatement {
        uid,
        source: Source::Finma,
        // The list has no date. The fetcher sets the date of the file: `Batch::dated`.
        published: None,
        statement: Statement::Finma(Box::new(licensee)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LIST: &str = include_str!("../fixtures/finma/list.csv");

    fn licensee(it: &CompanyStatement) -> &Licensee {
        let Statement::Finma(licensee) = &it.statement else { panic!("{it:?}") };
        licensee
    }

    #[test]
    fn company_has_all_its_licences() {
        let batch = read(LIST.as_bytes()).expect("a table");
        assert_eq!(batch.statements.len(), 2);
        let licences: Vec<&str> =
            licensee(&batch.statements[0]).licences.iter().map(|it| it.en.as_str()).collect();
        assert_eq!(licences, ["Bank", "Custodian bank"]);
        assert_eq!(licensee(&batch.statements[1]).name.as_deref(), Some("Muster, Partner & Cie"));
    }

    #[test]
    fn invalid_row_is_rejected_with_its_column() {
        let batch = read(LIST.as_bytes()).expect("a table");
        let reasons: Vec<&str> = batch.rejected.iter().map(|it| it.reason.as_str()).collect();
        assert_eq!(
            reasons,
            [
                "UID: is empty",
                "UID: must be a company number of the form `CHE-NNN.NNN.NNN`; got `CHE-12`",
                "AuthorisationTypeEN: is empty",
                "has 2 fields; the header has 7",
            ]
        );
    }

    #[test]
    fn delimiter_and_order_of_rows_do_not_change_the_statements() {
        let plain = LIST.replace("\"Muster, Partner & Cie\"", "Muster Partner & Cie");
        let mut lines: Vec<&str> = plain.trim_end().lines().collect();
        lines[1..].reverse();
        let other = lines.join("\r\n").replace(',', ";");
        let statements = |text: &str| read(text.as_bytes()).expect("a table").statements;
        assert_eq!(statements(&other), statements(&plain));
    }

    #[test]
    fn file_in_another_format_is_an_error() {
        for text in ["", "<html>", "Name,UID\n", "a;b;c\n1;2;3\n"] {
            assert!(read(text.as_bytes()).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let header = LIST.lines().next().unwrap_or_default().as_bytes();
            let _ = read(&[header, b"\n", &bytes].concat());
        }
    }
}
