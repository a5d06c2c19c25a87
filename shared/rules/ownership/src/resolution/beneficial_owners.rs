//! The natural persons who own or control a company in the end.

use std::collections::BTreeSet;

use domain::persons::RoleCategory;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Resolution, columns::TOLERANCE, control::ControlStep};
use crate::{Link, LinkKind, Party, Percent, Structure, profile::Form};

/// From which share on a person is a beneficial owner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Criteria {
    /// The integrated share of the capital or of the votes that makes a person a beneficial owner. 25 % by law
    /// (AMLA 2a (3); LETA 4).
    pub ownership: Percent,
    /// The share of the votes above which a party controls a company. Half by law (CO 703, 808, 963).
    pub majority: Percent,
}

impl Default for Criteria {
    fn default() -> Self {
        let percent = |it| Percent::new(it).unwrap_or(Percent::WHOLE);
        Self { ownership: percent(25.0), majority: percent(50.0) }
    }
}

/// A natural person who owns or controls the company, or who is named instead.
#[derive(Clone, Debug, PartialEq)]
pub struct BeneficialOwner {
    /// The person.
    pub person: Party,
    /// Integrated share of the capital.
    pub ownership: Percent,
    /// Share of the votes that the person and what the person controls hold.
    pub control: Percent,
    /// Why the person is named. Not empty.
    pub reasons: Vec<Reason>,
    /// The shortest path: the person, then what the person owns or directs, at the end the company.
    pub path: Vec<Party>,
    /// Confidence of the path: the product of the confidences of its links, 0 to 1.
    pub confidence: f64,
}

/// Why a person is named.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The integrated share of the capital reaches the criterion.
    Ownership,
    /// The integrated share of the votes reaches the criterion.
    Votes(Percent),
    /// The person and the companies that it controls hold so many of the votes, without controlling the company.
    ControlledVotes(Percent),
    /// The person controls the company, by these steps.
    Control(Vec<ControlStep>),
    /// The person is no owner, but holds an office: the statutory fallback (AMLA 2a (3), last sentence).
    StatutoryFallback {
        /// The entity in which the person holds the office: the company, its head office, the company that absorbed it, or the
        /// foundation, association or cooperative that owns or controls it.
        entity: Party,
        /// The office.
        office: LinkKind,
        /// Why the fallback applies.
        cause: FallbackCause,
    },
}

/// Why the statutory fallback applies: `no_owners_by_law` (the legal form has no owners: foundations, associations, institutions of
/// public law), `members_not_registered` (the members of cooperatives are not registered),
/// `no_share_reaches_the_threshold` (all owners are known, and none holds enough), `ends_without_owners` (all owners are known, no
/// person holds enough, and a part ends at parties without owners, such as the state), `shares_not_known` (natural
/// persons are known as owners, but their shares are not) or `no_owner_found` (the sources show no beneficial owner;
/// there may be one).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FallbackCause {
    /// The legal form has no owners.
    NoOwnersByLaw,
    /// The legal form has members, whom no register names: cooperatives.
    MembersNotRegistered,
    /// All of the capital is attributed, and no person holds enough of it.
    NoShareReachesTheThreshold,
    /// All of the capital is attributed, no person holds enough of it, and a part ends at parties without owners:
    /// foundations, associations, the state.
    EndsWithoutOwners,
    /// Natural persons are known as owners, but not their shares: partners of a partnership, or quotas that no notice states.
    SharesNotKnown,
    /// The sources show no beneficial owner. There may be one.
    NoOwnerFound,
}

impl FallbackCause {
    /// Why no beneficial owner of the root is named.
    pub fn of(structure: &Structure, resolution: &Resolution) -> Self {
        let entity = structure.legal_entity();
        let has_unknown_shares = structure.persons_with_unknown_shares(entity).next().is_some();
        if let Some(cause) = Self::of_form(structure.form(entity)) {
            return cause;
        }
        match (resolution.is_fully_attributed(), resolution.without_owners.is_empty()) {
            (false, _) if has_unknown_shares => Self::SharesNotKnown,
            (false, _) => Self::NoOwnerFound,
            (true, true) => Self::NoShareReachesTheThreshold,
            (true, false) => Self::EndsWithoutOwners,
        }
    }

    /// Why no owner of an entity of this form can be named. `None` if one can.
    fn of_form(form: Form) -> Option<Self> {
        match form {
            Form::WithOwners | Form::Partnership | Form::Part => None,
            Form::Cooperative => Some(Self::MembersNotRegistered),
            Form::WithoutOwners | Form::Public => Some(Self::NoOwnersByLaw),
        }
    }
}

/// The beneficial owners of the root, largest share first; if there are none, the persons of the statutory fallback.
pub(super) fn beneficial_owners(
    structure: &Structure,
    resolution: &Resolution,
    criteria: &Criteria,
) -> Vec<BeneficialOwner> {
    let mut found: Vec<BeneficialOwner> = Vec::new();
    for holder in &resolution.holders {
        let reasons = reasons(resolution, holder.party, criteria);
        let form = structure.form(holder.party);
        let cause = FallbackCause::of_form(form)
            .filter(|_| form != Form::Public && holder.party != structure.root());
        if reasons.is_empty() {
            continue;
        }
        if holder.party.is_person() {
            let owners = resolution.path(structure, holder.party);
            found.push(owner(structure, resolution, holder.party, reasons, owners));
        } else if let Some(cause) = cause {
            found.extend(officers(structure, resolution, holder.party, cause));
        }
    }
    let entity = structure.legal_entity();
    // Who manages a branch does not direct its head office, nor does an employee direct a sole proprietorship.
    if found.is_empty() && structure.form(entity) != Form::Part {
        let cause = FallbackCause::of(structure, resolution);
        found = officers(structure, resolution, entity, cause);
    }
    found.sort_by(|one, other| {
        let key = |it: &BeneficialOwner| (std::cmp::Reverse((it.ownership, it.control)), it.person);
        key(one).cmp(&key(other))
    });
    merge(found)
}

/// One row for each person, although a person can be in office in several entities.
fn merge(rows: Vec<BeneficialOwner>) -> Vec<BeneficialOwner> {
    let mut merged: Vec<BeneficialOwner> = Vec::new();
    for row in rows {
        match merged.iter_mut().find(|it| it.person == row.person) {
            Some(known) => known.reasons.extend(row.reasons),
            None => merged.push(row),
        }
    }
    merged
}

fn reasons(resolution: &Resolution, party: Party, criteria: &Criteria) -> Vec<Reason> {
    let reaches =
        |it: Percent| it.fraction() >= criteria.ownership.fraction() - TOLERANCE && it.get() > 0.0;
    let holder = resolution.holders.iter().find(|it| it.party == party);
    let mut reasons = Vec::new();
    if holder.is_some_and(|it| reaches(it.capital)) {
        reasons.push(Reason::Ownership);
    }
    if let Some(holder) = holder
        && holder.votes != holder.capital
        && reaches(holder.votes)
    {
        reasons.push(Reason::Votes(holder.votes));
    }
    let controller = resolution.controllers.iter().find(|it| it.party == party);
    // Who controls a company that holds a quarter decides about this quarter, however little of that company it owns.
    if let Some(holder) = holder
        && controller.is_none()
        && holder.controlled_votes > holder.votes
        && reaches(holder.controlled_votes)
    {
        reasons.push(Reason::ControlledVotes(holder.controlled_votes));
    }
    if let Some(controller) = controller {
        reasons.push(Reason::Control(controller.steps.clone()));
    }
    reasons
}

/// The persons in office in an entity, as rows of the statutory fallback.
fn officers(
    structure: &Structure,
    resolution: &Resolution,
    entity: Party,
    cause: FallbackCause,
) -> Vec<BeneficialOwner> {
    let links: Vec<&Link> = structure.links_to(entity).filter(|it| it.owner.is_person()).collect();
    let of_kind = |kind: LinkKind| {
        let persons = links.iter().filter(|it| it.kind == kind).map(|it| it.owner);
        (kind, persons.collect::<BTreeSet<Party>>())
    };
    // Liquidators who are appointed act instead of the board (CO 740).
    let offices = [
        LinkKind::Office(RoleCategory::Liquidator),
        LinkKind::Office(RoleCategory::Board),
        LinkKind::Office(RoleCategory::Management),
        LinkKind::Office(RoleCategory::Partner),
    ];
    let Some((office, persons)) =
        offices.into_iter().map(of_kind).find(|(_, persons)| !persons.is_empty())
    else {
        return Vec::new();
    };
    let row = |person: Party| {
        let mut path = vec![person];
        path.extend(resolution.path(structure, entity));
        let reason = Reason::StatutoryFallback { entity, office, cause };
        owner(structure, resolution, person, vec![reason], path)
    };
    persons.into_iter().map(row).collect()
}

fn owner(
    structure: &Structure,
    resolution: &Resolution,
    person: Party,
    reasons: Vec<Reason>,
    path: Vec<Party>,
) -> BeneficialOwner {
    let zero = Percent::default();
    let share = resolution.holders.iter().find(|it| it.party == person);
    // An office says nothing about a share.
    let is_owner = reasons.iter().any(|it| !matches!(it, Reason::StatutoryFallback { .. }));
    let steps = path.windows(2).map(|step| {
        let links = structure.links_to(step[1]).filter(|it| it.owner == step[0]);
        let links = links.filter(|it| !is_owner || it.kind.is_ownership());
        links.map(|it| it.confidence).fold(0.0, f64::max)
    });
    BeneficialOwner {
        person,
        ownership: share.map_or(zero, |it| it.capital),
        control: share.map_or(zero, |it| it.controlled_votes),
        reasons,
        confidence: steps.product(),
        path,
    }
}
