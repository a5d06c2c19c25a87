//! Companies near a place.

use std::collections::BTreeMap;

use axum::{Json, extract::State, response::IntoResponse};
use domain::{Uid, search::PageSize};
use http_service::{Description, Query, Routes, handler, reads};
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use text_index::companies::Neighbour;
use utoipa::{IntoParams, ToSchema};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(1), handler!(nearby_companies))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct NearbyQuery {
    /// Latitude of the place, in degrees (WGS 84).
    #[param(value_type = f64, minimum = -90, maximum = 90, example = 47.559)]
    lat: Degrees<90>,
    /// Longitude of the place, in degrees (WGS 84).
    #[param(value_type = f64, minimum = -180, maximum = 180, example = 7.588)]
    lng: Degrees<180>,
    /// Radius around the place, in kilometres.
    #[serde(default)]
    #[param(value_type = Option<f64>, exclusive_minimum = 0, maximum = 500, default = 5, example = 5)]
    radius_km: Radius,
    /// Maximum number of companies to return.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20, example = 20)]
    limit: PageSize,
}

/// Degrees between `-LIMIT` and `LIMIT`.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "f64")]
struct Degrees<const LIMIT: u8>(f64);

impl<const LIMIT: u8> TryFrom<f64> for Degrees<LIMIT> {
    type Error = String;

    fn try_from(degrees: f64) -> Result<Self, String> {
        if degrees.abs() <= f64::from(LIMIT) {
            return Ok(Self(degrees));
        }
        Err(format!("must be between -{LIMIT} and {LIMIT}; got `{degrees}`"))
    }
}

/// A radius in kilometres: more than 0, and at most 500.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "f64")]
struct Radius(f64);

impl Default for Radius {
    fn default() -> Self {
        Self(5.0)
    }
}

impl TryFrom<f64> for Radius {
    type Error = String;

    fn try_from(kilometres: f64) -> Result<Self, String> {
        if kilometres > 0.0 && kilometres <= 500.0 {
            Ok(Self(kilometres))
        } else {
            Err(format!("must be more than 0 and at most 500; got `{kilometres}`"))
        }
    }
}

/// A company near a place.
#[derive(Serialize, ToSchema)]
struct NearbyCompany {
    /// Company number.
    uid: Uid,
    /// Name of the company.
    name: String,
    /// Distance from the place in kilometres (great circle).
    distance: f64,
    /// Latitude of the company, in degrees (WGS 84).
    latitude: f64,
    /// Longitude of the company, in degrees (WGS 84).
    longitude: f64,
}

/// List companies near a place
///
/// Companies within the radius, nearest first. Companies deleted from the register and companies without
/// coordinates are left out.
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
