use std::collections::BTreeSet;

use axum::{Json, extract::State, response::IntoResponse};
use domain::{Uid, persons::Role, relations::CoDirectors};
use http_service::{NoParameters, Query, Resource};
use jiff::civil::Date;
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use text_index::persons::{PersonRecord, Persons};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Office, known_person};

/// Of a person with more companies, those whose officers are looked at: the latest.
const COMPANIES_LOOKED_AT: usize = 500;
/// How many persons are answered, and how many companies with each.
const CO_DIRECTORS: usize = 200;
const COMPANIES_EACH: usize = 100;

/// A person, its companies, and whom it works with there.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PersonNetwork {
    person: NetworkPerson,
    /// One for each role: those that last first, then the newest.
    companies: Vec<NetworkCompany>,
    /// People with a role today in a company in which the person has one too, most such companies
    /// first; at most 200.
    co_directors: Vec<CoDirector>,
    stats: NetworkStats,
}

#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NetworkPerson {
    /// As it was asked for.
    id: Uuid,
    full_name: String,
    /// Absent for a firm.
    first_name: Option<String>,
    last_name: String,
}

#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NetworkCompany {
    uid: Uid,
    name: String,
    /// As the notice writes it; the signature where there is no other office.
    role: String,
    #[serde(flatten)]
    office: Office,
    is_current: bool,
    since: Option<Date>,
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

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CoDirector {
    person_id: Uuid,
    name: String,
    shared_companies: u64,
    /// At most 100 of them.
    companies: Vec<SharedCompany>,
}

#[derive(Serialize, ToSchema)]
struct SharedCompany {
    uid: Uid,
    name: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NetworkStats {
    /// In which the person has or had a role.
    total_companies: u64,
    /// Roles that last.
    active_roles: u64,
    /// Those that are not listed among them.
    co_director_count: u64,
    /// Whether not all companies were looked at, because there are more than 500, so that there may
    /// be more whom the person works with.
    truncated: bool,
}

/// Network of a person
///
/// The companies of a person, and with whom it has a role there today. Firms that hold an office are
/// left out.
#[utoipa::path(
    get,
    path = "/v1/persons/{id}/network",
    tag = "Persons",
    params(("id" = Uuid, Path, description = "The id of the person.", example = "08e1d7ef-a5b1-55d4-bb06-c13016dfe7b4")),
    responses((status = OK, body = PersonNetwork)),
)]
pub(super) async fn person_network(
    State(state): State<crate::State>,
    Resource(id): Resource,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<impl IntoResponse, Problem> {
    let generation = state.generations.serving().await?;
    let persons = generation.persons().await?;
    let (id, known) = known_person(persons, &id)?;
    Ok((generation.header(), Json(network(persons, id, known)?)))
}

fn network(persons: &Persons, id: Uuid, known: PersonRecord) -> Result<PersonNetwork, Problem> {
    let mut together = CoDirectors::default();
    let mut looked_at = BTreeSet::new();
    let mut truncated = false;
    for role in known.roles.iter().filter(|it| it.mandate.is_current()) {
        if looked_at.len() == COMPANIES_LOOKED_AT {
            truncated = true;
            break;
        }
        if !looked_at.insert(role.company) {
            continue;
        }
        let officers = persons.of_company(role.company)?.into_iter();
        let people = officers.filter(|it| !it.person.is_entity() && !known.ids.contains(&it.id));
        for other in people {
            together.meet(other.id, other.person.full_name(), role.company, &role.company_name);
        }
    }
    let together = together.most_shared_first();
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
            co_director_count: together.len() as u64,
            truncated,
        },
        co_directors: together
            .into_iter()
            .take(CO_DIRECTORS)
            .map(|it| CoDirector {
                person_id: it.id,
                name: it.name,
                shared_companies: it.companies.len() as u64,
                companies: it
                    .companies
                    .into_iter()
                    .take(COMPANIES_EACH)
                    .map(|(uid, name)| SharedCompany { uid, name })
                    .collect(),
            })
            .collect(),
        companies: known.roles.into_iter().map(Into::into).collect(),
    })
}
