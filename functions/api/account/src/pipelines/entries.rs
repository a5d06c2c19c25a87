//! The companies in a pipeline.

use axum::{Json as JsonResponse, extract::State};
use company_reader::UnknownCompany;
use domain::Uid;
use http::StatusCode;
use http_service::{
    Description, Json, NoParameters, Path, Query, ResourceId, Routes, Tenant, Text, handler, writes,
};
use problem_details::Problem;
use serde::Deserialize;
use serde_with::rust::double_option;
use store::{Refused, TeamKey, path_within};
use teams::{DEFAULT_ENTRY_TIER, Pipeline, PipelineEntry, PipelineEntryView};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::{known_pipeline, views};
use crate::problems::{from_one_to_five, refused};

pub(super) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(writes(0), handler!(create_pipeline_entry))
        .route(writes(0), handler!(update_pipeline_entry))
        .route(writes(0), handler!(delete_pipeline_entry))
}

/// Free text about an entry, 1–1,000 characters.
type Notes = Text<1_000, true>;

#[derive(Debug, thiserror::Error)]
#[error("the pipeline contains the company {0} already")]
struct InPipeline(Uid);

#[derive(Debug, thiserror::Error)]
#[error("the pipeline `{0}` has no entry with the id `{1}`")]
struct UnknownEntry(String, String);

/// An entry in a path.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
struct EntryPath {
    /// Id of the pipeline.
    #[param(value_type = Uuid, example = "0199c0de-0002-7000-8000-000000000000")]
    id: String,
    /// Id of the entry.
    #[param(value_type = Uuid, example = "0199c0de-0003-7000-8000-000000000000")]
    entry: String,
}

/// A company to add to a pipeline.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CreateEntry {
    /// Company number (UID). The company must be in the register.
    #[schema(
        value_type = String,
        pattern = r"^(CHE-[0-9]{3}\.[0-9]{3}\.[0-9]{3}|(CHE-?)?[0-9]{9})$",
        example = "CHE-812.460.660"
    )]
    company_uid: Uid,
    /// Stage of the pipeline. Default: its first stage.
    #[serde(default)]
    #[schema(example = "Lead")]
    stage: Option<String>,
    /// Importance, from 1 (highest) to 5. Default: 3.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 5)]
    tier: Option<u8>,
    /// Id of the user who is responsible for the company. Any UUID is accepted.
    #[serde(default)]
    assigned_to_user_id: Option<Uuid>,
}

fn checked_stage(pipeline: &Pipeline, stage: Option<String>) -> Result<Option<String>, Problem> {
    match stage {
        Some(stage) if !pipeline.stages.contains(&stage) => {
            let stages = pipeline.stages.join("`, `");
            Err(Problem::invalid("stage", format!("must be one of `{stages}`; got `{stage}`")))
        }
        stage => Ok(stage),
    }
}

async fn view(
    state: &crate::State,
    entry: PipelineEntry,
) -> Result<JsonResponse<PipelineEntryView>, Problem> {
    let view = views(state, vec![entry]).await?.pop();
    view.map(JsonResponse).ok_or_else(|| Problem::new(&problem_details::INTERNAL, "no entry"))
}

/// Add a company to a pipeline
///
/// Adds an entry for the company and returns it. A pipeline contains a company once and has at most 1,000 entries:
/// adding a company again or exceeding the limit is refused with 409.
#[utoipa::path(
    post,
    path = "/v1/pipelines/{id}/entries",
    tag = "Pipelines",
    params(("id" = Uuid, Path, description = "Id of the pipeline.", example = "0199c0de-0002-7000-8000-000000000000")),
    request_body = CreateEntry,
    responses((status = CREATED, body = PipelineEntryView)),
)]
async fn create_pipeline_entry(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<CreateEntry>,
) -> Result<(StatusCode, JsonResponse<PipelineEntryView>), Problem> {
    let pipeline = known_pipeline(&state, &team, &id).await?;
    let stage = checked_stage(&pipeline, request.stage)?;
    let tier = from_one_to_five("tier", request.tier)?.unwrap_or(DEFAULT_ENTRY_TIER);
    if state.registry.company(request.company_uid).await?.is_none() {
        return Err(Problem::invalid("companyUid", UnknownCompany(request.company_uid)));
    }
    let assigned = request.assigned_to_user_id;
    let assigned_to_user_id = state.assignee(&team, assigned).await?;
    let now = state.clock.now();
    let entry = PipelineEntry {
        id: Uuid::now_v7().to_string(),
        pipeline_id: id,
        company_uid: request.company_uid,
        stage: stage.unwrap_or_else(|| pipeline.stages[0].clone()),
        assigned_to_user_id,
        tier,
        notes: None,
        created_by: caller.principal().clone(),
        created_at: now,
        updated_at: now,
    };
    match state.tenants.create(&team, caller.tier(), &entry).await {
        Ok(()) => {}
        Err(Refused::Exists) => return Err(Problem::conflict(InPipeline(entry.company_uid))),
        Err(other) => return Err(refused(other)),
    }
    Ok((StatusCode::CREATED, view(&state, entry).await?))
}

impl crate::State {
    /// The id of the user to whom an entry is assigned, who must be a member of the team.
    async fn assignee(
        &self,
        team: &TeamKey,
        user: Option<Uuid>,
    ) -> Result<Option<String>, Problem> {
        let Some(user) = user.map(|it| it.to_string()) else { return Ok(None) };
        match self.tenants.member(team, &user).await? {
            Some(_) => Ok(Some(user)),
            None => {
                let detail = format!("must be the id of a member of the team; got `{user}`");
                Err(Problem::invalid("assignedToUserId", detail))
            }
        }
    }
}

/// Changes of an entry. Fields that are left out stay as they are.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct UpdateEntry {
    /// Stage of the pipeline.
    #[serde(default)]
    #[schema(example = "Qualified")]
    stage: Option<String>,
    /// Importance, from 1 (highest) to 5.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 5)]
    tier: Option<u8>,
    /// Id of the user who is responsible for the company: any UUID. `null` removes it.
    #[serde(default, with = "double_option")]
    #[schema(value_type = Option<Uuid>)]
    assigned_to_user_id: Option<Option<Uuid>>,
    /// Free text, 1–1,000 characters; `null` removes it.
    #[serde(default, with = "double_option")]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 1_000, example = "Call back in May.")]
    notes: Option<Option<Notes>>,
}

/// Change an entry of a pipeline
///
/// Changes the given fields, leaves the others as they are, and returns the entry.
#[utoipa::path(
    put,
    path = "/v1/pipelines/{id}/entries/{entry}",
    tag = "Pipelines",
    params(EntryPath),
    request_body = UpdateEntry,
    responses((status = OK, body = PipelineEntryView)),
)]
async fn update_pipeline_entry(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    Path(EntryPath { id, entry }): Path<EntryPath>,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<UpdateEntry>,
) -> Result<JsonResponse<PipelineEntryView>, Problem> {
    let pipeline = known_pipeline(&state, &team, &id).await?;
    let stage = checked_stage(&pipeline, request.stage)?;
    let tier = from_one_to_five("tier", request.tier)?;
    let assigned = match request.assigned_to_user_id {
        Some(user) => Some(state.assignee(&team, user).await?),
        None => None,
    };
    let notes = request.notes.map(|it| it.map(|it| it.0));
    let now = state.clock.now();
    let change = |old: &PipelineEntry| {
        Some(PipelineEntry {
            stage: stage.as_ref().unwrap_or(&old.stage).clone(),
            tier: tier.unwrap_or(old.tier),
            assigned_to_user_id: assigned.as_ref().unwrap_or(&old.assigned_to_user_id).clone(),
            notes: notes.as_ref().unwrap_or(&old.notes).clone(),
            updated_at: now,
            ..old.clone()
        })
    };
    let changed = state.tenants.change(&team, &path_within(&id, &entry), change).await;
    match changed.map_err(refused)? {
        Some(changed) => view(&state, changed).await,
        None => Err(Problem::not_found(UnknownEntry(id, entry))),
    }
}

/// Remove a company from a pipeline
///
/// Deletes the entry. Notes and tags of the company stay.
#[utoipa::path(
    delete,
    path = "/v1/pipelines/{id}/entries/{entry}",
    tag = "Pipelines",
    params(EntryPath),
    responses((status = NO_CONTENT)),
)]
async fn delete_pipeline_entry(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    Path(EntryPath { id, entry }): Path<EntryPath>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<StatusCode, Problem> {
    known_pipeline(&state, &team, &id).await?;
    let path = path_within(&id, &entry);
    match state.tenants.delete::<PipelineEntry>(&team, &path, |_| true).await? {
        Some(_) => Ok(StatusCode::NO_CONTENT),
        None => Err(Problem::not_found(UnknownEntry(id, entry))),
    }
}
