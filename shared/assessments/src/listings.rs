//! What the screening lists say about a company, its officers, and its owners that are companies of the register.

use ::ownership::{Party, Structure};
use ::risk::{Identity, ListHit, SearchedVersion, Subject};
use domain::{Uid, lists::ListEntry};
use jiff::tz::TimeZone;
use screened_companies::{CompanyHit, FoundHit, HitSubject, ScreenedCompanies};
use screening::RiskLevel;

/// The hits, each with the version of the list that was searched. `None`: the company was compared with no list.
pub(crate) fn listings(
    screened: &ScreenedCompanies,
    uid: Uid,
    owners: &Structure,
) -> Option<Vec<ListHit>> {
    let of_company = screened.hits(uid)?.into_iter().flat_map(|found| {
        let subject = match found.hit.subject {
            HitSubject::Company => Subject::Company,
            HitSubject::Officer(_) => Subject::Officer,
        };
        hits(found, subject)
    });
    let mut all: Vec<ListHit> = of_company.collect();
    let parties = owners.depths().keys();
    let owners = parties.filter_map(|it| match it {
        Party::Company(owner) if *owner != uid => Some(*owner),
        _ => None,
    });
    for owner in owners {
        let found = screened.hits(owner).unwrap_or_default().into_iter();
        let itself = found.filter(|it| it.hit.subject == HitSubject::Company);
        all.extend(itself.flat_map(|it| hits(it, Subject::Owner)));
    }
    Some(all)
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
    let version = SearchedVersion {
        id: published.version.clone(),
        date: published.date.unwrap_or(published_on),
    };
    let hits = ListHit::of_entry(&entry, subject, name, identity);
    hits.into_iter().map(|it| it.in_version(version.clone())).collect()
}
