//! The examples in the OpenAPI description: real answers of the functions.
//!
//! Each operation is called with the examples of its parameters, on a small demo register and with a fixed
//! clock. `cargo openapi` fails if an example is rejected, if an answer does not have its documented type,
//! or if a header is not documented. So the examples are always correct.

mod accounts;
mod bodies;
mod exports;
mod links;
mod parameters;
mod register;
mod screening;
mod single_sign_on;
mod webhooks;

use std::{
    collections::HashMap,
    error::Error,
    net::{IpAddr, Ipv4Addr},
};

use access::{Environment, Scope};
use account::AllowedOrigins;
use auth::{Secret, TeamId};
use axum::{Router, body::Body};
use components::{Clock, Components};
use emulators::stripe::StripeEmulator;
use generations::Generations;
use http::{Request, Response, StatusCode, header, request};
use http_body_util::BodyExt;
use http_service::{Annotations, Api, ClientAddress, Providers, openapi};
use network::{dns::Dns, outgoing::OutgoingHttp};
use serde_json::Value;
use tempfile::TempDir;
use tower::ServiceExt;

use self::accounts::{Accounts, INVITATION, OTHER_TEAM, without_tokens};
use self::bodies::{RequestBody, add_request_example};
use self::parameters::{MAX_ITEMS, Parameters};
use crate::{
    CommandError, Context,
    cloud::Cloud,
    functions::{self, Site},
    teams,
};

/// Maximum number of characters shown of a body that is not JSON.
const MAX_CHARACTERS: usize = 600;
/// The address of the API in the examples.
const PUBLIC_URL: &str = "https://api.example/api";

// The id of the team, and fixed values that replace random ones: of API keys, an invitation, keys of webhooks, and the id of
// the generation.
const TEAM_ID: &str = "0199c0de-00ff-7000-8000-000000000000";
const KEY_ID: &str = "0b7a6c1e-3f52-4d4e-9a57-6d1f8c2b4e90";
const KEY_PREFIX: &str = "gth_live_8q2mz1k0v5rt";
const KEY: &str = "gth_live_8q2mz1k0v5rt_…";
const TOKEN_OF_AN_INVITATION: &str = "Q0tWb7uZr2yKx5cNf8gHj1mPd4sVv9aEwLiToXeRz3Y";
const SIGNING_KEY: &str = "5f0c2a9e-7d41-4b36-8e2f-9a1c3d5b7e60";
const SIGNING_SECRET: &str = "whsec_…";
/// Id of the subscription in the examples.
const SUBSCRIPTION: &str = "sub_1Qexample";
/// The dossier of the examples, and the one that is generated again.
const DOSSIER: &str = "0199c0de-6d00-7000-8000-000000000000";
const NEXT_DOSSIER: &str = "0199c0de-6d01-7000-8000-000000000000";
const GENERATION: &str = "01997a51-4c00-7000-8000-000000000000";

/// The functions with a small demo register, to request examples from.
pub struct ExampleApi {
    cloud: Cloud,
    components: Components,
    router: Router,
    accounts: Accounts,
    /// API key of an Enterprise team, with every scope.
    key: String,
    /// Random values in the answers, each with the fixed value shown instead.
    replacements: Vec<(String, String)>,
    /// For each collection, such as `/v1/api-keys`, the example of the ids in it. Resources that are created
    /// there are shown with this id.
    example_ids: HashMap<String, String>,
    _folder: TempDir,
}

/// An answer that must be a success.
fn succeeded(uri: &str, answer: Response<Value>) -> Result<Response<Value>, CommandError> {
    let status = answer.status();
    if status.is_success() || status.is_redirection() {
        return Ok(answer);
    }
    let body = answer.body();
    Err(CommandError(format!("the examples of its parameters ({uri}) give {status}: {body}")))
}

/// Whether a filter has left no company to analyse. The example of a filter need not match one of the few example companies.
fn finds_nothing(answer: &Response<Value>) -> bool {
    let detail = answer.body()["detail"].as_str();
    detail.is_some_and(|it| it.ends_with(&analytics::InvalidRequest::EmptySelection.to_string()))
}

impl ExampleApi {
    /// Loads the register, and starts the functions at noon of the register's day.
    pub async fn start() -> Result<Self, CommandError> {
        let folder = TempDir::new().map_err(failed)?;
        let now = register::noon()?;
        let (cloud, generation) = register::load(folder.path(), now).await?;
        let clock = Clock::from_fn(move || now);
        let provider = single_sign_on::provider(now);
        let stripe = StripeEmulator::start().map_err(failed)?;
        stripe.put_subscription(SUBSCRIPTION, OTHER_TEAM, "price_starter", "active");
        let site = Site {
            public_url: PUBLIC_URL.to_owned(),
            session_secret: Secret::new(
                "the secret of the examples, which signs nothing else".into(),
            ),
            sso_secret: Secret::new(
                "the-secret-of-the-examples-which-encrypts-nothing-else".into(),
            ),
            api_key_secret: Secret::new(
                "the-secret-of-the-examples-which-remembers-nothing-else".into(),
            ),
            webhooks: webhooks::sender(),
            outbox: folder.path().join("outbox"),
        };
        let generations = Generations::new(cloud.objects.clone(), folder.path()).with_copies();
        let http = OutgoingHttp::simulated(provider.router().into_service());
        let components = site
            .components(&cloud, &generations, &clock)
            .with(AllowedOrigins::parse("https://app.example").map_err(failed)?)
            .with(Providers::new(http))
            .with(Dns::from_fn(|name| Ok(single_sign_on::texts(name))))
            .with(stripe.provider());
        let router = functions::router(&components);
        let document = openapi::document(&functions::apis(&components));
        let issuer = components.get();
        let tenants = cloud.tenants.clone();
        let accounts = Accounts::create(tenants, issuer, provider, &document, now).await?;
        let (environment, scopes) = (Environment::Live, Scope::ALL);
        let team = TeamId(TEAM_ID.to_owned());
        let key = teams::create_key(&cloud.tenants, &team, environment, &scopes, now).await?;
        let mut replacements = screening::versions(&cloud.objects).await?;
        replacements.push((generation, GENERATION.to_owned()));
        let mut example_ids = example_ids(&document);
        // These operations create resources that are in other collections.
        example_ids.insert("/v1/teams/me/members".to_owned(), INVITATION.to_owned());
        example_ids.insert("/v1/teams".to_owned(), OTHER_TEAM.to_owned());
        example_ids.insert(format!("/v1/dossiers/{DOSSIER}/generate"), NEXT_DOSSIER.to_owned());
        let mut api = Self {
            cloud,
            components,
            router,
            accounts,
            key,
            replacements,
            example_ids,
            _folder: folder,
        };
        // The key is the author of what the examples create.
        api.call("/v1/api-keys", (Request::builder(), None)).await?;
        Ok(api)
    }

    /// The functions, with the annotations of their operations.
    pub fn apis(&self) -> Vec<Api<Annotations>> {
        functions::apis(&self.components)
    }

    /// Adds an example of each request and answer to an OpenAPI document.
    pub async fn add_to(&mut self, document: &mut Value) -> Result<(), CommandError> {
        let schemas = document["components"]["schemas"].clone();
        let mut operations: Vec<(&String, &String, &mut Value)> = Vec::new();
        for (path, item) in document["paths"].as_object_mut().into_iter().flatten() {
            for (method, operation) in item.as_object_mut().into_iter().flatten() {
                operations.push((method, path, operation));
            }
        }
        operations.sort_by_key(|(method, path, _)| order(method, path));
        for (method, path, operation) in operations {
            add_request_example(operation, &schemas);
            let added = self.add_answers(method, path, operation).await;
            added.context(format_args!("{method} {path}"))?;
        }
        Ok(())
    }

    /// Calls an operation in each of its media types, with and without its conditional headers, and with
    /// each of its optional filters.
    async fn add_answers(
        &mut self,
        method: &str,
        path: &str,
        operation: &mut Value,
    ) -> Result<(), CommandError> {
        let parameters = Parameters::of(operation);
        let uri = parameters.uri(path);
        let body = RequestBody::of(operation);
        let request = |header: &str, value: &str| {
            let request = Request::builder().method(method.to_ascii_uppercase().as_str());
            (request.header(header, value), body.clone())
        };
        for media_type in media_types(operation) {
            let answer = self.call(&uri, request("accept", &media_type)).await?;
            openapi::add_example(operation, &answer).map_err(failed)?;
            if answer.headers().contains_key(header::ETAG) {
                let not_modified = self.call(&uri, request("if-none-match", "*")).await?;
                openapi::add_example(operation, &not_modified).map_err(failed)?;
            }
        }
        // Sent twice: the second answer repeats the first, or says that the key was already used.
        if let Some(key) = parameters.example("Idempotency-Key") {
            for _ in 0..2 {
                let answer = self.send(&uri, request("idempotency-key", &key)).await?;
                if answer.status().is_success() {
                    openapi::add_example(operation, &answer).map_err(failed)?;
                }
            }
        }
        for filter in parameters.optional() {
            let separator = if uri.contains('?') { '&' } else { '?' };
            let (uri, request) = (format!("{uri}{separator}{filter}"), request("accept", "*/*"));
            let answer = self.send(&uri, request).await?;
            if !finds_nothing(&answer) {
                succeeded(&uri, answer)?;
            }
        }
        Ok(())
    }

    /// The answer to a request that must succeed.
    async fn call(
        &mut self,
        uri: &str,
        request: (request::Builder, Option<RequestBody>),
    ) -> Result<Response<Value>, CommandError> {
        let answer = self.send(uri, request).await?;
        succeeded(uri, answer)
    }

    /// Calls an operation with the examples of its parameters and body, in its first media type. Returns the
    /// address and the answer, with random values replaced.
    pub async fn example_answer(
        &mut self,
        method: &str,
        path: &str,
        operation: &Value,
    ) -> Result<(String, Response<String>), CommandError> {
        let uri = Parameters::of(operation).uri(path);
        let body = RequestBody::of(operation);
        let request = Request::builder().method(method.to_ascii_uppercase().as_str());
        let accepted = &media_types(operation)[0];
        let answer = self.send_text(&uri, (request.header("accept", accepted), body));
        Ok((uri.clone(), answer.await?))
    }

    /// The answer to a request: shortened, and with random values replaced.
    async fn send(
        &mut self,
        uri: &str,
        request: (request::Builder, Option<RequestBody>),
    ) -> Result<Response<Value>, CommandError> {
        let answer = self.send_text(uri, request).await?;
        Ok(answer.map(|text| match serde_json::from_str(&text) {
            Ok(body) => with_short_lists(body),
            Err(_) => truncated(&text).into(),
        }))
    }

    /// The answer to a request, with random values replaced.
    async fn send_text(
        &mut self,
        example_uri: &str,
        (request, body): (request::Builder, Option<RequestBody>),
    ) -> Result<Response<String>, CommandError> {
        // Newest first: the examples refer to the API key that was created last.
        let uri =
            self.replacements.iter().rev().fold(example_uri.to_owned(), |uri, (random, fixed)| {
                uri.replace(fixed.as_str(), random)
            });
        let method = request.method_ref().cloned().unwrap_or_default();
        let session = self.accounts.prepare(&method, example_uri).await?;
        let mut request = request
            .uri(uri)
            .header(
                header::AUTHORIZATION,
                format!("Bearer {}", session.as_ref().unwrap_or(&self.key)),
            )
            .extension(ClientAddress(IpAddr::V4(Ipv4Addr::LOCALHOST)));
        let has_cookie = ["/v1/auth/sso/callback", "/v1/auth/sso/link"];
        if has_cookie.iter().any(|it| example_uri.starts_with(it)) {
            let (name, cookie) = single_sign_on::cookie();
            request = request.header(name, cookie);
        }
        let mut text = String::new();
        if let Some(body) = body {
            request = request.header(header::CONTENT_TYPE, body.media_type);
            text = body.text;
            // Only an event of the payment provider needs it.
            let signature = emulators::stripe::sign(&text, self.components.get::<Clock>().now());
            request = request.header("stripe-signature", signature);
        }
        let request = request.body(Body::from(text)).map_err(failed)?;
        let Ok(answer) = self.router.clone().oneshot(request).await;
        let (parts, body) = answer.into_parts();
        let bytes = body.collect().await.map_err(failed)?.to_bytes();
        let mut text = String::from_utf8_lossy(&bytes).into_owned();
        if let Ok(body) = serde_json::from_str::<Value>(&text) {
            self.add_key_replacements(&body);
            self.replacements.extend(webhooks::replacements(&body));
            self.replacements.extend(screening::replacements(example_uri, &body));
            // Before others: the addresses contain the id of the generation.
            for (signed, fixed) in exports::addresses(&body) {
                text = text.replace(&signed, &fixed);
            }
            if parts.status == StatusCode::ACCEPTED && example_uri.starts_with("/v1/exports") {
                let (cloud, now) = (&self.cloud, self.components.get::<Clock>().now());
                let written = exports::written(cloud, &self.components.get(), &body, now).await?;
                self.replacements.extend(written);
            }
            if let Some(token) = body["token"].as_str() {
                self.replacements.push((token.to_owned(), TOKEN_OF_AN_INVITATION.to_owned()));
            }
            let example_id = self.example_ids.get(example_uri);
            let webhook = body["webhook"]["id"].as_str();
            if parts.status == StatusCode::CREATED
                && let (Some(random), Some(fixed)) = (webhook.or(body["id"].as_str()), example_id)
            {
                self.replacements.push((random.to_owned(), fixed.clone()));
            }
            if let (StatusCode::CREATED, Some(id)) = (parts.status, webhook) {
                let team = TeamId(TEAM_ID.to_owned());
                let (tenants, now) = (&self.cloud.tenants, self.components.get::<Clock>().now());
                self.replacements.extend(webhooks::add_delivery(tenants, &team, id, now).await?);
            }
        }
        text = without_tokens(&text);
        // The pages of the payment provider have random ids, the last part of their address.
        if example_uri.starts_with("/v1/billing/")
            && let Some((_, id)) = text.trim_end_matches("\"}").rsplit_once('_')
        {
            self.replacements.push((id.to_owned(), "test_example".to_owned()));
        }
        for (random, fixed) in &self.replacements {
            text = text.replace(random, fixed);
        }
        Ok(Response::from_parts(parts, text))
    }

    /// Adds replacements for the secrets and ids of the API keys in an answer.
    fn add_key_replacements(&mut self, body: &Value) {
        let keys = body.as_array().map_or(std::slice::from_ref(body), Vec::as_slice);
        for key in keys.iter().filter(|it| it["prefix"].is_string()) {
            // The whole key first: it contains the prefix.
            for (member, fixed) in [("key", KEY), ("prefix", KEY_PREFIX), ("id", KEY_ID)] {
                if let Some(random) = key[member].as_str() {
                    self.replacements.push((random.to_owned(), fixed.to_owned()));
                }
            }
        }
    }
}

/// The position of an operation in a sequence of calls: create first and delete last, from the innermost resource
/// outwards, because the other operations need what was created.
pub fn order(method: &str, path: &str) -> usize {
    match method {
        "post" if !path.contains("{id}") => 0,
        "delete" => usize::MAX - path.matches('/').count(),
        _ => 1,
    }
}

/// The examples of the last variable of each path, by the path before it.
fn example_ids(document: &Value) -> HashMap<String, String> {
    let mut ids = HashMap::new();
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        for operation in item.as_object().into_iter().flatten().map(|(_, it)| it) {
            let uri = Parameters::of(operation).uri(path);
            let uri = uri.split('?').next().unwrap_or_default();
            if let (true, Some((collection, id))) = (path.ends_with('}'), uri.rsplit_once('/')) {
                ids.insert(collection.to_owned(), id.to_owned());
            }
        }
    }
    ids
}

fn failed(cause: impl Into<Box<dyn Error>>) -> CommandError {
    CommandError::new("cannot create the examples", cause)
}

/// The media types in which an operation answers, those of text first.
fn media_types(operation: &Value) -> Vec<String> {
    let responses = operation["responses"].as_object().into_iter().flatten();
    let mut successful = responses.filter(|(status, _)| status.starts_with('2'));
    let Some(content) = successful.find_map(|(_, it)| it["content"].as_object()) else {
        return vec!["*/*".to_owned()];
    };
    let is_binary = |it: &Value| it["schema"]["format"] == "binary";
    let (text, binary): (Vec<_>, Vec<_>) = content.iter().partition(|(_, it)| !is_binary(it));
    text.into_iter().chain(binary).map(|(name, _)| name.clone()).collect()
}

/// The value with only the first items of each list.
fn with_short_lists(mut value: Value) -> Value {
    match &mut value {
        Value::Array(items) => {
            items.truncate(MAX_ITEMS);
            items.iter_mut().for_each(|it| *it = with_short_lists(it.take()));
        }
        Value::Object(members) => {
            members.values_mut().for_each(|it| *it = with_short_lists(it.take()));
        }
        _ => {}
    }
    value
}

fn truncated(text: &str) -> String {
    match text.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
