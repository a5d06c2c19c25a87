//! The companies above and below a company, with what decides about the duties of a group.

use std::collections::HashSet;

use domain::{
    Company, Provenance, Status, Uid,
    relationships::{CompanyRelation, Relation, relations_of},
};
use futures_util::{future::try_join_all, try_join};
use generations::Generation;
use jiff::civil::Date;
use obligations::{Group, GroupMember};
use ownership::Party;
use problem_details::Problem;

use crate::{Sources, owners::Assessment, subject::figures_and_listing};

/// Maximum number of companies above, and of those below, whose reports and disclosures are read.
const MAX_MEMBERS: usize = 10;
/// Maximum number of records that are read to find the companies below.
const MAX_RECORDS: usize = 100;

/// The group of a company. Who is below it is known for the present only: the index has no past state.
pub(crate) async fn group_of(
    sources: &Sources,
    generation: &Generation,
    owners: &Assessment,
    as_of: Option<Date>,
) -> Result<Group, Problem> {
    let structure = &owners.structure;
    let above = owners.resolution.controllers.iter().filter_map(|it| {
        let Party::Company(uid) = it.party else { return None };
        let mut links = structure.links().iter();
        let link = links.find(|link| link.owner == it.party)?;
        let record = &owners.above.companies.get(&uid)?.company;
        (it.party != structure.root()).then(|| (record, link.source.clone()))
    });
    let above = above.take(MAX_MEMBERS).map(|it| member(sources, it.0, it.1, as_of));
    let below = async {
        let below = match as_of {
            None => controlled_by(sources, generation, &owners.company).await?,
            Some(_) => Vec::new(),
        };
        try_join_all(below.iter().map(|it| member(sources, &it.0, it.1.clone(), as_of))).await
    };
    let (above, below) = try_join!(try_join_all(above), below)?;
    Ok(Group { above, below, all_owners: statement_of_all_owners(owners) })
}

/// A company of the group, with what its own reports and holders state.
async fn member(
    sources: &Sources,
    record: &Company,
    source: Provenance,
    as_of: Option<Date>,
) -> Result<GroupMember, Problem> {
    let (figures, listing) = figures_and_listing(sources, record.uid, as_of).await?;
    Ok(GroupMember::of(record, listing, figures, source))
}

/// The companies that report this one as their direct parent, and the limited liability companies of which it holds more than half.
async fn controlled_by(
    sources: &Sources,
    generation: &Generation,
    company: &Company,
) -> Result<Vec<(Company, Provenance)>, Problem> {
    let companies = generation.companies().await?;
    let mut uids = companies.naming(company)?;
    let mut seen = HashSet::from([company.uid]);
    uids.retain(|it| seen.insert(*it));
    uids.truncate(MAX_RECORDS);
    let records = sources.registry.companies(&uids).await?;
    let relations = relations_of(company, &records);
    let controlled = relations.into_iter().filter(|it| {
        // A branch is a part of the company.
        it.is_below() && it.relation != Relation::BranchOffice
    });
    let mut seen: HashSet<Uid> = HashSet::new();
    let known = controlled.filter_map(|it: CompanyRelation| {
        let record = records.iter().find(|record| Some(record.uid) == it.uid)?;
        let exists = record.status != Some(Status::Cancelled);
        let source = it.source.unwrap_or_else(|| record.unreferenced_source());
        (exists && seen.insert(record.uid)).then(|| (record.clone(), source))
    });
    Ok(known.take(MAX_MEMBERS).collect())
}

/// The newest statement about the owners of a company, if those of all its capital are known over all levels, and whoever controls it
/// is a person or in the register.
fn statement_of_all_owners(owners: &Assessment) -> Option<Provenance> {
    let Assessment { structure, resolution, above, .. } = owners;
    let is_identified = |party: Party| match party {
        Party::Person(_) => true,
        Party::Company(uid) => above.companies.contains_key(&uid),
        _ => false,
    };
    let is_complete = structure.has_capital()
        && !resolution.holders.is_empty()
        && resolution.unattributed_percentage.get() == 0.0
        && resolution.overstated.is_empty()
        && structure.cut_off().is_empty()
        && resolution.controllers.iter().all(|it| is_identified(it.party));
    let links = structure.links_to(structure.root()).filter(|it| it.kind.is_ownership());
    let newest = links.map(|it| &it.source).max_by_key(|it| it.date).cloned();
    newest.filter(|_| is_complete)
}
