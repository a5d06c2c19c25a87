use std::collections::HashMap;

use axum::{Json, extract::State, response::IntoResponse};
use domain::{
    Company, Provenance, Uid,
    relations::{Kin, Relative, Shared},
};
use http_service::{CompanyPath, NoParameters, Path, Query, known_company_with_history};
use jiff::civil::Date;
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{prove, relatives_of, sharing};

/// How many companies are answered of those that are related by persons only.
const BY_PERSONS: usize = 200;

/// Another company, and what relates the two.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Relationship {
    /// Absent for a company that the register does not number.
    related_uid: Option<Uid>,
    related_name: String,
    /// `head_office`, `branch_office` and `acquisition` by the register, `gleif_parent` and
    /// `gleif_subsidiary` by GLEIF; `shared_person` where nothing else relates the two.
    #[schema(example = "branch_office")]
    relationship_type: &'static str,
    /// All that the other company is to this one, by register and GLEIF: `head_office`, `parent`,
    /// `branch_office`, `subsidiary`, `acquired`, `acquirer`.
    related_as: Vec<&'static str>,
    /// The people who have a role in both today.
    shared_persons: Vec<String>,
    /// Their ids, in the same order.
    shared_person_ids: Vec<Uuid>,
    /// The day of the publication of a merger.
    since: Option<Date>,
    /// What states the relationship; persons have the proofs of their roles.
    source: Option<Provenance>,
}

/// Relationships of a company
///
/// What the register and GLEIF state from either side, by what the other company is: head offices,
/// parents, branches, subsidiaries, mergers. Then the companies with the same people, most of them
/// first, at most 200. No company stands twice.
#[utoipa::path(
    get,
    path = "/v1/companies/{uid}/relationships",
    tag = "Relationships",
    params(CompanyPath),
    responses((status = OK, body = Vec<Relationship>)),
)]
pub(super) async fn relationships(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<impl IntoResponse, Problem> {
    let (company, history) = known_company_with_history(&state.registry, uid).await?;
    let generation = state.generations.serving().await?;
    let (mut relatives, _) = relatives_of(&state, &generation, &company).await?;
    prove(&generation, uid, &history, &mut relatives).await?;

    let mut by_uid: HashMap<Uid, Shared> = HashMap::new();
    let mut by_persons: Vec<Uid> = Vec::new();
    for shared in sharing(generation.persons().await?, uid)? {
        if !relatives.iter().any(|it| it.uid == Some(shared.uid)) {
            by_persons.push(shared.uid);
        }
        by_uid.insert(shared.uid, shared);
    }
    by_persons.truncate(BY_PERSONS);
    let by_persons = state.registry.companies(&by_persons).await?;

    let related = joined(relatives).into_iter().map(|(relative, kin)| {
        let shared = relative.uid.and_then(|it| by_uid.get(&it));
        by_kin(&relative, &kin, shared)
    });
    let mut relationships: Vec<Relationship> = related.collect();
    relationships
        .extend(by_persons.iter().filter_map(|it| Some(by_people(it, by_uid.get(&it.uid)?))));
    Ok((generation.header(), Json(relationships)))
}

/// One relative for each company, with all that it is.
fn joined(relatives: Vec<Relative>) -> Vec<(Relative, Vec<Kin>)> {
    let mut joined: Vec<(Relative, Vec<Kin>)> = Vec::new();
    for relative in relatives {
        let known = joined.iter_mut().find(|(it, _)| it.uid.is_some() && it.uid == relative.uid);
        match known {
            Some((_, kin)) => kin.push(relative.kin),
            None => joined.push((relative.clone(), vec![relative.kin])),
        }
    }
    joined
}

fn by_kin(relative: &Relative, kin: &[Kin], shared: Option<&Shared>) -> Relationship {
    let (names, ids) = persons(shared);
    Relationship {
        related_uid: relative.uid,
        related_name: relative.name.clone(),
        relationship_type: relative.kin.relationship(),
        related_as: kin.iter().map(|it| it.name()).collect(),
        shared_persons: names,
        shared_person_ids: ids,
        since: relative.since,
        source: relative.source.clone(),
    }
}

fn by_people(company: &Company, shared: &Shared) -> Relationship {
    let (names, ids) = persons(Some(shared));
    Relationship {
        related_uid: Some(company.uid),
        related_name: company.name.clone(),
        relationship_type: "shared_person",
        related_as: Vec::new(),
        shared_persons: names,
        shared_person_ids: ids,
        since: None,
        source: None,
    }
}

fn persons(shared: Option<&Shared>) -> (Vec<String>, Vec<Uuid>) {
    let persons = shared.map(|it| it.persons.as_slice()).unwrap_or_default();
    persons.iter().map(|(id, name)| (name.clone(), *id)).unzip()
}
