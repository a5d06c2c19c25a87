//! Who is licensed by the Swiss Financial Market Supervisory Authority: its consolidated list.
//!
//! Format: a table with the columns `Name`, `UID`, `City` and `AuthorisationTypeEN`, `…DE`, `…FR`,
//! `…IT`; one row for each licence, so that a company may have several.

use std::collections::{BTreeMap, BTreeSet};

use domain::Uid;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::{
    Batch, Fact, Rejected, Request, Source, Statement, Unreadable,
    fact::fingerprint,
    table::{Row, Table},
};

const ADDRESS: &str =
    "https://www.finma.ch/en/~/media/finma/dokumente/bewilligungstraeger/csv/uid.csv";

/// Where the list can be looked at.
pub(crate) const REFERENCE: &str =
    "https://www.finma.ch/en/finma-public/authorised-institutions-individuals-and-products/";

/// Every licence of one company. Without any, the company was in an earlier list and is no longer.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Licensee {
    pub name: Option<String>,
    pub city: Option<String>,
    #[serde(default)]
    pub licences: BTreeSet<Licence>,
}

/// A type of licence, in the authority's words.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Licence {
    pub en: String,
    pub de: Option<String>,
    pub fr: Option<String>,
    pub it: Option<String>,
}

/// The whole list: there is one file.
pub fn request() -> Request {
    Request::get(ADDRESS).accepting("text/csv")
}

/// Reads the list. Rows without a company number are rejected: about one in thirty has none.
pub fn read(bytes: &[u8]) -> Result<Batch, Unreadable> {
    let unreadable = |reason| Unreadable { source_name: Source::Finma, reason };
    let mut table = Table::sniffed(bytes).map_err(unreadable)?;
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
                // Of two spellings the first in order, whatever the order of the rows.
                known.name = known.name.take().into_iter().chain([name]).min();
                known.city = known.city.take().into_iter().chain(city).min();
            }
            Err(reason) => rejected.push(row.rejected(reason)),
        }
    }
    let mut facts = Vec::new();
    for (uid, licensee) in by_uid {
        match fact(uid, licensee) {
            Ok(fact) => facts.push(fact),
            Err(reason) => rejected.push(Rejected { record: uid.to_string(), reason }),
        }
    }
    Ok(Batch { facts, rejected })
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

fn fact(uid: Uid, licensee: Licensee) -> Result<Fact, String> {
    Ok(Fact {
        uid,
        source: Source::Finma,
        // The list bears no date; whoever fetches it knows one: `Batch::dated`.
        published: None,
        publication: None,
        fingerprint: fingerprint(&licensee)?,
        read_at: None,
        statement: Statement::Finma(Box::new(licensee)),
    })
}

/// Whether this is a fact of somebody who is on the list.
pub fn is_licensed(fact: &Fact) -> bool {
    matches!(&fact.statement, Statement::Finma(it) if !it.licences.is_empty())
}

/// Facts that these companies have no licence any more: those of an earlier list that this one lacks.
/// Only a list that was read whole can say so; a list with hardly any rows is more likely torn.
pub fn withdrawn(earlier: impl IntoIterator<Item = Uid>, list: &Batch) -> Vec<Fact> {
    let listed: BTreeSet<Uid> = list.facts.iter().map(|it| it.uid).collect();
    let gone = earlier.into_iter().filter(|uid| !listed.contains(uid));
    gone.filter_map(|uid| fact(uid, Licensee::default()).ok()).collect()
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

    fn licensee(fact: &Fact) -> &Licensee {
        let Statement::Finma(licensee) = &fact.statement else { panic!("{fact:?}") };
        licensee
    }

    #[test]
    fn a_company_has_all_its_licences() {
        let batch = read(LIST.as_bytes()).expect("a table");
        assert_eq!(batch.facts.len(), 2);
        let licences: Vec<&str> =
            licensee(&batch.facts[0]).licences.iter().map(|it| it.en.as_str()).collect();
        assert_eq!(licences, ["Bank", "Custodian bank"]);
        assert_eq!(licensee(&batch.facts[1]).name.as_deref(), Some("Muster, Partner & Cie"));
    }

    #[test]
    fn a_row_that_cannot_be_read_is_rejected_with_its_column() {
        let batch = read(LIST.as_bytes()).expect("a table");
        let reasons: Vec<&str> = batch.rejected.iter().map(|it| it.reason.as_str()).collect();
        assert_eq!(
            reasons,
            [
                "UID: is empty",
                "UID: `CHE-12` is not a company number of the form CHE-NNN.NNN.NNN",
                "AuthorisationTypeEN: is empty",
                "has 2 fields where the header has 7",
            ]
        );
    }

    #[test]
    fn semicolons_and_another_order_of_rows_make_the_same_facts() {
        let plain = LIST.replace("\"Muster, Partner & Cie\"", "Muster Partner & Cie");
        let mut lines: Vec<&str> = plain.trim_end().lines().collect();
        lines[1..].reverse();
        let other = lines.join("\r\n").replace(',', ";");
        let facts = |text: &str| read(text.as_bytes()).expect("a table").facts;
        assert_eq!(facts(&other), facts(&plain));
    }

    #[test]
    fn who_left_the_list_has_no_licence_any_more() {
        let list = read(LIST.as_bytes()).expect("a table");
        let earlier = ["CHE-600.000.012", "CHE-600.000.058"].map(|it| it.parse().expect("number"));
        let gone = withdrawn(earlier, &list);
        assert_eq!(gone.len(), 1);
        assert_eq!(gone[0].uid, earlier[1]);
        assert!(!is_licensed(&gone[0]) && list.facts.iter().all(is_licensed));
    }

    #[test]
    fn a_file_of_another_kind_is_refused() {
        for text in ["", "<html>", "Name,UID\n", "a;b;c\n1;2;3\n"] {
            assert!(read(text.as_bytes()).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let header = LIST.lines().next().unwrap_or_default().as_bytes();
            let _ = read(&[header, b"\n", &bytes].concat());
        }
    }
}
