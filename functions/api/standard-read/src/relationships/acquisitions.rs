use std::cmp::Reverse;

use axum::{Json, extract::State, response::IntoResponse};
use company_reader::known_company_with;
use domain::{
    Company, Provenance, Uid,
    relationships::{CompanyRelation, Relation},
};
use http_service::{CompanyPath, NoParameters, Path, Query};
use jiff::Timestamp;
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use super::{MERGERS, proven_relatives};

/// A merger in which one company acquired another.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Acquisition {
    /// Company number of the acquirer. Absent for a company that is not in the register.
    acquirer_uid: Option<Uid>,
    /// Name of the acquirer.
    acquirer_name: String,
    /// Company number of the acquired company. Absent for a company that is not in the register.
    acquired_uid: Option<Uid>,
    /// Name of the acquired company.
    acquired_name: String,
    /// Date of the publication of the merger, at midnight UTC, or else date of the record that states it. Absent
    /// if neither is known.
    created_at: Option<Timestamp>,
    /// Source of the acquisition. Absent if unknown.
    source: Option<Provenance>,
}

/// List a company's acquisitions
///
/// Companies that this company acquired, and companies that acquired it, latest first. They are taken from the register
/// entries of the company and of the other companies. If the company has more than 500 related companies, the list can
/// be incomplete.
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
    let (company, history) = known_company_with(&state.registry, uid, MERGERS).await?;
    let generation = state.generations.serving().await?;
    let relatives = proven_relatives(&state, &generation, &company, &history).await?;
    let mergers = relatives.relations.into_iter().filter(|it| it.relation.is_merger());
    let mut acquisitions: Vec<Acquisition> = mergers.map(|it| acquisition(&company, it)).collect();
    acquisitions.sort_by_key(|it| Reverse(it.created_at));
    Ok((generation.header(), Json(acquisitions)))
}

fn acquisition(company: &Company, relative: CompanyRelation) -> Acquisition {
    let stated = relative.source.as_ref().and_then(|it| it.date);
    let day = relative.since.or(stated);
    let midnight = day.map(domain::changes::midnight);
    let requested = (Some(company.uid), company.name.clone());
    let other = (relative.uid, relative.name);
    let (acquirer, acquired) = if relative.relation == Relation::Acquired {
        (requested, other)
    } else {
        (other, requested)
    };
    Acquisition {
        acquirer_uid: acquirer.0,
        acquirer_name: acquirer.1,
        acquired_uid: acquired.0,
        acquired_name: acquired.1,
        created_at: midnight.or(company.updated_at),
        source: relative.source,
    }
}
