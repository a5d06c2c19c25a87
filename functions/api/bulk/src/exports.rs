//! Exports: jobs that write many companies into one file.

mod answer;
mod download;
mod request;

use std::collections::HashSet;

use access::{RateGroup, Tier};
use axum::{
    Json as JsonResponse,
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{
    GivenUid, Uid,
    search::{CompanyQuery, SizeOfPage},
};
use generations::Generation;
use http::StatusCode;
use http_service::{
    Description, Json, NoParameters, Path, Query, Routes, Tenant, handler, reads, writes,
};
use jiff::{SignedDuration, Timestamp};
use jobs::ExportJob;
use problem_details::Problem;
use serde::Deserialize;
use store::TeamKey;
use teams::{Export, ExportFormat, ExportRows};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use self::{answer::ExportJob as ExportView, request::CreateExport};
use crate::State as Bulk;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    let creates = || writes(20).from_tier(Tier::Enterprise);
    let polls = || reads(0).counted_in(RateGroup::Account).with_token();
    Routes::new()
        .route(creates(), handler!(create_export))
        .route(creates(), handler!(create_profiles_export))
        .route(polls(), handler!(exports))
        .route(polls(), handler!(download::export))
        .route(polls(), handler!(download::download_export))
        .route(writes(0).counted_in(RateGroup::Account), handler!(delete_export))
}

/// Time after which the job of a new export is sent again if no worker has started.
const RESEND_AFTER: SignedDuration = SignedDuration::from_mins(1);
/// Why an export that its team has cancelled has no file.
const CANCELLED: &str = "The export was cancelled.";
/// Maximum number of companies whose profiles are exported together.
const MAX_PROFILES: usize = 1_000;

#[derive(Debug, thiserror::Error)]
#[error("the team has no export with the id `{0}`")]
struct UnknownExport(Uuid);

/// The generation lacks a company, possibly one that was registered after it was built.
#[derive(Debug, thiserror::Error)]
#[error(
    "no company {} in the generation `{generation}` of the register; companies that were registered since are in the next generation",
    .missing.iter().map(Uid::to_string).collect::<Vec<_>>().join(", ")
)]
struct NotInGeneration {
    generation: String,
    missing: Vec<Uid>,
}

/// An export in a path.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
struct ExportPath {
    /// Id of the export.
    #[param(example = "0199c0de-5d00-7000-8000-000000000000")]
    id: Uuid,
}

/// The export with this id, unless its time is over.
async fn known_export(state: &Bulk, team: &TeamKey, id: Uuid) -> Result<Export, Problem> {
    let export = state.tenants.export(team, id).await?;
    let now = state.clock.now();
    let export = export.filter(|it| !it.is_expired(now));
    export.ok_or_else(|| Problem::not_found(UnknownExport(id)))
}

/// Create an export
///
/// Starts an export of all matching companies to one file, in the order of their numbers. Poll `GET /v1/exports/{id}`
/// until `status` is `completed` or `failed`.
///
/// All rows are of one generation, which `generation` names. An export of the whole register usually takes less than a
/// minute. The export and its file are deleted seven days after its end. An export fails if the user or API key that
/// requested it loses the right to do so before the file is complete.
///
/// NDJSON has the records as `GET /v1/companies/{uid}` returns them. `sanctionsHit` and `lastScreenedAt` have the values of
/// the time at which the generation was built. Members without a value are absent. CSV has a header; texts of a list in a
/// cell are separated by `; `, and a list of objects is JSON. If a spreadsheet program would read a text as a formula, an
/// apostrophe is put before it. The same applies to the part of a text after a semicolon, a tab or a line break. Parquet
/// columns are typed and nullable; lists are texts as in CSV.
#[utoipa::path(
    post,
    path = "/v1/exports",
    tag = "Exports",
    request_body = CreateExport,
    responses((status = ACCEPTED, body = ExportView)),
)]
async fn create_export(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<CreateExport>,
) -> Result<Response, Problem> {
    let (format, query, mut rows) = request.into_rows()?;
    let now = state.clock.now();
    let generation = state.generations.serving().await?;
    // Now, so that a change of tags while the export waits does not change its rows.
    if let ExportRows::Companies { tagged, .. } = &mut rows {
        let companies = state.tenants.companies_with_tags(&team, &query).await?;
        *tagged = companies.map(|it| it.into_iter().collect());
    }
    let (id, by) = (&generation.manifest.id, caller.delegation(now));
    let export = Export::new(Uuid::now_v7(), rows, format, id, by);
    start(&state, &team, export, now).await
}

/// The companies whose profiles are exported, and what these contain.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CreateProfilesExport {
    /// 1 to 1,000 company numbers. A number that is given twice counts once.
    #[schema(value_type = Vec<GivenUid>, min_items = 1, max_items = 1000, example = json!(["CHE-101.049.653", "CHE-101.329.561"]))]
    uids: crate::export::Companies<MAX_PROFILES>,
    /// `true`: each profile has the member `timeline`, its changes in the generation, newest first.
    #[serde(default, alias = "include_timeline")]
    #[schema(default = false, example = true)]
    include_timeline: bool,
    /// `true`: each profile has the member `board`, the officers and signatories in the generation, whose time is `boardAsOf`.
    #[serde(default, alias = "include_board")]
    #[schema(default = false, example = true)]
    include_board: bool,
}

/// Export profiles of companies
///
/// Starts to write the records of chosen companies into an NDJSON file, one profile a line, in the order of their numbers,
/// optionally with `board` and `timeline`. Records, boards and timelines are those of one generation. If a number is
/// not in the generation, the answer is 404 and names it. Poll `GET /v1/exports/{id}` as for other exports.
#[utoipa::path(
    post,
    path = "/v1/exports/bulk-profiles",
    tag = "Exports",
    request_body = CreateProfilesExport,
    responses((status = ACCEPTED, body = ExportView), (status = NOT_FOUND)),
)]
async fn create_profiles_export(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<CreateProfilesExport>,
) -> Result<Response, Problem> {
    let uids = request.uids.0;
    let generation = state.generations.serving().await?;
    are_in(&generation, &uids).await?;
    let rows = ExportRows::Profiles {
        uids,
        with_timeline: request.include_timeline,
        with_board: request.include_board,
    };
    let (id, now) = (&generation.manifest.id, state.clock.now());
    let by = caller.delegation(now);
    let export = Export::new(Uuid::now_v7(), rows, ExportFormat::Ndjson, id, by);
    start(&state, &team, export, now).await
}

/// Checks that the generation has all these companies. If not, the answer is 404 and names those that it lacks.
pub(crate) async fn are_in(generation: &Generation, uids: &[Uid]) -> Result<(), Problem> {
    let chosen = Some(uids.iter().copied().collect());
    let (_, found) = generation.all_companies(&CompanyQuery::default(), chosen, uids.len()).await?;
    let found: HashSet<Uid> = found.into_iter().flatten().collect();
    let missing: Vec<Uid> = uids.iter().copied().filter(|it| !found.contains(it)).collect();
    match missing.is_empty() {
        true => Ok(()),
        false => {
            let generation = generation.manifest.id.clone();
            Err(Problem::not_found(NotInGeneration { generation, missing }))
        }
    }
}

/// Stores an export and sends its job.
async fn start(
    state: &Bulk,
    team: &TeamKey,
    export: Export,
    now: Timestamp,
) -> Result<Response, Problem> {
    state.tenants.create_export(team, &export, now + RESEND_AFTER).await?;
    let job = ExportJob::Run {
        team: team.team().clone(),
        environment: team.environment(),
        export: export.id.to_string(),
        again: None,
    };
    // The export is stored: if its job cannot be sent now, the sweep sends it.
    if let Err(failure) = state.exports.send(&job).await {
        tracing::warn!(export = %export.id, failure = errors::chain(&failure), "export not sent yet");
    }
    Ok((StatusCode::ACCEPTED, JsonResponse(ExportView::from(&export))).into_response())
}

/// Which exports are listed.
#[derive(Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ExportsQuery {
    /// Id of an export: only those created before it are listed. To continue, send the id of the last item as `before`.
    #[param(example = "ffffffff-ffff-7fff-bfff-ffffffffffff")]
    before: Option<Uuid>,
    /// Maximum number of exports.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20, example = 20)]
    limit: SizeOfPage<20, 100>,
}

/// List exports
///
/// The exports of the team, newest first. To continue, send the id of the last one as `before`.
#[utoipa::path(
    get,
    path = "/v1/exports",
    tag = "Exports",
    params(ExportsQuery),
    responses((status = OK, body = Vec<ExportView>)),
)]
async fn exports(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    Query(ExportsQuery { before, limit }): Query<ExportsQuery>,
) -> Result<JsonResponse<Vec<ExportView>>, Problem> {
    let limit = usize::try_from(limit.get()).unwrap_or(usize::MAX);
    let now = state.clock.now();
    let exports = state.tenants.exports(&team, before, limit).await?;
    let kept = exports.iter().filter(|it| !it.is_expired(now));
    Ok(JsonResponse(kept.map(ExportView::from).collect()))
}

/// Cancel or delete an export
///
/// An export that has not ended is cancelled: it fails, and `errorMessage` says why. One that has ended is deleted with its file.
#[utoipa::path(
    delete,
    path = "/v1/exports/{id}",
    tag = "Exports",
    params(ExportPath),
    responses((status = NO_CONTENT)),
)]
async fn delete_export(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    Path(ExportPath { id }): Path<ExportPath>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<StatusCode, Problem> {
    let export = known_export(&state, &team, id).await?;
    let now = state.clock.now();
    if !export.has_ended() {
        let cancel = |it: &Export| (!it.has_ended()).then(|| it.failed(CANCELLED, now));
        if state.tenants.change_export(&team, id, cancel).await?.is_some() {
            return Ok(StatusCode::NO_CONTENT);
        }
        // It has ended meanwhile.
    }
    state.tenants.delete_ended_export(&team, id, now).await?;
    Ok(StatusCode::NO_CONTENT)
}
