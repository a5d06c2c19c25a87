//! Which companies belong to one: offices, mergers, groups, and those with the same people; and who holds it.

mod hierarchy;
pub(crate) mod list;
mod shareholders;
mod structure;

use std::collections::HashSet;

use domain::{
    ChangeKind, Company, Event, History, Uid,
    changes::WantedChangeKind,
    company::AffiliationKind,
    relations::{Relative, Shared, relatives, shared},
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
        .route(reads(10), handler!(structure::acquisitions))
}

/// How many records of relatives are read at most; no company has that many offices.
const RELATIVES: usize = 1_000;

/// The relatives of a company, and the records of those that the register numbers.
pub(crate) async fn relatives_of(
    state: &crate::State,
    generation: &Generation,
    company: &Company,
) -> Result<(Vec<Relative>, Vec<Company>), Problem> {
    let stated = company.affiliations.iter().filter(|it| it.kind != AffiliationKind::AuditedBy);
    let mut uids: Vec<Uid> = stated.filter_map(|it| it.uid).collect();
    let companies = generation.companies().await?;
    uids.extend(companies.related_to(company.uid)?);
    if let Some(lei) = &company.direct_parent_lei {
        uids.extend(companies.with_lei(lei)?);
    }
    if let Some(lei) = &company.lei {
        uids.extend(companies.with_parent(lei)?);
    }
    let mut seen = HashSet::from([company.uid]);
    uids.retain(|it| seen.insert(*it));
    uids.truncate(RELATIVES);
    let others = state.registry.companies(&uids).await?;
    Ok((relatives(company, &others), others))
}

/// How many companies' mergers are asked for at a time: one has two at most, as a rule, and a page
/// holds a hundred.
const MERGERS_OF: usize = 50;

/// What notices tell of the mergers between a company and these relatives, in the history of either.
pub(crate) async fn mergers(
    generation: &Generation,
    history: &History,
    relatives: &[Relative],
) -> Result<Vec<Event>, Problem> {
    let own = history.events.iter().map(|it| &it.event);
    let mut events: Vec<Event> = own.filter(|it| it.kind == ChangeKind::Merger).cloned().collect();
    let parties = relatives.iter().filter(|it| it.kin.is_merger()).filter_map(|it| it.uid);
    for parties in parties.collect::<Vec<_>>().chunks(MERGERS_OF) {
        let query = ChangeQuery {
            kinds: vec![WantedChangeKind(ChangeKind::Merger)],
            uids: Uids(parties.to_vec()),
            page_size: PageSize::FULL,
            ..ChangeQuery::default()
        };
        let told = generation.changes().await?.search(&query)?.events;
        events.extend(told.into_iter().map(|it| it.event));
    }
    Ok(events)
}

/// The relatives of a company, their mergers with day and proof.
async fn proven_relatives(
    state: &crate::State,
    generation: &Generation,
    company: &Company,
    history: &History,
) -> Result<Vec<Relative>, Problem> {
    let (mut relatives, _) = relatives_of(state, generation, company).await?;
    let mergers = mergers(generation, history, &relatives).await?;
    relatives.iter_mut().for_each(|it| it.prove(company.uid, &mergers));
    Ok(relatives)
}

/// The companies that have a person in common with this one today, most persons first.
async fn sharing(generation: &Generation, company: Uid) -> Result<Vec<Shared>, Problem> {
    Ok(shared(company, &generation.persons().await?.officers(company)?))
}
