//! How facts become the record of a company and its history.
//!
//! A snapshot of the register says all at once; a publication says what changed. The record is the
//! newest snapshot with the publications after it; the history is every publication, in order.
//!
//! | File | Says |
//! |---|---|
//! | `announced` | what one publication states, whichever source brought it |
//! | `events` | what that makes happen |
//! | `board` | who holds office and who audits, from notice to notice |
//! | `past` | the company as it was on a day |

mod announced;
mod board;
mod events;
mod past;

use std::collections::BTreeMap;

use domain::{
    Company, History, Status,
    changes::midnight,
    company::{Affiliation, AffiliationKind},
    history::Recorded,
};
use jiff::civil::Date;

pub(crate) use self::announced::Announced;
pub use self::past::{Past, fold_until};
use crate::{
    Fact, Lei, Statement,
    gazette::notice::{Affair, CapitalKind, Change, Combination, Proceeding},
};

/// The record that a company's facts make; `None` where no register says that there is such a company.
///
/// The order of the slice does not matter: a late fact finds its place.
pub fn fold(facts: &[Fact]) -> Option<Company> {
    fold_with_history(facts).map(|(company, _)| company)
}

/// The same, and what happened to the company.
pub fn fold_with_history(facts: &[Fact]) -> Option<(Company, History)> {
    let facts = in_order(facts);
    let publications = announced::announced(&facts);
    let history = history(&publications);
    let company = company(&facts, &publications, &history)?;
    Some((company, history))
}

fn in_order(facts: &[Fact]) -> Vec<&Fact> {
    let mut facts: Vec<&Fact> = facts.iter().collect();
    facts.sort_by(|one, other| one.order().cmp(&other.order()));
    facts
}

fn history(publications: &[Announced]) -> History {
    let mut board = board::Board::default();
    let mut history = History::default();
    for publication in publications {
        if !publication.is_cancelled {
            board.follow(publication);
        }
        history.events.extend(events::events(publication).into_iter().map(Recorded::from));
    }
    history.mandates = board.mandates;
    history.tenures = board.tenures;
    history.same_persons = board.same_persons;
    history
}

fn company(facts: &[&Fact], publications: &[Announced], history: &History) -> Option<Company> {
    // The register's own interface knows more than its linked data does, so that the latter counts
    // where the former was never asked.
    let snapshot = newest(facts, |it| match it {
        Statement::Zefix(record) => Some(record),
        _ => None,
    })
    .map(|(fact, record)| (record.company(fact.uid), fact))
    .or_else(|| {
        newest(facts, |it| match it {
            Statement::Lindas(record) => Some(record),
            _ => None,
        })
        .map(|(fact, record)| (record.company(fact.uid), fact))
    });
    let mut used: Vec<&Fact> = snapshot.iter().map(|(_, fact)| *fact).collect();
    let said = snapshot.as_ref().and_then(|(_, fact)| fact.published);
    // What the snapshot holds, it holds as it was when it was made.
    let later = |it: &&Announced| said.is_none_or(|said| it.date > said) && !it.is_cancelled;
    let later: Vec<&Announced> = publications.iter().filter(later).collect();
    let mut company = match snapshot {
        Some((company, _)) => company,
        None => {
            let first = later.first()?;
            let mut company = Company::new(first.uid, &first.company_name);
            company.data_source = Some(first.source.source.clone());
            company
        }
    };
    for publication in &later {
        follow(&mut company, publication);
    }
    if !later.is_empty() {
        audited(&mut company, history);
    }
    if company.registration_date.is_none() {
        let entered = publications.iter().find(|it| it.is_registration && !it.is_cancelled);
        company.registration_date = entered.map(|it| it.date);
    }
    enrich(&mut company, facts, &mut used);

    company.sources = used.iter().map(|it| it.provenance()).collect();
    company.sources.extend(later.last().map(|it| it.source.clone()));
    let days = used.iter().filter_map(|it| it.published).chain(later.iter().map(|it| it.date));
    company.updated_at = days.max().map(midnight);
    // As old as the purpose may be that it is read from: the same facts make the same record.
    company.classify(company.updated_at);
    Some(company.completed())
}

/// Puts what a publication says in the place of what the record said.
fn follow(company: &mut Company, publication: &Announced) {
    let is_end = publication.deleted.is_some();
    match (&publication.before, &publication.after) {
        (_, Some(after)) => after.apply(company),
        // A deletion describes the company as it was.
        (Some(before), None) if is_end => before.apply(company),
        _ => by_text(company, publication),
    }
    if publication.canton.is_some() {
        company.canton = publication.canton;
    }
    if publication.is_registration {
        company.status = Some(Status::Active);
    }
    if company.status.is_none() {
        // What is published of is entered, and bears its liquidation in its name (OR 739).
        let folded = domain::text::fold(&company.name);
        let endings = ["in liquidation", "en liquidation", "in liquidazione"];
        let is_ending = endings.iter().any(|it| folded.ends_with(it));
        company.status = Some(if is_ending { Status::BeingCancelled } else { Status::Active });
    }
    for change in &publication.notice.changes {
        match change {
            Change::NewEntry | Change::ReEntry => {
                company.status = Some(Status::Active);
                company.deletion_date = None;
            }
            // The office's own day of the deletion, where it says one, is not that of the publication.
            Change::Deletion => deleted(company, publication.deleted.unwrap_or(publication.date)),
            Change::OptingOut { waived } => company.auditor_opt_out = Some(*waived),
            Change::Proceeding { affair: Affair::Moratorium, .. } => {}
            Change::Proceeding { proceeding: Proceeding::Opened, .. } => {
                company.status = Some(Status::BeingCancelled);
            }
            Change::Proceeding { proceeding: Proceeding::Revoked, .. } => {
                company.status = Some(Status::Active);
            }
            Change::Combination { combination, party } => {
                let kind = match combination {
                    Combination::TakesOver => AffiliationKind::HasTakenOver,
                    Combination::IsTakenOverBy => AffiliationKind::WasTakenOverBy,
                    Combination::Demerger | Combination::AssetTransfer => continue,
                };
                let party = Affiliation { kind, uid: party.uid, name: party.name.clone() };
                if !company.affiliations.contains(&party) {
                    company.affiliations.push(party);
                }
            }
            _ => {}
        }
    }
    if let Some(day) = publication.deleted {
        deleted(company, day);
    }
}

fn deleted(company: &mut Company, day: Date) {
    company.status = Some(Status::Cancelled);
    company.deletion_date = company.deletion_date.or(Some(day));
}

/// The members that a text states, where there are no blocks.
fn by_text(company: &mut Company, publication: &Announced) {
    for change in &publication.notice.changes {
        match change {
            Change::Name { to } => company.name.clone_from(to),
            Change::Seat { to: Some(to), .. } => {
                company.legal_seat = Some(to.clone());
                (company.legal_seat_id, company.municipality) = (None, None);
            }
            Change::Purpose { to } => company.purpose = Some(to.clone()),
            Change::Capital {
                capital: CapitalKind::Shares | CapitalKind::Quotas,
                to,
                currency,
                ..
            } => {
                company.share_capital = Some(*to);
                company.currency = currency.clone().or(company.currency.take());
            }
            Change::LegalForm { to } => {
                if let Some(form) = domain::legal_forms::LegalForm::named(to) {
                    company.legal_form = Some(form.name().to_owned());
                    company.legal_form_code = Some(form.code.to_owned());
                }
            }
            _ => {}
        }
    }
}

/// The auditor, as the notices leave it.
fn audited(company: &mut Company, history: &History) {
    let Some(newest) = history.tenures.last() else { return };
    let current = history.current_tenure();
    company.auditor_name = current.map(|it| it.auditor_name.clone());
    company.auditor_uid = current.and_then(|it| it.auditor_uid);
    company.auditor_source = Some(newest.source.source.clone());
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
    fn a_company_is_deleted_on_the_day_that_the_office_says() {
        let deletion = r#"{"meta": {"id": "00000000-0000-4000-8000-000000000001", "rubric": "HR",
            "subRubric": "HR03", "language": "de", "publicationNumber": "HR03-1000000001",
            "publicationState": "PUBLISHED", "publicationDate": "2026-03-05T00:00:00.000Z",
            "cantons": ["LU"], "title": {"de": "Alt AG"}},
            "content": {"publicationText": "Alt AG, in Luzern, CHE-107.251.578, Aktiengesellschaft. Die Gesellschaft wird im Handelsregister gelöscht.",
            "journalNumber": 1, "journalDate": "2026-03-02T00:00:00.000Z",
            "commonsActual": {"company": {"name": "Alt AG", "uid": "CHE-107.251.578", "seat": "Luzern", "legalForm": "0106"}},
            "transaction": {"delete": {"deletionDate": "2026-03-02"}}}}"#;
        let deletion = crate::gazette::read(deletion.as_bytes()).expect("json").facts.remove(0);
        let company = fold(&[fact("Alt AG", "2024-01-01"), deletion]).expect("a record");
        assert_eq!(company.status, Some(Status::Cancelled));
        assert_eq!(company.deletion_date, "2026-03-02".parse().ok());
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
