//! The risk of a company, and how it is assessed.

use ::risk::{Assessment, FactorBreakdown, Methodology, Priors, Rate, RiskLevel, methodology};
use axum::{Json, extract::State, response::IntoResponse};
use company_reader::{owners::owners_of, risk::risk_of, subject::Subject};
use domain::Uid;
use http_service::{
    AsOf, CompanyPath, Description, NoParameters, Path, Query, Routes, handler, reads,
};
use jiff::{Timestamp, civil::Date};
use problem_details::Problem;
use serde::Serialize;
use utoipa::ToSchema;

use crate::citation::Citation;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(10), handler!(risk)).route(reads(1), handler!(risk_methodology))
}

/// The risk of a company.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RiskScoreV2Response {
    /// Company number.
    uid: Uid,
    /// Name of the company.
    company_name: String,
    /// 0 to 1. Comparable between companies and with the thresholds of `riskLevel`; not a probability that was measured.
    #[schema(example = 0.042)]
    score: f64,
    /// Level of the score, if enough is known.
    risk_level: RiskLevel,
    /// The logarithm of the odds of the score.
    log_odds: f64,
    /// Probability of a company without any evidence.
    base_rate: Rate,
    /// By what the weights of the factors are multiplied.
    #[schema(example = 4.85)]
    weight_scale: f64,
    /// The nine factors.
    factors: Vec<CitedFactor>,
    /// Version of factors, signs, priors and weights.
    #[schema(example = "v2")]
    priors_schema_version: String,
    /// Day of the assessment. What was published later does not count.
    as_of: Date,
    /// When the assessment was made.
    assessed_at: Timestamp,
}

/// A factor of the risk with the provisions that make it relevant.
#[derive(Serialize, ToSchema)]
struct CitedFactor {
    #[serde(flatten)]
    breakdown: FactorBreakdown,
    /// The provisions of `obligationRefs` that are in force on the day of the assessment.
    citations: Vec<Citation>,
}

impl RiskScoreV2Response {
    fn of(uid: Uid, company_name: String, assessment: Assessment, assessed_at: Timestamp) -> Self {
        let Assessment {
            score,
            risk_level,
            log_odds,
            base_rate,
            weight_scale,
            factors,
            priors_schema_version,
            as_of,
        } = assessment;
        let cited = |breakdown: FactorBreakdown| {
            let ids = breakdown.obligation_refs.iter().map(String::as_str);
            CitedFactor { citations: Citation::in_force(ids, as_of), breakdown }
        };
        let factors = factors.into_iter().map(cited).collect();
        Self {
            uid,
            company_name,
            score,
            risk_level,
            log_odds,
            base_rate,
            weight_scale,
            factors,
            priors_schema_version,
            as_of,
            assessed_at,
        }
    }
}

/// Assess the risk of a company
///
/// A risk score from nine factors: owners, lists, countries, industry, audit, board, address, capital, and age and status.
/// Each factor has its prior probability, the evidence with sources and dates, and its contribution to the score. What is
/// not known leaves a factor at its prior, and the factor says so. The names of the company, of its officers and of its
/// direct and indirect owners in the register, and the parents that these companies report to GLEIF, are compared with
/// the screening lists. Other owners abroad, and holders of whom only the name is known, are not compared; the factor
/// names them. The country of a parent abroad is that of its jurisdiction, if GLEIF states it. With `asOf`, the record
/// and the history of the company and of its owners are those of that day, as in `GET /v1/companies/{uid}` with `asOf`,
/// and statements of other sources about the owners count if they were published by that day. Screening lists, other
/// mandates of officers, other companies at the address, and rates that were measured in the register later are left
/// out. `GET /v1/methodology/risk` documents the method.
///
/// The score compares companies. It is not the measured probability of an event: its weights are judgements.
#[utoipa::path(
    get,
    path = "/v1/risk/v2/{uid}",
    tag = "Risk",
    params(CompanyPath, AsOf),
    responses((status = OK, body = RiskScoreV2Response)),
)]
async fn risk(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(AsOf { as_of }): Query<AsOf>,
) -> Result<impl IntoResponse, Problem> {
    let generation = state.generations.serving().await?;
    let sources = state.sources();
    let subject = Subject::read(&sources, uid, as_of).await?;
    let owners = owners_of(&sources, &generation, &subject, as_of).await?;
    let assessment = risk_of(&sources, &generation, &subject, &owners, as_of).await?;
    let name = subject.company.name;
    let answer = RiskScoreV2Response::of(uid, name, assessment, state.clock.now());
    Ok((generation.header(), Json(answer)))
}

/// Get the risk assessment method
///
/// Factors, priors with their sources, signs, weights, half-lives, formulas, thresholds and limits, generated from the
/// code that computes the score. If the register has at least 1,000 companies, rates that can be measured from it
/// replace published and assumed ones.
#[utoipa::path(
    get,
    path = "/v1/methodology/risk",
    tag = "Risk",
    responses((status = OK, body = Methodology)),
)]
async fn risk_methodology(
    State(state): State<crate::State>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<impl IntoResponse, Problem> {
    let generation = state.generations.serving().await?;
    let priors = Priors::of_register(generation.manifest.rates.as_ref());
    Ok((generation.header(), Json(methodology(&priors))))
}
