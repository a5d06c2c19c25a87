//! What the screening lists say about a company, its officers, and its owners.

use std::collections::{BTreeMap, BTreeSet};

use ::ownership::{LinkKind, Party, Structure};
use ::risk::{Facts, Identity, ListHit, Subject};
use domain::{Lei, Uid, lists::ListEntry};
use generations::Unavailable;
use jiff::tz::TimeZone;
use matching::RiskLevel;
use problem_details::Problem;
use screening_results::{CompanyHit, FoundHit, HitSubject, ScreenedCompanies};
use text_index::persons::Persons;
use uuid::Uuid;

use crate::owners::Assessment;

/// Adds the hits, each with the version of the list that was searched, and the owners of which no name was compared. Nothing if
/// the company was compared with no list.
///
/// What was compared are the companies of the register with their officers, of which the partners of a company are some, and the
/// parents that their records name.
pub(crate) async fn with_listings(
    facts: Facts,
    screened: &ScreenedCompanies,
    uid: Uid,
    assessment: &Assessment,
    persons: &Persons,
) -> Result<Facts, Problem> {
    if screened.hits(uid).is_none() {
        return Ok(facts);
    }
    let owners = &assessment.structure;
    let parties = owners.depths();
    let companies = parties.keys().filter_map(|it| match it {
        Party::Company(company) => Some(*company),
        _ => None,
    });
    let companies: BTreeSet<Uid> = companies.chain([uid]).collect();
    let found = companies.into_iter().flat_map(|company| {
        let hits = screened.hits(company).unwrap_or_default();
        hits.into_iter().map(move |it| (company, it))
    });
    let found: Vec<(Uid, FoundHit<'_>)> = found.collect();
    let officers = found.iter().filter_map(|(_, it)| match it.hit.subject {
        HitSubject::Officer(id) => Some(id),
        HitSubject::Company | HitSubject::Parent(_) => None,
    });
    let officers: Vec<Uuid> = officers.collect::<BTreeSet<_>>().into_iter().collect();
    let first_ids = persons.first_ids(&officers).await.map_err(Unavailable::from)?;
    // A person can be an officer of several companies: the best hit of each entry counts.
    let mut best: BTreeMap<_, (FoundHit<'_>, Subject)> = BTreeMap::new();
    for (company, it) in found {
        let (subject, who) = match it.hit.subject {
            HitSubject::Company if company == uid => (Subject::Company, Party::Company(company)),
            HitSubject::Company => (Subject::Owner, Party::Company(company)),
            HitSubject::Parent(lei) => match entity(owners, lei) {
                Some(parent) if parent == Party::Company(uid) => (Subject::Company, parent),
                Some(parent) => (Subject::Owner, parent),
                // It is no owner any more.
                None => continue,
            },
            HitSubject::Officer(id) => {
                let person = Party::Person(first_ids.get(&id).copied().unwrap_or(id));
                let owns = [person, Party::Firm(id)].iter().any(|it| parties.contains_key(it));
                match owns {
                    true => (Subject::Owner, person),
                    false if company == uid => (Subject::Officer, person),
                    // The officers of an owner are none of the company.
                    false => continue,
                }
            }
        };
        let entry = (who, it.published.list, it.hit.entry_id.as_str());
        if best.get(&entry).is_none_or(|(known, _)| it.hit.score > known.hit.score) {
            best.insert(entry, (it, subject));
        }
    }
    let all: Vec<ListHit> =
        best.into_values().flat_map(|(it, subject)| hits(it, subject)).collect();
    let not_searched = parties.keys().filter(|it| !is_compared(screened, owners, **it));
    let owners_not_searched = not_searched.map(|it| owners.name(*it)).collect();
    Ok(Facts { listings: Some(all), owners_not_searched, ..facts })
}

/// The party with this identifier: an entity abroad, or a company that another source names by its number.
fn entity(owners: &Structure, lei: Lei) -> Option<Party> {
    let abroad = Party::Foreign(lei);
    let has_lei = |it: &&Party| owners.profile(**it).is_some_and(|it| it.lei == Some(lei));
    let mut parties = owners.depths().keys();
    match owners.depths().contains_key(&abroad) {
        true => Some(abroad),
        false => parties.find(has_lei).copied(),
    }
}

/// Whether the name of this owner was compared with lists of sanctions, as that of a company or of an officer of one.
fn is_compared(screened: &ScreenedCompanies, owners: &Structure, owner: Party) -> bool {
    let is_searched = |company: Party| match company {
        Party::Company(uid) => screened.has_searched_sanctions(uid),
        _ => false,
    };
    let links = || owners.links().iter().filter(|it| it.owner == owner);
    match owner {
        Party::Company(_) => is_searched(owner),
        // A person is always one whom the register names as an officer.
        Party::Person(_) => links().any(|it| is_searched(it.owned)),
        // Partners and owners of firms are officers; a firm that another source names is not.
        Party::Firm(_) => links().any(|it| {
            let is_officer = matches!(
                it.kind,
                LinkKind::Shares | LinkKind::Partnership | LinkKind::SoleProprietor
            );
            is_officer && is_searched(it.owned)
        }),
        Party::Foreign(lei) => links().any(|it| match it.owned {
            Party::Company(uid) => {
                screened.has_searched_sanctions(uid) && screened.has_compared_parent(uid, lei)
            }
            _ => false,
        }),
        Party::Unidentified(_) => false,
    }
}

fn hits(FoundHit { published, hit }: FoundHit<'_>, subject: Subject) -> Vec<ListHit> {
    let CompanyHit { name, entry_id, kind, score, risk_level, topics, .. } = hit;
    let mut entry = ListEntry::new(published.list, entry_id, *kind);
    entry.topics = topics.iter().cloned().collect();
    entry.source_url = hit.source_url.clone();
    entry.listed = hit.listed;
    entry.changed = hit.changed;
    // Names alone do not lead to this level: a number agrees.
    let identity = match risk_level {
        RiskLevel::Critical => Identity::Confirmed,
        _ => Identity::Possible(*score),
    };
    let published_on = published.published_at.to_zoned(TimeZone::UTC).date();
    let list_date = published.date.unwrap_or(published_on);
    let hits = ListHit::of_entry(&entry, subject, name, identity);
    hits.into_iter().map(|it| it.in_list_of(list_date)).collect()
}
