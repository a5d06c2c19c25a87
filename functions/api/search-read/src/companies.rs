//! The list of companies with its filters, and the record of one company.

use std::collections::BTreeMap;

use axum::{Json, extract::State, response::IntoResponse};
use company_reader::{
    company_as_of, known_company, past_day, proofs_of, refuse_misspelled_municipality,
    tagged_companies,
};
use domain::{
    Company,
    search::{CompanyQuery, Page},
};
use http_service::{
    AsOfWithProofs, CompanyPath, Description, Link, Offset, Paginator, Path, Proof, Query, Routes,
    Selection, Tenant, handler, reads,
};
use jiff::civil::Date;
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use store::TeamKey;
use utoipa::ToSchema;

/// The response header that names a generation.
type GenerationHeader = [(&'static str, String); 1];

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(1).translated(), handler!(companies))
        .route(reads(1).translated(), handler!(company))
}

/// List companies
///
/// Companies that match all given filters, in pages. `total` is exact. The default order is by relevance.
/// The search uses the generation in the header `x-data-generation`. The returned records are current, so a record that
/// changed after that generation was built may no longer match the filters.
#[utoipa::path(
    get,
    path = "/v1/companies",
    tag = "Companies",
    params(CompanyQuery),
    responses((
        status = OK,
        body = Page<Company>,
        links(
            ("company" = (
                operation_id = "company",
                parameters(("uid" = "$response.body#/items/0/uid")),
                description = "The first company on the page."
            )),
            ("changes" = (
                operation_id = "changes_of",
                parameters(("id" = "$response.body#/items/0/uid")),
                description = "Changes of the first company on the page."
            )),
            ("boardMembers" = (
                operation_id = "board_members",
                parameters(("uid" = "$response.body#/items/0/uid")),
                description = "Officers of the first company on the page."
            )),
        ),
    )),
)]
async fn companies(
    State(state): State<crate::State>,
    tenant: Option<Tenant>,
    Query(query): Query<CompanyQuery>,
    paginator: Paginator,
) -> Result<impl IntoResponse, Problem> {
    let team = tenant.map(|it| it.team);
    list(&state, team.as_ref(), &query, &paginator).await
}

/// A page of the companies that match the query, the link to the next ones, and the generation that they were found in.
pub(crate) async fn list(
    state: &crate::State,
    team: Option<&TeamKey>,
    query: &CompanyQuery,
    paginator: &Paginator,
) -> Result<(Option<Link>, GenerationHeader, Json<Page<Company>>), Problem> {
    let tagged = tagged_companies(&state.tenants, team, query).await?;
    let generation = state.generations.serving().await?;
    refuse_misspelled_municipality(&state.registry, &generation, query).await?;
    let hits = generation.search_companies(query, tagged).await?;
    let mut selection =
        Selection::page(query.page, query.page_size, Offset(query.offset), hits.total as usize);
    let rest = hits.uids.get(query.offset as usize..).unwrap_or_default();
    let mut items = state.registry.companies(rest).await?;
    // Companies that cannot be decoded are not on the page.
    selection.range.end -= rest.len() - items.len();
    state.screened.current().await.fill_all(&mut items);
    let (items, next) = paginator.fit(&state.public_url, &selection, items);
    let page =
        Page { items, total: hits.total, page: query.page.get(), page_size: query.page_size.get() };
    Ok((next, generation.header(), Json(page)))
}

/// The record of a company, today or on a past day.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CompanyOnDay {
    #[serde(flatten)]
    company: Company,
    /// Date of the returned state. Absent without the parameter `asOf`.
    as_of: Option<Date>,
    /// Sources of the fields, by field name. The source of a field is the last statement up to `asOf` that contains its
    /// value. If no statement up to that day contains a field, its value is the former value that the next publication
    /// about the company states, and this publication is the source. A field that is derived from another has the
    /// source of that field. Absent if neither `asOf` nor `proofs=true` is given.
    proofs: Option<BTreeMap<String, Proof>>,
}

/// Get a company
///
/// The current record of a company. With `asOf` before today, the state at the end of that day, from the statements up to that
/// day. If no statement up to that day contains a field, its value is the former value that the next publication about
/// the company states. Fields that are not known for that day are left out. The status is 404 if no source shows that
/// the company was in the register on that day. `affiliations` of a past day are only those that publications and dated reports
/// about the company itself state until then: branch offices, companies of its group and audit firms that only a newer record,
/// or the record of another company, names are left out. With `proofs=true`, each field has its source, with a link to the
/// publication.
#[utoipa::path(
    get,
    path = "/v1/companies/{uid}",
    tag = "Companies",
    params(CompanyPath, AsOfWithProofs),
    responses((status = OK, body = CompanyOnDay)),
)]
async fn company(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(AsOfWithProofs { as_of, proofs: with_proofs }): Query<AsOfWithProofs>,
) -> Result<Json<CompanyOnDay>, Problem> {
    let (company, proofs) = match past_day(&state.clock, as_of) {
        None => {
            let mut company = known_company(&state.registry, uid).await?;
            let proofs = match with_proofs || as_of.is_some() {
                true => Some(proofs_of(&state.registry, &company).await?),
                false => None,
            };
            state.screened.current().await.fill(&mut company);
            (company, proofs)
        }
        Some(day) => {
            let past = company_as_of(&state.registry, &state.clock, uid, day).await?;
            (past.company, Some(past.proofs))
        }
    };
    let proofs = proofs.map(|it| Proof::of_fields(it, with_proofs));
    Ok(Json(CompanyOnDay { company, as_of, proofs }))
}
