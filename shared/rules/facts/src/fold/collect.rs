//! Collects the publications that the facts contain, parsed, each once and in the order of publication.

use std::collections::BTreeMap;

use domain::statements::Statement;
use jiff::civil::Date;

use super::{gazette, publication::ParsedPublication, zefix};
use crate::Fact;

/// Publications by date, number and key.
type Publications = BTreeMap<(Date, Option<u64>, String), ParsedPublication>;

/// The company's own publications. If several sources contain the same one, the gazette's format is preferred
/// to the register's copy of its text, because it contains more.
pub(super) fn own_publications(facts: &[&Fact]) -> Vec<ParsedPublication> {
    let mut publications = Publications::new();
    for fact in facts {
        if let Statement::Zefix(record) = &fact.statement {
            for publication in zefix::publications(record, fact.uid) {
                publications.entry(sort_key(&publication)).or_insert(publication);
            }
        }
    }
    for fact in facts {
        if let Statement::Shab(publication) = &fact.statement {
            insert(&mut publications, gazette::publication(fact, publication));
        }
    }
    publications.into_values().collect()
}

/// The publications in which other companies state that they take this company over, as if the company had
/// published the takeover itself.
pub(super) fn takeovers(facts: &[&Fact]) -> Vec<ParsedPublication> {
    let mut takeovers = Publications::new();
    for fact in facts {
        if let Statement::Takeover(publication) = &fact.statement
            && let Some(takeover) = gazette::takeover(fact, publication)
        {
            insert(&mut takeovers, takeover);
        }
    }
    takeovers.into_values().collect()
}

fn sort_key(it: &ParsedPublication) -> (Date, Option<u64>, String) {
    (it.date, it.key.parse().ok(), it.key.clone())
}

/// Replaces an earlier version of the publication, unless that version is cancelled: a cancelled publication
/// stays cancelled.
fn insert(publications: &mut Publications, publication: ParsedPublication) {
    let key = sort_key(&publication);
    if publications.get(&key).is_none_or(|it| !it.is_cancelled) {
        publications.insert(key, publication);
    }
}
