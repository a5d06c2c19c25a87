//! Reading and deleting dossiers. The rate group `expensive_ai` has them written.

use axum::{Json, extract::State, response::IntoResponse};
use domain::Uid;
use http::{StatusCode, header};
use http_service::{
    Description, NoParameters, Path, Query, ResourceId, Routes, Tenant, handler, reads, writes,
};
use problem_details::{NOT_FOUND, Problem};
use serde::Deserialize;
use teams::{Dossier, DossierStatus, DossierSummary, DossierView};
use utoipa::IntoParams;
use uuid::Uuid;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(0).with_token(), handler!(dossiers))
        .route(reads(0).with_token(), handler!(dossier))
        .route(writes(0), handler!(delete_dossier))
}

/// A dossier of the team, or a company, in a path.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
struct DossierPath {
    /// Id of a dossier, or a company number (UID): then the team's newest dossier about the company.
    #[param(max_length = 64, example = "0199c0de-6d00-7000-8000-000000000000")]
    id: String,
}

fn unknown(id: &str) -> Problem {
    Problem::new(&NOT_FOUND, format!("the team has no dossier with the id `{id}` or about `{id}`"))
}

/// List dossiers
///
/// The dossiers of the team without their texts, newest first: at most 500.
#[utoipa::path(
    get,
    path = "/v1/dossiers",
    tag = "Dossiers",
    responses((status = OK, body = Vec<DossierSummary>)),
)]
async fn dossiers(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<Json<Vec<DossierSummary>>, Problem> {
    let now = state.clock.now();
    let dossiers = state.tenants.dossiers(&team).await?;
    Ok(Json(dossiers.iter().map(|it| DossierSummary::of(it, now)).collect()))
}

/// Get a dossier
///
/// A dossier with its text and what it cites; for a company number, the team's newest dossier about the company. While the status is
/// `pending`, `content` is empty: poll until it is `completed` or `failed`.
#[utoipa::path(
    get,
    path = "/v1/dossiers/{id}",
    tag = "Dossiers",
    params(DossierPath),
    responses((status = OK, body = DossierView)),
)]
async fn dossier(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    Path(DossierPath { id }): Path<DossierPath>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<impl IntoResponse, Problem> {
    let dossier: Option<Dossier> = match Uuid::try_parse(&id) {
        Ok(uuid) => state.tenants.resource(&team, &uuid.to_string()).await?,
        Err(_) => {
            let uid: Uid = id.parse().map_err(|_| unknown(&id))?;
            state.tenants.newest_dossier_of(&team, uid).await?
        }
    };
    let dossier = dossier.ok_or_else(|| unknown(&id))?;
    let text = match dossier.status {
        DossierStatus::Completed => {
            // It was deleted in between, if there is none.
            let text = state.tenants.dossier_text(&team, dossier.id).await?;
            Some(text.ok_or_else(|| unknown(&id))?)
        }
        DossierStatus::Pending | DossierStatus::Failed => None,
    };
    let language = [(header::CONTENT_LANGUAGE, dossier.request.language.code())];
    Ok((language, Json(DossierView::of(&dossier, text, state.clock.now()))))
}

/// Delete a dossier
///
/// Deletes a dossier with its text. If the dossier is still being written, its text is discarded.
#[utoipa::path(
    delete,
    path = "/v1/dossiers/{id}",
    tag = "Dossiers",
    params(("id" = Uuid, Path, description = "Id of the dossier.", example = "0199c0de-6d00-7000-8000-000000000000")),
    responses((status = NO_CONTENT)),
)]
async fn delete_dossier(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<StatusCode, Problem> {
    let uuid: Uuid = id.parse().map_err(|_| unknown(&id))?;
    let deleted = state.tenants.delete_dossier(&team, uuid, |_| true).await?;
    deleted.map(|_| StatusCode::NO_CONTENT).ok_or_else(|| unknown(&id))
}
