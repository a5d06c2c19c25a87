//! Companies that are similar to a company.

use axum::{Json, extract::State, response::IntoResponse};
use company_reader::known_company;
use domain::{
    Amount, Canton, Company, Status, Uid,
    search::PageSize,
    similar_companies::{Profile, Similarity},
};
use http_service::{CompanyPath, Description, Path, Query, Routes, handler, reads};
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{IntoParams, ToSchema};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(2).translated(), handler!(similar_companies))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct SimilarQuery {
    /// Maximum number of companies to return.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20, example = 20)]
    limit: PageSize,
}

/// Companies that are similar to a company.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SimilarCompanies {
    /// Number of the requested company.
    company_uid: Uid,
    /// Name of the requested company.
    company_name: String,
    /// Similar companies, highest score first.
    results: Vec<SimilarCompany>,
}

/// A similar company.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SimilarCompany {
    /// Company number.
    uid: Uid,
    /// Name of the company.
    name: String,
    /// Canton of the seat. Absent if unknown.
    canton: Option<Canton>,
    /// English name of the NOGA 2008 division. Absent if unknown.
    industry: Option<String>,
    /// German name of the legal form. Absent if unknown.
    legal_form: Option<String>,
    /// Nominal capital in units of the company's currency. Absent if unknown.
    share_capital: Option<Amount>,
    /// Status in the register. Absent if unknown.
    status: Option<Status>,
    /// Similarity score, 0 to 100.
    similarity_score: u32,
    /// Properties that contributed to the score: `industry`, `canton`, `shareCapital`, `legalForm`, `auditorCategory`.
    matching_dimensions: Vec<&'static str>,
}

/// List similar companies
///
/// Companies with the highest similarity score, which is the sum of: same NOGA division (40 points), same canton (20),
/// similar capital (up to 20), same legal form (10), same auditor category (10). Capital gives `20 × (1 - log10(larger /
/// smaller))` points: 20 if it is equal, 0 if one is at least ten times the other or the currencies differ. An unknown
/// value gives no points. Companies deleted from the register are left out.
#[utoipa::path(
    get,
    path = "/v1/companies/{uid}/similar",
    tag = "Companies",
    params(CompanyPath, SimilarQuery),
    responses((status = OK, body = SimilarCompanies)),
)]
async fn similar_companies(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(SimilarQuery { limit }): Query<SimilarQuery>,
) -> Result<impl IntoResponse, Problem> {
    let company = known_company(&state.registry, uid).await?;
    let generation = state.generations.serving().await?;
    let companies = generation.companies().await?;
    let similar = companies.similar(&profile(&company), uid, limit.get() as usize)?;
    let uids: Vec<Uid> = similar.iter().map(|(uid, _)| *uid).collect();
    let records = state.registry.companies(&uids).await?;
    let scored = |record: Company| {
        let (_, similarity) = similar.iter().find(|(uid, _)| *uid == record.uid)?;
        Some(result(record, similarity))
    };
    let results = records.into_iter().filter_map(scored).collect();
    let response = SimilarCompanies { company_uid: uid, company_name: company.name, results };
    Ok((generation.header(), Json(response)))
}

fn profile(company: &Company) -> Profile<'_> {
    Profile {
        industry: company.noga_code.as_deref().and_then(|it| it.get(..2)),
        canton: company.canton,
        capital: company.share_capital,
        currency: company.currency.as_deref(),
        legal_form_code: company.legal_form_code.as_deref(),
        auditor_category: company.auditor_category,
    }
}

fn result(record: Company, similarity: &Similarity) -> SimilarCompany {
    SimilarCompany {
        uid: record.uid,
        name: record.name,
        canton: record.canton,
        industry: record.industry,
        legal_form: record.legal_form,
        share_capital: record.share_capital,
        status: record.status,
        similarity_score: similarity.score,
        matching_dimensions: similarity.dimensions.clone(),
    }
}
