//! How fresh the sources are, and how much is known.

use axum::{Json, extract::State, response::IntoResponse};
use domain::auditors::Tenure;
use generations::{Counts, Generation};
use http_service::{Description, NoParameters, Query, Routes, handler, reads};
use jiff::{Timestamp, civil::Date};
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use sources::Source;
use store::SourceStatus;
use utoipa::ToSchema;

use domain::Uid;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(0), handler!(sync_status))
        .route(reads(0), handler!(source_freshness))
        .route(reads(0), handler!(dashboard))
}

/// How many intervals a source may be late before somebody should look.
const LATE_INTERVALS: u32 = 2;

/// Whether a source is read as often as it says something new.
fn health(source: Source, status: &SourceStatus, now: Timestamp) -> Option<SourceHealth> {
    let interval = source.interval_minutes()?;
    let Some(completed) = status.last_completed_at else { return Some(SourceHealth::Never) };
    let minutes = now.duration_since(completed).as_mins();
    let late = minutes > i64::from(interval * LATE_INTERVALS);
    Some(if late { SourceHealth::Stale } else { SourceHealth::Fresh })
}

fn state(status: &SourceStatus) -> LoadState {
    match (status.last_started_at, status.last_completed_at) {
        _ if status.last_failure.is_some() => LoadState::Failed,
        (None, _) => LoadState::Idle,
        (Some(started), Some(completed)) if completed >= started => LoadState::Ok,
        _ => LoadState::Running,
    }
}

/// Whether a source is read in time: `never` before the first run.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum SourceHealth {
    Fresh,
    Stale,
    Never,
}

/// How the last run of a load went: `idle` before the first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum LoadState {
    Ok,
    Running,
    Failed,
    Idle,
}

/// The loads of the sources.
#[derive(Serialize, ToSchema)]
struct SyncStatuses {
    pipelines: Vec<SyncStatus>,
}

/// The load of one source.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SyncStatus {
    /// The source.
    #[schema(example = "shab")]
    pipeline: &'static str,
    status: LoadState,
    /// Records that could be read, over all runs.
    items_processed: u64,
    /// Records that came, over all runs.
    items_total: u64,
    last_completed_at: Option<Timestamp>,
    last_started_at: Option<Timestamp>,
    health: Option<SourceHealth>,
    expected_run_interval_minutes: Option<u32>,
    alert_threshold_minutes: Option<u32>,
    /// The sources that have to be read before.
    depends_on: Vec<&'static str>,
    minutes_since_completion: Option<f64>,
    /// Why the last run failed.
    last_failure: Option<String>,
}

/// State of the loads
#[utoipa::path(
    get,
    path = "/v1/sync/status",
    tag = "Service",
    responses((status = OK, body = SyncStatuses)),
)]
async fn sync_status(
    State(app): State<crate::State>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<Json<SyncStatuses>, Problem> {
    let now = app.clock.now();
    let mut pipelines = Vec::new();
    for source in Source::ALL {
        let status = app.registry.source_status(source).await?;
        let interval = source.interval_minutes();
        let since = status.last_completed_at.map(|it| now.duration_since(it).as_secs_f64() / 60.0);
        pipelines.push(SyncStatus {
            pipeline: source.name(),
            status: state(&status),
            items_processed: status.readable,
            items_total: status.read,
            last_completed_at: status.last_completed_at,
            last_started_at: status.last_started_at,
            health: health(source, &status, now),
            expected_run_interval_minutes: interval,
            alert_threshold_minutes: interval.map(|it| it * LATE_INTERVALS),
            // Names and identifiers of the others are looked up in what the register says.
            depends_on: match source {
                Source::Zefix | Source::Shab | Source::Lindas => vec![],
                _ => vec![Source::Lindas.name()],
            },
            minutes_since_completion: since.map(|it| (it * 10.0).round() / 10.0),
            last_failure: status.last_failure,
        });
    }
    Ok(Json(SyncStatuses { pipelines }))
}

/// How fresh what is known is.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Freshness {
    sources: Vec<SourceFreshness>,
    /// What lists, counts and statistics are answered from; absent before the first is published.
    generation: Option<GenerationFreshness>,
}

/// How fresh one source is.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SourceFreshness {
    #[schema(example = "shab")]
    source: &'static str,
    /// The day of the newest publication that was read.
    last_publication: Option<Date>,
    /// Days since then.
    age_days: Option<i32>,
    /// When a file was last read to its end.
    last_read_at: Option<Timestamp>,
    /// Records that were read, over all runs.
    read: u64,
    /// Companies of which something new was said, over all runs.
    changed: u64,
    /// Records that could not be read; they are kept, with the reason.
    quarantined: u64,
    /// Publications of which nothing was understood: they change no record and make no event that lists
    /// show. They are kept, to be read again.
    not_understood: u64,
    health: Option<SourceHealth>,
}

/// How fresh the generation is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct GenerationFreshness {
    id: String,
    built_at: Timestamp,
    companies: u64,
    /// The last place in the change feed that it knows …
    as_of_sequence: u64,
    /// … and the last one there is.
    last_sequence: u64,
}

/// Freshness of the sources
///
/// For each source the last publication that was read, how old it is, how much was read, and how much
/// could not be.
#[utoipa::path(
    get,
    path = "/v1/sources/freshness",
    tag = "Service",
    responses((status = OK, body = Freshness)),
)]
async fn source_freshness(
    State(app): State<crate::State>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<Json<Freshness>, Problem> {
    let (now, today) = (app.clock.now(), app.clock.today());
    let generation = match app.generations.serving().await {
        Ok(generation) => Some(generation),
        // While the first sources are being read, this is what tells how far they are.
        Err(none) if none.is_before_the_first() => None,
        Err(broken) => return Err(broken.into()),
    };
    let last_sequence = app.registry.feed_end().await?;
    let mut sources = Vec::new();
    for source in Source::ALL {
        let status = app.registry.source_status(source).await?;
        sources.push(SourceFreshness {
            source: source.name(),
            last_publication: status.newest_publication,
            age_days: status.newest_publication.map(|it| (today - it).get_days()),
            last_read_at: status.last_completed_at,
            read: status.read,
            changed: status.stored,
            quarantined: status.quarantined,
            not_understood: status.not_understood,
            health: health(source, &status, now),
        });
    }
    let generation = generation.map(|it| GenerationFreshness {
        id: it.manifest.id.clone(),
        built_at: it.manifest.built_at,
        companies: it.manifest.companies,
        as_of_sequence: it.manifest.as_of_sequence,
        last_sequence,
    });
    Ok(Json(Freshness { sources, generation }))
}

/// What there is, at a glance.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Dashboard {
    generated_at: Timestamp,
    data: DataCompleteness,
    pipelines: Vec<Pipeline>,
    auditor_tenures: TenureStatistics,
}

/// How complete the register is here.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DataCompleteness {
    total_companies: u64,
    /// Companies of which a source beside the register says something.
    enriched_companies: u64,
    companies_with_industry: u64,
    companies_with_geo: u64,
    total_persons: u64,
    total_changes: u64,
    total_sogc_publications: u64,
    with_canton: u64,
    with_status: u64,
    with_legal_form: u64,
    with_capital: u64,
    with_industry: u64,
    with_auditor: u64,
    /// The mean share of these members that is filled, in percent.
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

/// The load of one source, in the words of every client.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Pipeline {
    id: &'static str,
    name: &'static str,
    status: LoadState,
    items_processed: u64,
    records_processed: u64,
    last_completed_at: Option<Timestamp>,
    last_run: Option<Timestamp>,
    duration_seconds: Option<f64>,
}

/// How long auditors stay.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TenureStatistics {
    total_tracked: u64,
    current_auditors: u64,
    tenures_over_10_years: u64,
    tenures_over_7_years: u64,
    avg_tenure_years: f64,
    longest_tenure: Option<LongestTenure>,
    total_tenures: u64,
    #[serde(rename = "longTenures7plus")]
    long_tenures_7_plus: u64,
    max_tenure_years: f64,
}

/// The auditor who has stayed longest.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LongestTenure {
    company_uid: Uid,
    company_name: String,
    auditor_name: String,
    tenure_years: f64,
}

/// Dashboard
///
/// Counts of the generation that lists are answered from, and the state of the loads.
#[utoipa::path(
    get,
    path = "/v1/dashboard",
    tag = "Service",
    responses((status = OK, body = Dashboard)),
)]
async fn dashboard(
    State(app): State<crate::State>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<impl IntoResponse, Problem> {
    let generation = app.generations.serving().await?;
    let today = app.clock.today();
    let mut pipelines = Vec::new();
    for source in Source::ALL {
        let status = app.registry.source_status(source).await?;
        let duration = status.last_completed_at.zip(status.last_started_at);
        let seconds = duration.map(|(end, start)| end.duration_since(start).as_secs_f64());
        pipelines.push(Pipeline {
            id: source.name(),
            name: source.name(),
            status: state(&status),
            items_processed: status.read,
            records_processed: status.read,
            last_completed_at: status.last_completed_at,
            last_run: status.last_started_at,
            duration_seconds: seconds.filter(|it| *it >= 0.0),
        });
    }
    let counted = generation.tenures().await?.statistics(today)?;
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
        generated_at: app.clock.now(),
        data: DataCompleteness::of(&generation),
        pipelines,
        auditor_tenures,
    };
    Ok((generation.header(), Json(dashboard)))
}
