//! What deserves attention in the ownership of a company, with evidence.

use domain::Provenance;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    Link, Part, Party, Resolution, Share, Structure, UnknownShare, resolution::MAX_MEMBERS,
};

/// Kind of flag: `circular_ownership` (companies own each other), `closed_circle` (companies hold all of each other, so
/// that no owner of them is known), `shares_exceed_capital` (the known shares of a company exceed its capital, or the
/// known votes all votes), `pyramid` (somebody controls the company through others and owns a smaller part of it than
/// of the votes), `unknown_share` (the share of an owner is unknown), `reporting_exception` (an entity reported to
/// GLEIF why it names no parent), `domiciliary_address` (a company has a `c/o` address), `mass_domicile_address` (many
/// companies share the address of a company) or `depth_limit` (owners beyond the maximum number of levels or of
/// entities, or of an entity abroad whose reports were not read completely, were not followed).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[schema(as = OwnershipFlagKind)]
#[serde(rename_all = "snake_case")]
pub enum FlagKind {
    /// Companies own each other.
    CircularOwnership,
    /// Companies hold all of each other, so that nobody is known to own them.
    ClosedCircle,
    /// The known shares of a company exceed its capital, or the known votes all votes.
    SharesExceedCapital,
    /// Somebody controls the company through others and owns a smaller part of it than of the votes.
    Pyramid,
    /// The share of an owner is unknown.
    UnknownShare,
    /// An entity reported to GLEIF why it names no parent.
    ReportingException,
    /// A company has a `c/o` address.
    DomiciliaryAddress,
    /// Many companies share the address of a company.
    MassDomicileAddress,
    /// Owners beyond the greatest depth, or beyond the greatest number of parties, were not followed.
    DepthLimit,
}

impl FlagKind {
    /// Name in responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::CircularOwnership => "circular_ownership",
            Self::ClosedCircle => "closed_circle",
            Self::SharesExceedCapital => "shares_exceed_capital",
            Self::Pyramid => "pyramid",
            Self::UnknownShare => "unknown_share",
            Self::ReportingException => "reporting_exception",
            Self::DomiciliaryAddress => "domiciliary_address",
            Self::MassDomicileAddress => "mass_domicile_address",
            Self::DepthLimit => "depth_limit",
        }
    }
}

/// Something that deserves attention.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Flag {
    /// Kind of flag.
    pub kind: FlagKind,
    /// The parties that it is about. Circles: in the direction from owner to owned.
    pub parties: Vec<Party>,
    /// What was found, in English.
    pub explanation: String,
    /// The statements that show it.
    pub evidence: Vec<Provenance>,
}

/// The flags of a company and its owners, sorted by kind.
pub fn flags(structure: &Structure, resolution: &Resolution) -> Vec<Flag> {
    let mut flags = circles(structure, resolution);
    flags.extend(overstated(structure, resolution));
    flags.extend(pyramid(structure, resolution));
    flags.extend(unknown_shares(structure));
    for party in structure.depths().keys() {
        flags.extend(of_profile(structure, *party));
    }
    if !structure.cut_off().is_empty() {
        flags.push(Flag {
            kind: FlagKind::DepthLimit,
            parties: structure.cut_off().iter().copied().collect(),
            explanation: match structure.cut_off().len() {
                1 => "The owners of 1 company were not all followed.".to_owned(),
                companies => format!("The owners of {companies} companies were not all followed."),
            },
            evidence: Vec::new(),
        });
    }
    flags.sort_by_key(|it| it.kind);
    flags
}

fn circles(structure: &Structure, resolution: &Resolution) -> Vec<Flag> {
    let open = resolution.circles.iter().map(|circle| {
        let names = names(structure, &circle.circle);
        let explanation = match circle.circle.as_slice() {
            [_] => format!("{names} holds its own shares."),
            [_, _] => format!("{names} own each other."),
            _ => format!(
                "Circle of {names}: each owns a part of the next, and the last a part of the first."
            ),
        };
        Flag {
            kind: FlagKind::CircularOwnership,
            parties: circle.circle.clone(),
            explanation,
            evidence: evidence_of(structure, |it| {
                circle.members.contains(&it.owner) && circle.members.contains(&it.owned)
            }),
        }
    });
    let closed = resolution.closed_circles.iter().map(|members| Flag {
        kind: FlagKind::ClosedCircle,
        parties: members.clone(),
        explanation: closed_circle(structure, members),
        evidence: evidence_of(structure, |it| {
            members.contains(&it.owner) && members.contains(&it.owned)
        }),
    });
    open.chain(closed).collect()
}

fn closed_circle(structure: &Structure, members: &[Party]) -> String {
    let names = names(structure, members);
    match members.len() > MAX_MEMBERS {
        true => format!(
            "{} companies own each other, more than the {MAX_MEMBERS} that are resolved. Their owners count as unknown: \
             {names}.",
            members.len()
        ),
        false => {
            format!(
                "All, or nearly all, shares of {names} are held among themselves: no owner outside is known."
            )
        }
    }
}

fn overstated(structure: &Structure, resolution: &Resolution) -> Vec<Flag> {
    let flag = |part: &Part| Flag {
        kind: FlagKind::SharesExceedCapital,
        parties: vec![part.party],
        explanation: format!(
            "The known shares of {}, or the votes in it, add up to {}. At least one statement is wrong, so none of them counts.",
            structure.name(part.party),
            part.percentage
        ),
        evidence: evidence_of(structure, |it| it.owned == part.party && it.share.known().is_some()),
    };
    resolution.overstated.iter().map(flag).collect()
}

/// A pyramid separates control from ownership (R. La Porta, F. Lopez-de-Silanes, A. Shleifer, "Corporate ownership around
/// the world", Journal of Finance 54, 1999): an ultimate controller decides through companies that it owns only partly.
/// Only what is certain is flagged: the controller's share would be smaller than its votes even if it held everything
/// that is unattributed.
fn pyramid(structure: &Structure, resolution: &Resolution) -> Vec<Flag> {
    let unattributed = resolution.unattributed_percentage.get();
    let controllers = resolution.controllers.iter().filter(|it| it.is_ultimate);
    let flags = controllers.filter_map(|controller| {
        let holder = resolution.holders.iter().find(|it| it.party == controller.party)?;
        let votes = holder.controlled_votes;
        let at_most = holder.capital.get() + unattributed;
        if controller.steps.len() < 2 || at_most >= votes.get() - 1e-6 {
            return None;
        }
        let companies: Vec<Party> = controller.steps.iter().map(|it| it.company).collect();
        let intermediate = companies.len() - 1;
        let explanation = format!(
            "{} has {votes} of the votes through {intermediate} intermediate {}, but owns only {} of the capital.",
            structure.name(controller.party),
            if intermediate == 1 { "company" } else { "companies" },
            holder.capital,
        );
        let is_step = |it: &Link| {
            let mut steps = controller.steps.iter();
            steps.any(|step| step.company == it.owned && step.through.contains(&it.owner))
        };
        Some(Flag {
            kind: FlagKind::Pyramid,
            parties: [controller.party].into_iter().chain(companies).collect(),
            explanation,
            evidence: evidence_of(structure, is_step),
        })
    });
    flags.collect()
}

/// Owners of which no link states the share. An ultimate parent that holds its share through others is none of them.
fn unknown_shares(structure: &Structure) -> Vec<Flag> {
    let is_known = |owner: Party, owned: Party| {
        structure.links_to(owned).any(|it| it.owner == owner && it.share.known().is_some())
    };
    let links = structure.links().iter().filter(|it| it.kind.is_ownership());
    let unknown = links.filter_map(|link| {
        let Share::Unknown(reason) = link.share else { return None };
        if reason == UnknownShare::Indirect || is_known(link.owner, link.owned) {
            return None;
        }
        Some(Flag {
            kind: FlagKind::UnknownShare,
            parties: vec![link.owner, link.owned],
            explanation: format!(
                "The share of {} in {} is unknown: {}.",
                structure.name(link.owner),
                structure.name(link.owned),
                reason.explanation()
            ),
            evidence: vec![link.source.clone()],
        })
    });
    unknown.collect()
}

fn of_profile(structure: &Structure, party: Party) -> Vec<Flag> {
    let Some(profile) = structure.profile(party) else { return Vec::new() };
    let name = structure.name(party);
    let flag = |kind, explanation, source: &Provenance| Flag {
        kind,
        parties: vec![party],
        explanation,
        evidence: vec![source.clone()],
    };
    let exceptions = profile.exceptions.iter().map(|it| {
        let parent = match it.exception.category {
            statements::gleif::Category::DirectParent => "direct",
            statements::gleif::Category::UltimateParent => "ultimate",
        };
        let reasons = it.exception.reasons.join(", ");
        let explanation =
            format!("{name} reported to GLEIF why it names no {parent} parent: {reasons}.");
        flag(FlagKind::ReportingException, explanation, &it.source)
    });
    let domiciliary = profile.domiciliary.iter().map(|source| {
        let explanation = format!("{name} has a `c/o` address: it may have no offices of its own.");
        flag(FlagKind::DomiciliaryAddress, explanation, source)
    });
    let shared = profile.mass_domicile.iter().map(|it| {
        let explanation = format!("{name} shares its address with {} companies.", it.companies);
        flag(FlagKind::MassDomicileAddress, explanation, &it.source)
    });
    exceptions.chain(domiciliary).chain(shared).collect()
}

fn names(structure: &Structure, parties: &[Party]) -> String {
    let names: Vec<String> = parties.iter().map(|it| structure.name(*it)).collect();
    match names.as_slice() {
        [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
        _ => names.concat(),
    }
}

/// The sources of the ownership links with this property, each once.
fn evidence_of(structure: &Structure, has: impl Fn(&Link) -> bool) -> Vec<Provenance> {
    let mut evidence: Vec<Provenance> = Vec::new();
    for link in structure.links().iter().filter(|it| it.kind.is_ownership() && has(it)) {
        if !evidence.contains(&link.source) {
            evidence.push(link.source.clone());
        }
    }
    evidence
}
