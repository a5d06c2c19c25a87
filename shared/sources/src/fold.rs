use std::collections::BTreeMap;

use domain::Company;
use jiff::{Timestamp, civil::Date, tz::TimeZone};

use crate::{Fact, Lei, Statement};

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
    company.updated_at = used.iter().filter_map(|it| it.published).max().and_then(midnight);
    // As old as the purpose that it is read from: the same facts make the same record.
    company.classify(base.published.and_then(midnight));
    Some(company.completed())
}

fn midnight(day: Date) -> Option<Timestamp> {
    Some(day.to_zoned(TimeZone::UTC).ok()?.timestamp())
}

/// Fills what other sources say of the company, and remembers which facts said it.
fn enrich<'a>(company: &mut Company, facts: &[&'a Fact], used: &mut Vec<&'a Fact>) {
    let entities = facts.iter().filter_map(|fact| match &fact.statement {
        Statement::Gleif(entity) => Some((*fact, entity)),
        _ => None,
    });
    // Of each identifier the newest statement; a company may bear several, of which one is kept up.
    let newest_of_each: BTreeMap<Lei, _> =
        entities.clone().map(|(fact, entity)| (entity.lei, (fact, entity))).collect();
    let kept_up =
        newest_of_each.into_values().max_by_key(|(fact, entity)| (entity.rank(), fact.order()));
    if let Some((fact, entity)) = kept_up.filter(|(_, entity)| entity.is_valid()) {
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

    const PAGE: &str = r#"{"results": {"bindings": [{"entity": {"value": "https://register.ld.admin.ch/zefix/company/1"},
        "legalName": {"value": "Muster AG (verbunden)"}, "uid": {"value": "CHE107251578"},
        "purpose": {"value": "Betrieb einer Bäckerei. Die Gesellschaft kann Immobilien erwerben."}}]}}"#;

    #[test]
    fn the_linked_data_is_the_base_until_the_register_itself_was_asked() {
        let day = "2026-11-19".parse().ok();
        let linked = crate::lindas::read(PAGE.as_bytes()).expect("json").dated(day).facts.remove(0);
        let company = fold(std::slice::from_ref(&linked)).expect("a record");
        assert_eq!((company.name.as_str(), company.status), ("Muster AG (verbunden)", None));
        assert_eq!(company.sub_industry.as_deref(), Some("Bakeries"));
        assert_eq!(company.industry_classified_at, company.updated_at);
        // However new the linked data is: it knows less.
        let company = fold(&[linked, fact("Muster AG", "2024-01-01")]).expect("a record");
        assert_eq!(company.name, "Muster AG");
        assert_eq!(company.data_source.as_deref(), Some("zefix"));
        assert_eq!(company.sources.len(), 1);
    }

    #[test]
    fn a_licence_and_heads_are_filled_in_and_news_are_not() {
        let list = |row: &str| format!("Name,UID,AuthorisationTypeEN\n{row}");
        let day = |text: &str| text.parse().ok();
        let licensed = crate::finma::read(list("Muster AG,CHE107251578,Bank").as_bytes());
        let licensed = licensed.expect("a table").dated(day("2026-01-01"));
        let empty = crate::finma::read(list("Andere AG,CHE600000026,Bank").as_bytes());
        let gone = crate::finma::withdrawn(
            licensed.facts.iter().map(|it| it.uid),
            &empty.expect("a table"),
        );
        let gone = crate::Batch { facts: gone, rejected: Vec::new() }.dated(day("2026-02-01"));
        let reports = "uid,fiscalYear,employees\nCHE107251578,2024,40\nCHE107251578,2023,30\n";
        let reports = crate::read(crate::Source::Reports, reports.as_bytes()).expect("a table");
        let feed = "<rss><channel><item><title>Nachricht</title><link>https://a.example/</link>\
            <category domain=\"uid\">CHE107251578</category><pubDate>2026-03-01</pubDate></item></channel></rss>";
        let news = crate::read(crate::Source::News, feed.as_bytes()).expect("rss");
        assert_eq!((reports.facts.len(), news.facts.len()), (2, 1));

        let mut facts = vec![fact("Muster AG", "2024-01-01")];
        facts.extend(licensed.facts);
        facts.extend(reports.facts);
        facts.extend(news.facts);
        let company = fold(&facts).expect("a record");
        assert_eq!((company.is_finma_regulated, company.employee_count), (Some(true), Some(40)));
        let sources: Vec<&str> = company.sources.iter().map(|it| it.source.as_str()).collect();
        assert_eq!(sources, ["zefix", "finma", "reports"]);
        assert_eq!(
            company.updated_at.map(|it| it.to_string()),
            Some("2026-01-01T00:00:00Z".into())
        );
        facts.extend(gone.facts);
        assert_eq!(fold(&facts).expect("a record").is_finma_regulated, Some(false));
    }

    #[test]
    fn without_facts_there_is_no_record() {
        assert_eq!(fold(&[]), None);
    }
}
