use std::cmp::Reverse;

use axum::{Json, extract::State, response::IntoResponse};
use domain::{
    Company, Provenance, Uid,
    relations::{Kin, Relative},
};
use http_service::{CompanyPath, NoParameters, Path, Query, known_company_with_history};
use jiff::Timestamp;
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use sources::Source;
use utoipa::ToSchema;

use super::{
    proven_relatives,
    shareholders::{SignificantShareholder, significant_shareholders},
};

/// The offices of a company, with whom it merged, and who holds it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CorporateStructure {
    head_offices: Vec<RelatedCompany>,
    branch_offices: Vec<RelatedCompany>,
    /// What the company took over.
    acquisitions: Vec<RelatedCompany>,
    /// What took the company over.
    acquired_by: Vec<RelatedCompany>,
    /// Of a listed company: the newest report of each holder to the exchange, those with most voting rights
    /// first, those who fell below a threshold last.
    significant_shareholders: Vec<SignificantShareholder>,
}

#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
struct RelatedCompany {
    /// Absent for a company that the register does not number.
    uid: Option<Uid>,
    /// As it is called today, where that is known.
    name: String,
    /// What states it.
    source: Option<Provenance>,
}

/// Structure of a company
///
/// What the register states of it from either side, deleted companies included; and who reported to the
/// exchange to hold voting rights of it.
#[utoipa::path(
    get,
    path = "/v1/companies/{uid}/structure",
    tag = "Relationships",
    params(CompanyPath),
    responses((status = OK, body = CorporateStructure)),
)]
pub(super) async fn structure(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<impl IntoResponse, Problem> {
    let (company, history) = known_company_with_history(&state.registry, uid).await?;
    let generation = state.generations.serving().await?;
    let relatives = proven_relatives(&state, &generation, &company, &history).await?;
    let those = |kin: Kin| {
        let of_kin = relatives.iter().filter(|it| it.kin == kin).cloned();
        of_kin
            .map(|Relative { uid, name, source, .. }| RelatedCompany { uid, name, source })
            .collect()
    };
    let reports = state.registry.facts_of(uid, Source::Six).await?;
    let structure = CorporateStructure {
        head_offices: those(Kin::HeadOffice),
        branch_offices: those(Kin::BranchOffice),
        acquisitions: those(Kin::Acquired),
        acquired_by: those(Kin::Acquirer),
        significant_shareholders: significant_shareholders(&reports),
    };
    Ok((generation.header(), Json(structure)))
}

/// One company took another over.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Acquisition {
    /// Absent for a company that the register does not number.
    acquirer_uid: Option<Uid>,
    acquirer_name: String,
    /// Absent for a company that the register does not number.
    acquired_uid: Option<Uid>,
    acquired_name: String,
    /// The day on which the merger was published, at midnight UTC; the day of the record that states it
    /// where that publication is not known.
    created_at: Option<Timestamp>,
    /// What states it.
    source: Option<Provenance>,
}

/// Acquisitions of a company
///
/// Whom it took over, and who took it over, as the register states it from either side; the latest
/// first.
#[utoipa::path(
    get,
    path = "/v1/companies/{uid}/acquisitions",
    tag = "Relationships",
    params(CompanyPath),
    responses((status = OK, body = Vec<Acquisition>)),
)]
pub(super) async fn acquisitions(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<impl IntoResponse, Problem> {
    let (company, history) = known_company_with_history(&state.registry, uid).await?;
    let generation = state.generations.serving().await?;
    let relatives = proven_relatives(&state, &generation, &company, &history).await?;
    let mergers = relatives.into_iter().filter(|it| it.kin.is_merger());
    let mut acquisitions: Vec<Acquisition> = mergers.map(|it| acquisition(&company, it)).collect();
    acquisitions.sort_by_key(|it| Reverse(it.created_at));
    Ok((generation.header(), Json(acquisitions)))
}

fn acquisition(company: &Company, relative: Relative) -> Acquisition {
    let stated = relative.source.as_ref().and_then(|it| it.date);
    let day = relative.since.or(stated);
    let midnight = day.map(domain::changes::midnight);
    let this = (Some(company.uid), company.name.clone());
    let other = (relative.uid, relative.name);
    let (acquirer, acquired) =
        if relative.kin == Kin::Acquired { (this, other) } else { (other, this) };
    Acquisition {
        acquirer_uid: acquirer.0,
        acquirer_name: acquirer.1,
        acquired_uid: acquired.0,
        acquired_name: acquired.1,
        created_at: midnight.or(company.updated_at),
        source: relative.source,
    }
}
