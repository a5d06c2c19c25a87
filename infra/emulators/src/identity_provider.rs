//! An identity provider (OpenID Connect) in memory, for tests and for the examples of the description.
//!
//! Invariant: it accepts only what the standards require a client to send. A test makes it fail or lie.

mod key;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use auth::code_challenge;
use axum::{
    Router,
    body::Body,
    extract::State,
    response::{IntoResponse, Redirect, Response},
    routing::{get, post},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use http::{HeaderMap, StatusCode, Uri, header};
use jiff::Timestamp;
use jsonwebtoken::Header;
use serde_json::{Map, Value, json};
use url::form_urlencoded;
use uuid::Uuid;

pub use self::key::Key;

/// The endpoints of the provider.
pub const CONFIGURATION: &str = "/.well-known/openid-configuration";
pub const KEYS: &str = "/keys";
pub const AUTHORIZE: &str = "/authorize";
pub const TOKEN: &str = "/token";

/// How an endpoint fails.
#[derive(Clone, Debug)]
pub enum Fault {
    /// It answers with this status.
    Status(u16),
    /// It answers with this text.
    Body(String),
    /// It redirects here.
    Redirect(String),
    /// Its answer has this many bytes.
    Size(usize),
    /// It answers after this time.
    Delay(Duration),
}

/// What a browser asked for, until the code is redeemed.
#[derive(Clone, Debug)]
pub struct Grant {
    pub client_id: String,
    pub redirect_uri: String,
    pub nonce: String,
    pub challenge: String,
}

struct Provider {
    key: Key,
    /// The keys that are published.
    published: Vec<Value>,
    client_secret: Option<String>,
    /// Claims of the user who is signed in at the provider.
    claims: Map<String, Value>,
    /// Members that replace those of the configuration.
    configuration: Map<String, Value>,
    grants: HashMap<String, Grant>,
    faults: HashMap<&'static str, Fault>,
    requests: HashMap<&'static str, usize>,
}

/// An identity provider. Clones are the same provider.
#[derive(Clone)]
pub struct IdentityProvider {
    issuer: Arc<str>,
    now: Arc<dyn Fn() -> Timestamp + Send + Sync>,
    provider: Arc<Mutex<Provider>>,
}

impl IdentityProvider {
    /// A provider at this address, with a clock.
    pub fn new(issuer: &str, now: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        let key = Key::new("key-1", 1);
        let provider = Provider {
            published: vec![key.public()],
            key,
            client_secret: None,
            claims: Map::new(),
            configuration: Map::new(),
            grants: HashMap::new(),
            faults: HashMap::new(),
            requests: HashMap::new(),
        };
        Self { issuer: issuer.into(), now: Arc::new(now), provider: Arc::new(Mutex::new(provider)) }
    }

    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    fn provider(&self) -> MutexGuard<'_, Provider> {
        self.provider.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Signs in a user at the provider, with these claims.
    pub fn sign_in(&self, claims: Value) {
        self.provider().claims = claims.as_object().cloned().unwrap_or_default();
    }

    /// Requires a client secret.
    pub fn require_secret(&self, secret: &str) {
        self.provider().client_secret = Some(secret.to_owned());
    }

    /// Replaces members of the configuration.
    pub fn configure(&self, members: Value) {
        self.provider().configuration = members.as_object().cloned().unwrap_or_default();
    }

    /// Makes an endpoint fail, or work again.
    pub fn fail(&self, endpoint: &'static str, fault: Option<Fault>) {
        let mut provider = self.provider();
        match fault {
            Some(fault) => provider.faults.insert(endpoint, fault),
            None => provider.faults.remove(endpoint),
        };
    }

    /// Number of requests that an endpoint has got.
    pub fn requests(&self, endpoint: &str) -> usize {
        self.provider().requests.get(endpoint).copied().unwrap_or_default()
    }

    /// Signs with another key from now on, and publishes only that one.
    pub fn rotate(&self, key: Key) {
        let mut provider = self.provider();
        provider.published = vec![key.public()];
        provider.key = key;
    }

    /// Accepts a code.
    pub fn grant(&self, code: &str, grant: Grant) {
        self.provider().grants.insert(code.to_owned(), grant);
    }

    /// The claims of an ID token for the user who is signed in.
    pub fn claims(&self, client_id: &str, nonce: Option<&str>) -> Value {
        let now = (self.now)().as_second();
        let mut claims = json!({
            "iss": &*self.issuer, "aud": client_id, "iat": now, "exp": now + 3_600,
        });
        if let Some(nonce) = nonce {
            claims["nonce"] = nonce.into();
        }
        for (name, value) in &self.provider().claims {
            claims[name] = value.clone();
        }
        claims
    }

    /// An ID token with these claims.
    pub fn signed(&self, claims: &Value) -> String {
        let provider = self.provider();
        let key = &provider.key;
        let header = Header { kid: Some(key.id().to_owned()), ..Header::new(key.algorithm()) };
        provider.key.sign(&header, claims)
    }

    /// The endpoints.
    pub fn router(&self) -> Router {
        Router::new()
            .route(CONFIGURATION, get(configuration))
            .route(KEYS, get(keys))
            .route(AUTHORIZE, get(authorize))
            .route(TOKEN, post(token))
            .with_state(self.clone())
    }

    /// Counts a request, and fails if the test wants it.
    async fn fault(&self, endpoint: &'static str) -> Option<Response> {
        let fault = {
            let mut provider = self.provider();
            *provider.requests.entry(endpoint).or_default() += 1;
            provider.faults.get(endpoint).cloned()
        };
        match fault? {
            Fault::Status(status) => {
                Some(StatusCode::from_u16(status).unwrap_or_default().into_response())
            }
            Fault::Body(text) => Some(text.into_response()),
            Fault::Redirect(address) => Some(Redirect::temporary(&address).into_response()),
            Fault::Size(bytes) => Some(Body::from(vec![b' '; bytes]).into_response()),
            Fault::Delay(duration) => {
                tokio::time::sleep(duration).await;
                None
            }
        }
    }
}

async fn configuration(State(it): State<IdentityProvider>) -> Response {
    if let Some(fault) = it.fault(CONFIGURATION).await {
        return fault;
    }
    let at = |endpoint: &str| format!("{}{endpoint}", it.issuer);
    let mut configuration = json!({
        "issuer": &*it.issuer,
        "authorization_endpoint": at(AUTHORIZE),
        "token_endpoint": at(TOKEN),
        "jwks_uri": at(KEYS),
        "response_types_supported": ["code"],
        "code_challenge_methods_supported": ["S256"],
    });
    for (name, value) in &it.provider().configuration {
        configuration[name] = value.clone();
    }
    configuration.to_string().into_response()
}

async fn keys(State(it): State<IdentityProvider>) -> Response {
    if let Some(fault) = it.fault(KEYS).await {
        return fault;
    }
    json!({ "keys": it.provider().published }).to_string().into_response()
}

/// Sends the browser back with a code: the user is always signed in, and consents to everything.
async fn authorize(State(it): State<IdentityProvider>, uri: Uri) -> Response {
    if let Some(fault) = it.fault(AUTHORIZE).await {
        return fault;
    }
    let asked: HashMap<String, String> =
        form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes()).into_owned().collect();
    let of = |name: &str| asked.get(name).cloned().unwrap_or_default();
    let has_scope = of("scope").split(' ').any(|it| it == "openid");
    if of("response_type") != "code" || of("code_challenge_method") != "S256" || !has_scope {
        return (StatusCode::BAD_REQUEST, "not a code flow with PKCE").into_response();
    }
    let grant = Grant {
        client_id: of("client_id"),
        redirect_uri: of("redirect_uri"),
        nonce: of("nonce"),
        challenge: of("code_challenge"),
    };
    let code = Uuid::new_v4().to_string();
    let Ok(mut address) = url::Url::parse(&grant.redirect_uri) else {
        return (StatusCode::BAD_REQUEST, "no redirect URI").into_response();
    };
    address.query_pairs_mut().append_pair("code", &code).append_pair("state", &of("state"));
    it.grant(&code, grant);
    (StatusCode::FOUND, [(header::LOCATION, address.to_string())]).into_response()
}

async fn token(State(it): State<IdentityProvider>, headers: HeaderMap, body: String) -> Response {
    if let Some(fault) = it.fault(TOKEN).await {
        return fault;
    }
    let sent: HashMap<String, String> =
        form_urlencoded::parse(body.as_bytes()).into_owned().collect();
    let of = |name: &str| sent.get(name).cloned().unwrap_or_default();
    let refuse = |error: &str| {
        (StatusCode::BAD_REQUEST, json!({ "error": error }).to_string()).into_response()
    };
    // A code works once.
    let grant = it.provider().grants.remove(&of("code"));
    let Some(grant) = grant.filter(|_| of("grant_type") == "authorization_code") else {
        return refuse("invalid_grant");
    };
    let secret = it.provider().client_secret.clone();
    let is_client = match secret {
        None => of("client_id") == grant.client_id,
        Some(secret) => {
            let basic = BASE64_STANDARD.encode(format!("{}:{secret}", grant.client_id));
            let basic = format!("Basic {basic}");
            let has_header = headers.get(header::AUTHORIZATION).is_some_and(|it| it == &basic);
            has_header
                || (of("client_id"), of("client_secret")) == (grant.client_id.clone(), secret)
        }
    };
    if !is_client {
        return refuse("invalid_client");
    }
    let is_own = code_challenge(&of("code_verifier")) == grant.challenge;
    if !is_own || of("redirect_uri") != grant.redirect_uri {
        return refuse("invalid_grant");
    }
    let token = it.signed(&it.claims(&grant.client_id, Some(&grant.nonce)));
    json!({ "id_token": token, "access_token": "unused", "token_type": "Bearer" })
        .to_string()
        .into_response()
}
