//! Companies: the list with its filters, one record, counts, and what is near a place.

use std::collections::BTreeMap;

use axum::{Json, extract::State, response::IntoResponse};
use domain::{
    Company, Provenance, Uid,
    search::{CompanyQuery, Page},
};
use http_service::{
    AsOf, CompanyPath, Description, NoParameters, Path, Query, Routes, company_until, handler,
    known_company, reads,
};
use jiff::civil::Date;
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use text_index::companies::{Facet, Neighbour};
use utoipa::{IntoParams, ToSchema};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(1), handler!(companies))
        .route(reads(1), handler!(company_count))
        .route(reads(1), handler!(company_statistics))
        .route(reads(1), handler!(nearby_companies))
        .route(reads(1), handler!(company))
}

/// List companies
///
/// Every filter narrows; totals are exact. The header `x-data-generation` names the state of the
/// register that was searched; a record may be newer than the filter that found it.
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
                description = "The first company of the page, by itself."
            )),
            ("changes" = (
                operation_id = "changes_of",
                parameters(("id" = "$response.body#/items/0/uid")),
                description = "Its changes."
            )),
            ("boardMembers" = (
                operation_id = "board_members",
                parameters(("uid" = "$response.body#/items/0/uid")),
                description = "Its officers."
            )),
        ),
    )),
)]
async fn companies(
    State(state): State<crate::State>,
    Query(query): Query<CompanyQuery>,
) -> Result<impl IntoResponse, Problem> {
    let generation = state.generations.serving().await?;
    let led_by = match &query.board_member_search {
        Some(name) => Some(generation.persons().await?.companies_with_person(name)?),
        None => None,
    };
    let hits = generation.companies().await?.search_among(&query, led_by.as_ref())?;
    let items = state.registry.companies(&hits.uids).await?;
    let page =
        Page { items, total: hits.total, page: query.page.get(), page_size: query.page_size.get() };
    Ok((generation.header(), Json(page)))
}

/// A company, and what proves it where the state of a day was asked for.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CompanyOnDay {
    #[serde(flatten)]
    company: Company,
    /// The day whose state this is, where one was asked for.
    as_of: Option<Date>,
    /// For a day: by the name of each member, what stated it last until then, or the next publication,
    /// which says how it found the company. A member that follows from another has the proof of that one.
    proofs: Option<BTreeMap<String, Provenance>>,
}

/// One company
///
/// With `asOf`, as it was at the end of that day, by what was published until then and what the next
/// publication says of before: what neither tells is left out. A company is 404 where nothing proves that
/// it was in the register on that day.
#[utoipa::path(
    get,
    path = "/v1/companies/{uid}",
    tag = "Companies",
    params(CompanyPath, AsOf),
    responses((status = OK, body = CompanyOnDay)),
)]
async fn company(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(AsOf { as_of }): Query<AsOf>,
) -> Result<Json<CompanyOnDay>, Problem> {
    let (company, proofs) = match as_of {
        None => (known_company(&state.registry, uid).await?, None),
        Some(day) => {
            let past = company_until(&state.registry, &state.clock, uid, day).await?;
            (past.company, Some(past.proofs))
        }
    };
    Ok(Json(CompanyOnDay { company, as_of, proofs }))
}

/// How many companies there are.
#[derive(Serialize, ToSchema)]
struct CompanyCount {
    count: u64,
}

/// Count companies
#[utoipa::path(
    get,
    path = "/v1/companies/count",
    tag = "Companies",
    responses((status = OK, body = CompanyCount)),
)]
async fn company_count(
    State(state): State<crate::State>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<impl IntoResponse, Problem> {
    let generation = state.generations.serving().await?;
    let count = generation.companies().await?.company_count();
    Ok((generation.header(), Json(CompanyCount { count })))
}

/// How many companies there are of each kind. Companies without the value are under `Unknown`.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CompanyStatistics {
    total: u64,
    by_status: BTreeMap<&'static str, u64>,
    by_canton: BTreeMap<&'static str, u64>,
    by_legal_form: BTreeMap<&'static str, u64>,
}

/// Statistics by status, canton and legal form
#[utoipa::path(
    get,
    path = "/v1/companies/statistics",
    tag = "Companies",
    responses((status = OK, body = CompanyStatistics)),
)]
async fn company_statistics(
    State(state): State<crate::State>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<impl IntoResponse, Problem> {
    let generation = state.generations.serving().await?;
    let companies = generation.companies().await?;
    let by = |facet| companies.totals(facet).iter().copied().collect();
    let statistics = CompanyStatistics {
        total: companies.company_count(),
        by_status: by(Facet::Status),
        by_canton: by(Facet::Canton),
        by_legal_form: by(Facet::LegalForm),
    };
    Ok((generation.header(), Json(statistics)))
}

/// A place and how far around it.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct NearbyQuery {
    /// WGS84 degrees.
    #[param(value_type = f64, minimum = -90, maximum = 90, example = 47.559)]
    lat: Degrees<90>,
    /// WGS84 degrees.
    #[param(value_type = f64, minimum = -180, maximum = 180, example = 7.588)]
    lng: Degrees<180>,
    /// In kilometres.
    #[serde(default)]
    #[param(value_type = Option<f64>, exclusive_minimum = 0, maximum = 500, default = 5, example = 5)]
    radius_km: Radius,
    /// How many companies at most.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20, example = 20)]
    limit: domain::search::PageSize,
}

/// Degrees of at most `LIMIT` in either direction.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "f64")]
struct Degrees<const LIMIT: u8>(f64);

impl<const LIMIT: u8> TryFrom<f64> for Degrees<LIMIT> {
    type Error = String;

    fn try_from(degrees: f64) -> Result<Self, String> {
        if degrees.abs() <= f64::from(LIMIT) {
            return Ok(Self(degrees));
        }
        Err(format!("`{degrees}` does not lie between -{LIMIT} and {LIMIT}"))
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "f64")]
struct Radius(f64);

impl Default for Radius {
    fn default() -> Self {
        Self(5.0)
    }
}

impl TryFrom<f64> for Radius {
    type Error = &'static str;

    fn try_from(kilometres: f64) -> Result<Self, Self::Error> {
        if kilometres > 0.0 && kilometres <= 500.0 {
            Ok(Self(kilometres))
        } else {
            Err("a radius is more than 0 and at most 500 km")
        }
    }
}

/// A company near a place.
#[derive(Serialize, ToSchema)]
struct NearbyCompany {
    uid: Uid,
    name: String,
    /// Great-circle distance in kilometres.
    distance: f64,
    latitude: f64,
    longitude: f64,
}

/// Companies near a place
///
/// The nearest first; companies that are deleted from the register are left out.
#[utoipa::path(
    get,
    path = "/v1/companies/nearby",
    tag = "Companies",
    params(NearbyQuery),
    responses((
        status = OK,
        body = Vec<NearbyCompany>,
        links(
            ("company" = (
                operation_id = "company",
                parameters(("uid" = "$response.body#/0/uid")),
                description = "The nearest company."
            )),
        ),
    )),
)]
async fn nearby_companies(
    State(state): State<crate::State>,
    Query(query): Query<NearbyQuery>,
) -> Result<impl IntoResponse, Problem> {
    let generation = state.generations.serving().await?;
    let NearbyQuery { lat: Degrees(lat), lng: Degrees(lng), radius_km: Radius(km), limit } = query;
    let companies = generation.companies().await?;
    let neighbours = companies.nearby(lat, lng, km, limit.get() as usize)?;
    let uids: Vec<Uid> = neighbours.iter().map(|it| it.uid).collect();
    let mut names: BTreeMap<Uid, String> =
        state.registry.companies(&uids).await?.into_iter().map(|it| (it.uid, it.name)).collect();
    let named = |it: Neighbour| {
        Some(NearbyCompany {
            name: names.remove(&it.uid)?,
            uid: it.uid,
            distance: (it.distance_km * 1_000.0).round() / 1_000.0,
            latitude: it.latitude,
            longitude: it.longitude,
        })
    };
    let companies: Vec<NearbyCompany> = neighbours.into_iter().filter_map(named).collect();
    Ok((generation.header(), Json(companies)))
}
