//! A company compared with its peers.

use analytics::{
    Needs,
    benchmark::{Compared, Dimension, Missing, benchmark as compare, needs},
    columns::CompanyColumn,
};
use axum::{Json, extract::State, response::IntoResponse};
use company_reader::known_company;
use domain::{
    GivenUid, Uid, noga,
    search::{CompanyFilters, Values},
};
use http_service::{Description, Query, Routes, handler, reads};
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{IntoParams, ToSchema};

use crate::{
    features::rounded,
    names::WantedDimension,
    selection::{Population, Selection},
};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(15).translated(), handler!(benchmark))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct BenchmarkQuery {
    /// Company number (UID). The punctuation and the prefix `CHE` are optional.
    #[param(inline, value_type = GivenUid, example = "CHE-812.460.660")]
    uid: Uid,
    /// What to compare, separated by commas: `capital` in francs, `board_size` (current officers and signatories), `change_frequency`
    /// (changes in the last 365 days), `company_age` (in days). Default: all.
    #[serde(default)]
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<WantedDimension>>, max_items = 4, example = json!(["capital"]))]
    dimensions: Values<WantedDimension, 4>,
}

/// A company compared with its peers.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Benchmark {
    /// Company number.
    uid: Uid,
    /// Name of the company.
    company_name: String,
    /// NOGA division of the company, in English. Absent if its industry is not known.
    industry: Option<String>,
    /// Number of other companies of the division that are in the register.
    peer_count: usize,
    /// The dimensions of which a value of the company is known.
    dimensions: Vec<BenchmarkDimension>,
    /// The other dimensions.
    missing: Vec<MissingDimension>,
}

/// A value of the company among those of its peers.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct BenchmarkDimension {
    /// Name of the dimension.
    #[schema(example = "capital")]
    name: &'static str,
    /// Unit of the values.
    #[schema(example = "CHF")]
    unit: &'static str,
    /// Value of the company.
    company_value: f64,
    /// Median of the peers. Absent if fewer than 30 peers have a value.
    industry_median: Option<f64>,
    /// Percentage of peers with a lower value, with half of those with the same. Absent if fewer than 30 peers have a value.
    #[schema(minimum = 0, maximum = 100)]
    percentile: Option<f64>,
    /// Number of peers with a value.
    peers_with_data: usize,
    /// Who the peers are: the class, else the group, else the division of which at least 30 companies have a value. Absent if there is
    /// none.
    peers: Option<PeersOfIndustry>,
}

/// A level of NOGA: four digits are a class, three a group, two a division.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum NogaLevel {
    Class,
    Group,
    Division,
}

/// An industry.
#[derive(Serialize, ToSchema)]
struct PeersOfIndustry {
    /// Level of NOGA 2008.
    level: NogaLevel,
    /// NOGA code.
    #[schema(example = "62")]
    code: String,
}

/// A dimension of which the company has no value.
#[derive(Serialize, ToSchema)]
struct MissingDimension {
    /// Name of the dimension.
    #[schema(example = "capital")]
    name: &'static str,
    /// `not_known`: no source states the value; `other_currency`: the capital is not in francs.
    #[schema(example = "not_known")]
    reason: &'static str,
}

#[derive(Debug, thiserror::Error)]
#[error("the company {0} is new and cannot be compared yet; try again in an hour")]
struct NotYetInGeneration(Uid);

/// Compare a company with its industry
///
/// Capital, number of officers, frequency of changes and age of a company, among those of the other companies of its industry that
/// are in the register. Values are those of the generation in the header `x-data-generation`, of the company and of its peers.
#[utoipa::path(
    get,
    path = "/v1/analytics/benchmark",
    tag = "Analytics",
    params(BenchmarkQuery),
    responses((status = OK, body = Benchmark), (status = NOT_FOUND)),
)]
async fn benchmark(
    State(state): State<crate::State>,
    Query(query): Query<BenchmarkQuery>,
) -> Result<impl IntoResponse, Problem> {
    let uid = query.uid;
    let company = known_company(&state.registry, uid).await?;
    let needs = needs().and(Needs { companies: [CompanyColumn::Uid].into(), ..Needs::default() });
    let filters = CompanyFilters::default();
    let selection = Selection::read(&state, None, filters, Population::Registered, needs).await?;
    let numbers = &selection.tables.companies.uid;
    let row = numbers.iter().position(|it| *it == uid).and_then(|it| u32::try_from(it).ok());
    let row = row.ok_or_else(|| Problem::not_found(NotYetInGeneration(uid)))?;
    let given: Vec<Dimension> = query.dimensions.iter().map(|it| it.0).collect();
    let dimensions = if given.is_empty() { Dimension::ALL.to_vec() } else { given };
    let today = state.clock.today().into();
    let found = selection
        .analyse(move |tables, rows| {
            Ok(compare(&tables.companies, &tables.changes, rows, row, &dimensions, today))
        })
        .await?;
    let division = selection.tables.companies.noga[row as usize].map(|it| it.division().code());
    let missing = |(dimension, reason): (Dimension, Missing)| MissingDimension {
        name: dimension.name(),
        reason: reason.name(),
    };
    let answer = Benchmark {
        uid,
        company_name: company.name,
        industry: division.and_then(|it| noga::division(&it)).map(|it| it.name.to_owned()),
        peer_count: found.peers,
        dimensions: found.compared.into_iter().map(BenchmarkDimension::from).collect(),
        missing: found.missing.into_iter().map(missing).collect(),
    };
    Ok((selection.generation.header(), Json(answer)))
}

impl From<Compared> for BenchmarkDimension {
    fn from(it: Compared) -> Self {
        let peers = |code: String| PeersOfIndustry {
            level: match code.len() {
                2 => NogaLevel::Division,
                3 => NogaLevel::Group,
                _ => NogaLevel::Class,
            },
            code,
        };
        Self {
            name: it.dimension.name(),
            unit: it.dimension.unit(),
            company_value: it.value,
            industry_median: it.among.as_ref().map(|it| it.median),
            percentile: it.among.as_ref().map(|it| rounded(it.percentile, 2)),
            peers_with_data: it.peers_with_data,
            peers: it.among.map(|it| peers(it.industry.code())),
        }
    }
}
