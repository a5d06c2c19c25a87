//! Notes of a team about a company.

use axum::{Json as JsonResponse, extract::State};
use company_reader::known_company;
use domain::{GivenUid, Uid};
use http::StatusCode;
use http_service::{
    CompanyPath, Description, Json, NoParameters, Path, Query, Routes, Tenant, Text, handler,
    reads, writes,
};
use problem_details::Problem;
use serde::Deserialize;
use serde_with::rust::double_option;
use store::path_within;
use teams::{Note, NoteType};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::problems::{from_one_to_five, refused};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(0).with_token(), handler!(notes))
        .route(writes(0), handler!(create_note))
        .route(writes(0), handler!(update_note))
        .route(writes(0), handler!(delete_note))
}

/// The text of a note, 1–5,000 characters.
type Content = Text<5_000, true>;

#[derive(Debug, thiserror::Error)]
#[error("the team has no note `{1}` about {0}")]
struct UnknownNote(Uid, String);

/// A note in a path.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
struct NotePath {
    /// Company number (UID).
    #[param(inline, value_type = GivenUid, example = "CHE-812.460.660")]
    uid: Uid,
    /// Id of the note.
    #[param(value_type = Uuid, example = "0199c0de-0000-7000-8000-000000000000")]
    id: String,
}

impl NotePath {
    fn unknown(&self) -> Problem {
        Problem::not_found(UnknownNote(self.uid, self.id.clone()))
    }
}

/// List the notes about a company
///
/// Notes of the team, newest first. Private notes are included for their author only.
#[utoipa::path(
    get,
    path = "/v1/companies/{uid}/notes",
    tag = "Notes and tags",
    params(CompanyPath),
    responses((status = OK, body = Vec<Note>)),
)]
async fn notes(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<JsonResponse<Vec<Note>>, Problem> {
    let mut notes: Vec<Note> = state.tenants.resources(&team, &path_within(uid, "")).await?;
    if notes.is_empty() {
        known_company(&state.registry, uid).await?;
    }
    notes.retain(|it| it.is_visible_to(caller.principal()));
    notes.reverse();
    Ok(JsonResponse(notes))
}

/// A new note.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CreateNote {
    /// Text of the note, 1–5,000 characters.
    #[schema(
        value_type = String,
        min_length = 1,
        max_length = 5_000,
        example = "Auditor changed twice in a year."
    )]
    content: Content,
    /// Type of the note. Default: `note`.
    #[serde(default)]
    note_type: NoteType,
    /// Rating from 1 to 5.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 5)]
    rating: Option<u8>,
    /// Whether only the author can see the note. Default: `false`.
    #[serde(default)]
    is_private: bool,
}

/// Create a note about a company
///
/// Creates a note and returns it. A team can have 200 notes about a company; a further one is refused with 409.
#[utoipa::path(
    post,
    path = "/v1/companies/{uid}/notes",
    tag = "Notes and tags",
    params(CompanyPath),
    request_body = CreateNote,
    responses((status = CREATED, body = Note)),
)]
async fn create_note(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<CreateNote>,
) -> Result<(StatusCode, JsonResponse<Note>), Problem> {
    let rating = from_one_to_five("rating", request.rating)?;
    known_company(&state.registry, uid).await?;
    let now = state.clock.now();
    let note = Note {
        id: Uuid::now_v7().to_string(),
        company_uid: uid,
        content: request.content.0,
        note_type: request.note_type,
        rating,
        is_private: request.is_private,
        created_by: caller.principal().clone(),
        created_at: now,
        updated_at: now,
    };
    state.tenants.create(&team, caller.tier(), &note).await.map_err(refused)?;
    Ok((StatusCode::CREATED, JsonResponse(note)))
}

/// Changes of a note. Fields that are left out stay as they are.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct UpdateNote {
    /// Text of the note, 1–5,000 characters.
    #[serde(default)]
    #[schema(
        value_type = Option<String>,
        min_length = 1,
        max_length = 5_000,
        example = "Auditor changed three times in a year."
    )]
    content: Option<Content>,
    /// Type of the note.
    #[serde(default)]
    note_type: Option<NoteType>,
    /// Rating from 1 to 5; `null` removes it.
    #[serde(default, with = "double_option")]
    #[schema(value_type = Option<u8>, minimum = 1, maximum = 5)]
    rating: Option<Option<u8>>,
    /// Whether only the author can see the note. Only the author can change this.
    #[serde(default)]
    is_private: Option<bool>,
}

#[derive(Debug, thiserror::Error)]
#[error("only the author of a note can make it private")]
struct NotTheAuthor;

/// Change a note
///
/// Changes the given fields, leaves the others as they are, and returns the note.
#[utoipa::path(
    put,
    path = "/v1/companies/{uid}/notes/{id}",
    tag = "Notes and tags",
    params(NotePath),
    request_body = UpdateNote,
    responses((status = OK, body = Note)),
)]
async fn update_note(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Path(path): Path<NotePath>,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<UpdateNote>,
) -> Result<JsonResponse<Note>, Problem> {
    let rating = request.rating.map(|it| from_one_to_five("rating", it)).transpose()?;
    let (reader, now) = (caller.principal(), state.clock.now());
    let mut by_author = true;
    let change = |old: &Note| {
        let old = Some(old).filter(|it| it.is_visible_to(reader))?;
        let is_private = request.is_private.unwrap_or(old.is_private);
        by_author = old.created_by == *reader || is_private == old.is_private;
        by_author.then(|| Note {
            content: request.content.as_ref().map_or(&old.content, |it| &it.0).clone(),
            note_type: request.note_type.unwrap_or(old.note_type),
            rating: rating.unwrap_or(old.rating),
            is_private,
            updated_at: now,
            ..old.clone()
        })
    };
    let changed = state.tenants.change(&team, &path_within(path.uid, &path.id), change).await;
    if !by_author {
        return Err(Problem::forbidden(NotTheAuthor));
    }
    changed.map_err(refused)?.map(JsonResponse).ok_or_else(|| path.unknown())
}

/// Delete a note
///
/// A private note can be deleted by its author only; for others it does not exist.
#[utoipa::path(
    delete,
    path = "/v1/companies/{uid}/notes/{id}",
    tag = "Notes and tags",
    params(NotePath),
    responses((status = NO_CONTENT)),
)]
async fn delete_note(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Path(path): Path<NotePath>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<StatusCode, Problem> {
    let may = |note: &Note| note.is_visible_to(caller.principal());
    let deleted = state.tenants.delete(&team, &path_within(path.uid, &path.id), may).await?;
    deleted.map(|_| StatusCode::NO_CONTENT).ok_or_else(|| path.unknown())
}
