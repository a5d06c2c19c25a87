//! Tags of a team on companies.

use axum::{Json as JsonResponse, extract::State};
use company_reader::known_company;
use domain::{GivenUid, Uid, text};
use http::StatusCode;
use http_service::{
    CompanyPath, Description, Json, NoParameters, Path, Query, Routes, Tenant, Text, handler,
    reads, writes,
};
use problem_details::Problem;
use serde::Deserialize;
use store::{Refused, path_within};
use teams::{Tag, TagSummary, is_color};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::problems::refused;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(0).with_token(), handler!(tags))
        .route(writes(0), handler!(create_tag))
        .route(writes(0), handler!(delete_tag))
        .route(reads(0).with_token(), handler!(tag_names))
}

#[derive(Debug, thiserror::Error)]
#[error("{0} has no tag with the id `{1}`")]
struct UnknownTag(Uid, String);

/// A tag in a path.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
struct TagPath {
    /// Company number (UID).
    #[param(inline, value_type = GivenUid, example = "CHE-812.460.660")]
    uid: Uid,
    /// Id of the tag on this company, as `GET /v1/companies/{uid}/tags` returns it.
    #[param(value_type = Uuid, example = "0199c0de-0001-7000-8000-000000000000")]
    id: String,
}

/// List the tags of a company
///
/// Tags that the team gave to the company, oldest first.
#[utoipa::path(
    get,
    path = "/v1/companies/{uid}/tags",
    tag = "Notes and tags",
    params(CompanyPath),
    responses((status = OK, body = Vec<Tag>)),
)]
async fn tags(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<JsonResponse<Vec<Tag>>, Problem> {
    let tags: Vec<Tag> = state.tenants.resources(&team, &path_within(uid, "")).await?;
    if tags.is_empty() {
        known_company(&state.registry, uid).await?;
    }
    Ok(JsonResponse(tags))
}

/// A new tag.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CreateTag {
    /// Name of the tag, 1–50 characters, with at least one letter or digit.
    #[schema(value_type = String, min_length = 1, max_length = 50, example = "High risk")]
    tag_name: Text<50>,
    /// Colour in hexadecimal notation: `#` and three or six digits.
    #[serde(default)]
    #[schema(pattern = "^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$", example = "#C1121F")]
    color: Option<String>,
}

/// Tag a company
///
/// Adds a tag to a company and returns it. If the company already has the tag, the response is 200 and contains the
/// stored tag, with the new colour if one is given. Names that differ only in case, accents or punctuation are the
/// same tag. A company can have 50 tags, and a team can give 10,000 tags; a further one is refused with 409.
#[utoipa::path(
    post,
    path = "/v1/companies/{uid}/tags",
    tag = "Notes and tags",
    params(CompanyPath),
    request_body = CreateTag,
    responses(
        (status = CREATED, body = Tag),
        (status = OK, description = "The company already has the tag.", body = Tag),
    ),
)]
async fn create_tag(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<CreateTag>,
) -> Result<(StatusCode, JsonResponse<Tag>), Problem> {
    if let Some(color) = request.color.as_deref().filter(|it| !is_color(it)) {
        let detail = format!("must have the form `#RGB` or `#RRGGBB`; got `{color}`");
        return Err(Problem::invalid("color", detail));
    }
    let folded = text::fold(&request.tag_name.0);
    if folded.is_empty() {
        let detail =
            format!("must contain at least one letter or digit; got `{}`", request.tag_name.0);
        return Err(Problem::invalid("tagName", detail));
    }
    known_company(&state.registry, uid).await?;
    let new = Tag {
        id: Uuid::now_v7().to_string(),
        company_uid: uid,
        tag_name: request.tag_name.0,
        color: request.color,
        created_by: caller.principal().clone(),
        created_at: state.clock.now(),
    };
    match state.tenants.create(&team, caller.tier(), &new).await {
        Ok(()) => Ok((StatusCode::CREATED, JsonResponse(new))),
        Err(Refused::Exists) => {
            let tags: Vec<Tag> = state.tenants.resources(&team, &path_within(uid, "")).await?;
            let existing = tags.into_iter().find(|it| it.folded_name() == folded);
            let existing = existing.ok_or_else(|| Problem::conflict(Refused::Exists))?;
            Ok((StatusCode::OK, JsonResponse(recolored(&state, &team, existing, new.color).await?)))
        }
        Err(other) => Err(refused(other)),
    }
}

/// The stored tag, with this colour if one is given.
async fn recolored(
    state: &crate::State,
    team: &store::TeamKey,
    tag: Tag,
    color: Option<String>,
) -> Result<Tag, Problem> {
    if color.is_none() || color == tag.color {
        return Ok(tag);
    }
    let path = path_within(tag.company_uid, &tag.id);
    let changed = state
        .tenants
        .change(team, &path, |it: &Tag| Some(Tag { color: color.clone(), ..it.clone() }));
    Ok(changed.await.map_err(refused)?.unwrap_or(tag))
}

/// Remove a tag from a company
///
/// Removes one tag from this company. Other companies keep it.
#[utoipa::path(
    delete,
    path = "/v1/companies/{uid}/tags/{id}",
    tag = "Notes and tags",
    params(TagPath),
    responses((status = NO_CONTENT)),
)]
async fn delete_tag(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    Path(TagPath { uid, id }): Path<TagPath>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<StatusCode, Problem> {
    match state.tenants.delete::<Tag>(&team, &path_within(uid, &id), |_| true).await? {
        Some(_) => Ok(StatusCode::NO_CONTENT),
        None => Err(Problem::not_found(UnknownTag(uid, id))),
    }
}

/// List the team's tags
///
/// Every tag that the team uses, with the number of companies that have it: most used first, then in
/// alphabetical order. `GET /v1/companies?tag=` lists the companies.
#[utoipa::path(
    get,
    path = "/v1/tags",
    tag = "Notes and tags",
    responses((status = OK, body = Vec<TagSummary>)),
)]
async fn tag_names(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<JsonResponse<Vec<TagSummary>>, Problem> {
    Ok(JsonResponse(TagSummary::of(&state.tenants.tags(&team).await?)))
}
