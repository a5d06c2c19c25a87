//! The beneficial owners of a company.

use ::ownership::{
    BeneficialOwner, ControlMeans, ControlStep, FallbackCause, Link, Party, Reason, Structure,
    bods::{Publication, Statement, statements},
    flags::FlagKind,
};
use assessments::owners::{
    Assessment, OfficeInCompany, Reader, assess, coverage_note, ultimate_parent,
};
use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{
    Lei, Provenance, Uid,
    persons::{RoleCategory, SigningAuthority},
    text,
};
use http::{HeaderMap, header};
use http_service::{CompanyPath, Path, Query, accepts};
use jiff::civil::Date;
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use super::{
    answer::{CapitalPart, CircularFlag, LinkDetails, OwnershipFlag, chain, office_category},
    parameters::OwnershipQuery,
};

/// The media type of statements of the Beneficial Ownership Data Standard.
const BODS: &str = "application/vnd.bods+json";

/// The beginning of the `User-Agent` of a published client that cannot read ids of persons, which are no numbers.
const CLIENT_WITH_NUMERIC_IDS: &str = "vynco-rust/";

/// The beneficial owners of a company, and the links that lead to them.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct UboResponse {
    /// Company number.
    uid: Uid,
    /// Name of the company.
    company_name: String,
    /// Day of the state, if `asOf` was given.
    as_of: Option<Date>,
    /// Beneficial owners, largest share first. If there are none: the persons who direct the company, with the reason
    /// `statutory_fallback`.
    ubo_persons: Vec<UboPerson>,
    /// The links between the company and its direct and indirect owners, direct owners first; and the offices of persons who are
    /// named because there is no beneficial owner.
    ownership_chain: Vec<ChainLink>,
    /// Number of levels of owners.
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
    /// Entities that have no owners by law, and own a part of the company: foundations, associations, cooperatives, the state.
    without_owners: Vec<CapitalPart>,
    /// Legal entity identifier of the ultimate parent. Absent if none is known, or if it has no identifier.
    #[schema(value_type = Option<String>)]
    ultimate_parent_lei: Option<Lei>,
    /// Name of the ultimate parent: the legal entity that controls the company and is controlled by no other known one.
    ultimate_parent_name: Option<String>,
    /// Whether owners were not followed, because of `maxDepth` or because a request reads at most 100 companies, and at most 400
    /// partners and officers of a company.
    truncated: bool,
    /// What is missing and why, in English.
    data_coverage_note: String,
}

/// A natural person who owns or controls the company, or who is named instead.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UboPerson {
    /// Id of the person. Left out for callers whose `User-Agent` begins with `vynco-rust/`: that client accepts only a number.
    #[schema(value_type = Option<String>, format = Uuid)]
    person_id: Option<Party>,
    /// Full name.
    name: String,
    /// Identifier of the entity that the person directly owns or directs: a company number, `LEI:` and a legal entity
    /// identifier, or a UUID for an entity that is known by name only.
    #[schema(value_type = String)]
    controlling_entity_uid: Party,
    /// Name of the entity in `controllingEntityUid`.
    controlling_entity_name: String,
    /// What the person is.
    role: UboRole,
    /// Whether the register names the person as president of `entityUid` of the reason. Only for `statutory_fallback`.
    is_president: Option<bool>,
    /// Signing authority of the person in `controllingEntityUid`, or, with the reason `statutory_fallback`, in `entityUid` of the
    /// reason. Absent if it is not known.
    signing_authority: Option<SigningAuthority>,
    /// Number of links between the person and the company.
    path_length: usize,
    /// Identifiers along the shortest path: first the person, then each entity on the way, last the company.
    #[schema(value_type = Vec<String>)]
    path: Vec<Party>,
    /// Integrated share of the capital of the company over all paths, in percent.
    ownership_percentage: f64,
    /// Share of the votes in the company that the person and the companies that the person controls hold, in percent.
    control_percentage: f64,
    /// Why the person is named. Never empty.
    reasons: Vec<UboReason>,
    /// The statements that link the person with the entity.
    sources: Vec<Provenance>,
    /// Confidence of the path, 0 to 1: the product of the confidences of its links.
    confidence: f64,
}

/// What a person is to the company: `beneficial_owner` (owns or controls it), or `controlling_person` (of the statutory fallback:
/// directs the company or its owner, and has no known share or control that makes a beneficial owner).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum UboRole {
    /// Owns or controls the company.
    BeneficialOwner,
    /// Directs the company or its owner.
    ControllingPerson,
}

/// Why a person is named.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UboReason {
    /// `ownership` (integrated share of the capital), `votes` (integrated share of the votes), `controlled_votes` (votes of the
    /// person and of companies that it controls), `control`, or `statutory_fallback` (the person holds an office, and there is
    /// no known beneficial owner).
    kind: &'static str,
    /// The share that is the reason, in percent. Only for `ownership`, `votes` and `controlled_votes`.
    percentage: Option<f64>,
    /// The steps of control, the nearest to the person first. Only for `control`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    steps: Vec<UboControlStep>,
    /// The entity in which the person holds an office. Only for `statutory_fallback`.
    #[schema(value_type = Option<String>)]
    entity_uid: Option<Party>,
    /// Category of the office that the person holds in `entityUid`. Only for `statutory_fallback`.
    office: Option<RoleCategory>,
    /// Why the fallback applies. Only for `statutory_fallback`.
    cause: Option<FallbackCause>,
    /// The reason, in English.
    explanation: String,
}

/// One step of control.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UboControlStep {
    /// The company that is controlled.
    #[schema(value_type = String)]
    uid: Party,
    /// `votes` (more than `controlThreshold`), `consolidation`, `head_office`, `merger` or `sole_proprietor`.
    means: &'static str,
    /// Share of the votes that can be cast, in percent. Only for `votes`.
    votes_percentage: Option<f64>,
    /// Who has the votes or the link: the person or companies that the person controls.
    #[schema(value_type = Vec<String>)]
    through: Vec<Party>,
}

/// A link of the chain, from the owner to what it owns.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ChainLink {
    /// Identifier of the owner: a company number, `LEI:` and a legal entity identifier, or a UUID for a person and for an
    /// entity that is known by name only.
    #[schema(value_type = String)]
    from_uid: Party,
    /// Name of the owner.
    from_name: String,
    /// Identifier of what it owns.
    #[schema(value_type = String)]
    to_uid: Party,
    /// Name of what it owns.
    to_name: String,
    #[serde(flatten)]
    details: LinkDetails,
}

impl ChainLink {
    fn of(link: &Link, structure: &Structure) -> Self {
        Self {
            from_uid: link.owner,
            from_name: structure.name(link.owner),
            to_uid: link.owned,
            to_name: structure.name(link.owned),
            details: LinkDetails::of(link, structure),
        }
    }
}

/// Get a company's beneficial owners
///
/// The natural persons who own or control a company in the end, through all levels of Swiss and foreign owners, and the
/// links that lead to them. Shares are multiplied along a path and added over paths; companies that own each other are
/// solved exactly. A person with an integrated share of at least `ownershipThreshold`, or with control, is a beneficial owner.
/// If none is known, the persons who direct the company are listed with the role `controlling_person` and the reason
/// `statutory_fallback`. The law asks for the most senior of them; the register does not state who that is.
/// `isPresident` marks the president. Unknown shares are reported as unattributed.
///
/// Sources are partners and their shares in the publications of the commercial register, sole proprietors, head offices and
/// mergers, parents that companies report to the Global LEI Index, and disclosures of shareholders to the stock exchange. The
/// transparency register is not public. At most 100 companies are read; `truncated` says whether more were needed.
///
/// With `Accept: application/vnd.bods+json`, the response is an array of statements of the Beneficial Ownership Data Standard
/// 0.4.
#[utoipa::path(
    get,
    path = "/v1/companies/{uid}/ubo",
    tag = "Beneficial ownership",
    params(CompanyPath, OwnershipQuery),
    responses((status = OK, content(
        (UboResponse = "application/json"),
        (Vec<Statement> = "application/vnd.bods+json"),
    ))),
)]
pub(super) async fn beneficial_owners(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(query): Query<OwnershipQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let generation = state.generations.serving().await?;
    let sources = state.sources();
    let reader = Reader::new(&sources, &generation, query.as_of).await?;
    let assessment = assess(&reader, uid, &query.scope()).await?;
    if accepts(&headers, BODS) {
        let today = state.clock.today();
        let publication = Publication {
            date: today,
            as_of: query.as_of.unwrap_or(today),
            publisher: "Gotthard".to_owned(),
            url: Some(state.public_url.to_string()),
        };
        let Assessment { structure, resolution, .. } = &assessment;
        let statements: Vec<Statement> = statements(structure, resolution, &publication);
        return Ok(
            (generation.header(), [(header::CONTENT_TYPE, BODS)], Json(statements)).into_response()
        );
    }
    let mut answer = UboResponse::of(&assessment, query.as_of);
    if is_sent_by(&headers, CLIENT_WITH_NUMERIC_IDS) {
        answer.ubo_persons.iter_mut().for_each(|it| it.person_id = None);
    }
    Ok((generation.header(), Json(answer)).into_response())
}

fn is_sent_by(headers: &HeaderMap, client: &str) -> bool {
    let agent = headers.get(header::USER_AGENT).and_then(|it| it.to_str().ok());
    agent.is_some_and(|it| it.starts_with(client))
}

impl UboResponse {
    fn of(assessment: &Assessment, as_of: Option<Date>) -> Self {
        let Assessment { company, structure, resolution, flags, .. } = assessment;
        let parent = ultimate_parent(assessment);
        let mut risk_flags: Vec<FlagKind> = flags.iter().map(|it| it.kind).collect();
        // The flags are sorted by kind.
        risk_flags.dedup();
        Self {
            uid: company.uid,
            company_name: company.name.clone(),
            as_of,
            ubo_persons: resolution
                .beneficial_owners
                .iter()
                .map(|it| UboPerson::of(it, assessment))
                .collect(),
            ownership_chain: chain(assessment)
                .into_iter()
                .map(|it| ChainLink::of(it, structure))
                .collect(),
            chain_depth: structure.depth(),
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

impl UboPerson {
    fn of(row: &BeneficialOwner, assessment: &Assessment) -> Self {
        let structure = &assessment.structure;
        let entity = row.path.get(1).copied().unwrap_or(structure.root());
        let is_fallback = |it: &Reason| matches!(it, Reason::StatutoryFallback { .. });
        let role = match row.reasons.iter().all(is_fallback) {
            true => UboRole::ControllingPerson,
            false => UboRole::BeneficialOwner,
        };
        let offices = assessment.above.offices.iter();
        let directed = directed(row);
        let is_named_instead = !directed.is_empty();
        let of_office = match is_named_instead {
            true => directed,
            false => vec![entity],
        };
        let in_entity: Vec<&OfficeInCompany> = offices
            .filter(|it| it.person == row.person)
            .filter(|it| of_office.contains(&Party::Company(it.company)))
            .collect();
        let mut sources: Vec<Provenance> = Vec::new();
        for link in structure.links_to(entity).filter(|it| it.owner == row.person) {
            if !sources.contains(&link.source) {
                sources.push(link.source.clone());
            }
        }
        Self {
            person_id: Some(row.person),
            name: structure.name(row.person),
            controlling_entity_uid: entity,
            controlling_entity_name: structure.name(entity),
            role,
            is_president: is_named_instead
                .then(|| in_entity.iter().any(|it| is_president(&it.role))),
            signing_authority: in_entity.iter().find_map(|it| it.signing_authority),
            path_length: row.path.len().saturating_sub(1),
            path: row.path.clone(),
            ownership_percentage: row.ownership.get(),
            control_percentage: row.control.get(),
            reasons: row.reasons.iter().map(|it| UboReason::of(it, row, structure)).collect(),
            sources,
            confidence: row.confidence,
        }
    }
}

impl UboReason {
    fn of(reason: &Reason, row: &BeneficialOwner, structure: &Structure) -> Self {
        let of_kind = |kind, explanation| Self {
            kind,
            percentage: None,
            steps: Vec::new(),
            entity_uid: None,
            office: None,
            cause: None,
            explanation,
        };
        match reason {
            Reason::Ownership => Self {
                percentage: Some(row.ownership.get()),
                ..of_kind(
                    "ownership",
                    format!("Owns {} of the capital, over all paths.", row.ownership),
                )
            },
            Reason::Votes(votes) => Self {
                percentage: Some(votes.get()),
                ..of_kind("votes", format!("Holds {votes} of the votes, over all paths."))
            },
            Reason::ControlledVotes(votes) => Self {
                percentage: Some(votes.get()),
                ..of_kind(
                    "controlled_votes",
                    format!("Holds {votes} of the votes, with companies that the person controls."),
                )
            },
            Reason::Control(steps) => {
                let names: Vec<String> =
                    steps.iter().map(|it| structure.name(it.company)).collect();
                Self {
                    steps: steps.iter().map(UboControlStep::of).collect(),
                    ..of_kind("control", format!("Controls {}.", names.join(", then ")))
                }
            }
            Reason::StatutoryFallback { entity, office, cause } => Self {
                entity_uid: Some(*entity),
                office: office_category(*office),
                cause: Some(*cause),
                ..of_kind("statutory_fallback", {
                    let mut owners = structure.persons_with_unknown_shares(*entity);
                    let has_unknown_share = owners.any(|it| it == row.person);
                    fallback(row, &structure.name(*entity), *cause, has_unknown_share)
                })
            },
        }
    }
}

/// The entities that a person directs and is named for.
fn directed(row: &BeneficialOwner) -> Vec<Party> {
    let entity = |it: &Reason| match it {
        Reason::StatutoryFallback { entity, .. } => Some(*entity),
        _ => None,
    };
    row.reasons.iter().filter_map(entity).collect()
}

/// Why a person is named who directs an entity.
fn fallback(
    row: &BeneficialOwner,
    entity: &str,
    cause: FallbackCause,
    has_unknown_share: bool,
) -> String {
    // A person can be an owner for other reasons: its share is not below the threshold then.
    let is_owner = row.reasons.len() > directed(row).len();
    let held = match (row.ownership.get() > 0.0, row.control.get() > 0.0) {
        _ if is_owner => "A beneficial owner for other reasons too.".to_owned(),
        (true, _) => format!("Holds {} of the capital, below the threshold.", row.ownership),
        (false, true) => format!("Holds {} of the votes, below the threshold.", row.control),
        (false, false) if has_unknown_share => "An owner whose share is not known.".to_owned(),
        (false, false) => "Not a known owner.".to_owned(),
    };
    let why = match cause {
        FallbackCause::NoOwnersByLaw => "which has no owners by law",
        FallbackCause::NoShareReachesTheThreshold => {
            "all of whose owners are known, none of them with a share that reaches the threshold"
        }
        FallbackCause::EndsWithoutOwners => {
            "all of whose owners are known, among them parties without owners, and no person with a share that reaches the \
             threshold"
        }
        FallbackCause::SharesNotKnown => "of whose known owners not all shares are known",
        FallbackCause::NoOwnerFound => "of which no beneficial owner is known",
    };
    format!("{held} Named because the person directs {entity}, {why} (statutory fallback).")
}

/// Whether a published role is that of a president, in any of the languages of the register.
fn is_president(role: &str) -> bool {
    let role = text::fold(role);
    let is =
        |word: &str| ["prasident", "praesident", "president"].iter().any(|it| word.starts_with(it));
    let is_deputy = role.split(' ').any(|it| matches!(it, "vize" | "vice"));
    !is_deputy && role.split(' ').any(is)
}

impl UboControlStep {
    fn of(step: &ControlStep) -> Self {
        let (means, votes) = match step.means {
            ControlMeans::Votes(votes) => ("votes", Some(votes.get())),
            ControlMeans::Consolidation => ("consolidation", None),
            ControlMeans::HeadOffice => ("head_office", None),
            ControlMeans::Merger => ("merger", None),
            ControlMeans::SoleProprietor => ("sole_proprietor", None),
        };
        Self { uid: step.company, means, votes_percentage: votes, through: step.through.clone() }
    }
}

#[cfg(test)]
mod tests {
    use ::ownership::Percent;

    use super::*;

    #[test]
    fn presidents_are_recognised_in_all_languages_and_their_deputies_are_none() {
        for role in [
            "Präsident des Verwaltungsrates",
            "présidente du conseil",
            "presidente",
            "Mitglied und Präsidentin",
        ] {
            assert!(is_president(role), "{role}");
        }
        for role in
            ["Vizepräsident", "vice-président", "Vize-Präsident", "Mitglied", "vicepresidente"]
        {
            assert!(!is_president(role), "{role}");
        }
    }

    #[test]
    fn owner_below_the_threshold_is_not_called_unknown() {
        use ::ownership::LinkKind;

        let row = |ownership| BeneficialOwner {
            person: Party::Person(uuid::Uuid::nil()),
            ownership: Percent::new(ownership).expect("a share"),
            control: Percent::default(),
            reasons: Vec::new(),
            path: Vec::new(),
            confidence: 1.0,
        };
        let cause = FallbackCause::NoShareReachesTheThreshold;
        let text = fallback(&row(20.0), "Muster GmbH", cause, false);
        let start = "Holds 20 % of the capital, below the threshold. Named because the person directs Muster GmbH";
        assert!(text.starts_with(start) && !text.contains("Not a known owner"), "{text}");
        let text = fallback(&row(0.0), "Muster GmbH", FallbackCause::NoOwnerFound, false);
        assert!(text.starts_with("Not a known owner."), "{text}");
        let fallback_reason = Reason::StatutoryFallback {
            entity: Party::Person(uuid::Uuid::nil()),
            office: LinkKind::Office(RoleCategory::Board),
            cause: FallbackCause::NoOwnersByLaw,
        };
        let owner =
            BeneficialOwner { reasons: vec![Reason::Ownership, fallback_reason], ..row(30.0) };
        let text = fallback(&owner, "Muster Stiftung", FallbackCause::NoOwnersByLaw, false);
        assert!(!text.contains("below the threshold"), "{text}");
    }
}
