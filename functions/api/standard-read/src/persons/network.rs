use std::collections::BTreeSet;

use axum::{Json, extract::State, response::IntoResponse};
use domain::{Uid, persons::Role, relationships::CoDirectors};
use futures_util::{StreamExt, TryStreamExt, stream};
use generations::Unavailable;
use http_service::{NoParameters, Query, ResourceId};
use jiff::civil::Date;
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use text_index::persons::{PersonHit, PersonRecord, Persons};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Office, known_person};

/// Maximum number of companies whose officers are read: the latest ones.
const MAX_COMPANIES: usize = 500;
/// Number of companies whose officers are read in parallel.
const PARALLEL_READS: usize = 8;
/// Maximum number of co-directors in the response.
const MAX_CO_DIRECTORS: usize = 200;
/// Maximum number of companies of each co-director.
const MAX_SHARED_COMPANIES: usize = 100;

/// A person's companies and co-directors.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PersonNetwork {
    /// The requested person.
    person: NetworkPerson,
    /// One entry for each role: current roles first, then by start date, newest first.
    companies: Vec<NetworkCompany>,
    /// People with a current role in at least one of the same companies, most shared companies first; at most 200.
    co_directors: Vec<CoDirector>,
    /// Counts of the network.
    stats: NetworkStats,
}

/// The person at the centre of a network.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NetworkPerson {
    /// Id of the person, as in the request.
    id: Uuid,
    /// First names and family name, or the name of a firm.
    full_name: String,
    /// First names. Absent for a firm.
    first_name: Option<String>,
    /// Family name, or the name of a firm.
    last_name: String,
}

/// A role of the person in a company.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NetworkCompany {
    /// Company number.
    uid: Uid,
    /// Name of the company.
    name: String,
    /// Role as published. For a person who may sign but has no office, it is the term for an authorised signatory in
    /// the language of the publication, and `signature` states how the person may sign. `unknown` if neither is
    /// published.
    role: String,
    #[serde(flatten)]
    office: Office,
    /// Whether the person has the role now.
    is_current: bool,
    /// Date of the publication that announced the entry into office. Absent if no publication states it.
    since: Option<Date>,
    /// Date of the publication that announced the end of the role. Absent for current roles.
    until: Option<Date>,
}

impl From<Role> for NetworkCompany {
    fn from(role: Role) -> Self {
        Self {
            uid: role.company,
            name: role.company_name,
            role: role.mandate.role.clone(),
            is_current: role.mandate.is_current(),
            since: role.mandate.since,
            until: role.mandate.until,
            office: role.mandate.into(),
        }
    }
}

/// Another person with a current role in at least one of the same companies.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CoDirector {
    /// Id of the other person.
    person_id: Uuid,
    /// Name of the other person.
    name: String,
    /// Number of shared companies.
    shared_companies: u64,
    /// Companies in which both persons have a current role, at most 100.
    companies: Vec<SharedCompany>,
}

/// A company in which both persons have a current role.
#[derive(Serialize, ToSchema)]
struct SharedCompany {
    /// Company number.
    uid: Uid,
    /// Name of the company.
    name: String,
}

/// Counts of a person's network.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NetworkStats {
    /// Number of companies in which the person has or had a role.
    total_companies: u64,
    /// Number of current roles.
    active_roles: u64,
    /// Number of co-directors, including those that are not listed.
    co_director_count: u64,
    /// Whether co-directors may be missing, because the person has current roles in more than 500 companies.
    truncated: bool,
}

/// Get a person's network
///
/// A person's companies and co-directors: people with a current role in at least one of the same companies.
/// Co-directors that are firms are left out.
#[utoipa::path(
    get,
    path = "/v1/persons/{id}/network",
    tag = "Persons",
    params(("id" = Uuid, Path, description = "Id of the person.", example = "22bfde4e-bea6-5f84-80d1-016af3fff9d0")),
    responses((status = OK, body = PersonNetwork)),
)]
pub(super) async fn person_network(
    State(state): State<crate::State>,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<impl IntoResponse, Problem> {
    let generation = state.generations.serving().await?;
    let persons = generation.persons().await?;
    let (id, known) = known_person(persons, &id).await?;
    Ok((generation.header(), Json(network(persons, id, known).await?)))
}

async fn network(
    persons: &Persons,
    id: Uuid,
    known: PersonRecord,
) -> Result<PersonNetwork, Problem> {
    let mut roles: Vec<&Role> = Vec::new();
    let mut truncated = false;
    for role in known.roles.iter().filter(|it| it.mandate.is_current()) {
        if roles.iter().any(|it| it.company == role.company) {
            continue;
        }
        if roles.len() == MAX_COMPANIES {
            truncated = true;
            break;
        }
        roles.push(role);
    }
    let officers: Vec<_> = roles.iter().map(|it| persons.of_company(it.company)).collect();
    let officers: Vec<Vec<PersonHit>> = stream::iter(officers)
        .buffered(PARALLEL_READS)
        .try_collect()
        .await
        .map_err(Unavailable::from)?;
    let mut co_directors = CoDirectors::default();
    for (role, officers) in roles.iter().zip(officers) {
        let officers = officers.into_iter();
        let people = officers.filter(|it| !it.person.is_entity() && !known.ids.contains(&it.id));
        for other in people {
            co_directors.add(other.id, other.person.full_name(), role.company, &role.company_name);
        }
    }
    let co_directors = co_directors.most_shared_first();
    let companies: BTreeSet<Uid> = known.roles.iter().map(|it| it.company).collect();
    let active = known.roles.iter().filter(|it| it.mandate.is_current());
    Ok(PersonNetwork {
        person: NetworkPerson {
            id,
            full_name: known.person.full_name(),
            first_name: known.person.first_name,
            last_name: known.person.last_name,
        },
        stats: NetworkStats {
            total_companies: companies.len() as u64,
            active_roles: active.count() as u64,
            co_director_count: co_directors.len() as u64,
            truncated,
        },
        co_directors: co_directors
            .into_iter()
            .take(MAX_CO_DIRECTORS)
            .map(|it| CoDirector {
                person_id: it.id,
                name: it.name,
                shared_companies: it.companies.len() as u64,
                companies: it
                    .companies
                    .into_iter()
                    .take(MAX_SHARED_COMPANIES)
                    .map(|(uid, name)| SharedCompany { uid, name })
                    .collect(),
            })
            .collect(),
        companies: known.roles.into_iter().map(Into::into).collect(),
    })
}
