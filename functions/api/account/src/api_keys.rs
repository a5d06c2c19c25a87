//! API keys: a team creates, lists, rotates and revokes its own.
//!
//! The sandbox is separate: a test key lists and creates only test keys, and a live key does not see them. No key gives
//! more than it has: neither a scope, nor the live environment, nor a later expiry. And no key gives more than the person may
//! give at present on whose rights it depends.

use access::{Environment, Scope};
use auth::{ApiKey, Authority, Caller, Credential, HashedSecret, HashingFailed, Principal};
use axum::{Json as JsonResponse, extract::State, response::IntoResponse};
use http::StatusCode;
use http_service::{
    ContainsSecret, Description, Json, Name, NoParameters, Query, ResourceId, Routes, Tenant,
    handler, manages,
};
use jiff::{SignedDuration, Timestamp};
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use store::{ApiKeyRecord, MAX_API_KEYS, NewApiKey};
use utoipa::ToSchema;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(manages(0), handler!(api_keys))
        .route(manages(0), handler!(create_api_key))
        .route(manages(0), handler!(revoke_api_key))
        .route(manages(0), handler!(rotate_api_key))
}

/// The latest expiry that can be chosen: five years from now, with up to two leap days.
const MAX_LIFETIME: SignedDuration = SignedDuration::from_hours((5 * 365 + 2) * 24);

/// An API key without its secret.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ApiKeyEntry {
    /// Id of the key.
    id: String,
    /// Name of the key.
    name: String,
    /// First characters of the key, to recognise it.
    #[schema(example = "gth_live_8q2mz1k0v5rt")]
    prefix: String,
    /// Environment in which the key works.
    environment: Environment,
    /// Scopes of the key.
    scopes: Vec<Scope>,
    /// Scopes that the key has at present. Absent unless the role of the user in `createdBy` allows only some of `scopes`.
    effective_scopes: Option<Vec<Scope>>,
    /// Status of the key.
    status: KeyStatus,
    /// User on whose rights the key depends: who created it, rotated it last, or created the key that did. Absent for keys of
    /// the operator, and for keys that these have created.
    created_by: Option<Principal>,
    /// Time when the key expires. Absent if it does not expire.
    expires_at: Option<Timestamp>,
    /// Time when the key was created.
    created_at: Timestamp,
    /// Time of the last use, accurate to five minutes. Absent if the key was never used.
    last_used_at: Option<Timestamp>,
}

/// Status of an API key: `active`, `expired` (`expiresAt` has passed), `revoked` or `suspended` (the user in `createdBy` is no
/// longer a member of the team, or was signed in by an identity provider that the team has no longer; the key works again once
/// it is rotated).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum KeyStatus {
    Active,
    Expired,
    Revoked,
    Suspended,
}

impl ApiKeyEntry {
    fn of((record, authority): (ApiKeyRecord, Authority), now: Timestamp) -> Self {
        let Credential { environment, scopes, expires_at, revoked_at, .. } = record.credential;
        let status = match (revoked_at, expires_at) {
            (Some(_), _) => KeyStatus::Revoked,
            (None, Some(expires)) if expires <= now => KeyStatus::Expired,
            _ if authority == Authority::Ended => KeyStatus::Suspended,
            _ => KeyStatus::Active,
        };
        let effective = authority.limit(&scopes);
        Self {
            id: record.id,
            name: record.name,
            prefix: record.prefix,
            environment,
            effective_scopes: (effective != scopes).then_some(effective),
            scopes,
            status,
            created_by: record.author.user().map(Principal::user),
            expires_at,
            created_at: record.created_at,
            last_used_at: record.last_used_at,
        }
    }
}

/// List API keys
///
/// Keys of the team, oldest first, on one page. Expired and revoked keys stay in the list for 30 days; of the revoked
/// keys, only the newest 100 are listed. A live key lists the keys that were created with live keys, including test
/// keys; a test key lists the keys that were created with test keys.
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
) -> Result<JsonResponse<Vec<ApiKeyEntry>>, Problem> {
    let now = state.clock.now();
    let keys = state.tenants.api_keys_with_authority(&team, now).await?;
    Ok(JsonResponse(keys.into_iter().map(|it| ApiKeyEntry::of(it, now)).collect()))
}

/// A new API key.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CreateApiKey {
    /// Name of the key, 1–100 characters; control characters are not allowed. Default: `API key`.
    #[serde(default)]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 100, example = "Reports")]
    name: Option<Name>,
    /// Environment of the key. Default: that of the caller's key. A test key can create only test keys.
    #[serde(default)]
    environment: Option<Environment>,
    /// Scopes of the key, at least one. The caller's key must have each of them. Default: those of the caller's
    /// key, without `manage`.
    #[serde(default)]
    #[schema(min_items = 1, example = json!(["read"]))]
    scopes: Option<Vec<Scope>>,
    /// Time when the key expires, in the future and at most 5 years from now. A key that expires cannot create one
    /// that expires later. Default: the time when the caller's key expires; if it does not
    /// expire, neither does the new one.
    #[serde(default)]
    #[schema(example = "2027-10-31T00:00:00Z")]
    expires_at: Option<Timestamp>,
}

/// An API key with its secret. Only this response contains the secret.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ApiKeyCreated {
    /// The complete key, with its secret.
    key: String,
    /// Id of the key.
    id: String,
    /// Name of the key.
    name: String,
    /// First characters of the key, to recognise it.
    prefix: String,
    /// Environment in which the key works.
    environment: Environment,
    /// Scopes of the key.
    scopes: Vec<Scope>,
    /// Time when the key expires. Absent if it does not expire.
    expires_at: Option<Timestamp>,
    /// Time when the key was created.
    created_at: Timestamp,
    /// Reminder to store the key.
    warning: &'static str,
}

#[derive(Debug, thiserror::Error)]
enum NotAllowed {
    #[error("a test key cannot create or rotate a live key; use a live key")]
    LiveFromSandbox,
    #[error("a key cannot grant a scope it does not have (`{0}`)")]
    MoreScopes(Scope),
    #[error(
        "a key cannot create or rotate a key that works longer than itself; yours expires at {0}"
    )]
    Longer(Timestamp),
}

#[derive(Debug, thiserror::Error)]
enum KeyConflict {
    #[error(
        "the team already has the maximum of {MAX_API_KEYS} keys that are not revoked; revoke one first"
    )]
    TooManyKeys,
    #[error("the key is revoked; create a new one")]
    Revoked,
    #[error("the key has expired; create a new one")]
    Expired,
}

#[derive(Debug, thiserror::Error)]
#[error("no API key has the id `{0}`")]
struct UnknownKey(String);

/// Create an API key
///
/// Creates a key and returns it with its secret. Only this response contains the secret. If it is lost, rotate the
/// key or revoke it: a request that is repeated with the same `Idempotency-Key` gets 409 with the id of the key.
///
/// A team can have 100 keys that are not revoked; expired keys count while they are listed. A further key is refused
/// with 409. An owner or admin who is signed in creates the first key of a team.
///
/// A key depends on the rights of the user who creates it, or on whose rights the key depends that creates it. If this user
/// leaves the team or is removed, the key stops working within 60 seconds. While the role of this user is `member`, the key
/// lacks the scope `manage`. To keep such a key, another admin rotates it.
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
                description = "Give the key a new secret."
            )),
            ("revoke" = (
                operation_id = "revoke_api_key",
                parameters(("id" = "$response.body#/id")),
                description = "Revoke the key."
            )),
        ),
    )),
)]
async fn create_api_key(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<CreateApiKey>,
) -> Result<impl IntoResponse, Problem> {
    let environment = allowed_environment(&caller, request.environment)?;
    let scopes = allowed_scopes(&caller, request.scopes)?;
    let name = request.name.map_or_else(|| "API key".to_owned(), |it| it.0);
    let now = state.clock.now();
    let expires_at = allowed_expiry(&caller, request.expires_at, now)?;
    let key = ApiKey::generate(environment);
    let credential = Credential {
        team: team.team().clone(),
        environment,
        key_id: key.id.clone(),
        hash: hashed(&key).await?,
        scopes,
        expires_at,
        revoked_at: None,
    };
    let new = NewApiKey {
        name,
        prefix: key.visible_prefix(),
        credential,
        author: caller.key_author(now),
    };
    let record = state.tenants.create_api_key(&team, new).await.map_err(changed)?;
    let record = record.ok_or_else(|| Problem::conflict(KeyConflict::TooManyKeys))?;
    Ok((StatusCode::CREATED, with_secret(&key, record)))
}

fn allowed_environment(
    caller: &Caller,
    requested: Option<Environment>,
) -> Result<Environment, Problem> {
    match (caller.environment(), requested) {
        (Environment::Test, Some(Environment::Live)) => {
            Err(Problem::forbidden(NotAllowed::LiveFromSandbox))
        }
        (own, requested) => Ok(requested.unwrap_or(own)),
    }
}

fn allowed_scopes(caller: &Caller, requested: Option<Vec<Scope>>) -> Result<Vec<Scope>, Problem> {
    let Some(mut requested) = requested else {
        let own = caller.scopes().iter().copied();
        let default: Vec<_> = own.filter(|it| *it != Scope::Manage).collect();
        if default.is_empty() {
            let detail = "is required, because your key has no other scope than `manage`";
            return Err(Problem::invalid("scopes", detail));
        }
        return Ok(default);
    };
    requested.sort_unstable();
    requested.dedup();
    if requested.is_empty() {
        return Err(Problem::invalid("scopes", "must contain at least one scope; got `[]`"));
    }
    match requested.iter().find(|it| !caller.may(**it)) {
        Some(lacking) => Err(Problem::forbidden(NotAllowed::MoreScopes(*lacking))),
        None => Ok(requested),
    }
}

fn allowed_expiry(
    caller: &Caller,
    requested: Option<Timestamp>,
    now: Timestamp,
) -> Result<Option<Timestamp>, Problem> {
    let Some(requested) = requested else { return Ok(caller.keys_expire_by()) };
    if requested <= now || requested > now + MAX_LIFETIME {
        let detail =
            format!("must be in the future and at most 5 years from now; got `{requested}`");
        return Err(Problem::invalid("expiresAt", detail));
    }
    works_no_longer(caller, Some(requested))?;
    Ok(Some(requested))
}

/// Refuses a key that would work longer than the caller's key. A caller with a stolen key must not be able to keep
/// access after that key has expired.
fn works_no_longer(caller: &Caller, expires_at: Option<Timestamp>) -> Result<(), Problem> {
    match caller.keys_expire_by() {
        Some(own) if expires_at.is_none_or(|it| it > own) => {
            Err(Problem::forbidden(NotAllowed::Longer(own)))
        }
        _ => Ok(()),
    }
}

fn changed(error: store::Error) -> Problem {
    match error {
        store::Error::Changed => Problem::conflict(error),
        other => other.into(),
    }
}

/// Hashes the secret on a blocking thread, because that takes tens of milliseconds.
async fn hashed(key: &ApiKey) -> Result<HashedSecret, Problem> {
    let secret = key.secret.clone();
    let hash: Result<HashedSecret, HashingFailed> =
        tokio::task::spawn_blocking(move || HashedSecret::of(&secret)).await?;
    Ok(hash?)
}

fn with_secret(key: &ApiKey, record: ApiKeyRecord) -> impl IntoResponse + use<> {
    let created = ApiKeyCreated {
        key: key.reveal().expose().to_owned(),
        id: record.id.clone(),
        name: record.name,
        prefix: record.prefix,
        environment: record.credential.environment,
        scopes: record.credential.scopes,
        expires_at: record.credential.expires_at,
        created_at: record.created_at,
        warning: "Store the key now. It is not shown again.",
    };
    (ContainsSecret { id: record.id }, JsonResponse(created))
}

/// Revoke an API key
///
/// The key stays in the list for 30 days. It may be accepted for up to 60 more seconds. Revoking a revoked key has
/// no effect.
#[utoipa::path(
    delete,
    path = "/v1/api-keys/{id}",
    tag = "API keys",
    params(("id" = Uuid, Path, description = "Id of the key.", example = "0b7a6c1e-3f52-4d4e-9a57-6d1f8c2b4e90")),
    responses((status = NO_CONTENT)),
)]
async fn revoke_api_key(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    ResourceId(id): ResourceId,
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
/// Gives the key a new secret and returns it. Its id, name, environment, scopes and expiry stay the same. From then on, the
/// key depends on the rights of the user who rotates it: rotate a key to take it over from a user who leaves. The old secret
/// may be accepted for up to 60 more seconds. Only this response contains the new secret. If it is lost, rotate
/// the key again: a request that is repeated with the same `Idempotency-Key` gets 409.
#[utoipa::path(
    post,
    path = "/v1/api-keys/{id}/rotate",
    tag = "API keys",
    params(("id" = Uuid, Path, description = "Id of the key.", example = "0b7a6c1e-3f52-4d4e-9a57-6d1f8c2b4e90")),
    responses((status = OK, body = ApiKeyCreated)),
)]
async fn rotate_api_key(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
    Json(NoParameters {}): Json<NoParameters>,
) -> Result<impl IntoResponse, Problem> {
    let now = state.clock.now();
    let record = state.tenants.api_key(&team, &id, now).await?;
    let record = record.ok_or_else(|| Problem::not_found(UnknownKey(id)))?;
    if record.credential.revoked_at.is_some() {
        return Err(Problem::conflict(KeyConflict::Revoked));
    }
    if record.credential.ends_at().is_some_and(|it| it <= now) {
        return Err(Problem::conflict(KeyConflict::Expired));
    }
    // The caller gets the rotated key, so it must be allowed to create such a key.
    allowed_environment(&caller, Some(record.credential.environment))?;
    allowed_scopes(&caller, Some(record.credential.scopes.clone()))?;
    works_no_longer(&caller, record.credential.expires_at)?;
    let key = ApiKey::generate(record.credential.environment);
    let credential = Credential {
        key_id: key.id.clone(),
        hash: hashed(&key).await?,
        ..record.credential.clone()
    };
    let (secret, author) = ((key.visible_prefix(), credential), caller.key_author(now));
    let rotated = state.tenants.rotate_api_key(&team, &record, secret, author);
    let rotated = rotated.await.map_err(changed)?;
    Ok(with_secret(&key, rotated))
}
