use axum::{Json, extract::State};
use company_reader::{company_as_of, known_company_with};
use domain::{
    History, Provenance, Uid,
    persons::Mandate,
    search::{PageNumber, SizeOfPage},
};
use http_service::{CompanyPath, Path, Proof, Query};
use jiff::civil::Date;
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use store::Wanted;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::Office;

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct BoardQuery {
    /// Date of the state to return, as of the end of that day. Must not be in the future. Default: the current state.
    #[param(value_type = Option<String>, format = Date, example = "2024-06-30")]
    as_of: Option<Date>,
    /// `true`: include the source of each role, with a link.
    #[serde(default)]
    #[param(value_type = Option<bool>, default = false, example = true)]
    proofs: bool,
    /// Page number, starting at 1. Pages after the last one are empty.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 4294967295_u32, default = 1, example = 1)]
    page: PageNumber,
    /// Maximum number of items per page.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 500, default = 100, example = 100)]
    page_size: BoardPageSize,
}

/// Page size, 1 to 500. Larger than for other lists, because the response contains no total.
type BoardPageSize = SizeOfPage<100, 500>;

/// An officer or signatory of a company.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct BoardMember {
    /// Id of the person.
    id: Uuid,
    /// First names. Absent for a firm.
    first_name: Option<String>,
    /// Family name, or the name of a firm.
    last_name: String,
    /// Role as published. For a person who may sign but has no office, it is the term for an authorised signatory in
    /// the language of the publication, and `signature` states how the person may sign. `unknown` if neither is
    /// published.
    role: String,
    #[serde(flatten)]
    office: Office,
    /// Places of origin of a Swiss citizen, as published. Absent if not published.
    origin: Option<String>,
    /// Same value as `nationalityIso`.
    nationality: Option<String>,
    /// Nationality as published. Absent if none is published, as for Swiss citizens.
    nationality_text: Option<String>,
    /// Country code of the nationality (ISO 3166-1 alpha-2); `CH` if there is a place of origin. Absent if
    /// unknown.
    nationality_iso: Option<String>,
    /// Place of residence, or seat of a firm, as published. Absent if not published.
    residence: Option<String>,
    /// Company number of a firm. Absent for natural persons and for firms that are not in the register.
    uid: Option<Uid>,
    /// Date of the publication that announced the entry into office. Absent if no publication states it.
    since: Option<Date>,
    /// Date of the publication since which the officer has this role: later than `since` if the role has changed. Absent if no
    /// publication states it.
    role_since: Option<Date>,
    /// Publication that states the role, with a link. Absent without the parameter `proofs`.
    proof: Option<Proof>,
    /// Publication on the day of `since`, with a link. Absent without the parameter `proofs`.
    since_proof: Option<Proof>,
    /// Publication on the day of `roleSince`, with a link. Absent without the parameter `proofs`.
    role_since_proof: Option<Proof>,
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
            nationality: person.nationality_iso.clone(),
            nationality_text: person.nationality,
            nationality_iso: person.nationality_iso,
            residence: person.residence,
            uid: person.uid,
            since: mandate.since,
            role_since: mandate.role_since(),
            proof: None,
            since_proof: None,
            role_since_proof: None,
            office: mandate.into(),
        }
    }
}

/// List a company's officers
///
/// Officers and signatories, today or at the end of the day `asOf`, in pages. Order: board, management, partners,
/// owners, liquidators, supervisory authorities, signatories, others; within each category in the order of entry. A
/// page with fewer than `pageSize` items is the last one. For auditors, see `/v1/companies/{uid}/auditor-history`.
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
                description = "The first officer on the page, with all roles."
            )),
        ),
    )),
)]
pub(super) async fn board_members(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(query): Query<BoardQuery>,
) -> Result<Json<Vec<BoardMember>>, Problem> {
    let end = (u64::from(query.page.get()) * u64::from(query.page_size.get())) as usize;
    let wanted = Wanted { board: end, ..Wanted::default() };
    let history: History = match query.as_of {
        None => known_company_with(&state.registry, uid, wanted).await?.1,
        Some(day) => company_as_of(&state.registry, &state.clock, uid, day).await?.history,
    };
    let board = history.board();
    let page = &board[query.page.places(query.page_size, board.len() as u64)];
    let proof = |it: &Provenance| query.proofs.then(|| Proof::with_link(it.clone()));
    let member = |it: &&Mandate| BoardMember {
        proof: proof(&it.source),
        since_proof: it.entry_source.as_ref().and_then(proof),
        role_since_proof: it.role_source.as_ref().and_then(proof),
        ..BoardMember::from((*it).clone())
    };
    Ok(Json(page.iter().map(member).collect()))
}
