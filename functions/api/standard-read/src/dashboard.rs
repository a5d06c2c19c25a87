//! A summary of the dataset.

use axum::{Json, extract::State, response::IntoResponse};
use domain::{Source, Uid, auditors::Tenure};
use generations::{Counts, Generation, Unavailable};
use http_service::{Description, NoParameters, Query, Routes, handler, reads};
use jiff::Timestamp;
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::source_status::{LoadState, run_state};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(0), handler!(dashboard))
}

/// Dataset summary.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Dashboard {
    /// Time of the response.
    generated_at: Timestamp,
    /// Number and completeness of the records.
    data: DataCompleteness,
    /// One entry for each data source. These are not pipelines of prospects.
    pipelines: Vec<Pipeline>,
    /// Statistics of auditor tenures.
    auditor_tenures: TenureStatistics,
}

/// Number of companies, persons and changes, and how complete the company records are.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DataCompleteness {
    /// Number of companies.
    total_companies: u64,
    /// Number of companies with the `enrichmentLevel` `enriched`.
    enriched_companies: u64,
    /// Same value as `withIndustry`.
    companies_with_industry: u64,
    /// Number of companies with coordinates.
    companies_with_geo: u64,
    /// Number of persons and of firms with a role, as with `includeEntities=true` in `/v1/persons/search`.
    total_persons: u64,
    /// Number of changes.
    total_changes: u64,
    /// Number of publications in the Swiss Official Gazette of Commerce (SOGC; as a source: `shab`).
    total_sogc_publications: u64,
    /// Number of companies with a canton.
    with_canton: u64,
    /// Number of companies with a status.
    with_status: u64,
    /// Number of companies with a legal form.
    with_legal_form: u64,
    /// Number of companies with a capital.
    with_capital: u64,
    /// Number of companies with an industry.
    with_industry: u64,
    /// Number of companies with an auditor.
    with_auditor: u64,
    /// Average share of canton, status, legal form, capital, industry and auditor that is known, in percent.
    completeness_pct: f64,
}

impl DataCompleteness {
    fn of(generation: &Generation) -> Self {
        let total = generation.manifest.companies;
        let Counts { enriched, with_canton, with_status, with_legal_form, .. } =
            generation.manifest.counts;
        let Counts { with_capital, with_industry, with_coordinates, with_auditor, .. } =
            generation.manifest.counts;
        let Counts { persons, changes, publications, .. } = generation.manifest.counts;
        let members =
            [with_canton, with_status, with_legal_form, with_capital, with_industry, with_auditor];
        let filled: u64 = members.iter().sum();
        let possible = (total * members.len() as u64).max(1);
        Self {
            total_companies: total,
            enriched_companies: enriched,
            companies_with_industry: with_industry,
            companies_with_geo: with_coordinates,
            total_persons: persons,
            total_changes: changes,
            total_sogc_publications: publications,
            with_canton,
            with_status,
            with_legal_form,
            with_capital,
            with_industry,
            with_auditor,
            completeness_pct: (filled as f64 / possible as f64 * 1_000.0).round() / 10.0,
        }
    }
}

/// State of one data source: its last run, and totals of all runs. The name `pipeline` is that of existing client
/// libraries; it is not a pipeline of prospects. Some fields repeat a value under an older name, for such libraries.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Pipeline {
    /// Name of the source.
    id: &'static str,
    /// Same value as `id`.
    name: &'static str,
    /// State of the last run.
    status: LoadState,
    /// Number of valid records in all runs.
    items_processed: u64,
    /// Same value as `itemsProcessed`.
    records_processed: u64,
    /// Time when the last completed run ended. Absent if no run has completed.
    last_completed_at: Option<Timestamp>,
    /// Time when the last run started. Absent if there was none.
    last_run: Option<Timestamp>,
    /// Duration of the last run in seconds. Absent while it has not completed.
    duration_seconds: Option<f64>,
}

/// Statistics of auditor tenures.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TenureStatistics {
    /// Number of tenures.
    total_tracked: u64,
    /// Number of tenures of auditors in office.
    current_auditors: u64,
    /// Number of tenures of auditors in office that are longer than 10 years.
    tenures_over_10_years: u64,
    /// Number of tenures of auditors in office that are longer than 7 years.
    tenures_over_7_years: u64,
    /// Average length of a tenure in years.
    avg_tenure_years: f64,
    /// The longest tenure. Absent if there is none.
    longest_tenure: Option<LongestTenure>,
    /// Same value as `totalTracked`.
    total_tenures: u64,
    /// Same value as `tenuresOver7Years`.
    #[serde(rename = "longTenures7plus")]
    long_tenures_7_plus: u64,
    /// Length of the longest tenure in years; 0 if there is none.
    max_tenure_years: f64,
}

/// The longest auditor tenure.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LongestTenure {
    /// Company number.
    company_uid: Uid,
    /// Name of the company.
    company_name: String,
    /// Name of the audit firm.
    auditor_name: String,
    /// Length in years, with one decimal.
    tenure_years: f64,
}

/// Get the dataset summary
///
/// Number of companies, persons and changes, completeness of the records, the last run of each source, and
/// statistics of auditor tenures. The numbers are those of the generation in the header `x-data-generation`.
#[utoipa::path(
    get,
    path = "/v1/dashboard",
    tag = "Service",
    responses((status = OK, body = Dashboard)),
)]
async fn dashboard(
    State(state): State<crate::State>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<impl IntoResponse, Problem> {
    let generation = state.generations.serving().await?;
    let today = state.clock.today();
    let mut pipelines = Vec::new();
    for source in Source::ALL {
        let status = state.registry.source_status(source).await?;
        let duration = status.last_completed_at.zip(status.last_started_at);
        let seconds = duration.map(|(end, start)| end.duration_since(start).as_secs_f64());
        pipelines.push(Pipeline {
            id: source.name(),
            name: source.name(),
            status: run_state(&status),
            items_processed: status.readable,
            records_processed: status.readable,
            last_completed_at: status.last_completed_at,
            last_run: status.last_started_at,
            duration_seconds: seconds.filter(|it| *it >= 0.0),
        });
    }
    let counted = generation.tenures().await?.statistics(today).await.map_err(Unavailable::from)?;
    let longest = counted.longest.as_ref();
    let years = |tenure: &Tenure| tenure.years(today).unwrap_or_default();
    let auditor_tenures = TenureStatistics {
        total_tracked: counted.total,
        current_auditors: counted.current,
        tenures_over_10_years: counted.over_10,
        tenures_over_7_years: counted.over_7,
        avg_tenure_years: counted.average_years,
        longest_tenure: longest.map(|it| LongestTenure {
            company_uid: it.company,
            company_name: it.company_name.clone(),
            auditor_name: it.tenure.auditor_name.clone(),
            tenure_years: years(&it.tenure),
        }),
        total_tenures: counted.total,
        long_tenures_7_plus: counted.over_7,
        max_tenure_years: longest.map(|it| years(&it.tenure)).unwrap_or_default(),
    };
    let dashboard = Dashboard {
        generated_at: state.clock.now(),
        data: DataCompleteness::of(&generation),
        pipelines,
        auditor_tenures,
    };
    Ok((generation.header(), Json(dashboard)))
}
