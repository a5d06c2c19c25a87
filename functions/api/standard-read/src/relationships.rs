//! Links between companies: offices, mergers, corporate groups, shared people, and significant shareholders.

mod acquisitions;
mod hierarchy;
pub(crate) mod list;
mod shareholders;
mod structure;

use std::collections::HashSet;

use domain::{
    ChangeKind, Company, Event, History, Status, Uid,
    company::AffiliationKind,
    relationships::{
        CompanyRelation, CompanyWithSharedPersons, companies_with_shared_persons, relations_of,
    },
    search::{PageSize, WantedChangeKind, changes::ChangeQuery},
};
use generations::{Generation, Unavailable};
use http_service::{Description, Routes, handler, reads};
use problem_details::Problem;
use store::{Registry, Wanted};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(10), handler!(list::relationships))
        .route(reads(10), handler!(hierarchy::hierarchy))
        .route(reads(10), handler!(structure::structure))
        .route(reads(10), handler!(acquisitions::acquisitions))
}

/// Maximum number of related companies that are read: the most relevant. Few companies have that many offices
/// and subsidiaries.
const MAX_RELATIVES: usize = 500;

/// What is read of the history of a company.
const MERGERS: Wanted = Wanted { board: 0, former: 0, events: 0, mergers: true };

/// The related companies of a company.
pub(crate) struct Relatives {
    pub(crate) relations: Vec<CompanyRelation>,
    /// The records of those that are in the register.
    pub(crate) records: Vec<Company>,
    /// Whether companies were left out because there are more than [`MAX_RELATIVES`].
    pub(crate) truncated: bool,
}

impl Relatives {
    /// Reads the records of these companies, and derives their relations from them.
    async fn read(
        registry: &Registry,
        mut uids: Vec<Uid>,
        relations: impl FnOnce(&[Company]) -> Vec<CompanyRelation>,
    ) -> Result<Self, Problem> {
        let truncated = uids.len() > MAX_RELATIVES;
        uids.truncate(MAX_RELATIVES);
        let records = registry.companies(&uids).await?;
        Ok(Self { relations: relations(&records), records, truncated })
    }

    /// Removes the companies that are deleted from the register, except the parties of mergers: a deleted company is no present
    /// parent, branch office or subsidiary.
    fn without_deleted(mut self) -> Self {
        let deleted = self.records.iter().filter(|it| it.status == Some(Status::Cancelled));
        let deleted: HashSet<Uid> = deleted.map(|it| it.uid).collect();
        let is_deleted = |it: &CompanyRelation| it.uid.is_some_and(|it| deleted.contains(&it));
        self.relations.retain(|it| it.relation.is_merger() || !is_deleted(it));
        self
    }
}

/// The companies that the register or GLEIF relates to a company.
pub(crate) async fn relatives_of(
    state: &crate::State,
    generation: &Generation,
    company: &Company,
) -> Result<Relatives, Problem> {
    let stated = company.affiliations.iter().filter(|it| it.kind != AffiliationKind::AuditedBy);
    let companies = generation.companies().await?;
    // The parent first, so that it is read in any case.
    let mut uids: Vec<Uid> = match company.direct_parent_lei {
        Some(lei) => companies.with_lei(lei)?,
        None => Vec::new(),
    };
    uids.extend(stated.filter_map(|it| it.uid));
    uids.extend(company.quota_holders.iter().filter_map(|it| it.uid));
    uids.extend(companies.naming(company)?);
    relatives_among(state, company, uids).await
}

async fn relatives_among(
    state: &crate::State,
    company: &Company,
    mut uids: Vec<Uid>,
) -> Result<Relatives, Problem> {
    let mut seen = HashSet::from([company.uid]);
    uids.retain(|it| seen.insert(*it));
    Relatives::read(&state.registry, uids, |records| relations_of(company, records)).await
}

/// The number of branch offices and subsidiaries of a company, as its hierarchy lists them. Reads no companies that can only be above
/// it, next to it or a part of it.
pub(crate) async fn count_subsidiaries(
    state: &crate::State,
    generation: &Generation,
    company: &Company,
) -> Result<usize, Problem> {
    use AffiliationKind::{BranchOffice, Consolidates};
    let stated = company.affiliations.iter();
    let below = stated.filter(|it| matches!(it.kind, BranchOffice | Consolidates));
    let mut uids: Vec<Uid> = below.filter_map(|it| it.uid).collect();
    let companies = generation.companies().await?;
    uids.extend(companies.naming(company)?);
    let relatives = relatives_among(state, company, uids).await?.without_deleted();
    Ok(hierarchy::below(&relatives.relations).len())
}

/// Number of companies whose histories are read for their mergers. A company rarely has more than two. Those of more are searched
/// in the index of changes, which a process that answers about companies rarely has open.
const MAX_MERGED: usize = 50;

/// The merger events between a company and its related companies, from the histories of both.
pub(crate) async fn mergers(
    registry: &Registry,
    generation: &Generation,
    history: &History,
    relatives: &[CompanyRelation],
) -> Result<Vec<Event>, Problem> {
    let parties = relatives.iter().filter(|it| it.relation.is_merger()).filter_map(|it| it.uid);
    let parties: Vec<Uid> = parties.collect();
    let (read, searched) = parties.split_at(parties.len().min(MAX_MERGED));
    let mut histories = Vec::new();
    match registry.companies_with(read, MERGERS).await {
        // One of them cannot be decoded. It must not hide the others.
        Err(store::Error::Shape(_)) => {
            for party in read {
                match registry.companies_with(std::slice::from_ref(party), MERGERS).await {
                    Err(store::Error::Shape(_)) => {}
                    read => histories.extend(read?),
                }
            }
        }
        read => histories.extend(read?),
    }
    let histories = std::iter::once(history).chain(histories.iter().map(|(_, it)| it));
    let events = histories.flat_map(|it| &it.events).map(|it| &it.event);
    let mut events: Vec<Event> =
        events.filter(|it| it.kind == ChangeKind::Merger).cloned().collect();
    for parties in searched.chunks(MAX_MERGED) {
        let query = ChangeQuery {
            kinds: [WantedChangeKind(ChangeKind::Merger)].into(),
            uids: parties.iter().copied().collect(),
            page_size: PageSize::FULL,
            ..ChangeQuery::default()
        };
        let found = generation.search_changes(&query).await?.events;
        events.extend(found.into_iter().map(|it| it.event));
    }
    Ok(events)
}

/// As [`relatives_of`], with the date and the source of each merger's publication.
async fn proven_relatives(
    state: &crate::State,
    generation: &Generation,
    company: &Company,
    history: &History,
) -> Result<Relatives, Problem> {
    let mut relatives = relatives_of(state, generation, company).await?;
    let mergers = mergers(&state.registry, generation, history, &relatives.relations).await?;
    relatives.relations.iter_mut().for_each(|it| it.date_merger(company.uid, &mergers));
    Ok(relatives)
}

/// The companies that share officers with this one today, most shared people first.
async fn sharing(
    generation: &Generation,
    company: Uid,
) -> Result<Vec<CompanyWithSharedPersons>, Problem> {
    let officers = generation.persons().await?.officers(company).await;
    Ok(companies_with_shared_persons(company, &officers.map_err(Unavailable::from)?))
}
