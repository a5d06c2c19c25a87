//! API keys: made, listed, rotated and revoked by the team that uses them.
//!
//! A key made in the sandbox stays there: a test key sees and makes test keys only, and nothing it
//! makes is seen by a live key.

use access::{Environment, Scope};
use auth::{ApiKey, Caller, Credential, HashedSecret, HashingFailed};
use axum::{Extension, Json as Answer, extract::State, response::IntoResponse};
use http::StatusCode;
use http_service::{
    Description, HoldsSecret, Json, NoParameters, Query, Resource, Routes, Tenant, handler, reads,
    writes,
};
use jiff::Timestamp;
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use store::{ApiKeyRecord, NewApiKey};
use utoipa::ToSchema;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(0).with_token(), handler!(api_keys))
        .route(writes(0), handler!(create_api_key))
        .route(writes(0), handler!(revoke_api_key))
        .route(writes(0), handler!(rotate_api_key))
}

/// How many keys a team may have that are not revoked: the list is answered whole.
const KEYS_AT_MOST: usize = 100;
/// How long a name may be, in characters.
const NAME_AT_MOST: usize = 100;

/// An API key, without its secret.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ApiKeyEntry {
    id: String,
    name: String,
    /// Enough to recognise the key, not enough to use it.
    #[schema(example = "gth_live_8q2mz1k0v5rt")]
    prefix: String,
    environment: Environment,
    scopes: Vec<Scope>,
    status: KeyStatus,
    expires_at: Option<Timestamp>,
    created_at: Timestamp,
    /// To within a few minutes.
    last_used_at: Option<Timestamp>,
}

/// Whether a key opens anything.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum KeyStatus {
    Active,
    Expired,
    Revoked,
}

impl ApiKeyEntry {
    fn of(record: ApiKeyRecord, now: Timestamp) -> Self {
        let Credential { environment, scopes, expires_at, revoked_at, .. } = record.credential;
        let status = match (revoked_at, expires_at) {
            (Some(_), _) => KeyStatus::Revoked,
            (None, Some(expires)) if expires <= now => KeyStatus::Expired,
            _ => KeyStatus::Active,
        };
        Self {
            id: record.id,
            name: record.name,
            prefix: record.prefix,
            environment,
            scopes,
            status,
            expires_at,
            created_at: record.created_at,
            last_used_at: record.last_used_at,
        }
    }
}

/// List API keys
///
/// The oldest first; revoked keys stay in the list.
#[utoipa::path(
    get,
    path = "/v1/api-keys",
    tag = "API keys",
    responses((status = OK, body = Vec<ApiKeyEntry>)),
)]
async fn api_keys(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<Answer<Vec<ApiKeyEntry>>, Problem> {
    let now = state.clock.now();
    let keys = state.tenants.api_keys(&team).await?;
    Ok(Answer(keys.into_iter().map(|it| ApiKeyEntry::of(it, now)).collect()))
}

/// What a new key is to be.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CreateApiKey {
    /// At most 100 characters, none of control.
    #[serde(default)]
    #[schema(
        min_length = 1,
        max_length = 100,
        example = "Reports",
        pattern = r"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$"
    )]
    name: Option<String>,
    /// The caller's own by default; a test key makes test keys only.
    #[serde(default)]
    environment: Option<Environment>,
    /// The caller's own by default, and never more than those.
    #[serde(default)]
    #[schema(min_items = 1, example = json!(["read"]))]
    scopes: Option<Vec<Scope>>,
}

/// A key with its secret, which is shown this once.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ApiKeyCreated {
    /// The whole key.
    key: String,
    id: String,
    name: String,
    prefix: String,
    environment: Environment,
    scopes: Vec<Scope>,
    expires_at: Option<Timestamp>,
    created_at: Timestamp,
    warning: &'static str,
}

#[derive(Debug, thiserror::Error)]
enum NotAllowed {
    #[error("a test key makes test keys only; use a live key")]
    LiveFromSandbox,
    #[error("a key gives no more than it has; yours lacks the scope `{0}`")]
    MoreScopes(Scope),
}

#[derive(Debug, thiserror::Error)]
enum Contradiction {
    #[error("the team has {KEYS_AT_MOST} keys that are not revoked; revoke one first")]
    TooManyKeys,
    #[error("the key was revoked; make a new one")]
    Revoked,
}

#[derive(Debug, thiserror::Error)]
#[error("there is no API key with the id `{0}`")]
struct UnknownKey(String);

/// Create an API key
///
/// The answer holds the secret and is not kept: with an `Idempotency-Key`, a repetition is refused
/// with the id of the key that was made.
#[utoipa::path(
    post,
    path = "/v1/api-keys",
    tag = "API keys",
    request_body = CreateApiKey,
    responses((
        status = CREATED,
        body = ApiKeyCreated,
        links(
            ("rotate" = (
                operation_id = "rotate_api_key",
                parameters(("id" = "$response.body#/id")),
                description = "Gives the key another secret."
            )),
            ("revoke" = (
                operation_id = "revoke_api_key",
                parameters(("id" = "$response.body#/id")),
                description = "Revokes the key."
            )),
        ),
    )),
)]
async fn create_api_key(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
    Json(wanted): Json<CreateApiKey>,
) -> Result<impl IntoResponse, Problem> {
    let environment = allowed_environment(&caller, wanted.environment)?;
    let scopes = allowed_scopes(&caller, wanted.scopes)?;
    let name = wanted.name.unwrap_or_else(|| "API key".to_owned());
    let is_plain = !name.chars().any(char::is_control);
    if !is_plain || !(1..=NAME_AT_MOST).contains(&name.trim().chars().count()) {
        let rule = format!("{name:?}: a name has 1 to {NAME_AT_MOST} characters, none of control");
        return Err(Problem::invalid("name", rule));
    }
    let keys = state.tenants.api_keys(&team).await?;
    if keys.iter().filter(|it| it.credential.revoked_at.is_none()).count() >= KEYS_AT_MOST {
        return Err(Problem::conflict(Contradiction::TooManyKeys));
    }
    let key = ApiKey::generate(environment);
    let credential = Credential {
        team: team.team().clone(),
        environment,
        key_id: key.id.clone(),
        hash: hashed(&key).await?,
        scopes,
        expires_at: None,
        revoked_at: None,
    };
    let new = NewApiKey {
        name: name.trim().to_owned(),
        prefix: key.visible_prefix(),
        credential,
        created_at: state.clock.now(),
    };
    let record = state.tenants.create_api_key(&team, new).await?;
    Ok((StatusCode::CREATED, shown_once(&key, record)))
}

fn allowed_environment(
    caller: &Caller,
    wanted: Option<Environment>,
) -> Result<Environment, Problem> {
    match (caller.environment(), wanted) {
        (Environment::Test, Some(Environment::Live)) => {
            Err(Problem::forbidden(NotAllowed::LiveFromSandbox))
        }
        (own, wanted) => Ok(wanted.unwrap_or(own)),
    }
}

fn allowed_scopes(caller: &Caller, wanted: Option<Vec<Scope>>) -> Result<Vec<Scope>, Problem> {
    let Some(mut wanted) = wanted else { return Ok(caller.scopes().to_vec()) };
    wanted.sort_unstable();
    wanted.dedup();
    if wanted.is_empty() {
        return Err(Problem::invalid("scopes", "`[]`: a key has at least one scope"));
    }
    match wanted.iter().find(|it| !caller.may(**it)) {
        Some(lacking) => Err(Problem::forbidden(NotAllowed::MoreScopes(*lacking))),
        None => Ok(wanted),
    }
}

/// Hashing takes tens of milliseconds: requests must not wait for it on their thread.
async fn hashed(key: &ApiKey) -> Result<HashedSecret, Problem> {
    let secret = key.secret.clone();
    let hash: Result<HashedSecret, HashingFailed> =
        tokio::task::spawn_blocking(move || HashedSecret::of(&secret)).await?;
    Ok(hash?)
}

fn shown_once(key: &ApiKey, record: ApiKeyRecord) -> impl IntoResponse + use<> {
    let created = ApiKeyCreated {
        key: key.reveal().expose().to_owned(),
        id: record.id.clone(),
        name: record.name,
        prefix: record.prefix,
        environment: record.credential.environment,
        scopes: record.credential.scopes,
        expires_at: record.credential.expires_at,
        created_at: record.created_at,
        warning: "Keep the key now: it is not shown again.",
    };
    let not_stored = [("cache-control", "no-store")];
    (Extension(HoldsSecret { id: record.id }), not_stored, Answer(created))
}

/// Revoke an API key
///
/// It stays in the list; a process that verified it may let it in for another 60 seconds. Revoking
/// again changes nothing.
#[utoipa::path(
    delete,
    path = "/v1/api-keys/{id}",
    tag = "API keys",
    params(("id" = Uuid, Path, description = "The id of the key.", example = "0b7a6c1e-3f52-4d4e-9a57-6d1f8c2b4e90")),
    responses((status = NO_CONTENT)),
)]
async fn revoke_api_key(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    Resource(id): Resource,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<StatusCode, Problem> {
    if state.tenants.revoke_api_key(&team, &id, state.clock.now()).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Problem::not_found(UnknownKey(id)))
    }
}

/// Rotate an API key
///
/// The key keeps its id, name, environment and scopes and gets another secret; the one before is
/// let in for at most another 60 seconds.
#[utoipa::path(
    post,
    path = "/v1/api-keys/{id}/rotate",
    tag = "API keys",
    params(("id" = Uuid, Path, description = "The id of the key.", example = "0b7a6c1e-3f52-4d4e-9a57-6d1f8c2b4e90")),
    responses((status = OK, body = ApiKeyCreated)),
)]
async fn rotate_api_key(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Resource(id): Resource,
    Query(NoParameters {}): Query<NoParameters>,
    Json(NoParameters {}): Json<NoParameters>,
) -> Result<impl IntoResponse, Problem> {
    let record = state.tenants.api_key(&team, &id).await?;
    let record = record.ok_or_else(|| Problem::not_found(UnknownKey(id)))?;
    if record.credential.revoked_at.is_some() {
        return Err(Problem::conflict(Contradiction::Revoked));
    }
    // Whoever rotates a key holds it afterwards.
    allowed_environment(&caller, Some(record.credential.environment))?;
    allowed_scopes(&caller, Some(record.credential.scopes.clone()))?;
    let key = ApiKey::generate(record.credential.environment);
    let credential = Credential {
        key_id: key.id.clone(),
        hash: hashed(&key).await?,
        ..record.credential.clone()
    };
    let rotated = state.tenants.rotate_api_key(&team, &record, key.visible_prefix(), credential);
    let rotated = rotated.await.map_err(|error| match error {
        store::Error::Changed => Problem::conflict(error),
        other => other.into(),
    })?;
    Ok(shown_once(&key, rotated))
}
