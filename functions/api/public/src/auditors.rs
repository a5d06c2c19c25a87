//! Auditors of companies, and the length of each tenure.

use axum::{Json, extract::State, response::IntoResponse};
use company_reader::{company_as_of, known_company_with, proofs_of};
use domain::{
    Canton, Provenance, Uid,
    auditors::Tenure,
    history::tenures,
    search::{Page, tenures::TenureQuery},
};
use generations::Unavailable;
use http_service::{
    AsOfWithProofs, CompanyPath, Description, Path, Proof, Query, Routes, handler, reads,
};
use jiff::civil::Date;
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use store::Wanted;
use text_index::tenures::TenureRow;
use utoipa::ToSchema;
use uuid::Uuid;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(2), handler!(auditor_history))
        .route(reads(2), handler!(auditor_tenures))
}

/// Current and former auditors of a company.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AuditorHistory {
    /// Company number.
    company_uid: Uid,
    /// Name of the company.
    company_name: String,
    /// Date of the returned state. Absent without the parameter `asOf`.
    as_of: Option<Date>,
    /// Tenure of the current auditor. Absent if the company has no auditor or none is known.
    current_auditor: Option<AuditorTenure>,
    /// All tenures, latest appointment first.
    history: Vec<AuditorTenure>,
}

/// The tenure of an audit firm at a company.
#[skip_serializing_none]
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AuditorTenure {
    /// Id of the tenure.
    id: Uuid,
    /// Company number.
    company_uid: Uid,
    /// Name of the company.
    company_name: String,
    /// Name of the audit firm.
    auditor_name: String,
    /// Company number of the audit firm. Absent if no publication states it.
    auditor_uid: Option<Uid>,
    /// Start date of the tenure. Absent if no publication states it.
    appointed_at: Option<Date>,
    /// End date of the tenure. Absent while the firm is in office.
    resigned_at: Option<Date>,
    /// Length of the tenure in years, with one decimal. Absent if the start date is unknown.
    tenure_years: Option<f64>,
    /// Whether the firm is in office.
    is_current: bool,
    /// Name of the source.
    source: String,
    /// Publication that states this tenure.
    provenance: Provenance,
    /// Source of the tenure with a link. Absent without `proofs=true`.
    proof: Option<Proof>,
}

impl AuditorTenure {
    pub(crate) fn of(uid: Uid, company_name: &str, tenure: &Tenure, today: Date) -> Self {
        Self {
            id: tenure.id(uid),
            company_uid: uid,
            company_name: company_name.to_owned(),
            auditor_name: tenure.auditor_name.clone(),
            auditor_uid: tenure.auditor_uid,
            appointed_at: tenure.appointed_at,
            resigned_at: tenure.resigned_at,
            tenure_years: tenure.years(today),
            is_current: tenure.is_current(),
            source: tenure.source.source.clone(),
            provenance: tenure.source.clone(),
            proof: None,
        }
    }
}

/// Get a company's auditor history
///
/// The current auditor and all known tenures, latest appointment first. With `asOf`, the state at the end of
/// that day. With `proofs=true`, each tenure has its source, with a link to the publication.
#[utoipa::path(
    get,
    path = "/v1/companies/{uid}/auditor-history",
    tag = "Auditor intelligence",
    params(CompanyPath, AsOfWithProofs),
    responses((status = OK, body = AuditorHistory)),
)]
async fn auditor_history(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(AsOfWithProofs { as_of, proofs }): Query<AsOfWithProofs>,
) -> Result<Json<AuditorHistory>, Problem> {
    let today = state.clock.today();
    let (company, history, proof) = match as_of {
        None => {
            let (company, history) =
                known_company_with(&state.registry, uid, Wanted::default()).await?;
            let proof = match proofs {
                true => proofs_of(&state.registry, &company).await?.remove("auditorName"),
                false => None,
            };
            let proof = proof.or_else(|| company.register_source().cloned());
            (company, history, proof)
        }
        Some(day) => {
            let mut past = company_as_of(&state.registry, &state.clock, uid, day).await?;
            (past.company, past.history, past.proofs.remove("auditorName"))
        }
    };
    let today = as_of.unwrap_or(today);
    let of = |it: &Tenure| AuditorTenure {
        proof: proofs.then(|| Proof::with_link(it.source.clone())),
        ..AuditorTenure::of(uid, &company.name, it, today)
    };
    let tenures: Vec<AuditorTenure> = tenures(&company, &history, proof).iter().map(of).collect();
    let current_auditor = tenures.iter().find(|it| it.is_current).cloned();
    Ok(Json(AuditorHistory {
        company_uid: uid,
        company_name: company.name,
        as_of,
        current_auditor,
        history: tenures,
    }))
}

/// An auditor tenure in a list.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
struct ListedTenure {
    #[serde(flatten)]
    tenure: AuditorTenure,
    /// Canton of the company's seat. Absent if unknown.
    canton: Option<Canton>,
}

/// List auditor tenures
///
/// Tenures at all companies, longest first, in pages. Tenures with an unknown start date come last. They are
/// left out if a minimum length is given.
#[utoipa::path(
    get,
    path = "/v1/auditor-tenures",
    tag = "Auditor intelligence",
    params(TenureQuery),
    responses((status = OK, body = Page<ListedTenure>)),
)]
async fn auditor_tenures(
    State(state): State<crate::State>,
    Query(query): Query<TenureQuery>,
) -> Result<impl IntoResponse, Problem> {
    let today = state.clock.today();
    let generation = state.generations.serving().await?;
    let hits =
        generation.tenures().await?.search(&query, today).await.map_err(Unavailable::from)?;
    let listed = |it: &TenureRow| ListedTenure {
        tenure: AuditorTenure::of(it.company, &it.company_name, &it.tenure, today),
        canton: it.canton,
    };
    let items: Vec<ListedTenure> = hits.tenures.iter().map(listed).collect();
    let (page, page_size) = (query.page.get(), query.page_size.get());
    Ok((generation.header(), Json(Page { items, total: hits.total, page, page_size })))
}
