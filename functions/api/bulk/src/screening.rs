//! Screening of many names.

use access::Tier;
use accounts::screening::{
    Decisions, HitSummary, Risk, Screening, ScreeningQuery, SubjectName, SubjectType,
};
use axum::{Json as JsonResponse, extract::State};
use domain::lists::HitMeaning;
use http_service::{Description, Items, Json, NoParameters, Query, Routes, Tenant, handler, reads};
use jiff::Timestamp;
use problem_details::Problem;
use screening_lists::selected;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(20).from_tier(Tier::Enterprise).with_token(), handler!(bulk_screening))
}

/// Maximum number of names of a request.
const MAX_ENTITIES: usize = 100;
/// Number of hits of each name in the answer. The evidence contains more.
const TOP_MATCHES: usize = 3;

/// A person or organisation to screen.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct BulkEntity {
    /// Name in any script, 1–250 characters.
    #[schema(value_type = String, min_length = 1, max_length = 250, example = "Mikalaj Dovreshenka")]
    name: SubjectName,
    /// What it is. Default: unknown: the name is then compared both as that of a person and as that of an organisation.
    #[serde(default, rename = "type")]
    subject_type: Option<SubjectType>,
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
}

/// The results, in the order of the request.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct BulkScreeningResponse {
    /// Number of persons and organisations.
    total: usize,
    /// Number of those with a hit that can be a risk.
    hits_found: usize,
    /// One result for each.
    results: Vec<BulkScreeningResult>,
    /// Time of the screening.
    screened_at: Timestamp,
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
    /// Number of entries that reach the threshold, of the 1,000 most similar ones of each list.
    hit_count: usize,
    /// The hits, those that can be a risk first, at most three.
    top_matches: Vec<HitSummary>,
}

impl BulkScreeningResult {
    fn new(screening: Screening, decisions: &Decisions, now: Timestamp) -> Self {
        let matches = screening.hits.iter().take(TOP_MATCHES).map(HitSummary::from);
        Self {
            top_matches: matches.collect(),
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
/// Screens up to 100 persons and organisations by their names against all lists of the service. Every result is stored as
/// evidence, like that of a single screening.
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
    Json(BulkScreeningRequest { entities }): Json<BulkScreeningRequest>,
) -> Result<JsonResponse<BulkScreeningResponse>, Problem> {
    let lists = selected(None, &state.lists.published().await?)?;
    let now = state.clock.now();
    let mut screenings: Vec<Screening> = Vec::with_capacity(entities.0.len());
    for BulkEntity { name, subject_type } in entities.0 {
        let query = ScreeningQuery { subject_type, ..ScreeningQuery::of(name.0, lists.clone()) };
        screenings.push(state.lists.screen(query, caller.principal().clone(), now).await?);
    }
    let expires = state.retention.expiry(now);
    state.tenants.put_screenings(&team, &screenings, expires).await?;
    let decisions = state.tenants.decisions_about(&team, &screenings).await?;
    let has_risk =
        |it: &&Screening| it.hits.iter().any(|hit| hit.list.meaning() == HitMeaning::Risk);
    let hits_found = screenings.iter().filter(has_risk).count();
    let results: Vec<BulkScreeningResult> =
        screenings.into_iter().map(|it| BulkScreeningResult::new(it, &decisions, now)).collect();
    Ok(JsonResponse(BulkScreeningResponse {
        total: results.len(),
        hits_found,
        results,
        screened_at: now,
    }))
}
