use std::collections::{HashMap, HashSet};

use axum::{Json, extract::State, response::IntoResponse};
use company_reader::known_company;
use domain::{
    Company, Provenance, Uid,
    company::{ParentException, QuotaHolder},
    relationships::{CompanyRelation, CompanyWithSharedPersons, Relation, subsidiaries_of},
};
use http_service::{CompanyPath, NoParameters, Path, Query};
use jiff::civil::Date;
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use super::{Relatives, relatives_of, sharing};

/// Parent, subsidiaries and siblings of a company.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Hierarchy {
    /// Date of the deletion of the company from the register: its relationships are the last known ones. Absent if it is not
    /// deleted.
    deletion_date: Option<Date>,
    /// Head office, or else direct parent, or else the company that holds more than half of the shares of this limited
    /// liability company. Absent if no source states one.
    parent: Option<HierarchyEntity>,
    /// Reasons that the company reported to GLEIF for naming no parent. Empty if it reported none.
    parent_exceptions: Vec<ParentException>,
    /// Partners of this limited liability company with their shares, persons too, the largest first; at most 50. Empty for
    /// other legal forms, and if none are known.
    quota_holders: Vec<QuotaHolder>,
    /// Branch offices, then companies that report this company as their direct parent, then limited liability companies of
    /// which it holds more than half of the shares.
    subsidiaries: Vec<HierarchyEntity>,
    /// Of a branch, the other branches of its head office; of another company, the other subsidiaries of its parent.
    siblings: Vec<HierarchyEntity>,
    /// Whether subsidiaries or siblings were left out because a company has more than 500 related companies.
    truncated: bool,
}

/// A company in a hierarchy.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct HierarchyEntity {
    /// Company number. Absent for a company that is not in the register.
    uid: Option<Uid>,
    /// Name of the company; its LEI if the source states nothing else.
    name: String,
    /// Kind of source of the relationship: `register` or `gleif`. The name `confidence` is that of existing client
    /// libraries.
    confidence: StatedBy,
    /// Share that the parent holds of the subsidiary, in percent: of the nominal capital of a limited liability company, or as
    /// reported to GLEIF. Absent if unknown.
    percentage: Option<f64>,
    /// Number of people with a current role in both this and the requested company.
    shared_person_count: u64,
    /// Names of the people with a current role in both this and the requested company.
    shared_persons: Vec<String>,
    /// Source of the relationship. Absent if unknown.
    source: Option<Provenance>,
}

/// Kind of source of a relationship: `register` (commercial register) or `gleif` (Global LEI Index, to which companies
/// report their parents).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum StatedBy {
    Register,
    Gleif,
}

/// Get a company's hierarchy
///
/// Parent, subsidiaries and siblings of a company. The sources are head and branch offices in the register, the partners of
/// limited liability companies in its publications, and the parents that companies report to GLEIF. Companies that only share people with this one are not included.
/// Companies deleted from the register are left out. If the company or its parent has more than 500 related companies,
/// some are left out, and `truncated` is true.
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
    let relatives = relatives_of(&state, &generation, &company).await?.without_deleted();
    let parent = relatives.relations.iter().find(|it| it.is_above());
    let parent_uid = parent.and_then(|it| it.uid);
    let of_parent =
        if let Some(parent) = relatives.records.iter().find(|it| Some(it.uid) == parent_uid) {
            Some(relatives_of(&state, &generation, parent).await?)
        } else if let Some(lei) = company.direct_parent_lei
            && parent.is_some_and(|it| it.relation == Relation::Parent)
        {
            // A foreign parent has no record. Its subsidiaries refer to it by the same LEI.
            let children = generation.companies().await?.with_parent(lei)?;
            let relations = |records: &[Company]| subsidiaries_of(lei, records);
            Some(Relatives::read(&state.registry, children, relations).await?)
        } else {
            None
        };
    let of_parent = of_parent.map(Relatives::without_deleted);
    let mut siblings = of_parent.as_ref().map(|it| below(&it.relations)).unwrap_or_default();
    // A branch is a part of its head office.
    let is_branch = |it: &CompanyRelation| it.relation == Relation::BranchOffice;
    let belongs_to_branches = parent.is_some_and(|it| it.relation == Relation::HeadOffice);
    siblings.retain(|it| it.uid != Some(uid) && is_branch(it) == belongs_to_branches);
    let sharing = sharing(&generation, uid).await?;
    let sharing = sharing.into_iter().map(|it| (it.uid, it)).collect();
    let entity = |it: &CompanyRelation| entity(it, &sharing);
    let hierarchy = Hierarchy {
        deletion_date: company.deletion_date,
        parent: parent.map(entity),
        parent_exceptions: company.parent_exceptions.clone(),
        quota_holders: company.quota_holders.clone(),
        subsidiaries: below(&relatives.relations).iter().map(entity).collect(),
        siblings: siblings.iter().map(entity).collect(),
        truncated: relatives.truncated || of_parent.is_some_and(|it| it.truncated),
    };
    Ok((generation.header(), Json(hierarchy)))
}

/// Branch offices and subsidiaries, without duplicates.
pub(super) fn below(relatives: &[CompanyRelation]) -> Vec<CompanyRelation> {
    let mut seen = HashSet::new();
    let mut below: Vec<CompanyRelation> =
        relatives.iter().filter(|it| it.is_below()).cloned().collect();
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
        percentage: relative.percentage,
        shared_person_count: persons.len() as u64,
        shared_persons: persons.iter().map(|it| it.name.clone()).collect(),
        source: relative.source.clone(),
    }
}
