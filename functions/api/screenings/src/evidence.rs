//! Screening one subject, and the evidence of screenings.

use axum::{Json as JsonResponse, extract::State, response::IntoResponse};
use domain::{lists::List, search::SizeOfPage};
use http_service::{
    Description, Json, NoParameters, Path, Query, Routes, ScreeningSubjects, Tenant, handler, reads,
};
use jiff::Timestamp;
use matching::ALGORITHM;
use problem_details::Problem;
use screening_evidence::{Language, ScreeningRequest, ScreeningResponse, ScreeningSummary};
use screening_lists::selected;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use store::TeamKey;
use teams::screening::{Screening, ScreeningHit, ScreeningQuery};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::subjects::monitor;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(1).screens(), handler!(screen))
        .route(reads(0).with_token(), handler!(screenings))
        .route(reads(0).with_token(), handler!(screening))
        .route(reads(1).screens().changes_nothing(), handler!(replay_screening))
}

/// A screening in a path.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct ScreeningPath {
    /// Id of the screening.
    #[param(example = "0199c0de-5c01-7000-8000-000000000000")]
    pub(crate) id: Uuid,
}

#[derive(Debug, thiserror::Error)]
#[error("the team has no screening with the id `{0}`")]
struct UnknownScreening(Uuid);

/// The evidence of a screening of the team.
pub(crate) async fn known_screening(
    state: &crate::State,
    team: &TeamKey,
    id: Uuid,
) -> Result<Screening, Problem> {
    let screening = state.tenants.screening(team, id, state.clock.now()).await?;
    screening.ok_or_else(|| Problem::not_found(UnknownScreening(id)))
}

/// Screen a name
///
/// Compares a person or organisation with the sanctions lists of Switzerland (SECO), the lists of the financial market
/// supervisor (FINMA), and, if the service has a licence for it, OpenSanctions with its politically exposed persons.
/// Names are compared word by word, in any script, order and usual spelling; dates, countries and numbers support or
/// contradict equal names. Every hit says why it has its score.
///
/// The result is stored as evidence, with the versions of the lists and of the matching algorithm: for 30 days if the team
/// has the tier `free` or the key is a test key, otherwise for ten years, unless the operator has set another time.
#[utoipa::path(
    post,
    path = "/v1/screening",
    tag = "Screening",
    request_body = ScreeningRequest,
    responses((status = OK, body = ScreeningResponse)),
)]
async fn screen(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    language: Language,
    subjects: ScreeningSubjects,
    Query(NoParameters {}): Query<NoParameters>,
    Json(mut request): Json<ScreeningRequest>,
) -> Result<impl IntoResponse, Problem> {
    let wanted = request.sources.take().map(|it| it.0);
    let has_chosen = wanted.is_some();
    let lists = selected(wanted, &state.lists.published().await?)?;
    let counted = subjects.count_one().await?;
    let is_monitored = request.monitor;
    let query = request.query(lists);
    let subject_id = match is_monitored {
        true => {
            // Without a choice of sources, also lists that the service gets later.
            let lists = if has_chosen { query.lists.clone() } else { List::ALL.to_vec() };
            let query = ScreeningQuery { lists, ..query.clone() };
            Some(monitor(&state, &team, &caller, &query).await?)
        }
        false => None,
    };
    let now = state.clock.now();
    let by = caller.principal().clone();
    let mut screening = state.lists.screen(counted, query, by, now).await?;
    let together = std::slice::from_ref(&screening);
    let decisions = state.tenants.decisions_about(&team, together, now).await?;
    screening.set_answered_risk(&decisions, now);
    let expires = state.retention.expiry(caller.tier(), caller.environment(), now);
    state.tenants.put_screening(&team, &screening, expires).await?;
    if let Some(id) = subject_id {
        state.tenants.record_requested_screening(&team, id, &screening).await?;
    }
    let limit = screening.query.limit;
    let mut response = ScreeningResponse::new(screening, limit, &decisions, language, now);
    response.subject_id = subject_id;
    Ok((language.headers(), JsonResponse(response)))
}

/// Which screenings are listed.
#[derive(Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
#[derive(Default)]
struct ScreeningsQuery {
    /// Id of a screening: only earlier ones are listed. To continue, send the id of the last item as `before`.
    #[param(example = "ffffffff-ffff-7fff-bfff-ffffffffffff")]
    before: Option<Uuid>,
    /// Maximum number of screenings.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20, example = 20)]
    limit: SizeOfPage<20, 100>,
}

/// List the screenings
///
/// The team's screenings, newest first, with the team's current decisions about their hits. To continue, send the id of
/// the last one as `before`.
#[utoipa::path(
    get,
    path = "/v1/screenings",
    tag = "Screening",
    params(ScreeningsQuery),
    responses((status = OK, body = Vec<ScreeningSummary>)),
)]
async fn screenings(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    Query(ScreeningsQuery { before, limit }): Query<ScreeningsQuery>,
) -> Result<JsonResponse<Vec<ScreeningSummary>>, Problem> {
    let limit = usize::try_from(limit.get()).unwrap_or(usize::MAX);
    let now = state.clock.now();
    let screenings = state.tenants.screenings(&team, before, limit, now).await?;
    let decisions = state.tenants.decisions_about(&team, &screenings, now).await?;
    let summary = |it: Screening| ScreeningSummary::new(it, &decisions, now);
    Ok(JsonResponse(screenings.into_iter().map(summary).collect()))
}

/// Get the evidence of a screening
///
/// The result as it was, with the team's current decisions about its hits. The status is 404 after the time for which it was
/// stored.
#[utoipa::path(
    get,
    path = "/v1/screenings/{id}",
    tag = "Screening",
    params(ScreeningPath),
    responses((status = OK, body = ScreeningResponse)),
)]
async fn screening(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    language: Language,
    Path(ScreeningPath { id }): Path<ScreeningPath>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<impl IntoResponse, Problem> {
    let screening = known_screening(&state, &team, id).await?;
    let now = state.clock.now();
    let together = std::slice::from_ref(&screening);
    let decisions = state.tenants.decisions_about(&team, together, now).await?;
    // A reviewer must see all stored hits, also those that the limit of the request has left out.
    let response = ScreeningResponse::new(screening, usize::MAX, &decisions, language, now);
    Ok((language.headers(), JsonResponse(response)))
}

/// The comparison of a screening with its repetition.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Replay {
    /// Id of the screening.
    id: Uuid,
    /// Time of the screening.
    screened_at: Timestamp,
    /// Time of the repetition.
    replayed_at: Timestamp,
    /// Whether the repetition found the same entries with the same scores and reasons.
    is_identical: bool,
    /// Version of the matching algorithm used for the original screening.
    algorithm: String,
    /// Version of the matching algorithm used for this repetition.
    current_algorithm: &'static str,
    /// Number of entries that reached the threshold in the original screening.
    hit_count: usize,
    /// Number of entries that reached the threshold in this repetition.
    replayed_hit_count: usize,
    /// The hits of both, those of the screening first.
    hits: Vec<ReplayedHit>,
}

/// The scores of a hit.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReplayedHit {
    /// Id of the hit.
    #[schema(example = "seco:95001")]
    id: String,
    /// Score in the original screening. Absent if it did not find the entry.
    score: Option<f64>,
    /// Score in the repetition. Absent if it does not find the entry.
    replayed_score: Option<f64>,
}

#[derive(Debug, thiserror::Error)]
#[error("a version of a list that the screening `{0}` searched is no longer stored")]
struct VersionDeleted(Uuid);

/// What a repetition must find again: the entries with their scores and reasons, in this order. Not what else the evidence says
/// of the entries, which later versions of the service may show in more detail.
fn found(hits: &[ScreeningHit]) -> impl Iterator<Item = impl PartialEq> {
    hits.iter().map(|it| (it.id(), it.score, it.name_score, it.risk_level, &it.explanations))
}

/// Repeat a screening
///
/// Compares the same subject with the same versions of the lists again, and says whether the result is the same. It can
/// differ only if the software has changed since. Nothing is stored, and decisions about hits are ignored.
#[utoipa::path(
    post,
    path = "/v1/screenings/{id}/replay",
    tag = "Screening",
    params(ScreeningPath),
    responses((status = OK, body = Replay), (status = CONFLICT)),
)]
async fn replay_screening(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    subjects: ScreeningSubjects,
    Path(ScreeningPath { id }): Path<ScreeningPath>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<JsonResponse<Replay>, Problem> {
    let screening = known_screening(&state, &team, id).await?;
    let counted = subjects.count_one().await?;
    let Some((total, now)) = state.lists.repeat(counted, &screening).await? else {
        return Err(Problem::conflict(VersionDeleted(id)));
    };
    let score =
        |hits: &[ScreeningHit], id: &str| hits.iter().find(|it| it.id() == id).map(|it| it.score);
    let replayed = |hit: &ScreeningHit| {
        let id = hit.id();
        let (before, after) = (score(&screening.hits, &id), score(&now, &id));
        ReplayedHit { id, score: before, replayed_score: after }
    };
    let mut hits: Vec<ReplayedHit> = screening.hits.iter().map(replayed).collect();
    let is_new = |it: &&ScreeningHit| score(&screening.hits, &it.id()).is_none();
    hits.extend(now.iter().filter(is_new).map(replayed));
    Ok(JsonResponse(Replay {
        id,
        screened_at: screening.screened_at,
        replayed_at: state.clock.now(),
        is_identical: total == screening.total && found(&now).eq(found(&screening.hits)),
        algorithm: screening.algorithm,
        current_algorithm: ALGORITHM,
        hit_count: screening.total,
        replayed_hit_count: total,
        hits,
    }))
}
