//! Pipelines: prospects of a team, in stages.

mod entries;

use std::collections::HashMap;

use axum::{Json as JsonResponse, extract::State};
use domain::text;
use http::StatusCode;
use http_service::{
    Description, Json, Name, NoParameters, Query, ResourceId, Routes, Tenant, Text, handler, reads,
    writes,
};
use problem_details::Problem;
use serde::Deserialize;
use store::{TeamKey, path_within};
use teams::{
    DEFAULT_STAGES, Pipeline, PipelineEntry, PipelineEntryView, PipelineStats, PipelineWithEntries,
};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::problems::refused;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(0).with_token(), handler!(pipelines))
        .route(writes(0), handler!(create_pipeline))
        .route(reads(0).with_token(), handler!(pipeline))
        .route(writes(0), handler!(update_pipeline))
        .route(writes(0), handler!(delete_pipeline))
        .route(reads(0).with_token(), handler!(pipeline_stats))
        .merge(entries::routes())
}

/// Maximum number of stages of a pipeline.
const MAX_STAGES: usize = 20;

#[derive(Debug, thiserror::Error)]
#[error("the team has no pipeline with the id `{0}`")]
struct UnknownPipeline(String);

#[derive(Debug, thiserror::Error)]
#[error("the stage `{0}` still has entries; move them first")]
struct StageInUse(String);

async fn known_pipeline(
    state: &crate::State,
    team: &TeamKey,
    id: &str,
) -> Result<Pipeline, Problem> {
    let pipeline = state.tenants.resource(team, id).await?;
    pipeline.ok_or_else(|| Problem::not_found(UnknownPipeline(id.to_owned())))
}

async fn entries_of(
    state: &crate::State,
    team: &TeamKey,
    pipeline: &str,
) -> Result<Vec<PipelineEntry>, Problem> {
    Ok(state.tenants.resources(team, &path_within(pipeline, "")).await?)
}

/// The entries with the current name and canton of their companies.
async fn views(
    state: &crate::State,
    entries: Vec<PipelineEntry>,
) -> Result<Vec<PipelineEntryView>, Problem> {
    let uids: Vec<_> = entries.iter().map(|it| it.company_uid).collect();
    let found = state.registry.companies(&uids).await?;
    let companies: HashMap<_, _> =
        found.into_iter().map(|it| (it.uid, (it.name, it.canton))).collect();
    let view = |entry: PipelineEntry| {
        let company = companies.get(&entry.company_uid).cloned();
        let (company_name, canton) = company.unwrap_or_default();
        PipelineEntryView { entry, company_name, canton }
    };
    Ok(entries.into_iter().map(view).collect())
}

/// List pipelines
///
/// Pipelines of the team, oldest first.
#[utoipa::path(
    get,
    path = "/v1/pipelines",
    tag = "Pipelines",
    responses((status = OK, body = Vec<Pipeline>)),
)]
async fn pipelines(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<JsonResponse<Vec<Pipeline>>, Problem> {
    Ok(JsonResponse(state.tenants.resources(&team, "").await?))
}

/// A new pipeline.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CreatePipeline {
    /// Name of the pipeline, 1–100 characters.
    #[schema(value_type = String, min_length = 1, max_length = 100, example = "New clients")]
    name: Name,
    /// Stages in order: 1–20 different names of 1–50 characters. Default: `Lead`, `Contacted`, `Qualified`,
    /// `Proposal`, `Won`, `Lost`.
    #[serde(default)]
    #[schema(min_items = 1, max_items = 20, example = json!(["Lead", "Qualified", "Won"]))]
    stages: Option<Vec<Stage>>,
}

/// Name of a stage, 1–50 characters.
#[derive(Deserialize, ToSchema)]
#[schema(as = StageName, value_type = String, min_length = 1, max_length = 50)]
struct Stage(Text<50>);

fn checked_stages(stages: Vec<Stage>) -> Result<Vec<String>, Problem> {
    let stages: Vec<String> = stages.into_iter().map(|it| it.0.0).collect();
    if !(1..=MAX_STAGES).contains(&stages.len()) {
        let detail = format!("must have 1 to {MAX_STAGES} stages; got {}", stages.len());
        return Err(Problem::invalid("stages", detail));
    }
    for (index, stage) in stages.iter().enumerate() {
        let same = |it: &String| it == stage || text::fold(it) == text::fold(stage);
        if stages[..index].iter().any(same) {
            let detail = format!("must be different; got `{stage}` twice");
            return Err(Problem::invalid("stages", detail));
        }
    }
    Ok(stages)
}

/// Create a pipeline
///
/// Creates a pipeline without entries and returns it. A team can have 50 pipelines; a further one is refused with 409.
#[utoipa::path(
    post,
    path = "/v1/pipelines",
    tag = "Pipelines",
    request_body = CreatePipeline,
    responses((status = CREATED, body = Pipeline)),
)]
async fn create_pipeline(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<CreatePipeline>,
) -> Result<(StatusCode, JsonResponse<Pipeline>), Problem> {
    let stages = match request.stages {
        Some(stages) => checked_stages(stages)?,
        None => DEFAULT_STAGES.map(str::to_owned).to_vec(),
    };
    let pipeline = Pipeline {
        id: Uuid::now_v7().to_string(),
        team_id: team.team().clone(),
        name: request.name.0,
        stages,
        created_by: caller.principal().clone(),
        created_at: state.clock.now(),
    };
    state.tenants.create(&team, caller.tier(), &pipeline).await.map_err(refused)?;
    Ok((StatusCode::CREATED, JsonResponse(pipeline)))
}

/// Get a pipeline
///
/// A pipeline with its entries, oldest first.
#[utoipa::path(
    get,
    path = "/v1/pipelines/{id}",
    tag = "Pipelines",
    params(("id" = Uuid, Path, description = "Id of the pipeline.", example = "0199c0de-0002-7000-8000-000000000000")),
    responses((status = OK, body = PipelineWithEntries)),
)]
async fn pipeline(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<JsonResponse<PipelineWithEntries>, Problem> {
    let pipeline = known_pipeline(&state, &team, &id).await?;
    let entries = views(&state, entries_of(&state, &team, &id).await?).await?;
    let total_entries = entries.len();
    Ok(JsonResponse(PipelineWithEntries { pipeline, entries, total_entries }))
}

/// Changes of a pipeline. Fields that are left out stay as they are.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct UpdatePipeline {
    /// Name of the pipeline, 1–100 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 100, example = "Clients in 2027")]
    name: Option<Name>,
    /// Stages in order: 1–20 different names of 1–50 characters. A stage that still has entries cannot be
    /// removed.
    #[serde(default)]
    #[schema(min_items = 1, max_items = 20)]
    stages: Option<Vec<Stage>>,
}

/// Change a pipeline
///
/// Changes the given fields, leaves the others as they are, and returns the pipeline without its entries. Removing a
/// stage that still has entries is refused with 409.
#[utoipa::path(
    put,
    path = "/v1/pipelines/{id}",
    tag = "Pipelines",
    params(("id" = Uuid, Path, description = "Id of the pipeline.", example = "0199c0de-0002-7000-8000-000000000000")),
    request_body = UpdatePipeline,
    responses((status = OK, body = Pipeline)),
)]
async fn update_pipeline(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<UpdatePipeline>,
) -> Result<JsonResponse<Pipeline>, Problem> {
    let stages = request.stages.map(checked_stages).transpose()?;
    if let Some(stages) = &stages {
        known_pipeline(&state, &team, &id).await?;
        let entries = entries_of(&state, &team, &id).await?;
        if let Some(entry) = entries.iter().find(|it| !stages.contains(&it.stage)) {
            return Err(Problem::conflict(StageInUse(entry.stage.clone())));
        }
    }
    let change = |old: &Pipeline| {
        Some(Pipeline {
            name: request.name.as_ref().map_or(&old.name, |it| &it.0).clone(),
            stages: stages.as_ref().unwrap_or(&old.stages).clone(),
            ..old.clone()
        })
    };
    let changed = state.tenants.change(&team, &id, change).await.map_err(refused)?;
    changed.map(JsonResponse).ok_or_else(|| Problem::not_found(UnknownPipeline(id)))
}

/// Delete a pipeline
///
/// Deletes the pipeline and its entries.
#[utoipa::path(
    delete,
    path = "/v1/pipelines/{id}",
    tag = "Pipelines",
    params(("id" = Uuid, Path, description = "Id of the pipeline.", example = "0199c0de-0002-7000-8000-000000000000")),
    responses((status = NO_CONTENT)),
)]
async fn delete_pipeline(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<StatusCode, Problem> {
    if state.tenants.delete_pipeline(&team, &id).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Problem::not_found(UnknownPipeline(id)))
    }
}

/// Get the statistics of a pipeline
///
/// The number of entries in total, in each stage, and of each importance (`tier`, 1 to 5).
#[utoipa::path(
    get,
    path = "/v1/pipelines/{id}/stats",
    tag = "Pipelines",
    params(("id" = Uuid, Path, description = "Id of the pipeline.", example = "0199c0de-0002-7000-8000-000000000000")),
    responses((status = OK, body = PipelineStats)),
)]
async fn pipeline_stats(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<JsonResponse<PipelineStats>, Problem> {
    let pipeline = known_pipeline(&state, &team, &id).await?;
    let entries = entries_of(&state, &team, &id).await?;
    Ok(JsonResponse(PipelineStats::of(&pipeline, &entries)))
}
