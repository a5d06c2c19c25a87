use axum::{Json, extract::State, response::IntoResponse};
use domain::search::{Page, persons::PersonQuery};
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
    id: Uuid,
    #[serde(flatten)]
    person: Described,
    /// How many roles are known, ended ones too.
    role_count: u64,
    /// How many of them last.
    current_role_count: u64,
    /// How sure it is that all roles are one person's, 0 to 1.
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
/// Who holds or held an office in a company, or signs or signed for it. The register numbers companies,
/// not people: a person is told from namesakes by origin or nationality and by residence, and stays
/// one where a notice tells of a move. In doubt, two.
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
                description = "The first person of the page, with all roles."
            )),
            ("network" = (
                operation_id = "person_network",
                parameters(("id" = "$response.body#/items/0/id")),
                description = "With whom that person works."
            )),
        ),
    )),
)]
pub(super) async fn search_persons(
    State(state): State<crate::State>,
    Query(query): Query<PersonQuery>,
) -> Result<impl IntoResponse, Problem> {
    let generation = state.generations.serving().await?;
    let hits = generation.persons().await?.search(&query)?;
    let items: Vec<PersonSearchResult> = hits.persons.into_iter().map(Into::into).collect();
    let (page, page_size) = (query.page.get(), query.page_size.get());
    Ok((generation.header(), Json(Page { items, total: hits.total, page, page_size })))
}
