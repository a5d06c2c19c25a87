//! Clusters of similar companies.

use std::collections::BTreeMap;

use analytics::{
    clusters::{Cluster, Clusters, Question, clusters as found_clusters},
    features::Feature,
    groups::{Group, percentage},
};
use axum::{Json as Answer, extract::State, response::IntoResponse};
use domain::{Uid, search::SizeOfPage};
use http_service::{Description, Json, NoParameters, Query, Routes, Tenant, handler, reads};
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use teams::SearchParams;
use utoipa::ToSchema;

use crate::{
    features::{DescribedFeature, chosen, described, rounded},
    names::WantedFeature,
    selection::{Population, Selection, filters_of},
};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(15).changes_nothing(), handler!(cluster))
}

/// Number of groups of a kind that describe a cluster.
const GROUPS: usize = 5;

/// How companies are divided into clusters.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ClusterRequest {
    /// Algorithm: `kmeans` (k-means with k-means++).
    #[schema(example = "kmeans")]
    algorithm: ClusterAlgorithm,
    /// Number of clusters. Default: the number from 2 to 10 with the largest silhouette.
    #[schema(nullable = false, minimum = 2, maximum = 50, example = 3)]
    k: Option<u64>,
    /// What companies are compared by: `capital` in francs, `employees`, `companyAge` in years, `officers` (current officers and signatories),
    /// `soleSignerShare` (the part of those who can sign who can do it alone), `changesLastThreeYears`, `auditorTenure` in years,
    /// `daysSinceChange`, `atAddress` (companies at the same address).
    /// Default: `capital`, `companyAge`, `officers`, `soleSignerShare`, `changesLastThreeYears`.
    /// Companies without a value of each feature are in no cluster.
    #[schema(nullable = false, min_items = 1, max_items = 8)]
    features: Option<Vec<WantedFeature>>,
    /// What the random choices follow from: the same seed gives the same clusters. Default: 1.
    #[schema(nullable = false, minimum = 0, example = 1)]
    seed: Option<u64>,
    /// Which companies: the query parameters of `GET /v1/companies` as members, without order and pages. Without a status, companies
    /// that are in the register.
    #[serde(default)]
    #[schema(value_type = Object, example = json!({ "canton": "ZH" }))]
    filter: SearchParams,
    /// Number of companies to name of each cluster. Default: 5.
    #[serde(default, alias = "sample_size")]
    #[schema(nullable = false, value_type = Option<u32>, minimum = 1, maximum = 20, example = 5)]
    sample_size: SizeOfPage<5, 20>,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
enum ClusterAlgorithm {
    #[serde(rename = "kmeans")]
    KMeans,
}

/// Companies in clusters.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ClusterResponse {
    /// The clusters, the largest first.
    clusters: Vec<ClusterResult>,
    /// Algorithm.
    algorithm: ClusterAlgorithm,
    /// Number of clusters.
    k: usize,
    /// Silhouette of each number of clusters that was tried, if the request gives none. Absent otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tried: Vec<TriedNumber>,
    /// Seed.
    seed: u64,
    /// Number of iterations.
    iterations: usize,
    /// Sum of the squares of the distances of the standardised features from the centres.
    inertia: f64,
    /// Mean silhouette of a sample of companies: -1 to 1, larger if the clusters are better separated. Absent if all are in one cluster.
    silhouette: Option<f64>,
    /// Number of companies of this sample.
    silhouette_sample: usize,
    /// The features, how their values are scaled before they are standardised, and for how many companies they are not known.
    features: Vec<DescribedFeature>,
    /// Number of companies in clusters.
    companies: usize,
    /// Number of selected companies that are in no cluster, because a feature is not known.
    left_out: usize,
    /// The list of the selected companies.
    companies_url: String,
}

/// The silhouette of a number of clusters.
#[derive(Serialize, ToSchema)]
struct TriedNumber {
    /// Number of clusters.
    k: usize,
    /// Mean silhouette of a sample of companies.
    silhouette: f64,
}

/// Similar companies.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ClusterResult {
    /// Number of the cluster, from 0.
    id: usize,
    /// Mean of each feature in its own unit; of a feature that is scaled with the logarithm, the value whose logarithm is the mean.
    centroid: BTreeMap<&'static str, f64>,
    /// Number of companies.
    company_count: usize,
    /// Company numbers of the companies nearest to the centre, the nearest first.
    sample_companies: Vec<Uid>,
    /// The features that set the cluster apart, the most different first: those whose mean is at least half a standard deviation from
    /// that of all companies in clusters.
    distinguishing: Vec<Distinguishing>,
    /// The cantons with the most companies of the cluster.
    cantons: Vec<ShareOfGroup>,
    /// The legal forms with the most companies of the cluster.
    legal_forms: Vec<ShareOfGroup>,
    /// The industries (NOGA divisions) with the most companies of the cluster.
    industries: Vec<ShareOfGroup>,
}

/// How a feature of a cluster differs from that of all companies.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Distinguishing {
    /// Name of the feature.
    #[schema(example = "capital")]
    feature: &'static str,
    /// Median of the cluster.
    median: f64,
    /// Median of all companies in clusters.
    selection_median: f64,
    /// Difference of the means, in standard deviations of all companies in clusters.
    standard_deviations: f64,
}

/// The part of a cluster that is in a group.
#[derive(Serialize, ToSchema)]
struct ShareOfGroup {
    /// Code of the canton, English name of the division, German name of the legal form, or `Unknown`.
    #[schema(example = "ZH")]
    name: String,
    /// Number of companies.
    count: u32,
    /// Percentage of the cluster.
    #[schema(minimum = 0, maximum = 100)]
    share: f64,
}

/// Cluster companies
///
/// Divides the selected companies into groups of similar ones. Every selected company is assigned to a cluster; the
/// starting centres, the silhouettes and the choice of `k` come from samples.
#[utoipa::path(
    post,
    path = "/v1/analytics/cluster",
    tag = "Analytics",
    request_body = ClusterRequest,
    responses((status = OK, body = ClusterResponse)),
)]
async fn cluster(
    State(state): State<crate::State>,
    tenant: Option<Tenant>,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<ClusterRequest>,
) -> Result<impl IntoResponse, Problem> {
    let features = chosen(request.features)?;
    let question = Question {
        features: features.clone(),
        k: request.k,
        seed: request.seed.unwrap_or(1),
        samples: request.sample_size.get() as usize,
        today: state.clock.today().into(),
    };
    let (filters, needs) = (filters_of(&request.filter)?, question.needs());
    let selection = Selection::read(&state, tenant, filters, Population::Registered, needs).await?;
    let seed = question.seed;
    let found = selection
        .analyse(move |tables, rows| {
            found_clusters(&tables.companies, &tables.changes, rows, &question)
        })
        .await?;
    let Clusters {
        clusters,
        tried,
        iterations,
        inertia,
        silhouette,
        silhouette_sample,
        unknown,
        companies,
        left_out,
    } = found;
    let mut results = Vec::new();
    for (id, cluster) in clusters.into_iter().enumerate() {
        let sample = selection.uids(&cluster.nearest).await?;
        results.push(ClusterResult::of(id, cluster, sample));
    }
    let answer = ClusterResponse {
        k: results.len(),
        clusters: results,
        algorithm: request.algorithm,
        tried: tried.into_iter().map(|(k, silhouette)| TriedNumber { k, silhouette }).collect(),
        seed,
        iterations,
        inertia,
        silhouette,
        silhouette_sample,
        features: described(unknown),
        companies,
        left_out,
        companies_url: selection.search.companies(),
    };
    Ok((selection.generation.header(), Answer(answer)))
}

impl ClusterResult {
    fn of(id: usize, cluster: Cluster, sample_companies: Vec<Uid>) -> Self {
        let shares = |counts: Vec<(Group, u32)>| {
            let share = |(group, count): (Group, u32)| ShareOfGroup {
                name: group.label(),
                count,
                share: percentage(count as usize, cluster.companies),
            };
            counts.into_iter().take(GROUPS).map(share).collect()
        };
        let distinguishing = |it: analytics::clusters::Distinguishing| Distinguishing {
            feature: it.feature.name(),
            median: it.median,
            selection_median: it.selection_median,
            standard_deviations: rounded(it.deviations, 3),
        };
        let centroid = cluster.centroid.into_iter();
        Self {
            id,
            centroid: centroid.map(|(feature, it): (Feature, f64)| (feature.name(), it)).collect(),
            company_count: cluster.companies,
            sample_companies,
            distinguishing: cluster.distinguishing.into_iter().map(distinguishing).collect(),
            cantons: shares(cluster.cantons),
            legal_forms: shares(cluster.legal_forms),
            industries: shares(cluster.industries),
        }
    }
}
