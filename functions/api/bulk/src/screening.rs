//! Screening of many names.

use access::Tier;
use axum::{Json as JsonResponse, extract::State, response::IntoResponse};
use domain::lists::{ListSource, PartialDate};
use http_service::{
    Description, Items, Json, NoParameters, Query, Routes, ScreeningSubjects, Tenant, handler,
    reads,
};
use jiff::Timestamp;
use problem_details::Problem;
use screening_evidence::{
    Country, GivenIdentifier, Hit, HitLimit, Identifiers, Language, LimitedHits, Threshold,
    WantedSources, notice_of,
};
use screening_lists::selected;
use serde::{Deserialize, Serialize};
use teams::screening::{Decisions, Risk, Screening, ScreeningQuery, SubjectName, SubjectType};
use utoipa::ToSchema;
use uuid::Uuid;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(20).from_tier(Tier::Enterprise).screens(), handler!(bulk_screening))
}

/// Maximum number of names of a request.
const MAX_ENTITIES: usize = 100;
/// Number of hits of each name in the answer, unless the request states one. The evidence contains more.
const TOP_MATCHES: usize = 3;

/// A person or organisation to screen.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct BulkEntity {
    /// Name in any script, 1–250 characters.
    #[schema(value_type = String, min_length = 1, max_length = 250, example = "Mikalaj Dovreshenka")]
    name: SubjectName,
    /// What it is. Default: unknown: the name is then compared both as that of a person and as that of an organisation.
    #[serde(default, rename = "type")]
    subject_type: Option<SubjectType>,
    /// Date of birth, or of foundation: a year, a month or a day.
    #[serde(default)]
    birth_date: Option<PartialDate>,
    /// Nationality, residence or seat: ISO 3166-1 alpha-2 code.
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = "^[A-Za-z]{2}$", example = "BY")]
    country: Option<Country>,
    /// Numbers of documents and registers, at most 10.
    #[serde(default)]
    #[schema(value_type = Vec<GivenIdentifier>, max_items = 10)]
    identifiers: Identifiers,
}

/// The persons and organisations to screen.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct BulkScreeningRequest {
    /// 1 to 100 persons and organisations.
    #[schema(
        value_type = Vec<BulkEntity>,
        min_items = 1,
        max_items = 100,
        example = json!([{ "name": "Mikalaj Dovreshenka", "type": "person" }])
    )]
    entities: Items<BulkEntity, MAX_ENTITIES>,
    /// Sources to search. Default: all that the service has.
    #[serde(default)]
    #[schema(value_type = Option<Vec<ListSource>>, min_items = 1)]
    sources: Option<WantedSources>,
    /// Lowest score of a hit, 0.5–1. Default: 0.7. Below 0.7, only entries that share a rare part of a name with the
    /// subject are found.
    #[serde(default)]
    #[schema(value_type = Option<f64>, minimum = 0.5, maximum = 1.0)]
    threshold: Option<Threshold>,
    /// Maximum number of hits of each name in the answer, 1–25. Default: 3.
    #[serde(default)]
    #[schema(value_type = Option<u8>, minimum = 1, maximum = 25)]
    limit: Option<HitLimit>,
}

/// The results, in the order of the request.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct BulkScreeningResponse {
    /// Number of persons and organisations.
    total: usize,
    /// Number of subjects with the risk level `low` or higher. Hits below 0.7, hits that are only information, and
    /// false positives do not count for the level.
    hits_found: usize,
    /// One result for each entity of the request.
    results: Vec<BulkScreeningResult>,
    /// Time of the screening.
    screened_at: Timestamp,
    /// Says that lists are invented. Absent if all are those of their publishers.
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<&'static str>,
}

/// The result of one person or organisation.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct BulkScreeningResult {
    /// Name, as it was given.
    name: String,
    /// What it is, as it was given. Empty if it was not stated.
    #[schema(example = "person")]
    entity_type: &'static str,
    /// Id of the screening, with which the evidence can be read.
    screening_id: Uuid,
    /// Risk level, computed as in `POST /v1/screening`.
    risk_level: Risk,
    /// Number of entries that reach the threshold. Per list, only the 1,000 entries that share the rarest parts of a
    /// name are compared.
    hit_count: usize,
    /// The hits, those that can be a risk first, at most `limit`. Left out where the hits of all names would exceed 4 MB; the
    /// evidence has them.
    top_matches: Vec<Hit>,
}

impl BulkScreeningResult {
    fn new(
        screening: Screening,
        top_matches: Vec<Hit>,
        decisions: &Decisions,
        now: Timestamp,
    ) -> Self {
        Self {
            top_matches,
            entity_type: match screening.query.subject_type {
                Some(SubjectType::Person) => "person",
                Some(SubjectType::Company) => "company",
                Some(SubjectType::Vessel) => "vessel",
                None => "",
            },
            screening_id: screening.id,
            risk_level: screening.risk(decisions, now),
            hit_count: screening.total,
            name: screening.query.name,
        }
    }
}

/// Screen many names
///
/// Screens up to 100 persons and organisations by their names, and by dates, countries and numbers where they are given. Every
/// result is stored as evidence, like that of a single screening. The explanations are in German, French, Italian or English, by
/// `Accept-Language`.
#[utoipa::path(
    post,
    path = "/v1/bulk/screening",
    tag = "Screening",
    request_body = BulkScreeningRequest,
    responses((status = OK, body = BulkScreeningResponse)),
)]
async fn bulk_screening(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
    language: Language,
    subjects: ScreeningSubjects,
    Json(request): Json<BulkScreeningRequest>,
) -> Result<impl IntoResponse, Problem> {
    let BulkScreeningRequest { entities, sources, threshold, limit } = request;
    let lists = selected(sources.map(|it| it.0), &state.lists.published().await?)?;
    let threshold = threshold.unwrap_or_default().get();
    let limit = limit.map_or(TOP_MATCHES, HitLimit::get);
    let counted = subjects.count(entities.0.len()).await?;
    let now = state.clock.now();
    let mut screenings: Vec<Screening> = Vec::with_capacity(entities.0.len());
    for (entity, counted) in entities.0.into_iter().zip(counted) {
        let query = ScreeningQuery {
            subject_type: entity.subject_type,
            birth_date: entity.birth_date,
            country: entity.country.map(Country::into_code),
            identifiers: entity.identifiers.into_query(),
            threshold,
            limit,
            ..ScreeningQuery::of(entity.name.0, lists.clone())
        };
        screenings.push(state.lists.screen(counted, query, caller.principal().clone(), now).await?);
    }
    let expires = state.retention.expiry(caller.tier(), caller.environment(), now);
    let decisions = state.tenants.decisions_about(&team, &screenings, now).await?;
    screenings.iter_mut().for_each(|it| it.set_answered_risk(&decisions, now));
    state.tenants.put_screenings(&team, &screenings, expires).await?;
    let has_risk = |it: &&Screening| !matches!(it.answered_risk, Some(Risk::Clear | Risk::Unknown));
    let hits_found = screenings.iter().filter(has_risk).count();
    let mut limited = LimitedHits::default();
    let notice = screenings.first().and_then(notice_of);
    let result = |it: Screening| {
        let hits = Hit::first_of(&it, limit, &decisions, language, now);
        BulkScreeningResult::new(it, limited.of(hits), &decisions, now)
    };
    let results: Vec<BulkScreeningResult> = screenings.into_iter().map(result).collect();
    let total = results.len();
    let screened_at = now;
    let response = BulkScreeningResponse { total, hits_found, results, screened_at, notice };
    Ok((language.headers(), JsonResponse(response)))
}
