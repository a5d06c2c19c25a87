//! Unusual companies.

use analytics::{
    anomalies::{
        Algorithm, Anomaly as Found, Factor as FoundFactor, Question, anomalies as found_anomalies,
    },
    robust::{Comparison, Peers},
};
use axum::{Json as Answer, extract::State, response::IntoResponse};
use domain::{Uid, search::SizeOfPage};
use http_service::{Description, Json, NoParameters, Query, Routes, Tenant, handler, reads};
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use teams::SearchParams;
use utoipa::ToSchema;

use crate::{
    audit::records,
    features::{DescribedFeature, chosen, described, rounded},
    names::{WantedAlgorithm, WantedComparison, WantedFeature},
    selection::{Population, Selection, filters_of},
};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(15).changes_nothing(), handler!(anomalies))
}

/// How unusual companies are found.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct AnomalyRequest {
    /// Algorithm: `zscore`, the largest robust z-score of a feature (median and median absolute deviation), or `isolation_forest`, which
    /// also finds unusual combinations.
    #[schema(example = "zscore")]
    algorithm: WantedAlgorithm,
    /// For `zscore`: the smallest score of an anomaly, 1 to 100; default 3.5. For `isolation_forest`: the part of the companies that are not
    /// anomalies, 0.5 to 0.9999; default 0.99.
    #[schema(nullable = false, example = 3.5)]
    threshold: Option<f64>,
    /// What companies are compared by: `capital` in francs, `employees`, `companyAge` in years, `officers` (current officers and signatories),
    /// `soleSignerShare` (the part of those who can sign who can do it alone), `changesLastThreeYears`, `auditorTenure` in years,
    /// `daysSinceChange`, `atAddress` (companies at the same address).
    /// Default: `capital`, `companyAge`, `officers`, `soleSignerShare`, `changesLastThreeYears`.
    /// Companies without a value of each feature are left out.
    #[schema(nullable = false, min_items = 1, max_items = 8)]
    features: Option<Vec<WantedFeature>>,
    /// With whom a company is compared: `industry_and_legal_form` (default), those of its NOGA division and legal form, or of the
    /// section or the legal form if these are fewer than 30; or `none`, with all selected companies.
    #[schema(nullable = false, example = "industry_and_legal_form")]
    peers: Option<WantedComparison>,
    /// What the random choices follow from: the same seed gives the same anomalies. Default: 1.
    #[schema(nullable = false, minimum = 0, example = 1)]
    seed: Option<u64>,
    /// Which companies: the query parameters of `GET /v1/companies` as members, without order and pages. Without a status, companies
    /// that are in the register.
    #[serde(default)]
    #[schema(value_type = Object, example = json!({ "canton": "ZH" }))]
    filter: SearchParams,
    /// Number of anomalies to describe. Default: 50.
    #[serde(default)]
    #[schema(nullable = false, value_type = Option<u32>, minimum = 1, maximum = 100, example = 20)]
    limit: SizeOfPage<50, 100>,
}

/// Unusual companies.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AnomalyResponse {
    /// The most unusual companies, the most unusual first.
    anomalies: Vec<Anomaly>,
    /// Number of companies that were compared.
    total_scanned: usize,
    /// The threshold.
    threshold: f64,
    /// What the threshold means.
    threshold_meaning: &'static str,
    /// Number of all anomalies.
    total: usize,
    /// Algorithm.
    #[schema(example = "zscore")]
    algorithm: &'static str,
    /// Seed.
    seed: u64,
    /// The features, and for how many companies they are not known.
    features: Vec<DescribedFeature>,
    /// Number of selected companies that were not compared, because a feature is not known.
    left_out: usize,
    /// The list of the selected companies.
    companies_url: String,
}

/// An unusual company.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Anomaly {
    /// Company number.
    company_uid: Uid,
    /// Name of the company.
    name: String,
    /// How unusual it is, larger if it is more unusual. Scores of different algorithms cannot be compared.
    score: f64,
    /// The features, the most unusual first.
    factors: Vec<Factor>,
    /// With whom it was compared.
    peers: PeersOfAnomaly,
}

/// How unusual a value is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Factor {
    /// Name of the feature.
    #[schema(example = "capital")]
    feature: &'static str,
    /// Value of the company.
    value: f64,
    /// Median of the peers.
    peer_median: f64,
    /// Percentage of peers with a lower value, with half of those with the same.
    #[schema(minimum = 0, maximum = 100)]
    percentile: f64,
    /// Robust z-score of the scaled value among the peers: positive if it is above the median.
    deviation: f64,
}

/// What the companies have in common with which one was compared: NOGA division and legal form, section and legal form, legal form, or
/// nothing.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum KindOfPeers {
    IndustryAndLegalForm,
    SectionAndLegalForm,
    LegalForm,
    All,
}

/// The companies with which one was compared.
#[derive(Serialize, ToSchema)]
struct PeersOfAnomaly {
    /// What they have in common.
    kind: KindOfPeers,
    /// Their industry and legal form.
    name: String,
    /// How many there are, with the company itself.
    count: usize,
}

/// Find unusual companies
///
/// Companies whose values are unusual among their peers, with the reasons. A company is compared with those of its industry and legal
/// form, because a bank is not unusual for being a bank. Every selected company is scored; each of the 100 trees of `isolation_forest` is
/// grown from a sample of 256.
#[utoipa::path(
    post,
    path = "/v1/analytics/anomalies",
    tag = "Analytics",
    request_body = AnomalyRequest,
    responses((status = OK, body = AnomalyResponse)),
)]
async fn anomalies(
    State(state): State<crate::State>,
    tenant: Option<Tenant>,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<AnomalyRequest>,
) -> Result<impl IntoResponse, Problem> {
    let algorithm: Algorithm = request.algorithm.0;
    let question = Question {
        algorithm,
        features: chosen(request.features)?,
        comparison: request.peers.map_or(Comparison::IndustryAndLegalForm, |it| it.0),
        threshold: request.threshold,
        seed: request.seed.unwrap_or(1),
        limit: request.limit.get() as usize,
        today: state.clock.today().into(),
    };
    let (filters, needs, seed) = (filters_of(&request.filter)?, question.needs(), question.seed);
    let selection = Selection::read(&state, tenant, filters, Population::Registered, needs).await?;
    let found = selection
        .analyse(move |tables, rows| {
            found_anomalies(&tables.companies, &tables.changes, rows, &question)
        })
        .await?;
    let rows: Vec<u32> = found.anomalies.iter().map(|it| it.row).collect();
    let mut named = records(&state, &selection, &rows).await?.into_iter().peekable();
    let anomaly = |it: Found| {
        let (_, company) = named.next_if(|(row, _)| *row == it.row)?;
        Some(Anomaly {
            company_uid: company.uid,
            name: company.name,
            score: rounded(it.score, 3),
            factors: it.factors.into_iter().map(Factor::from).collect(),
            peers: PeersOfAnomaly::of(it.peers, it.peer_count),
        })
    };
    let answer = AnomalyResponse {
        anomalies: found.anomalies.into_iter().filter_map(anomaly).collect(),
        total_scanned: found.scanned,
        threshold: found.threshold,
        threshold_meaning: algorithm.threshold_meaning(),
        total: found.total,
        algorithm: algorithm.name(),
        seed,
        features: described(found.unknown),
        left_out: found.left_out,
        companies_url: selection.search.companies(),
    };
    Ok((selection.generation.header(), Answer(answer)))
}

impl From<FoundFactor> for Factor {
    fn from(it: FoundFactor) -> Self {
        Self {
            feature: it.feature.name(),
            value: it.value,
            peer_median: it.peer_median,
            percentile: rounded(it.percentile, 2),
            deviation: rounded(it.deviation, 3),
        }
    }
}

impl PeersOfAnomaly {
    fn of(peers: Peers, count: usize) -> Self {
        let kind = match peers {
            Peers::Division(..) => KindOfPeers::IndustryAndLegalForm,
            Peers::Section(..) => KindOfPeers::SectionAndLegalForm,
            Peers::LegalForm(_) => KindOfPeers::LegalForm,
            Peers::All => KindOfPeers::All,
        };
        Self { kind, name: peers.name(), count }
    }
}
