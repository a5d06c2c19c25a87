//! Creating dossiers. They are read and deleted in the rate group `methodology_read`.

use auth::Language;
use axum::{extract::State, response::Response};
use domain::Uid;
use http_service::{Description, Json, NoParameters, Path, Query, Routes, Tenant, handler, writes};
use jiff::civil::Date;
use problem_details::{NOT_FOUND, Problem};
use serde::Deserialize;
use teams::{Dossier, DossierLevel, DossierRequest, DossierView};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{preferences::Preferences, writing::have_written};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(writes(25), handler!(create_dossier))
        .route(writes(25), handler!(generate_dossier))
}

/// The dossier that is wanted.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CreateDossier {
    /// Company number (UID).
    #[schema(
        value_type = String,
        pattern = r"^(CHE-[0-9]{3}\.[0-9]{3}\.[0-9]{3}|(CHE-?)?[0-9]{9})$",
        example = "CHE-812.460.660"
    )]
    uid: Uid,
    /// Depth. Default: `standard`. `comprehensive` is accepted as a name of `detailed`.
    #[schema(nullable = false, value_type = Option<DossierLevel>, example = "standard")]
    level: Option<DossierLevel>,
    /// Language of the text. Default: the one that `Accept-Language` prefers, or else English.
    #[schema(nullable = false, value_type = Option<Language>, example = "en")]
    language: Option<Language>,
    /// Day of the state to describe: that at the end of the day. Not after today. Default: the current state.
    #[serde(alias = "as_of")]
    #[schema(value_type = Option<String>, nullable = false, format = Date)]
    as_of: Option<Date>,
}

/// How a dossier is written. All members are optional.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct GenerateDossier {
    /// Depth. Default: `standard`, or that of the dossier in the path. `comprehensive` is accepted as a name of `detailed`.
    #[schema(nullable = false, value_type = Option<DossierLevel>, example = "summary")]
    level: Option<DossierLevel>,
    /// Language of the text. Default: the one that `Accept-Language` prefers, or else English.
    #[schema(nullable = false, value_type = Option<Language>, example = "en")]
    language: Option<Language>,
    /// Day of the state to describe: that at the end of the day. Not after today. Default: the current state.
    #[serde(alias = "as_of")]
    #[schema(value_type = Option<String>, nullable = false, format = Date)]
    as_of: Option<Date>,
}

/// A dossier of the team, or a company, in a path.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
struct DossierPath {
    /// Company number (UID), or the id of a dossier of the team.
    #[param(max_length = 64, example = "0199c0de-6d00-7000-8000-000000000000")]
    id: String,
}

/// Create a dossier
///
/// Writes a text about a company and returns it as Markdown: status, warnings and level of the risk, then identity, history,
/// officers, owners and control, auditors, risk, obligations as a table, and news, by `level`. Every sentence carries tags
/// `[[obl:<id>]]`, each of which names a provision or a row of evidence in `citations`. A row of evidence is one statement about the company, of a source or computed
/// by this service, numbered `ev-1`, `ev-2` …. A check removes every sentence in which something, such as a number, a
/// date or a name, does not agree with what it cites; `droppedSentences` says how many. If a sentence cites several
/// rows of evidence, each of its clauses must agree with at least one of these rows. The check compares words only: it
/// cannot detect that a sentence confuses the parties named in one row of evidence. Purposes and news are quoted in
/// guillemets.
///
/// The answer comes within 25 seconds, or else is 503; then nothing is stored or counted. With `Prefer: respond-async`, the answer is
/// 202 with the status `pending` and without text: poll `GET /v1/dossiers/{id}`. If a dossier with the same company, level,
/// language and day is being written for the team, that one is returned.
///
/// A team can have 500 dossiers, which are kept until it deletes them; a further one is refused with 409. The text
/// model is that of the deployment. Test keys always use the built-in writer (`extractive-1`), which gives the same
/// text for the same facts.
#[utoipa::path(
    post,
    path = "/v1/dossiers",
    tag = "Dossiers",
    params(("Prefer" = Option<String>, Header, description = "`respond-async`: do not wait for the text. Other preferences are ignored.", pattern = "^.*$", example = "respond-async")),
    request_body = CreateDossier,
    responses(
        (status = CREATED, body = DossierView),
        (status = ACCEPTED, body = DossierView, headers(("Content-Language" = String)), example = json!({
            "id": "0199c0de-6d02-7000-8000-000000000000", "userId": "0b7a6c1e-3f52-4d4e-9a57-6d1f8c2b4e90",
            "companyUid": "CHE-812.460.660", "companyName": "Ostvera Energie AG", "level": "detailed", "language": "en",
            "status": "pending", "content": "", "sources": [], "citations": [], "evidenceHashes": [],
            "createdAt": "2026-10-31T12:30:00Z",
        })),
        (status = NOT_FOUND),
    ),
)]
async fn create_dossier(
    State(state): State<crate::State>,
    tenant: Tenant,
    preferences: Preferences,
    Query(NoParameters {}): Query<NoParameters>,
    Json(CreateDossier { uid, level, language, as_of }): Json<CreateDossier>,
) -> Result<Response, Problem> {
    let options = GenerateDossier { level, language, as_of };
    let request = options.request(uid, DossierLevel::default(), preferences.language);
    have_written(&state, &tenant, request, preferences.responds_later).await
}

/// Write a dossier again
///
/// As `POST /v1/dossiers`, for the company in the path. The new dossier has an id of its own; earlier ones stay.
#[utoipa::path(
    post,
    path = "/v1/dossiers/{id}/generate",
    tag = "Dossiers",
    params(DossierPath, ("Prefer" = Option<String>, Header, description = "`respond-async`: do not wait for the text. Other preferences are ignored.", pattern = "^.*$", example = "respond-async")),
    request_body = GenerateDossier,
    responses(
        (status = CREATED, body = DossierView),
        (status = ACCEPTED, body = DossierView, headers(("Content-Language" = String)), example = json!({
            "id": "0199c0de-6d02-7000-8000-000000000000", "userId": "0b7a6c1e-3f52-4d4e-9a57-6d1f8c2b4e90",
            "companyUid": "CHE-812.460.660", "companyName": "Ostvera Energie AG", "level": "detailed", "language": "en",
            "status": "pending", "content": "", "sources": [], "citations": [], "evidenceHashes": [],
            "createdAt": "2026-10-31T12:30:00Z",
        })),
    ),
)]
async fn generate_dossier(
    State(state): State<crate::State>,
    tenant: Tenant,
    preferences: Preferences,
    Path(DossierPath { id }): Path<DossierPath>,
    Query(NoParameters {}): Query<NoParameters>,
    Json(options): Json<GenerateDossier>,
) -> Result<Response, Problem> {
    let (uid, level) = match Uuid::try_parse(&id) {
        Ok(uuid) => {
            let tenants = &state.generator.tenants;
            let dossier: Option<Dossier> =
                tenants.resource(&tenant.team, &uuid.to_string()).await?;
            let dossier = dossier.ok_or_else(|| unknown(&id))?;
            (dossier.request.company_uid, dossier.request.level)
        }
        Err(_) => (id.parse().map_err(|_| unknown(&id))?, DossierLevel::default()),
    };
    let request = options.request(uid, level, preferences.language);
    have_written(&state, &tenant, request, preferences.responds_later).await
}

fn unknown(id: &str) -> Problem {
    Problem::new(&NOT_FOUND, format!("no company and no dossier of the team has the id `{id}`"))
}

impl GenerateDossier {
    fn request(self, company_uid: Uid, level: DossierLevel, language: Language) -> DossierRequest {
        DossierRequest {
            company_uid,
            level: self.level.unwrap_or(level),
            language: self.language.unwrap_or(language),
            as_of: self.as_of,
        }
    }
}
