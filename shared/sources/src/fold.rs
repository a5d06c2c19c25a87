use domain::Company;

use crate::{Fact, Statement};

/// The record that a company's facts make, folded in the order of their publication; `None` without
/// a record of the register among them.
///
/// The order of the slice does not matter: a late fact finds its place.
pub fn fold(facts: &[Fact]) -> Option<Company> {
    // A register record is a whole snapshot: the newest says all, the older ones are history.
    let snapshots = facts.iter().filter_map(|fact| match &fact.statement {
        Statement::Zefix(record) => Some((fact, record)),
        Statement::Shab(_) => None,
    });
    let (newest, record) =
        snapshots.max_by(|(one, _), (other, _)| one.order().cmp(&other.order()))?;
    let mut company = record.company(newest.uid);
    company.sources = vec![newest.provenance()];
    company.updated_at = newest
        .published
        .and_then(|it| it.to_zoned(jiff::tz::TimeZone::UTC).ok())
        .map(|it| it.timestamp());
    Some(company.completed())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zefix;

    fn fact(name: &str, published: &str) -> Fact {
        let json = format!(
            r#"{{"uid": "CHE107251578", "name": "{name}", "canton": "LU", "sogcDate": "{published}"}}"#
        );
        zefix::read(json.as_bytes()).expect("json").facts.remove(0)
    }

    #[test]
    fn the_newest_publication_wins_in_whatever_order_facts_arrive() {
        let (old, new) = (fact("Alt AG", "2024-01-01"), fact("Neu AG", "2026-01-01"));
        let forward = fold(&[old.clone(), new.clone()]).expect("a record");
        let backward = fold(&[new, old]).expect("a record");
        assert_eq!(forward, backward);
        assert_eq!(forward.name, "Neu AG");
    }

    #[test]
    fn without_facts_there_is_no_record() {
        assert_eq!(fold(&[]), None);
    }
}
