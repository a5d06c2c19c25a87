use std::collections::HashMap;

use axum::{Json, extract::State, response::IntoResponse};
use domain::{
    Company, Event, History, Provenance, Uid,
    relations::{Kin, RelationshipKind, Relative, Shared, SharedPerson, relatives},
};
use generations::Generation;
use http_service::{CompanyPath, NoParameters, Path, Query, known_company_with_history};
use jiff::civil::Date;
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{proven_relatives, sharing};

/// How many companies are answered of those that are related by persons only.
const BY_PERSONS: usize = 200;

/// Another company, and what relates the two.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Relationship {
    /// Absent for a company that the register does not number.
    related_uid: Option<Uid>,
    related_name: String,
    /// `head_office`, `branch_office` and `acquisition` by the register, `gleif_parent` and
    /// `gleif_subsidiary` by GLEIF; `shared_person` where nothing else relates the two.
    relationship_type: RelationshipKind,
    /// All that the other company is to this one, by register and GLEIF.
    related_as: Vec<Kin>,
    /// The people who have a role in both today.
    shared_persons: Vec<String>,
    /// Their ids, in the same order.
    shared_person_ids: Vec<Uuid>,
    /// Their roles in both, in the same order, and what proves them.
    shared_roles: Vec<SharedPerson>,
    /// The day of the publication of a merger.
    since: Option<Date>,
    /// Where only people relate the two: how sure it is that anybody runs both, 0 to 1.
    confidence: Option<f64>,
    /// What states the relationship; where only people relate the two, the newest publication that
    /// names one of them.
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
    let relationships = relationships_of(&state, &generation, &company, &history).await?;
    Ok((generation.header(), Json(relationships)))
}

/// All that relates a company to others today.
pub(crate) async fn relationships_of(
    state: &crate::State,
    generation: &Generation,
    company: &Company,
    history: &History,
) -> Result<Vec<Relationship>, Problem> {
    let relatives = proven_relatives(state, generation, company, history).await?;
    let sharing = sharing(generation, company.uid).await?;
    let by_uid: HashMap<Uid, &Shared> = sharing.iter().map(|it| (it.uid, it)).collect();
    let is_relative = |it: &&Shared| relatives.iter().any(|other| other.uid == Some(it.uid));
    let by_people = sharing.iter().filter(|it| !is_relative(it)).take(BY_PERSONS).map(by_people);
    let by_people: Vec<Relationship> = by_people.collect();
    let mut relationships: Vec<Relationship> = joined(relatives)
        .into_iter()
        .map(|(relative, kin)| {
            let shared = relative.uid.and_then(|it| by_uid.get(&it).copied());
            by_kin(relative, &kin, shared)
        })
        .collect();
    relationships.extend(by_people);
    Ok(relationships)
}

/// What the record and the history of a company say of its relationships: those of a day of the past, or
/// before there is a generation. Who else named it then, and who ran another company too, is not known.
pub(crate) fn relationships_by(company: &Company, history: &History) -> Vec<Relationship> {
    let mut relatives = relatives(company, &[]);
    let told: Vec<Event> = history.events.iter().map(|it| it.event.clone()).collect();
    relatives.iter_mut().for_each(|it| it.prove(company.uid, &told));
    joined(relatives).into_iter().map(|(relative, kin)| by_kin(relative, &kin, None)).collect()
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

fn by_kin(relative: Relative, kin: &[Kin], shared: Option<&Shared>) -> Relationship {
    let people = shared.map(|it| it.persons.clone()).unwrap_or_default();
    Relationship {
        related_uid: relative.uid,
        related_name: relative.name,
        relationship_type: relative.kin.relationship(),
        related_as: kin.to_vec(),
        shared_persons: people.iter().map(|it| it.name.clone()).collect(),
        shared_person_ids: people.iter().map(|it| it.person_id).collect(),
        shared_roles: people,
        since: relative.since,
        confidence: None,
        source: relative.source,
    }
}

fn by_people(shared: &Shared) -> Relationship {
    Relationship {
        related_uid: Some(shared.uid),
        related_name: shared.name.clone(),
        relationship_type: RelationshipKind::SharedPerson,
        related_as: Vec::new(),
        shared_persons: shared.persons.iter().map(|it| it.name.clone()).collect(),
        shared_person_ids: shared.persons.iter().map(|it| it.person_id).collect(),
        shared_roles: shared.persons.clone(),
        since: None,
        confidence: shared.confidence(),
        source: shared.source().cloned(),
    }
}
