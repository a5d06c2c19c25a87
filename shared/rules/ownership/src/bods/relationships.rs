//! Records of relationships.

use std::collections::BTreeSet;

use domain::{Language, persons::RoleCategory, terms::reasons_for_no_parent};
use serde_json::{Value, json};

use super::{
    parties::unknown,
    statement::{Record, RecordType},
};
use crate::{
    BeneficialOwner, Form, Link, LinkKind, Party, Percent, Reason, Resolution, Share, Structure,
};

/// The relationships of a structure: direct ones between all parties, indirect ones of the beneficial owners, and for each
/// entity without known owners the reason.
pub(super) fn records(structure: &Structure, resolution: &Resolution) -> Vec<Record> {
    let mut records = direct(structure, resolution);
    records.extend(resolution.beneficial_owners.iter().filter_map(|it| indirect(structure, it)));
    let entities = structure.depths().keys().filter(|it| !it.is_person());
    records.extend(entities.filter_map(|it| without_owner(structure, *it)));
    records
}

/// One record for each pair of parties, with an interest for each link.
fn direct(structure: &Structure, resolution: &Resolution) -> Vec<Record> {
    let rows = &resolution.beneficial_owners;
    let is_stated = |it: &&Link| {
        // The other persons in office are no owners.
        it.kind.is_ownership() || rows.iter().any(|row| is_fallback_in(row, it))
    };
    let links: Vec<&Link> = structure.links().iter().filter(is_stated).collect();
    let pairs = links.chunk_by(|one, other| (one.owner, one.owned) == (other.owner, other.owned));
    let record = |links: &[&Link]| {
        let first = links[0];
        let is_owner_of_root = first.owned == structure.root()
            && rows.iter().any(|row| row.person == first.owner && !is_fallback(row));
        let interests: Vec<Value> = links.iter().map(|it| interest(it, is_owner_of_root)).collect();
        Record {
            id: format!("{}-{}", first.owned, first.owner),
            kind: RecordType::Relationship,
            details: relationship(first.owned, first.owner.to_string().into(), interests),
            source: Some(first.source.clone()),
        }
    };
    pairs.map(record).collect()
}

fn interest(link: &Link, is_beneficial_owner: bool) -> Value {
    let kind = match link.kind {
        LinkKind::Shares => "shareholding",
        LinkKind::VotingRights => "votingRights",
        LinkKind::Partnership => "rightsToProfitOrIncome",
        LinkKind::Office(RoleCategory::Board) => "boardMember",
        LinkKind::Office(_) => "seniorManagingOfficial",
        LinkKind::Consolidation
        | LinkKind::UltimateConsolidation
        | LinkKind::HeadOffice
        | LinkKind::Merger
        | LinkKind::SoleProprietor => "otherInfluenceOrControl",
    };
    let how = match link.kind {
        LinkKind::UltimateConsolidation => "indirect",
        // A parent consolidates subsidiaries of its subsidiaries too, and disclosed rights may be held through others.
        LinkKind::Consolidation | LinkKind::VotingRights => "unknown",
        _ => "direct",
    };
    let mut details = link.kind.name().replace('_', " ");
    if link.kind == LinkKind::VotingRights && link.owner.is_person() {
        details.push_str("; the disclosed holder has the name of this director");
    }
    if let Share::Unknown(reason) = link.share {
        details.push_str(&format!(": {}", reason.explanation(Language::En)));
    }
    let mut interest = json!({
        "type": kind,
        "directOrIndirect": how,
        "beneficialOwnershipOrControl": is_beneficial_owner,
        "details": details,
    });
    if let Some(share) = link.share.known().filter(|it| it.get() <= 100.0) {
        interest["share"] = json!({ "exact": share });
    }
    if let Some(since) = link.since {
        interest["startDate"] = since.to_string().into();
    }
    interest
}

/// The indirect interest of a beneficial owner. `None` for persons of the statutory fallback, and for owners whose only
/// path is direct.
fn indirect(structure: &Structure, row: &BeneficialOwner) -> Option<Record> {
    let is_through_others = structure
        .links()
        .iter()
        .any(|it| it.owner == row.person && it.owned != structure.root() && it.kind.is_ownership());
    if is_fallback(row) || !is_through_others {
        return None;
    }
    let mut interests = Vec::new();
    let mut add = |kind: &str, share: Percent, details: &str| {
        let mut interest = json!({
            "type": kind,
            "directOrIndirect": "indirect",
            "beneficialOwnershipOrControl": true,
            "details": details,
        });
        if share.get() > 0.0 && share.get() <= 100.0 {
            interest["share"] = json!({ "exact": share });
        }
        interests.push(interest);
    };
    for reason in &row.reasons {
        match reason {
            Reason::Ownership => {
                add(
                    "shareholding",
                    row.ownership,
                    "integrated share of the capital, over all paths",
                );
            }
            Reason::Votes(votes) => {
                add("votingRights", *votes, "integrated share of the votes, over all paths");
            }
            Reason::ControlledVotes(votes) => {
                let details = "votes held by the person and by companies that it controls";
                add("votingRights", *votes, details);
            }
            Reason::Control(_) => {
                let details = "control: votes held by the person and by companies that it controls";
                add("otherInfluenceOrControl", Percent::default(), details);
            }
            Reason::StatutoryFallback { .. } => {}
        }
    }
    Some(Record {
        id: format!("{}-{}-indirect", structure.root(), row.person),
        kind: RecordType::Relationship,
        details: relationship(structure.root(), row.person.to_string().into(), interests),
        source: None,
    })
}

/// The reason why an entity has no known owner. `None` if it has one.
fn without_owner(structure: &Structure, entity: Party) -> Option<Record> {
    if structure.links_to(entity).any(|it| it.kind.is_ownership()) {
        return None;
    }
    let profile = structure.profile(entity);
    let exceptions = profile.map(|it| it.exceptions.as_slice()).unwrap_or_default();
    let party = match structure.form(entity) {
        Form::WithoutOwners | Form::Public => json!({
            "reason": "noBeneficialOwners",
            "description": "This legal form has no owners.",
        }),
        Form::Cooperative => unknown("The members of cooperatives are not registered."),
        _ if structure.cut_off().contains(&entity) => {
            unknown("The owners were not followed further.")
        }
        _ if exceptions.is_empty() => unknown("No public source states the owners."),
        _ => {
            let reasons: BTreeSet<&str> = exceptions
                .iter()
                .flat_map(|it| &it.exception.reasons)
                .map(String::as_str)
                .collect();
            let reasons: Vec<&str> = reasons.into_iter().collect();
            unknown(&format!(
                "No public source states the owners. It reported to GLEIF why it names no parent: {}.",
                reasons_for_no_parent(Language::En, &reasons)
            ))
        }
    };
    Some(Record {
        id: format!("{entity}-unknown"),
        kind: RecordType::Relationship,
        details: relationship(entity, party, Vec::new()),
        source: exceptions.first().map(|it| it.source.clone()),
    })
}

fn relationship(subject: Party, interested_party: Value, interests: Vec<Value>) -> Value {
    let mut details = json!({
        "isComponent": false,
        "subject": subject.to_string(),
        "interestedParty": interested_party,
    });
    if !interests.is_empty() {
        details["interests"] = interests.into();
    }
    details
}

fn is_fallback(row: &BeneficialOwner) -> bool {
    row.reasons.iter().all(|it| matches!(it, Reason::StatutoryFallback { .. }))
}

fn is_fallback_in(row: &BeneficialOwner, link: &Link) -> bool {
    let is_office = |it: &Reason| match it {
        Reason::StatutoryFallback { entity, office, .. } => {
            *entity == link.owned && *office == link.kind
        }
        _ => false,
    };
    row.person == link.owner && row.reasons.iter().any(is_office)
}
