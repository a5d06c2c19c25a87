//! What a company does, level by level, and what that rests on.

use axum::{Json, extract::State};
use domain::{
    AuditorCategory, Company, Provenance, Uid,
    classification::{Level, Levels},
    industry,
};
use http_service::{
    CompanyPath, Description, NoParameters, Path, Query, Routes, handler, known_company, reads,
};
use jiff::Timestamp;
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(1), handler!(classification))
}

/// What a company does, by NOGA 2008, as far as it is known.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Classification {
    company_uid: Uid,
    /// The section, a letter.
    #[schema(example = "J")]
    sector_code: Option<String>,
    sector_name: Option<String>,
    /// The division, two digits.
    #[schema(example = "62")]
    group_code: Option<String>,
    group_name: Option<String>,
    /// The group, three digits.
    #[schema(example = "620")]
    industry_code: Option<String>,
    industry_name: Option<String>,
    /// The class, four digits.
    #[schema(example = "6201")]
    sub_industry_code: Option<String>,
    sub_industry_name: Option<String>,
    /// `KeywordMatch`: by the words of the purpose; `None`: not classified; else the source that says so.
    #[schema(example = "KeywordMatch")]
    method: String,
    /// As old as the purpose that it was read from.
    classified_at: Option<Timestamp>,
    auditor_category: Option<AuditorCategory>,
    is_finma_regulated: Option<bool>,
    #[schema(example = "keyword_match")]
    industry_source: Option<String>,
    /// 0 to 1.
    industry_confidence: Option<f64>,
    /// The words of the purpose that it rests on, the weightiest first; empty for other methods.
    evidence: Vec<ClassificationEvidence>,
    /// The sources of the record.
    sources: Vec<Provenance>,
}

/// A word or phrase of the purpose that points to a code.
#[derive(Serialize, ToSchema)]
struct ClassificationEvidence {
    /// In lower case and without accents.
    phrase: String,
    /// Two or four digits.
    code: &'static str,
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

/// The words that the record's industry was read from.
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

/// Classification of a company
///
/// What it does by NOGA 2008: section, division, group and class. NOGA codes of single companies are not
/// public; where no source says one, it is read from the words of the purpose, which `evidence` names.
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
