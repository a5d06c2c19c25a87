//! What the answers of all operations have in common.

use ::ownership::{
    CircularOwnership, Link, LinkKind, Part, Party, PartyKind, Percent, Reason, Share, Structure,
    UnknownShare,
    flags::{Flag, FlagKind},
};
use company_reader::owners::Assessment;
use domain::{Language, Provenance, persons::RoleCategory};
use jiff::civil::Date;
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

/// The share of an owner, and where it is stated.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct LinkDetails {
    /// Number of links from the requested company: 1 for its direct owners.
    depth: u8,
    /// What connects the two: `shares`, `voting_rights`, `consolidation` (the owner is the direct parent), `ultimate_consolidation`
    /// (the owner is the ultimate parent), `head_office`, `merger` (the owner absorbed the other), `partnership`,
    /// `sole_proprietor`, or `office` (control by office: no ownership).
    kind: &'static str,
    /// Share in percent on the day of `source`: of the capital, or of the votes if `kind` is `voting_rights`. 100 for
    /// `head_office`, `merger` and `sole_proprietor`: what is owned is a part of the owner, without a capital of its own. Absent if
    /// the share is unknown. Above 100 only if sources contradict each other.
    ownership_percentage: Option<f64>,
    /// Why the share is unknown. Absent if it is known.
    unknown_share: Option<UnknownShare>,
    /// Why the share is unknown, in English. Absent if it is known.
    unknown_share_reason: Option<&'static str>,
    /// Since when the owner has these shares or this office: of links from the commercial register, the day of the publication, a few
    /// days after the entry; of disclosures to the exchange, that of the transaction; of GLEIF, that which the entity reported. Absent
    /// if no known source states it.
    since: Option<Date>,
    /// Source, its reference and its date.
    source: Provenance,
    /// Confidence that the owner is identified correctly and holds this share, 0 to 1.
    confidence: f64,
}

impl LinkDetails {
    pub(super) fn of(link: &Link, structure: &Structure) -> Self {
        let unknown = match link.share {
            Share::Known(_) => None,
            Share::Unknown(reason) => Some(reason),
        };
        Self {
            depth: structure.level(link),
            kind: link.kind.name(),
            ownership_percentage: link.share.known().map(Percent::get),
            unknown_share: unknown,
            unknown_share_reason: unknown.map(|it| it.explanation(Language::En)),
            since: link.since,
            source: link.source.clone(),
            confidence: link.confidence,
        }
    }
}

/// Number of levels of the links of a chain.
pub(super) fn depth(links: &[&Link], structure: &Structure) -> u8 {
    let levels = links.iter().map(|it| structure.level(it));
    levels.max().unwrap_or_default()
}

/// The ownership links of a structure, and the offices of those who are named instead of beneficial owners, unless they own the
/// same entity. The links to the company first.
pub(super) fn chain(assessment: &Assessment) -> Vec<&Link> {
    let Assessment { structure, resolution, .. } = assessment;
    let is_named_for = |link: &Link| {
        let rows = resolution.beneficial_owners.iter().filter(|it| it.person == link.owner);
        rows.flat_map(|it| &it.reasons).any(|it| match it {
            Reason::StatutoryFallback { entity, office, .. } => {
                (*entity, *office) == (link.owned, link.kind)
            }
            _ => false,
        })
    };
    let owns = |link: &Link| {
        structure.links_to(link.owned).any(|it| it.owner == link.owner && it.kind.is_ownership())
    };
    let links = structure.links().iter();
    let mut links: Vec<&Link> =
        links.filter(|it| it.kind.is_ownership() || (is_named_for(it) && !owns(it))).collect();
    links.sort_by_key(|it| structure.level(it));
    links
}

/// A circle of companies that own each other.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CircularFlag {
    /// Identifiers in the order of the circle, from owner to owned. One if a company holds its own shares.
    #[schema(value_type = Vec<String>)]
    loop_uids: Vec<Party>,
    /// Every company of the circle. More than `loopUids` if several circles are connected.
    #[schema(value_type = Vec<String>)]
    members: Vec<Party>,
    /// The circle, in English.
    description: String,
}

impl CircularFlag {
    pub(super) fn all(assessment: &Assessment) -> Vec<Self> {
        let structure = &assessment.structure;
        let flag = |it: &CircularOwnership| {
            let names: Vec<String> = it.circle.iter().map(|it| structure.name(*it)).collect();
            let description = match names.as_slice() {
                [name] => format!("{name} holds its own shares."),
                [first, .., _] => format!("Circular ownership: {} → {first}.", names.join(" → ")),
                [] => String::new(),
            };
            let CircularOwnership { circle, members } = it.clone();
            Self { loop_uids: circle, members, description }
        };
        assessment.resolution.circles.iter().map(flag).collect()
    }
}

/// Something that deserves attention.
#[derive(Serialize, ToSchema)]
pub(super) struct OwnershipFlag {
    /// Kind of flag.
    kind: FlagKind,
    /// Identifiers of the parties that it is about.
    #[schema(value_type = Vec<String>)]
    parties: Vec<Party>,
    /// What was found, in English.
    explanation: String,
    /// The statements that show it. Empty for `depth_limit`.
    evidence: Vec<Provenance>,
}

impl OwnershipFlag {
    pub(super) fn all(flags: &[Flag]) -> Vec<Self> {
        let flag = |it: &Flag| {
            let Flag { kind, parties, explanation, evidence } = it.clone();
            Self { kind, parties, explanation: explanation.en, evidence }
        };
        flags.iter().map(flag).collect()
    }
}

/// A part of the capital of the requested company.
#[derive(Serialize, ToSchema)]
pub(super) struct CapitalPart {
    /// Company number, or `LEI:` and a legal entity identifier. Absent if the entity is known by name only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    uid: Option<Party>,
    /// What the entity is.
    kind: PartyKind,
    /// Name of the entity.
    name: String,
    /// Part of the capital of the requested company, in percent.
    percentage: f64,
}

impl CapitalPart {
    pub(super) fn all(parts: &[Part], structure: &Structure) -> Vec<Self> {
        let part = |it: &Part| Self {
            uid: Some(it.party).filter(|it| matches!(it, Party::Company(_) | Party::Foreign(_))),
            kind: it.party.kind(),
            name: structure.name(it.party),
            percentage: it.percentage.get(),
        };
        parts.iter().map(part).collect()
    }
}

/// Category of an office. `None` if the link is none.
pub(super) fn office_category(kind: LinkKind) -> Option<RoleCategory> {
    match kind {
        LinkKind::Office(category) => Some(category),
        _ => None,
    }
}
