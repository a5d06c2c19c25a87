//! Links between companies: offices, mergers, corporate groups, shared people, and significant shareholders.

mod acquisitions;
mod hierarchy;
pub(crate) mod list;
mod shareholders;
mod structure;

use std::collections::HashSet;

use domain::{
    ChangeKind, Company, Event, History, Uid,
    changes::WantedChangeKind,
    company::AffiliationKind,
    relationships::{
        CompanyRelation, CompanyWithSharedPersons, companies_with_shared_persons, relations_of,
    },
    search::{PageSize, Uids, changes::ChangeQuery},
};
use generations::Generation;
use http_service::{Description, Routes, handler, reads};
use problem_details::Problem;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(10), handler!(list::relationships))
        .route(reads(10), handler!(hierarchy::hierarchy))
        .route(reads(10), handler!(structure::structure))
        .route(reads(10), handler!(acquisitions::acquisitions))
}

/// Maximum number of related companies that are read. No company has that many offices.
const MAX_RELATIVES: usize = 1_000;

/// The related companies of a company, and the records of those that are in the register.
pub(crate) async fn relatives_of(
    state: &crate::State,
    generation: &Generation,
    company: &Company,
) -> Result<(Vec<CompanyRelation>, Vec<Company>), Problem> {
    let stated = company.affiliations.iter().filter(|it| it.kind != AffiliationKind::AuditedBy);
    let mut uids: Vec<Uid> = stated.filter_map(|it| it.uid).collect();
    let companies = generation.companies().await?;
    uids.extend(companies.related_to(company.uid)?);
    if let Some(lei) = company.direct_parent_lei {
        uids.extend(companies.with_lei(lei)?);
    }
    if let Some(lei) = company.lei {
        uids.extend(companies.with_parent(lei)?);
    }
    let mut seen = HashSet::from([company.uid]);
    uids.retain(|it| seen.insert(*it));
    uids.truncate(MAX_RELATIVES);
    let others = state.registry.companies(&uids).await?;
    Ok((relations_of(company, &others), others))
}

/// Number of companies whose mergers are searched at once. A company rarely has more than two, and a page has
/// 100 entries.
const COMPANIES_PER_MERGER_SEARCH: usize = 50;

/// The merger events between a company and its related companies, from the histories of both.
pub(crate) async fn mergers(
    generation: &Generation,
    history: &History,
    relatives: &[CompanyRelation],
) -> Result<Vec<Event>, Problem> {
    let own = history.events.iter().map(|it| &it.event);
    let mut events: Vec<Event> = own.filter(|it| it.kind == ChangeKind::Merger).cloned().collect();
    let parties = relatives.iter().filter(|it| it.relation.is_merger()).filter_map(|it| it.uid);
    for parties in parties.collect::<Vec<_>>().chunks(COMPANIES_PER_MERGER_SEARCH) {
        let query = ChangeQuery {
            kinds: vec![WantedChangeKind(ChangeKind::Merger)],
            uids: Uids(parties.to_vec()),
            page_size: PageSize::FULL,
            ..ChangeQuery::default()
        };
        let found = generation.changes().await?.search(&query)?.events;
        events.extend(found.into_iter().map(|it| it.event));
    }
    Ok(events)
}

/// The related companies of a company. Mergers have the date and the source of their publication.
async fn proven_relatives(
    state: &crate::State,
    generation: &Generation,
    company: &Company,
    history: &History,
) -> Result<Vec<CompanyRelation>, Problem> {
    let (mut relatives, _) = relatives_of(state, generation, company).await?;
    let mergers = mergers(generation, history, &relatives).await?;
    relatives.iter_mut().for_each(|it| it.date_merger(company.uid, &mergers));
    Ok(relatives)
}

/// The companies that share officers with this one today, most shared people first.
async fn sharing(
    generation: &Generation,
    company: Uid,
) -> Result<Vec<CompanyWithSharedPersons>, Problem> {
    Ok(companies_with_shared_persons(company, &generation.persons().await?.officers(company)?))
}
