use domain::Company;
use jiff::tz::TimeZone;

use crate::{Fact, Statement};

/// The record that a company's facts make, folded in the order of their publication; `None` where no
/// register says that there is such a company.
///
/// The order of the slice does not matter: a late fact finds its place.
pub fn fold(facts: &[Fact]) -> Option<Company> {
    let mut facts: Vec<&Fact> = facts.iter().collect();
    facts.sort_by(|one, other| one.order().cmp(&other.order()));

    // The register's own interface knows more than its linked data does, so that the latter counts
    // where the former was never asked.
    let (mut company, base) = newest(&facts, |it| match it {
        Statement::Zefix(record) => Some(record),
        _ => None,
    })
    .map(|(fact, record)| (record.company(fact.uid), fact))
    .or_else(|| {
        newest(&facts, |it| match it {
            Statement::Lindas(record) => Some(record),
            _ => None,
        })
        .map(|(fact, record)| (record.company(fact.uid), fact))
    })?;
    let mut used = vec![base];
    enrich(&mut company, &facts, &mut used);

    company.sources = used.iter().map(|it| it.provenance()).collect();
    company.updated_at = used
        .iter()
        .filter_map(|it| it.published)
        .max()
        .and_then(|it| it.to_zoned(TimeZone::UTC).ok())
        .map(|it| it.timestamp());
    Some(company.completed())
}

/// Fills what other sources say of the company, and remembers which facts said it.
fn enrich<'a>(company: &mut Company, facts: &[&'a Fact], used: &mut Vec<&'a Fact>) {
    let entities = facts.iter().filter_map(|fact| match &fact.statement {
        Statement::Gleif(entity) => Some((*fact, entity)),
        _ => None,
    });
    // The newest of the best: a company may bear several identifiers, of which one is kept up.
    let entity = entities.clone().max_by_key(|(_, entity)| entity.rank());
    if let Some((fact, entity)) = entity.filter(|(_, entity)| entity.is_valid()) {
        entity.enrich(company);
        used.push(fact);
        // Level 1 alone says nothing of parents, and does not take back what level 2 said.
        let groups = entities.filter(|(_, it)| it.lei == entity.lei);
        let grouped = groups.filter_map(|(fact, it)| Some((fact, it.group.as_ref()?))).next_back();
        if let Some((with_group, group)) = grouped {
            group.enrich(company, with_group.published);
            if with_group != fact {
                used.push(with_group);
            }
        }
    }
    let licensee = newest(facts, |it| match it {
        Statement::Finma(licensee) => Some(licensee),
        _ => None,
    });
    if let Some((fact, licensee)) = licensee {
        company.is_finma_regulated = Some(!licensee.licences.is_empty());
        used.push(fact);
    }
    // Of the last period that counts heads, whenever it was published.
    let reports = facts.iter().filter_map(|fact| match &fact.statement {
        Statement::Report(report) if report.employees.is_some() => Some((*fact, report)),
        _ => None,
    });
    if let Some((fact, report)) = reports.max_by_key(|(_, report)| report.period()) {
        report.enrich(company);
        used.push(fact);
    }
}

/// The newest fact of a kind, in facts that are in order.
fn newest<'a, T>(
    facts: &[&'a Fact],
    of_kind: impl Fn(&'a Statement) -> Option<T>,
) -> Option<(&'a Fact, T)> {
    facts.iter().rev().find_map(|fact| Some((*fact, of_kind(&fact.statement)?)))
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
