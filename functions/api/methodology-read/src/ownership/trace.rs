//! The chain of owners of a company.

use std::collections::{BTreeMap, BTreeSet};

use ::ownership::{
    Link, LinkKind, Party, PartyKind, Structure,
    analytics::{OpacityLevel, opacity},
};
use axum::{extract::State, response::IntoResponse};
use company_reader::owners::{Assessment, Reader, assess, coverage_note, ultimate_parent};
use domain::{Amount, Canton, Status, Uid};
use http_service::{CompanyPath, Json, NoParameters, Path, Query};
use jiff::{Timestamp, civil::Date};
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use super::{
    answer::{CapitalPart, CircularFlag, LinkDetails, OwnershipFlag, chain},
    parameters::{OwnershipQuery, OwnershipRequest},
};

/// Maximum number of key persons.
const MAX_KEY_PERSONS: usize = 50;

/// The chain of owners of a company.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct OwnershipResponse {
    /// Company number.
    uid: Uid,
    /// Name of the company.
    company_name: String,
    /// Day of the state: `asOf`, or, of a company that is deleted and was not absorbed, the day before its deletion. Its owners are the
    /// last known ones, not present ones. Absent for the present state.
    as_of: Option<Date>,
    /// Date of the deletion of the company from the register. Absent if it is not deleted.
    deletion_date: Option<Date>,
    /// The links between the company and its direct and indirect owners, direct owners first; and the offices of persons who are
    /// named because there is no beneficial owner.
    ownership_chain: Vec<OwnershipLink>,
    /// The legal entity that controls the company and is controlled by no other known one. Absent if there is none.
    ultimate_parent: Option<OwnershipEntity>,
    /// Persons in office or with shares in the company or its owners: those in most companies first, at most 50.
    key_persons: Vec<KeyPerson>,
    /// Whether companies above the company own each other.
    is_circular: bool,
    /// The circles of companies that own each other.
    circular_flags: Vec<CircularFlag>,
    /// What deserves attention, with evidence.
    flags: Vec<OwnershipFlag>,
    /// Part of the capital whose ultimate owners are unknown, in percent. Never distributed over the known owners.
    unattributed_percentage: f64,
    /// The entities at which owners are unknown, with the part of the capital of the requested company, largest first.
    unattributed: Vec<CapitalPart>,
    /// How hard it is to see who owns the company.
    risk_level: OwnershipRisk,
    /// Whether owners were not followed: because of `maxDepth`, because a request reads at most 100 companies, and at most 400
    /// partners and officers of a company, or because what an entity abroad reported to GLEIF was not read completely.
    truncated: bool,
    /// What is missing and why, in English.
    data_coverage_note: String,
    /// Time of the assessment.
    assessed_at: Timestamp,
}

/// How hard it is to see who owns a company, by `opacityLevel` of `GET /v1/ownership/{uid}/analytics`.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum OwnershipRisk {
    /// `transparent`.
    Low,
    /// `normal`.
    Medium,
    /// `opaque`.
    High,
    /// `highly_opaque`.
    Critical,
}

/// A link from an owner to what it owns.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OwnershipLink {
    /// Identifier of the owner: a company number, `LEI:` and a legal entity identifier, or a UUID for a person and for an
    /// entity that is known by name only.
    #[schema(value_type = String)]
    source_uid: Party,
    /// What the owner is.
    source_kind: PartyKind,
    /// Name of the owner.
    source_name: String,
    /// Identifier of what it owns.
    #[schema(value_type = String)]
    target_uid: Party,
    /// What is owned.
    target_kind: PartyKind,
    /// Name of what it owns.
    target_name: String,
    /// What the owner is to the other: `head_office`, `acquisition` (it absorbed the other), `gleif_parent`,
    /// `gleif_ultimate_parent`, `quota_holder` (shares of a limited liability company), `significant_shareholder`, `partner`,
    /// `sole_proprietor`, or the category of an office, such as `board`.
    relationship_type: &'static str,
    #[serde(flatten)]
    details: LinkDetails,
}

/// A legal entity.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OwnershipEntity {
    /// Company number, `LEI:` and a legal entity identifier, or a UUID for an entity that is known by name only.
    #[schema(value_type = String)]
    uid: Party,
    /// Name of the entity.
    name: String,
    /// Canton of the seat. Absent if the entity is not in the Swiss register.
    canton: Option<Canton>,
    /// Status in the register. Absent if the entity is not in the Swiss register.
    status: Option<Status>,
    /// German name of the legal form. Absent if the entity is not in the Swiss register.
    legal_form: Option<String>,
    /// Nominal capital. Absent if it is not known.
    share_capital: Option<Amount>,
}

/// A person with roles in the company or its owners.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct KeyPerson {
    /// Id of the person.
    #[schema(value_type = String, format = Uuid)]
    person_id: Party,
    /// Full name.
    name: String,
    /// The roles, by company.
    companies: Vec<PersonCompanyRole>,
}

/// A role of a person in a company.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PersonCompanyRole {
    /// Company number.
    company_uid: Uid,
    /// Name of the company.
    company_name: String,
    /// Role, as published.
    role: String,
}

/// Trace a company's owners
///
/// All direct and indirect owners of a company, through Swiss and foreign entities, with their shares; the ultimate parent;
/// and the persons with roles in the company and its owners. The body may be empty. Sources, limits and meaning of the shares
/// are those of `GET /v1/companies/{uid}/ubo`.
#[utoipa::path(
    post,
    path = "/v1/ownership/{uid}",
    tag = "Beneficial ownership",
    params(CompanyPath),
    request_body = OwnershipRequest,
    responses((status = OK, body = OwnershipResponse)),
)]
pub(super) async fn trace_ownership(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<OwnershipRequest>,
) -> Result<impl IntoResponse, Problem> {
    let query = OwnershipQuery::from(request);
    let generation = state.generations.serving().await?;
    let sources = state.sources();
    let reader = Reader::new(&sources, &generation, query.as_of).await?;
    let assessment = assess(&reader, uid, &query.scope()).await?;
    let answer = OwnershipResponse::of(&assessment, state.clock.now());
    Ok((generation.header(), axum::Json(answer)))
}

impl OwnershipResponse {
    fn of(assessment: &Assessment, now: Timestamp) -> Self {
        let Assessment { company, structure, resolution, flags, .. } = assessment;
        let parent = ultimate_parent(assessment);
        Self {
            uid: company.uid,
            company_name: company.name.clone(),
            as_of: assessment.scope.as_of,
            deletion_date: company.deletion_date,
            ownership_chain: chain(assessment)
                .into_iter()
                .map(|it| OwnershipLink::of(it, structure))
                .collect(),
            ultimate_parent: parent.map(|it| OwnershipEntity::of(it, assessment)),
            key_persons: key_persons(assessment),
            is_circular: resolution.is_circular(),
            circular_flags: CircularFlag::all(assessment),
            flags: OwnershipFlag::all(flags),
            unattributed_percentage: resolution.unattributed_percentage.get(),
            unattributed: CapitalPart::all(&resolution.unattributed, structure),
            risk_level: opacity(structure, resolution, flags).level.into(),
            truncated: !structure.cut_off().is_empty(),
            data_coverage_note: coverage_note(assessment),
            assessed_at: now,
        }
    }
}

impl OwnershipLink {
    fn of(link: &Link, structure: &Structure) -> Self {
        Self {
            source_uid: link.owner,
            source_kind: link.owner.kind(),
            source_name: structure.name(link.owner),
            target_uid: link.owned,
            target_kind: link.owned.kind(),
            target_name: structure.name(link.owned),
            relationship_type: relationship_type(link.kind),
            details: LinkDetails::of(link, structure),
        }
    }
}

fn relationship_type(kind: LinkKind) -> &'static str {
    match kind {
        LinkKind::Shares => "quota_holder",
        LinkKind::VotingRights => "significant_shareholder",
        LinkKind::Consolidation => "gleif_parent",
        LinkKind::UltimateConsolidation => "gleif_ultimate_parent",
        LinkKind::HeadOffice => "head_office",
        LinkKind::Merger => "acquisition",
        LinkKind::Partnership => "partner",
        LinkKind::SoleProprietor => "sole_proprietor",
        LinkKind::Office(category) => category.name(),
    }
}

impl From<OpacityLevel> for OwnershipRisk {
    fn from(level: OpacityLevel) -> Self {
        match level {
            OpacityLevel::Transparent => Self::Low,
            OpacityLevel::Normal => Self::Medium,
            OpacityLevel::Opaque => Self::High,
            OpacityLevel::HighlyOpaque => Self::Critical,
        }
    }
}

impl OwnershipEntity {
    fn of(party: Party, assessment: &Assessment) -> Self {
        let company = match party {
            Party::Company(uid) => assessment.above.companies.get(&uid).map(|it| &it.company),
            Party::Foreign(_) | Party::Firm(_) | Party::Person(_) | Party::Unidentified(_) => None,
        };
        Self {
            uid: party,
            name: assessment.structure.name(party),
            canton: company.and_then(|it| it.canton),
            status: company.and_then(|it| it.status),
            legal_form: company.and_then(|it| it.legal_form.clone()),
            share_capital: company.and_then(|it| it.share_capital),
        }
    }
}

/// The natural persons with roles in the companies of the structure.
fn key_persons(assessment: &Assessment) -> Vec<KeyPerson> {
    let structure = &assessment.structure;
    let is_above = |uid: Uid| structure.depths().contains_key(&Party::Company(uid));
    let mut roles: BTreeMap<Party, BTreeSet<(Uid, String)>> = BTreeMap::new();
    for office in assessment.above.offices.iter().filter(|it| it.person.is_person()) {
        if is_above(office.company) {
            roles.entry(office.person).or_default().insert((office.company, office.role.clone()));
        }
    }
    let role = |(uid, role): (Uid, String)| PersonCompanyRole {
        company_uid: uid,
        company_name: structure.name(Party::Company(uid)),
        role,
    };
    let mut persons: Vec<KeyPerson> = roles
        .into_iter()
        .map(|(person, roles)| KeyPerson {
            person_id: person,
            name: structure.name(person),
            companies: roles.into_iter().map(role).collect(),
        })
        .collect();
    let companies = |it: &KeyPerson| {
        it.companies.iter().map(|it| it.company_uid).collect::<BTreeSet<Uid>>().len()
    };
    persons.sort_by_key(|it| (std::cmp::Reverse(companies(it)), it.person_id));
    persons.truncate(MAX_KEY_PERSONS);
    persons
}
