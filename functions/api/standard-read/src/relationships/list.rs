use std::collections::HashMap;

use axum::{Json, extract::State, response::IntoResponse};
use company_reader::known_company_with;
use domain::{
    Company, Event, History, Provenance, Uid,
    company::{HolderKind, QuotaHolder},
    relationships::{
        CompanyRelation, CompanyWithSharedPersons, Relation, RelationshipKind, SharedPerson,
        relations_of,
    },
};
use generations::Generation;
use http_service::{CompanyPath, OffsetQuery, Paginator, Path, Query, Selection};
use jiff::civil::Date;
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{MERGERS, proven_relatives, sharing};

/// Maximum number of companies in the response that are related only by shared people.
const MAX_BY_PEOPLE: usize = 200;

/// A company that is related to the requested one, and how; or a person who holds shares of it.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Relationship {
    /// Company number. Absent for a person, and for a company that is not in the register.
    related_uid: Option<Uid>,
    /// Name of the related company or person.
    related_name: String,
    /// Type of the relationship. If there are several, the first in the order of the list.
    relationship_type: RelationshipKind,
    /// Relations of the other company to the requested one according to the register and GLEIF, for example
    /// `subsidiary`. Empty if the companies are related only by shared people.
    related_as: Vec<Relation>,
    /// Names of the people with a current role in both companies.
    shared_persons: Vec<String>,
    /// Ids of the people in `sharedPersons`, in the same order.
    shared_person_ids: Vec<Uuid>,
    /// Roles in both companies of the people in `sharedPersons`, in the same order, with the sources of the roles.
    shared_roles: Vec<SharedPerson>,
    /// Share of the nominal capital that one holds of the other, in percent: of a limited liability company, or as reported
    /// to GLEIF. Absent if unknown, and for other relationships.
    percentage: Option<f64>,
    /// The shares of a partner of this limited liability company. Absent for other relationships.
    quota_holder: Option<QuotaHolder>,
    /// Date of the publication of a merger, or since which the shares are held. Absent for other relationships.
    since: Option<Date>,
    /// Confidence that at least one person has a role in both companies, 0 to 1. Only present if the companies
    /// are related only by shared people.
    confidence: Option<f64>,
    /// Source of the relationship. If the companies are related only by shared people, the latest publication
    /// that mentions one of them. Absent if unknown.
    source: Option<Provenance>,
}

/// List a company's relationships
///
/// Returns the related companies, each once. Those that the register or GLEIF states come first, in this order: head
/// offices, parents, partners with shares of a limited liability company (persons too), branch offices, subsidiaries,
/// limited liability companies of which this one is a partner, mergers; at most 500. Companies deleted from the register are
/// listed only as parties of mergers. They are followed by up to 200
/// companies that only share people with this one, most shared people first. If the list is too large for one response,
/// the header `Link` contains the URL of the rest.
#[utoipa::path(
    get,
    path = "/v1/companies/{uid}/relationships",
    tag = "Relationships",
    params(CompanyPath, OffsetQuery),
    responses((status = OK, body = Vec<Relationship>)),
)]
pub(super) async fn relationships(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(OffsetQuery { offset }): Query<OffsetQuery>,
    paginator: Paginator,
) -> Result<impl IntoResponse, Problem> {
    let (company, history) = known_company_with(&state.registry, uid, MERGERS).await?;
    let generation = state.generations.serving().await?;
    let mut relationships = relationships_of(&state, &generation, &company, &history).await?;
    let selection = Selection::list(offset, relationships.len());
    let relationships = relationships.drain(selection.range.clone());
    let (relationships, next) = paginator.fit(&state.public_url, &selection, relationships);
    Ok((next, generation.header(), Json(relationships)))
}

/// The current relationships of a company.
pub(crate) async fn relationships_of(
    state: &crate::State,
    generation: &Generation,
    company: &Company,
    history: &History,
) -> Result<Vec<Relationship>, Problem> {
    let relatives = proven_relatives(state, generation, company, history).await?;
    let relatives = relatives.without_deleted().relations;
    let sharing = sharing(generation, company.uid).await?;
    let by_uid: HashMap<Uid, &CompanyWithSharedPersons> =
        sharing.iter().map(|it| (it.uid, it)).collect();
    let is_relative =
        |it: &&CompanyWithSharedPersons| relatives.iter().any(|other| other.uid == Some(it.uid));
    let by_people = sharing
        .iter()
        .filter(|it| !is_relative(it))
        .take(MAX_BY_PEOPLE)
        .map(shared_person_relationship);
    let by_people: Vec<Relationship> = by_people.collect();
    let shared = |uid: Option<Uid>| uid.and_then(|it| by_uid.get(&it).copied());
    let mut relationships = stated_relationships(company, relatives, shared);
    relationships.extend(by_people);
    Ok(relationships)
}

/// The relationships in the record and history of one company. Used for past days and before the first
/// generation, when relationships stated by other companies and shared people are not known.
pub(crate) fn relationships_by(company: &Company, history: &History) -> Vec<Relationship> {
    let mut relatives = relations_of(company, &[]);
    let events: Vec<Event> = history.events.iter().map(|it| it.event.clone()).collect();
    relatives.iter_mut().for_each(|it| it.date_merger(company.uid, &events));
    stated_relationships(company, relatives, |_| None)
}

/// The relationships that the register or GLEIF states, in their order: those with persons who hold shares next to those with
/// companies that do.
fn stated_relationships<'a>(
    company: &Company,
    relatives: Vec<CompanyRelation>,
    shared: impl Fn(Option<Uid>) -> Option<&'a CompanyWithSharedPersons>,
) -> Vec<Relationship> {
    let joined = joined(relatives);
    let is_before = |(it, _): &(CompanyRelation, _)| it.relation <= Relation::QuotaHolder;
    let at = joined.iter().take_while(|it| is_before(it)).count();
    let stated = joined.into_iter().map(|(other, relations)| {
        let shared = shared(other.uid);
        let holds = |it: &&QuotaHolder| {
            relations.contains(&Relation::QuotaHolder)
                && ((it.uid.is_some() && it.uid == other.uid) || it.name == other.name)
        };
        let holder = company.quota_holders.iter().find(holds).cloned();
        Relationship { quota_holder: holder, ..stated_relationship(other, relations, shared) }
    });
    let mut stated: Vec<Relationship> = stated.collect();
    let persons = company.quota_holders.iter().filter(|it| it.kind == HolderKind::Person);
    stated.splice(at..at, persons.cloned().map(of_person));
    stated
}

/// The relationship with a person who holds shares.
fn of_person(holder: QuotaHolder) -> Relationship {
    Relationship {
        related_uid: None,
        related_name: holder.name.clone(),
        relationship_type: RelationshipKind::QuotaHolder,
        related_as: vec![Relation::QuotaHolder],
        shared_persons: Vec::new(),
        shared_person_ids: Vec::new(),
        shared_roles: Vec::new(),
        percentage: holder.percentage,
        since: holder.since,
        confidence: None,
        source: Some(holder.source.clone()),
        quota_holder: Some(holder),
    }
}

/// One entry for each company, with all its relations.
fn joined(relatives: Vec<CompanyRelation>) -> Vec<(CompanyRelation, Vec<Relation>)> {
    let mut joined: Vec<(CompanyRelation, Vec<Relation>)> = Vec::new();
    for relative in relatives {
        let known = joined.iter_mut().find(|(it, _)| it.uid.is_some() && it.uid == relative.uid);
        match known {
            Some((first, relations)) => {
                relations.push(relative.relation);
                first.percentage = first.percentage.or(relative.percentage);
            }
            None => joined.push((relative.clone(), vec![relative.relation])),
        }
    }
    joined
}

/// A relationship that the register or GLEIF states, with the people that both companies share.
fn stated_relationship(
    company: CompanyRelation,
    relations: Vec<Relation>,
    shared: Option<&CompanyWithSharedPersons>,
) -> Relationship {
    let people = shared.map(|it| it.persons.clone()).unwrap_or_default();
    Relationship {
        related_uid: company.uid,
        related_name: company.name,
        relationship_type: company.relation.relationship(),
        related_as: relations,
        shared_persons: people.iter().map(|it| it.name.clone()).collect(),
        shared_person_ids: people.iter().map(|it| it.person_id).collect(),
        shared_roles: people,
        percentage: company.percentage,
        quota_holder: None,
        since: company.since,
        confidence: None,
        source: company.source,
    }
}

/// A relationship of two companies that only share people.
fn shared_person_relationship(shared: &CompanyWithSharedPersons) -> Relationship {
    Relationship {
        related_uid: Some(shared.uid),
        related_name: shared.name.clone(),
        relationship_type: RelationshipKind::SharedPerson,
        related_as: Vec::new(),
        shared_persons: shared.persons.iter().map(|it| it.name.clone()).collect(),
        shared_person_ids: shared.persons.iter().map(|it| it.person_id).collect(),
        shared_roles: shared.persons.clone(),
        percentage: None,
        quota_holder: None,
        since: None,
        confidence: shared.confidence(),
        source: shared.source().cloned(),
    }
}
