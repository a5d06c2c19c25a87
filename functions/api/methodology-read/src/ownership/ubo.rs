//! The beneficial owners of a company.

mod persons;
mod reasons;
mod response;

use ::ownership::bods::{Publication, Statement, statements};
use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use company_reader::owners::{Assessment, Reader, assess};
use http::{HeaderMap, header};
use http_service::{CompanyPath, Path, Query, accepts};
use problem_details::Problem;

use self::response::UboResponse;
use super::parameters::OwnershipQuery;

/// The media type of statements of the Beneficial Ownership Data Standard.
const BODS: &str = "application/vnd.bods+json";

/// The beginning of the `User-Agent` of a published client that cannot read ids of persons, which are no numbers.
const CLIENT_WITH_NUMERIC_IDS: &str = "vynco-rust/";

/// Get a company's beneficial owners
///
/// The natural persons who own or control a company in the end, through all levels of Swiss and foreign owners, and the
/// links that lead to them. Shares are multiplied along a path and added over paths; companies that own each other are
/// solved exactly. A person with an integrated share of at least `ownershipThreshold`, or with control, is a beneficial owner.
/// If none is known, the persons who direct the company are listed with the role `controlling_person` and the reason
/// `statutory_fallback`. The law asks only for the most senior of them. The register does not state who that is, so all
/// are listed; `isPresident` marks the president. Unknown shares are reported as unattributed.
///
/// Sources are partners and their shares in the publications of the commercial register, sole proprietors, head offices and
/// mergers, parents that companies report to the Global LEI Index, and disclosures of shareholders to the stock exchange. The
/// transparency register is not public. At most 100 companies are read; `truncated` says whether more were needed.
///
/// A deleted company has no owners any more. Without `asOf`, the answer contains its last known ones, and `asOf` their day; if
/// another company absorbed it, the present owners of this successor.
///
/// With `Accept: application/vnd.bods+json`, the response is an array of statements of the Beneficial Ownership Data Standard
/// 0.4.
#[utoipa::path(
    get,
    path = "/v1/companies/{uid}/ubo",
    tag = "Beneficial ownership",
    params(CompanyPath, OwnershipQuery),
    responses((status = OK, content(
        (UboResponse = "application/json"),
        (Vec<Statement> = "application/vnd.bods+json"),
    ))),
)]
pub(super) async fn beneficial_owners(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(query): Query<OwnershipQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let generation = state.generations.serving().await?;
    let sources = state.sources();
    let reader = Reader::new(&sources, &generation, query.as_of).await?;
    let assessment = assess(&reader, uid, &query.scope()).await?;
    if accepts(&headers, BODS) {
        let today = state.clock.today();
        let publication = Publication {
            date: today,
            as_of: assessment.scope.as_of.unwrap_or(today),
            publisher: "Gotthard".to_owned(),
            url: Some(state.public_url.to_string()),
        };
        let Assessment { structure, resolution, .. } = &assessment;
        let statements: Vec<Statement> = statements(structure, resolution, &publication);
        return Ok(
            (generation.header(), [(header::CONTENT_TYPE, BODS)], Json(statements)).into_response()
        );
    }
    let mut answer = UboResponse::of(&assessment);
    if is_sent_by(&headers, CLIENT_WITH_NUMERIC_IDS) {
        answer.ubo_persons.iter_mut().for_each(|it| it.person_id = None);
    }
    Ok((generation.header(), Json(answer)).into_response())
}

fn is_sent_by(headers: &HeaderMap, client: &str) -> bool {
    let agent = headers.get(header::USER_AGENT).and_then(|it| it.to_str().ok());
    agent.is_some_and(|it| it.starts_with(client))
}
