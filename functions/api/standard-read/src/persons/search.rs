use axum::{Json, extract::State, response::IntoResponse};
use domain::search::{Page, persons::PersonQuery};
use generations::Unavailable;
use http_service::Query;
use problem_details::Problem;
use serde::Serialize;
use text_index::persons::PersonHit;
use utoipa::ToSchema;
use uuid::Uuid;

use super::Described;

/// A person in a list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PersonSearchResult {
    /// Id of the person.
    id: Uuid,
    #[serde(flatten)]
    person: Described,
    /// Number of current and former roles.
    role_count: u64,
    /// Number of current roles.
    current_role_count: u64,
    /// Confidence that all roles belong to the same person, 0 to 1.
    confidence: f64,
}

impl From<PersonHit> for PersonSearchResult {
    fn from(hit: PersonHit) -> Self {
        Self {
            id: hit.id,
            person: hit.person.into(),
            role_count: hit.role_count,
            current_role_count: hit.current_role_count,
            confidence: hit.confidence,
        }
    }
}

/// Search persons
///
/// Current and former officers and signatories, people and firms, in pages. The register has no numbers for
/// people. People with the same name are distinguished by place of origin (or nationality) and residence. When
/// that is not enough, they are listed separately. A publication about a move links both residences to one person.
#[utoipa::path(
    get,
    path = "/v1/persons/search",
    tag = "Persons",
    params(PersonQuery),
    responses((
        status = OK,
        body = Page<PersonSearchResult>,
        links(
            ("person" = (
                operation_id = "person",
                parameters(("id" = "$response.body#/items/0/id")),
                description = "The first person on the page, with all roles."
            )),
            ("network" = (
                operation_id = "person_network",
                parameters(("id" = "$response.body#/items/0/id")),
                description = "Network of the first person on the page."
            )),
        ),
    )),
)]
pub(super) async fn search_persons(
    State(state): State<crate::State>,
    Query(query): Query<PersonQuery>,
) -> Result<impl IntoResponse, Problem> {
    let generation = state.generations.serving().await?;
    let hits = generation.persons().await?.search(&query).await.map_err(Unavailable::from)?;
    let items: Vec<PersonSearchResult> = hits.persons.into_iter().map(Into::into).collect();
    let (page, page_size) = (query.page.get(), query.page_size.get());
    Ok((generation.header(), Json(Page { items, total: hits.total, page, page_size })))
}
