//! How recent the data of each source and of the search index is.

use axum::{Json, extract::State};
use domain::{Source, lists::List};
use futures_util::future::try_join_all;
use http_service::{Description, NoParameters, Query, Routes, handler, reads};
use jiff::{Timestamp, civil::Date};
use problem_details::Problem;
use screening_lists::{ListsUnavailable, PublishedVersion};
use serde::Serialize;
use serde_with::skip_serializing_none;
use store::Coverage;
use utoipa::ToSchema;

use crate::source_status::{SourceHealth, health};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(0), handler!(source_freshness))
}

/// How recent the data is.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Freshness {
    /// One entry for each source.
    sources: Vec<SourceFreshness>,
    /// One entry for each screening list that is in use.
    screening_lists: Vec<ListFreshness>,
    /// The current generation, which searches, lists, counts and statistics use. Absent until the first one is
    /// published.
    generation: Option<GenerationFreshness>,
}

/// How recent the data of one source is.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SourceFreshness {
    /// Name of the source.
    #[schema(example = "shab")]
    source: &'static str,
    /// Date of the newest publication. Absent if nothing was read yet.
    last_publication: Option<Date>,
    /// Days since the newest publication. Absent if nothing was read yet.
    age_days: Option<i32>,
    /// Time when the last completed run ended. Absent if no run has completed.
    last_read_at: Option<Timestamp>,
    /// Number of records read in all runs.
    read: u64,
    /// Number of new or changed companies, added up over all runs: a company that changes in three runs counts three times.
    changed: u64,
    /// Number of records in quarantine. They are stored unchanged and not used, for example because they are invalid or
    /// name an unknown company.
    quarantined: u64,
    /// Number of records that are used without a member that cannot be read, such as a date that does not exist. They are stored
    /// unchanged, to be read again.
    incomplete: u64,
    /// Number of records that were left out in all runs because they are about a company that was erased by order of a court or
    /// the register, or because they cannot be read and state its number. A record that is read in three runs counts three times.
    erased: u64,
    /// Number of valid publications that were not fully understood: no change was recognised in the text, or a clause about
    /// a person was too uncertain to use. What is left out changes no record; the publications are stored to be read again.
    not_understood: u64,
    /// How much of the texts was understood, for each of the newest 30 days with publications, newest first. Empty for a source
    /// without texts.
    coverage: Vec<DayOfCoverage>,
    /// Health of the source. Absent for a source without a schedule.
    health: Option<SourceHealth>,
}

/// How much of the texts of a day was understood.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DayOfCoverage {
    /// Publication date.
    date: Date,
    /// Number of publications.
    publications: u64,
    /// Number of sentences, without those that only introduce the company.
    statements: u64,
    /// Number of sentences in which a statement was understood.
    understood: u64,
}

impl DayOfCoverage {
    fn new((date, read): (&Date, &Coverage)) -> Self {
        let Coverage { publications, statements, understood } = *read;
        Self { date: *date, publications, statements, understood }
    }
}

/// How recent a screening list is.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ListFreshness {
    /// The list.
    list: List,
    /// Id of the version in use.
    version: String,
    /// Day of the list, as its file states it. Absent if it states none.
    date: Option<Date>,
    /// Time since which this version is in use.
    published_at: Timestamp,
    /// Number of entries in force.
    entries: u64,
    /// Number of entries that could not be read in this version; for them, the entries of earlier versions are used.
    kept: u64,
    /// Number of records of which a member could not be read. Their entries are searched without it.
    incomplete: u64,
    /// Number of records that could not be read and whose entries are in no earlier version. Screenings do not find them, and say
    /// that the source was not fully searched.
    unsearched: u64,
    /// Time at which the comparison of all watched companies, their officers, the parents that they report to GLEIF, and
    /// the monitored subjects with this version ended. Absent until then.
    rescreened_at: Option<Timestamp>,
}

/// A generation: one published state of the register, with its search indexes.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct GenerationFreshness {
    /// Id of the generation.
    id: String,
    /// Time when the generation was built.
    built_at: Timestamp,
    /// Number of companies in the generation.
    companies: u64,
    /// Number of companies that are missing from the generation because their stored data is damaged; 0 as a rule.
    companies_left_out: u64,
    /// Sequence number of the last change in the generation.
    as_of_sequence: u64,
    /// Sequence number of the last change in the change feed.
    last_sequence: u64,
}

/// Get data freshness
///
/// For each source: the date of its newest publication, and the number of records that were read, were invalid, or
/// could not be interpreted; for the gazette also how many sentences of each day were understood. For each screening list: which
/// version is in use. Also the current generation. The companies of the demo register are read from no source: they are in
/// the generation only.
#[utoipa::path(
    get,
    path = "/v1/sources/freshness",
    tag = "Service",
    responses((status = OK, body = Freshness)),
)]
async fn source_freshness(
    State(state): State<crate::State>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<Json<Freshness>, Problem> {
    let (now, today) = (state.clock.now(), state.clock.today());
    let generation = match state.generations.serving().await {
        Ok(generation) => Some(generation),
        // Also works during the first import, to show its progress.
        Err(error) if error.is_before_the_first() => None,
        Err(error) => return Err(error.into()),
    };
    let last_sequence = state.registry.feed_end().await?;
    let mut sources = Vec::new();
    for source in Source::ALL {
        let status = state.registry.source_status(source).await?;
        sources.push(SourceFreshness {
            source: source.name(),
            last_publication: status.newest_publication,
            age_days: status.newest_publication.map(|it| (today - it).get_days()),
            last_read_at: status.last_completed_at,
            read: status.read,
            changed: status.stored,
            quarantined: status.quarantined,
            incomplete: status.incomplete,
            erased: status.erased,
            not_understood: status.not_understood,
            coverage: status.coverage.iter().rev().map(DayOfCoverage::new).collect(),
            health: health(source, &status, now),
        });
    }
    let generation = generation.map(|it| GenerationFreshness {
        id: it.manifest.id.clone(),
        built_at: it.manifest.built_at,
        companies: it.manifest.companies,
        companies_left_out: it.manifest.left_out,
        as_of_sequence: it.manifest.as_of_sequence,
        last_sequence,
    });
    let screening_lists = try_join_all(List::ALL.map(|it| list_freshness(&state, it))).await?;
    let screening_lists = screening_lists.into_iter().flatten().collect();
    Ok(Json(Freshness { sources, screening_lists, generation }))
}

/// `None` before the first version of the list.
async fn list_freshness(
    state: &crate::State,
    list: List,
) -> Result<Option<ListFreshness>, Problem> {
    let current = screening_lists::current(&state.objects, list).await.map_err(ListsUnavailable)?;
    let Some(PublishedVersion { id, version, published_at, kept, unsearched, .. }) = current else {
        return Ok(None);
    };
    let rescreened = state.tenants.rescreened(list).await?;
    let rescreened_at = rescreened.filter(|it| it.version == id).map(|it| it.at);
    Ok(Some(ListFreshness {
        list,
        version: id,
        date: version.date,
        published_at,
        entries: version.active,
        kept,
        incomplete: version.incomplete,
        unsearched,
        rescreened_at,
    }))
}
