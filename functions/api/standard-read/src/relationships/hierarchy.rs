use std::collections::{HashMap, HashSet};

use axum::{Json, extract::State, response::IntoResponse};
use domain::{
    Company, Provenance, Status, Uid,
    relationships::{CompanyRelation, CompanyWithSharedPersons, Relation, subsidiaries_of},
};
use http_service::{CompanyPath, NoParameters, Path, Query, known_company};
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use super::{relatives_of, sharing};

/// Parent, subsidiaries and siblings of a company.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
pub(super) struct Hierarchy {
    /// Head office, or else direct parent. Absent if no source states one.
    parent: Option<HierarchyEntity>,
    /// Branch offices, then companies that report this company as their direct parent.
    subsidiaries: Vec<HierarchyEntity>,
    /// Other branch offices and subsidiaries of the same parent.
    siblings: Vec<HierarchyEntity>,
}

/// A company in a hierarchy.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct HierarchyEntity {
    /// Company number. Absent for a company that is not in the register.
    uid: Option<Uid>,
    /// Name of the company.
    name: String,
    /// Kind of source of the relationship: `register` or `gleif`. Published clients expect the name `confidence`.
    confidence: StatedBy,
    /// Number of people with a current role in both this and the requested company.
    shared_person_count: u64,
    /// Names of these people.
    shared_persons: Vec<String>,
    /// Source of the relationship. Absent if unknown.
    source: Option<Provenance>,
}

/// Kind of source of a relationship: the commercial register, or GLEIF.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum StatedBy {
    Register,
    Gleif,
}

/// Get a company's hierarchy
///
/// Parent, subsidiaries and siblings of a company. The sources are head and branch offices in the register, and the
/// parents that companies report to GLEIF. Companies that only share people with this one are not included.
/// Companies deleted from the register are left out.
#[utoipa::path(
    get,
    path = "/v1/companies/{uid}/hierarchy",
    tag = "Relationships",
    params(CompanyPath),
    responses((status = OK, body = Hierarchy)),
)]
pub(super) async fn hierarchy(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<impl IntoResponse, Problem> {
    let company = known_company(&state.registry, uid).await?;
    let generation = state.generations.serving().await?;
    let (relatives, records) = relatives_of(&state, &generation, &company).await?;
    let relatives = without_deleted(relatives, &records);
    let parent = relatives.iter().find(|it| it.relation.is_above());
    let mut siblings = Vec::new();
    if let Some(parent) =
        records.iter().find(|it| parent.is_some_and(|parent| parent.uid == Some(it.uid)))
    {
        let (of_parent, records) = relatives_of(&state, &generation, parent).await?;
        siblings = below(&without_deleted(of_parent, &records));
    } else if let Some(lei) = company.direct_parent_lei
        && parent.is_some_and(|it| it.relation == Relation::Parent)
    {
        // A foreign parent has no record. Its subsidiaries refer to it by the same LEI.
        let children = generation.companies().await?.with_parent(lei)?;
        let records = state.registry.companies(&children).await?;
        siblings = below(&without_deleted(subsidiaries_of(lei, &records), &records));
    }
    siblings.retain(|it| it.uid != Some(uid));
    let sharing = sharing(&generation, uid).await?;
    let sharing = sharing.into_iter().map(|it| (it.uid, it)).collect();
    let entity = |it: &CompanyRelation| entity(it, &sharing);
    let hierarchy = Hierarchy {
        parent: parent.map(entity),
        subsidiaries: below(&relatives).iter().map(entity).collect(),
        siblings: siblings.iter().map(entity).collect(),
    };
    Ok((generation.header(), Json(hierarchy)))
}

/// Removes the companies that are deleted from the register.
fn without_deleted(
    mut relatives: Vec<CompanyRelation>,
    records: &[Company],
) -> Vec<CompanyRelation> {
    let deleted = records.iter().filter(|it| it.status == Some(Status::Cancelled));
    let deleted: HashSet<Uid> = deleted.map(|it| it.uid).collect();
    relatives.retain(|it| it.uid.is_none_or(|it| !deleted.contains(&it)));
    relatives
}

/// Branch offices and subsidiaries, without duplicates.
fn below(relatives: &[CompanyRelation]) -> Vec<CompanyRelation> {
    let mut seen = HashSet::new();
    let mut below: Vec<CompanyRelation> =
        relatives.iter().filter(|it| it.relation.is_below()).cloned().collect();
    below.retain(|it| it.uid.is_none_or(|it| seen.insert(it)));
    below
}

fn entity(
    relative: &CompanyRelation,
    sharing: &HashMap<Uid, CompanyWithSharedPersons>,
) -> HierarchyEntity {
    let shared = relative.uid.and_then(|it| sharing.get(&it));
    let persons = shared.map(|it| it.persons.as_slice()).unwrap_or_default();
    HierarchyEntity {
        uid: relative.uid,
        name: relative.name.clone(),
        confidence: if relative.relation.is_from_gleif() {
            StatedBy::Gleif
        } else {
            StatedBy::Register
        },
        shared_person_count: persons.len() as u64,
        shared_persons: persons.iter().map(|it| it.name.clone()).collect(),
        source: relative.source.clone(),
    }
}
