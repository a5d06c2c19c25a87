//! Decisions of a team about hits.

use axum::{Json as JsonResponse, extract::State};
use http_service::{
    Description, Json, NoParameters, Path, Query, Routes, Tenant, Text, handler, writes,
};
use jiff::Timestamp;
use problem_details::Problem;
use screening_evidence::Decision;
use serde::Deserialize;
use teams::screening::{HitDecision, Verdict};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::evidence::known_screening;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(writes(0), handler!(decide_hit))
}

/// A hit in a path.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Path)]
struct HitPath {
    /// Id of the screening.
    #[param(example = "0199c0de-5c01-7000-8000-000000000000")]
    id: Uuid,
    /// Id of the hit in the screening.
    #[param(example = "seco:95001", max_length = 300)]
    hit_id: String,
}

/// The reason of a decision, 1–2,000 characters.
type DecisionReason = Text<2_000, true>;

/// A decision about a hit.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct DecideHit {
    /// What was decided.
    verdict: Verdict,
    /// Why, 1–2,000 characters.
    #[serde(default)]
    #[schema(
        value_type = Option<String>,
        min_length = 1,
        max_length = 2_000,
        example = "Born in another year; see the copy of the passport."
    )]
    reason: Option<DecisionReason>,
    /// Time at which the decision expires, after now. Default: it holds as long as it is stored.
    #[serde(default)]
    expires_at: Option<Timestamp>,
}

#[derive(Debug, thiserror::Error)]
#[error("the screening `{0}` has no hit `{1}`")]
struct UnknownHit(Uuid, String);

/// Decide about a hit
///
/// States whether the subject is the listed one. The decision also holds for later screenings of the same subject by the team.
/// The same subject is:
///
/// - the company with the same number, regardless of its names,
/// - the same officer of a company,
/// - otherwise, a subject with the same names, type, date of birth, country and identifiers. Upper and lower case, repeated
///   spaces in names, and separators in identifiers do not matter.
///
/// The decision holds until it expires, the entry changes in something on which a screening depends, or the risk level of the
/// hit rises (not for `true_match`). A hit that is a false positive does not count for the risk level.
///
/// A further decision about the same subject and entry replaces this one, which is then one of `earlier`. To withdraw a decision,
/// decide `unsure`.
///
/// A decision is stored as long as the evidence of a screening: for 30 days if the team has the tier `free` or the key is a test
/// key, otherwise for ten years, unless the operator has set another time. Then the hit has to be decided again.
#[utoipa::path(
    put,
    path = "/v1/screenings/{id}/hits/{hitId}/decision",
    tag = "Screening",
    params(HitPath),
    request_body = DecideHit,
    responses((status = OK, body = Decision)),
)]
async fn decide_hit(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Path(HitPath { id, hit_id }): Path<HitPath>,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<DecideHit>,
) -> Result<JsonResponse<Decision>, Problem> {
    let now = state.clock.now();
    if let Some(given) = request.expires_at.filter(|it| *it <= now) {
        return Err(Problem::invalid("expiresAt", format!("must be after now; got `{given}`")));
    }
    let screening = known_screening(&state, &team, id).await?;
    let Some(hit) = screening.hit(&hit_id) else {
        return Err(Problem::not_found(UnknownHit(id, hit_id)));
    };
    let decision = HitDecision {
        pair: screening.pair(hit),
        verdict: request.verdict,
        reason: request.reason.map(|it| it.0),
        decided_by: caller.principal().clone(),
        decided_at: now,
        screening_id: id,
        expires_at: request.expires_at,
        material: hit.material.clone(),
        risk_level: Some(hit.risk_level),
        earlier: Vec::new(),
    };
    let expires = state.retention.expiry(caller.tier(), caller.environment(), now);
    let decision = state.tenants.put_hit_decision(&team, decision, expires).await?;
    Ok(JsonResponse(Decision::of(decision, hit, now)))
}
