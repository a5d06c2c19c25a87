use axum::{Json, extract::State, response::IntoResponse};
use domain::{
    Canton, Status, Uid,
    persons::{MandateAction, Role},
};
use http_service::{NoParameters, Query, Resource};
use jiff::civil::Date;
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Described, Office, known_person};

/// A person with all its roles.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PersonDetail {
    /// As it was asked for.
    id: Uuid,
    #[serde(flatten)]
    person: Described,
    /// How sure it is that all roles are one person's, 0 to 1.
    confidence: f64,
    /// Those that last first, then the newest.
    roles: Vec<PersonRoleDetail>,
    /// Other ids of the same person: of before or after a move, or another name, that a notice tells of.
    merged_ids: Vec<Uuid>,
    /// Persons of the same name and origin, or else nationality, of whom nothing proves that they are
    /// this one; at most 20.
    possibly_same: Vec<Uuid>,
}

/// An office or a signature that the person holds or held.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PersonRoleDetail {
    company_uid: Uid,
    company_name: String,
    /// Of the company's seat.
    canton: Option<Canton>,
    company_status: Option<Status>,
    /// As the notice writes it; the signature where there is no other office.
    role_function: String,
    #[serde(flatten)]
    office: Office,
    /// The day of the publication that entered it; absent where no known publication did.
    start_date: Option<Date>,
    /// The day of the publication that deleted it; absent while it lasts.
    end_date: Option<Date>,
    is_current: bool,
    /// What the publication did that proves this line.
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
            end_date: mandate.until,
            is_current: mandate.is_current(),
            change_action: mandate.last_action(),
            office: mandate.into(),
        }
    }
}

/// One person
///
/// With every role that is known, and what proves it.
#[utoipa::path(
    get,
    path = "/v1/persons/{id}",
    tag = "Persons",
    params(("id" = Uuid, Path, description = "The id of the person.", example = "08e1d7ef-a5b1-55d4-bb06-c13016dfe7b4")),
    responses((status = OK, body = PersonDetail)),
)]
pub(super) async fn person(
    State(state): State<crate::State>,
    Resource(id): Resource,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<impl IntoResponse, Problem> {
    let generation = state.generations.serving().await?;
    let persons = generation.persons().await?;
    let (id, known) = known_person(persons, &id)?;
    let detail = PersonDetail {
        id,
        person: known.person.into(),
        confidence: known.confidence,
        roles: known.roles.into_iter().map(Into::into).collect(),
        merged_ids: known.ids.into_iter().filter(|it| *it != id).collect(),
        possibly_same: persons.possibly_same(id)?,
    };
    Ok((generation.header(), Json(detail)))
}
