//! The response: the beneficial owners of a company, and the links that lead to them.

use ::ownership::{Link, Party, PartyKind, Structure, flags::FlagKind};
use company_reader::owners::{Assessment, coverage_note, ultimate_parent};
use domain::{Lei, Uid};
use jiff::civil::Date;
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use super::persons::UboPerson;
use crate::ownership::answer::{
    CapitalPart, CircularFlag, LinkDetails, OwnershipFlag, chain, depth,
};

/// The beneficial owners of a company, and the links that lead to them.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct UboResponse {
    /// Company number.
    uid: Uid,
    /// Name of the company.
    company_name: String,
    /// Day of the state: `asOf`, or, of a company that is deleted and was not absorbed, the day before its deletion. Its owners are the
    /// last known ones, not present ones. Absent for the present state.
    as_of: Option<Date>,
    /// Date of the deletion of the company from the register. Absent if it is not deleted.
    deletion_date: Option<Date>,
    /// Beneficial owners, largest share first. If there are none: the persons who direct the company, with the reason
    /// `statutory_fallback`.
    pub(super) ubo_persons: Vec<UboPerson>,
    /// The links between the company and its direct and indirect owners, direct owners first; and the offices of persons who are
    /// named because there is no beneficial owner.
    ownership_chain: Vec<ChainLink>,
    /// Number of levels of `ownershipChain`: the largest `depth` of its links.
    chain_depth: u8,
    /// Kinds of the flags in `flags`, each once.
    risk_flags: Vec<FlagKind>,
    /// What deserves attention, with evidence.
    flags: Vec<OwnershipFlag>,
    /// Whether companies above the company own each other.
    is_circular: bool,
    /// The circles of companies that own each other.
    circular_flags: Vec<CircularFlag>,
    /// Part of the capital whose ultimate owners are unknown, in percent. Never distributed over the known owners.
    unattributed_percentage: f64,
    /// The entities at which owners are unknown, with the part of the capital of the requested company, largest first.
    unattributed: Vec<CapitalPart>,
    /// Entities that have no owners by law, and own a part of the company: foundations, associations, the state.
    without_owners: Vec<CapitalPart>,
    /// Legal entity identifier of the ultimate parent. Absent if none is known, or if it has no identifier.
    #[schema(value_type = Option<String>)]
    ultimate_parent_lei: Option<Lei>,
    /// Name of the ultimate parent: the legal entity that controls the company and is controlled by no other known one.
    ultimate_parent_name: Option<String>,
    /// Whether owners were not followed: because of `maxDepth`, because a request reads at most 100 companies, and at most 400
    /// partners and officers of a company, or because what an entity abroad reported to GLEIF was not read completely.
    truncated: bool,
    /// What is missing and why, in English.
    data_coverage_note: String,
}

/// A link of the chain, from the owner to what it owns.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ChainLink {
    /// Identifier of the owner: a company number, `LEI:` and a legal entity identifier, or a UUID for a person and for an
    /// entity that is known by name only.
    #[schema(value_type = String)]
    from_uid: Party,
    /// What the owner is.
    from_kind: PartyKind,
    /// Name of the owner.
    from_name: String,
    /// Identifier of what it owns.
    #[schema(value_type = String)]
    to_uid: Party,
    /// What is owned.
    to_kind: PartyKind,
    /// Name of what it owns.
    to_name: String,
    #[serde(flatten)]
    details: LinkDetails,
}

impl ChainLink {
    fn of(link: &Link, structure: &Structure) -> Self {
        Self {
            from_uid: link.owner,
            from_kind: link.owner.kind(),
            from_name: structure.name(link.owner),
            to_uid: link.owned,
            to_kind: link.owned.kind(),
            to_name: structure.name(link.owned),
            details: LinkDetails::of(link, structure),
        }
    }
}

impl UboResponse {
    pub(super) fn of(assessment: &Assessment) -> Self {
        let Assessment { company, structure, resolution, flags, .. } = assessment;
        let parent = ultimate_parent(assessment);
        let mut risk_flags: Vec<FlagKind> = flags.iter().map(|it| it.kind).collect();
        // The flags are sorted by kind.
        risk_flags.dedup();
        let links = chain(assessment);
        Self {
            uid: company.uid,
            company_name: company.name.clone(),
            as_of: assessment.scope.as_of,
            deletion_date: company.deletion_date,
            ubo_persons: resolution
                .beneficial_owners
                .iter()
                .map(|it| UboPerson::of(it, assessment))
                .collect(),
            ownership_chain: links.iter().map(|it| ChainLink::of(it, structure)).collect(),
            chain_depth: depth(&links, structure),
            risk_flags,
            flags: OwnershipFlag::all(flags),
            is_circular: resolution.is_circular(),
            circular_flags: CircularFlag::all(assessment),
            unattributed_percentage: resolution.unattributed_percentage.get(),
            unattributed: CapitalPart::all(&resolution.unattributed, structure),
            without_owners: CapitalPart::all(&resolution.without_owners, structure),
            ultimate_parent_lei: parent.and_then(|it| match it {
                Party::Foreign(lei) => Some(lei),
                Party::Company(_) => structure.profile(it)?.lei,
                Party::Firm(_) | Party::Person(_) | Party::Unidentified(_) => None,
            }),
            ultimate_parent_name: parent.map(|it| structure.name(it)),
            truncated: !structure.cut_off().is_empty(),
            data_coverage_note: coverage_note(assessment),
        }
    }
}
