//! Marking changes as reviewed by a team.

use axum::extract::State;
use generations::Unavailable;
use http::StatusCode;
use http_service::{Description, NoParameters, Query, ResourceId, Routes, Tenant, handler, writes};
use problem_details::{NOT_FOUND, Problem};
use uuid::Uuid;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(writes(0), handler!(review_change))
}

/// Mark a change as reviewed
///
/// Stores the time of the review for the team; lists of changes then return it as `reviewedAt`. A second
/// review keeps the time of the first.
#[utoipa::path(
    put,
    path = "/v1/changes/{id}/review",
    tag = "Changes",
    params(("id" = Uuid, Path, description = "Id of the change.", example = "21133a82-cd7c-5ea6-a9c4-477e72870cad")),
    responses((status = NO_CONTENT)),
)]
async fn review_change(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<StatusCode, Problem> {
    let change = known_change(&state, &id).await?;
    state.tenants.review_change(&team, change, state.clock.now()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The id as a UUID, if the change feed or the generation contains such a change. The feed is asked first: that is
/// one small read, whereas the generation may have to be downloaded.
async fn known_change(state: &crate::State, id: &str) -> Result<Uuid, Problem> {
    let change = id.parse().map_err(|_| unknown_change(id))?;
    if state.registry.event(change).await?.is_some() {
        return Ok(change);
    }
    let generation = state.generations.serving().await?;
    match generation.changes().await?.event(change).await.map_err(Unavailable::from)? {
        Some(_) => Ok(change),
        None => Err(unknown_change(id)),
    }
}

fn unknown_change(id: &str) -> Problem {
    Problem::new(&NOT_FOUND, format!("no change has the id `{id}`"))
}
