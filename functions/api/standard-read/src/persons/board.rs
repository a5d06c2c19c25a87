use axum::{Json, extract::State};
use domain::{
    History, Uid,
    persons::Mandate,
    search::{PageNumber, SizeOfPage},
};
use http_service::{CompanyPath, Path, Query, company_until, known_company_with_history};
use jiff::civil::Date;
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::Office;

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct BoardQuery {
    /// The state at the end of this day, by what was published until then; a day after today is refused.
    /// Without it: the state of today.
    #[param(value_type = Option<String>, format = Date, example = "2024-06-30")]
    as_of: Option<Date>,
    /// From 1; beyond the last page the list is empty.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 4294967295_u32, default = 1, example = 1)]
    page: PageNumber,
    /// 1 to 500.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 500, default = 100, example = 100)]
    page_size: BoardPageSize,
}

/// How many officers a page holds, 1 to 500: more than other pages, because clients know no total.
type BoardPageSize = SizeOfPage<100, 500>;

/// Somebody who holds an office in a company, or signs for it.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct BoardMember {
    /// Of the person.
    id: Uuid,
    /// Absent for a firm that holds an office.
    first_name: Option<String>,
    /// The family name; for a firm its name.
    last_name: String,
    /// As the notice writes it; the signature where there is no other office.
    role: String,
    #[serde(flatten)]
    office: Office,
    /// Places of origin of a Swiss citizen, as written.
    origin: Option<String>,
    /// As written.
    nationality: Option<String>,
    /// ISO 3166-1 alpha-2; `CH` for whoever has a place of origin.
    nationality_iso: Option<String>,
    /// The place of residence or seat, as written.
    residence: Option<String>,
    /// The number of a firm that is in the register.
    uid: Option<Uid>,
    /// The day of the publication that entered it; absent where no known publication did.
    since: Option<Date>,
}

impl From<Mandate> for BoardMember {
    fn from(mandate: Mandate) -> Self {
        let person = mandate.person.clone();
        Self {
            id: mandate.person_id,
            first_name: person.first_name,
            last_name: person.last_name,
            role: mandate.role.clone(),
            origin: person.origin,
            nationality: person.nationality,
            nationality_iso: person.nationality_iso,
            residence: person.residence,
            uid: person.uid,
            since: mandate.since,
            office: mandate.into(),
        }
    }
}

/// Officers of a company
///
/// Who holds an office or signs today, or on the day of `asOf`: the board first, then management,
/// partners and owners, liquidators, authorities, signatories; among them in the order of entry. The
/// auditor is in `/companies/{uid}/auditor-history`.
#[utoipa::path(
    get,
    path = "/v1/persons/board-members/{uid}",
    tag = "Persons",
    params(CompanyPath, BoardQuery),
    responses((
        status = OK,
        body = Vec<BoardMember>,
        links(
            ("person" = (
                operation_id = "person",
                parameters(("id" = "$response.body#/0/id")),
                description = "The first officer, with all roles."
            )),
        ),
    )),
)]
pub(super) async fn board_members(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(query): Query<BoardQuery>,
) -> Result<Json<Vec<BoardMember>>, Problem> {
    let history: History = match query.as_of {
        None => known_company_with_history(&state.registry, uid).await?.1,
        Some(day) => company_until(&state.registry, &state.clock, uid, day).await?.history,
    };
    let board = history.board();
    let page = &board[query.page.places(query.page_size, board.len() as u64)];
    Ok(Json(page.iter().map(|it| BoardMember::from((*it).clone())).collect()))
}
