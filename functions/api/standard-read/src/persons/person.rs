use axum::{Json, extract::State, response::IntoResponse};
use domain::{
    Canton, Status, Uid,
    persons::{MandateAction, PossiblySame, Role},
};
use generations::Unavailable;
use http_service::{NoParameters, Query, ResourceId};
use jiff::civil::Date;
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Described, Office, known_person};

/// A person with all roles.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PersonDetail {
    /// Id of the person, as in the request.
    id: Uuid,
    #[serde(flatten)]
    person: Described,
    /// Confidence that all roles belong to the same person, 0 to 1.
    confidence: f64,
    /// Current and former roles: current ones first, then by start date, newest first.
    roles: Vec<PersonRoleDetail>,
    /// Other ids of the same person, for example ids that were used before the person moved or
    /// changed name.
    merged_ids: Vec<Uuid>,
    /// People who may be the same person: same name and same place of origin (same nationality if no place of origin is
    /// known). At most 20.
    possibly_same: Vec<PossiblySame>,
}

/// A current or former role of a person in a company.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PersonRoleDetail {
    /// Company number.
    company_uid: Uid,
    /// Name of the company.
    company_name: String,
    /// Canton of the company's seat. Absent if unknown.
    canton: Option<Canton>,
    /// Status of the company. Absent if unknown.
    company_status: Option<Status>,
    /// Role as published. For a person who may sign but has no office, it is the term for an authorised signatory in
    /// the language of the publication, and `signature` states how the person may sign. `unknown` if neither is
    /// published.
    role_function: String,
    #[serde(flatten)]
    office: Office,
    /// Date of the publication that announced the entry into office. Absent if no publication states it.
    start_date: Option<Date>,
    /// Date of the publication since which the person has or had this role: later than `startDate` if the role has changed.
    /// Absent if no publication states it.
    role_since: Option<Date>,
    /// Date of the publication that announced the end of the role. Absent for current roles.
    end_date: Option<Date>,
    /// Whether the person has the role now.
    is_current: bool,
    /// Effect of the publication in `source` on the role.
    change_action: MandateAction,
}

impl From<Role> for PersonRoleDetail {
    fn from(role: Role) -> Self {
        let mandate = role.mandate;
        Self {
            company_uid: role.company,
            company_name: role.company_name,
            canton: role.canton,
            company_status: role.company_status,
            role_function: mandate.role.clone(),
            start_date: mandate.since,
            role_since: mandate.role_since(),
            end_date: mandate.until,
            is_current: mandate.is_current(),
            change_action: mandate.last_action(),
            office: mandate.into(),
        }
    }
}

/// Get a person
///
/// A person with all known current and former roles, and the source of each.
#[utoipa::path(
    get,
    path = "/v1/persons/{id}",
    tag = "Persons",
    params(("id" = Uuid, Path, description = "Id of the person.", example = "22bfde4e-bea6-5f84-80d1-016af3fff9d0")),
    responses((status = OK, body = PersonDetail)),
)]
pub(super) async fn person(
    State(state): State<crate::State>,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<impl IntoResponse, Problem> {
    let generation = state.generations.serving().await?;
    let persons = generation.persons().await?;
    let (id, known) = known_person(persons, &id).await?;
    let detail = PersonDetail {
        id,
        person: known.person.into(),
        confidence: known.confidence,
        roles: known.roles.into_iter().map(Into::into).collect(),
        merged_ids: known.ids.into_iter().filter(|it| *it != id).collect(),
        possibly_same: persons.possibly_same(id).await.map_err(Unavailable::from)?,
    };
    Ok((generation.header(), Json(detail)))
}
