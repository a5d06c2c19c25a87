//! Companies licensed by the Swiss Financial Market Supervisory Authority (FINMA): its consolidated list.
//!
//! Format: a table with the columns `Name`, `UID`, `City` and `AuthorisationTypeEN`, `…DE`, `…FR`,
//! `…IT`; one row for each licence, so that a company may have several.

use std::collections::{BTreeMap, BTreeSet};

use domain::Uid;
use statements::{
    CompanyStatement, Source, Statement,
    finma::{Licence, Licensee},
};

use crate::{
    Batch, Request, Unreadable,
    table::{Row, Table},
};
use crate::{FetchPolicy, Reader, SourceDescription, description::WEEKLY};

const ADDRESS: &str =
    "https://www.finma.ch/en/~/media/finma/dokumente/bewilligungstraeger/csv/uid.csv";

/// Request for the complete list, which is one file.
pub fn request() -> Request {
    Request::get(ADDRESS).accepting("text/csv")
}

/// The description of the source.
pub(crate) const DESCRIPTION: SourceDescription = SourceDescription {
    interval_minutes: WEEKLY,
    // The source documents no limit. A load is one file.
    policy: FetchPolicy::new("finma", 2_000, 16),
    is_complete_list: true,
    depends_on: &[Source::Lindas],
    reader: Reader::Identified(read),
};

/// Reads the list. Rejects rows without UID, which is about one in thirty.
pub fn read(bytes: &[u8]) -> Result<Batch, Unreadable> {
    let unreadable = |reason| Unreadable { source_name: Source::Finma, reason };
    let mut table = Table::detect(bytes).map_err(unreadable)?;
    table.require(&["Name", "UID", "AuthorisationTypeEN"]).map_err(unreadable)?;
    let mut rejected = Vec::new();
    let mut by_uid: BTreeMap<Uid, Licensee> = BTreeMap::new();
    while let Some(row) = table.next() {
        let row = match row {
            Ok(row) => row,
            Err(broken) => {
                rejected.push(broken);
                continue;
            }
        };
        match licence(&row) {
            Ok((uid, name, city, licence)) => {
                let known = by_uid.entry(uid).or_default();
                known.licences.insert(licence);
                // If spellings differ, the smallest is used, so that the order of rows does not matter.
                known.name = known.name.take().into_iter().chain([name]).min();
                known.city = known.city.take().into_iter().chain(city).min();
            }
            Err(reason) => rejected.push(row.rejected(reason)),
        }
    }
    let statements = by_uid.into_iter().map(|(uid, licensee)| statement(uid, licensee)).collect();
    Ok(Batch { statements, rejected })
}

fn licence(row: &Row) -> Result<(Uid, String, Option<String>, Licence), String> {
    let uid: Uid = row.parsed("UID")?.ok_or("UID: is empty")?;
    let owned = |name| row.text(name).map(|it| it.map(str::to_owned));
    let licence = Licence {
        en: row.required("AuthorisationTypeEN")?.to_owned(),
        de: owned("AuthorisationTypeDE")?,
        fr: owned("AuthorisationTypeFR")?,
        it: owned("AuthorisationTypeIT")?,
    };
    Ok((uid, row.required("Name")?.to_owned(), owned("City")?, licence))
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

/// Whether the statement contains a licence, so that its company is on the list.
pub fn is_licensed(statement: &Statement) -> bool {
    matches!(statement, Statement::Finma(it) if !it.licences.is_empty())
}

/// Statements without licences for the companies of an earlier list (`earlier`) that are missing from the
/// current one (`listed`). The caller must check that the current list is complete: a very short list is
/// probably truncated.
pub fn withdrawn(
    earlier: impl IntoIterator<Item = Uid>,
    listed: impl IntoIterator<Item = Uid>,
) -> Vec<CompanyStatement> {
    let listed: BTreeSet<Uid> = listed.into_iter().collect();
    let gone = earlier.into_iter().filter(|uid| !listed.contains(uid));
    gone.map(|uid| statement(uid, Licensee::default())).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LIST: &str = "\u{feff}Name,UID,City,AuthorisationTypeEN,AuthorisationTypeDE,AuthorisationTypeFR,AuthorisationTypeIT\n\
        Muster Bank AG,CHE-600.000.012,Bern,Bank,Bank,Banque,Banca\n\
        Muster Bank AG,CHE600000012,Bern,Custodian bank,Depotbank,Banque dépositaire,Banca depositaria\n\
        \"Muster, Partner & Cie\",CHE-600.000.029,Genève,Portfolio manager,Vermögensverwalter,,\n\
        Fonds ohne Nummer,,Zug,Fund,Fonds,Fonds,Fondo\n\
        Kaputt AG,CHE-12,Zug,Bank,Bank,Banque,Banca\n\
        Ohne Bewilligung AG,CHE-600.000.035,Zug,,,,\n\
        Kurz AG,CHE-600.000.041\n";

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
    fn company_missing_from_the_list_loses_its_licences() {
        let list = read(LIST.as_bytes()).expect("a table");
        let earlier = ["CHE-600.000.012", "CHE-600.000.058"].map(|it| it.parse().expect("number"));
        let gone = withdrawn(earlier, list.statements.iter().map(|it| it.uid));
        assert_eq!(gone.len(), 1);
        assert_eq!(gone[0].uid, earlier[1]);
        assert!(!is_licensed(&gone[0].statement));
        assert!(list.statements.iter().all(|it| is_licensed(&it.statement)));
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
