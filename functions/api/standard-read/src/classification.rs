//! The industry of a company, and the evidence for it.

use axum::{Json, extract::State};
use company_reader::known_company;
use domain::{
    AuditorCategory, Company, Provenance, Uid,
    classification::{Level, Levels},
    industry,
};
use http_service::{CompanyPath, Description, NoParameters, Path, Query, Routes, handler, reads};
use jiff::Timestamp;
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(1).translated(), handler!(classification))
}

/// Industry of a company according to NOGA 2008, the Swiss classification of economic activities (based on the European
/// NACE). Its levels are section, division, group and class. Unknown levels are absent.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Classification {
    /// Company number.
    company_uid: Uid,
    /// Code of the NOGA section: one letter.
    #[schema(example = "J")]
    sector_code: Option<String>,
    /// English name of the NOGA section.
    sector_name: Option<String>,
    /// Code of the NOGA division (not the group): two digits.
    #[schema(example = "62")]
    group_code: Option<String>,
    /// English name of the NOGA division (not the group). The same as `industry` in company records.
    group_name: Option<String>,
    /// Code of the NOGA group: three digits.
    #[schema(example = "620")]
    industry_code: Option<String>,
    /// English name of the NOGA group. Not the same as `industry` in company records, which is the division.
    industry_name: Option<String>,
    /// Code of the NOGA class: four digits.
    #[schema(example = "6201")]
    sub_industry_code: Option<String>,
    /// English name of the NOGA class.
    sub_industry_name: Option<String>,
    /// Method of the classification: `KeywordMatch` (keywords in the purpose; `industrySource` is then
    /// `keyword_match`), `None` (not classified), or the name of the source that states the industry.
    #[schema(example = "KeywordMatch")]
    method: String,
    /// Date of the newest statement in the classified record, at midnight UTC. Absent if unknown.
    classified_at: Option<Timestamp>,
    /// Category of the auditor. Absent if unknown.
    auditor_category: Option<AuditorCategory>,
    /// Whether FINMA, the financial market supervisor, has authorised the company. Absent if unknown.
    is_finma_regulated: Option<bool>,
    /// Source of the industry: `keyword_match` (keywords in the purpose), or the name of the source that states it.
    /// Absent if the company is not classified.
    #[schema(example = "keyword_match")]
    industry_source: Option<String>,
    /// Confidence of the classification, 0 to 1. Absent if the company is not classified.
    industry_confidence: Option<f64>,
    /// Keywords in the purpose that determined the industry, highest weight first. Empty for other methods.
    evidence: Vec<ClassificationEvidence>,
    /// Sources of the company record.
    sources: Vec<Provenance>,
}

/// A keyword in the purpose that indicates a NOGA code.
#[derive(Serialize, ToSchema)]
struct ClassificationEvidence {
    /// Keyword or phrase in lower case, without accents.
    phrase: String,
    /// NOGA code, two or four digits.
    code: &'static str,
    /// Weight of the keyword.
    weight: f64,
}

impl Classification {
    fn of(company: Company) -> Self {
        let levels = Levels::of(&company);
        let parts = |level: Option<Level>| match level {
            Some(it) => (Some(it.code), it.name.map(str::to_owned)),
            None => (None, None),
        };
        let (sector_code, sector_name) = parts(levels.section);
        let (group_code, group_name) = parts(levels.division);
        let (industry_code, industry_name) = parts(levels.group);
        let (sub_industry_code, sub_industry_name) = parts(levels.class);
        let source = company.industry_source.as_deref();
        let method = match (source, &group_code) {
            (_, None) => "None",
            (Some(industry::SOURCE), _) => "KeywordMatch",
            (Some(source), _) => source,
            (None, _) => company.data_source.as_deref().unwrap_or("None"),
        };
        Self {
            company_uid: company.uid,
            method: method.to_owned(),
            evidence: evidence(&company),
            sector_code,
            sector_name,
            group_code,
            group_name,
            industry_code,
            industry_name,
            sub_industry_code,
            sub_industry_name,
            classified_at: company.industry_classified_at,
            auditor_category: company.auditor_category,
            is_finma_regulated: company.is_finma_regulated,
            industry_source: company.industry_source,
            industry_confidence: company.industry_confidence,
            sources: company.sources,
        }
    }
}

/// The keywords that determined the industry of the record.
fn evidence(company: &Company) -> Vec<ClassificationEvidence> {
    if company.industry_source.as_deref() != Some(industry::SOURCE) {
        return Vec::new();
    }
    let read = company.purpose.as_deref().and_then(industry::classify);
    let evidence = read.map(|it| it.evidence).unwrap_or_default().into_iter();
    let evidence = evidence.map(|it| ClassificationEvidence {
        phrase: it.phrase,
        code: it.code,
        weight: (it.weight * 100.0).round() / 100.0,
    });
    evidence.collect()
}

/// Get a company's industry classification
///
/// The industry according to NOGA 2008: section, division, group and class. The official NOGA codes of companies
/// are not public. If no source states a code, it is derived from keywords in the purpose; `evidence` lists
/// these keywords.
#[utoipa::path(
    get,
    path = "/v1/companies/{uid}/classification",
    tag = "Companies",
    params(CompanyPath),
    responses((status = OK, body = Classification)),
)]
async fn classification(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<Json<Classification>, Problem> {
    let company = known_company(&state.registry, uid).await?;
    Ok(Json(Classification::of(company)))
}
