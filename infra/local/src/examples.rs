//! The examples in the OpenAPI description: real answers of the functions.
//!
//! Each operation is called with the examples of its parameters, on a small demo register and with a fixed
//! clock. `cargo openapi` fails if an example is rejected, if an answer does not have its documented type,
//! or if a header is not documented. So the examples are always correct.

mod links;
mod parameters;
mod register;

use std::{
    error::Error,
    net::{IpAddr, Ipv4Addr},
};

use access::{Environment, Scope, Tier};
use axum::{Router, body::Body};
use generations::Generations;
use http::{Request, Response, StatusCode, header, request};
use http_body_util::BodyExt;
use http_service::{Annotations, Api, ClientAddress, Clock, openapi};
use serde_json::{Map, Value};
use tempfile::TempDir;
use tower::ServiceExt;

use self::parameters::{MAX_ITEMS, Parameters};
use crate::{CommandError, Context, cloud::Cloud, functions, teams};

/// Maximum number of characters shown of a body that is not JSON.
const MAX_CHARACTERS: usize = 600;
/// The address of the API in the examples.
const PUBLIC_URL: &str = "https://api.example/api";

// Fixed values that replace random ones: of API keys, and of the generation's id.
const KEY_ID: &str = "0b7a6c1e-3f52-4d4e-9a57-6d1f8c2b4e90";
const KEY_PREFIX: &str = "gth_live_8q2mz1k0v5rt";
const KEY: &str = "gth_live_8q2mz1k0v5rt_…";
const GENERATION: &str = "01997a51-4c00-7000-8000-000000000000";

/// The functions with a small demo register, to request examples from.
pub struct ExampleApi {
    cloud: Cloud,
    generations: Generations,
    clock: Clock,
    router: Router,
    /// API key of an Enterprise team, with every scope.
    key: String,
    /// Random values in the answers, each with the fixed value shown instead.
    replacements: Vec<(String, &'static str)>,
    _folder: TempDir,
}

impl ExampleApi {
    /// Loads the register, and starts the functions at noon of the register's day.
    pub async fn start() -> Result<Self, CommandError> {
        let folder = TempDir::new().map_err(failed)?;
        let now = register::noon()?;
        let (cloud, generation) = register::load(folder.path(), now).await?;
        let clock = Clock::from_fn(move || now);
        let (router, generations) =
            functions::router(&cloud, PUBLIC_URL, folder.path(), clock.clone());
        let team = teams::create_team(&cloud.tenants, Tier::Enterprise).await?;
        let scopes = [Scope::Read, Scope::Write];
        let key = teams::create_key(&cloud.tenants, &team, Environment::Live, &scopes, now).await?;
        let replacements = vec![(generation, GENERATION)];
        Ok(Self { cloud, generations, clock, router, key, replacements, _folder: folder })
    }

    /// The functions, with the annotations of their operations.
    pub fn apis(&self) -> Vec<Api<Annotations>> {
        functions::apis(&self.cloud, &self.generations, &self.clock, PUBLIC_URL)
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
        // Delete last: the other operations need what was created.
        operations.sort_by_key(|(method, ..)| *method == "delete");
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
        let body = operation["requestBody"]["content"]["application/json"]["example"].clone();
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
            self.call(&format!("{uri}{separator}{filter}"), request("accept", "*/*")).await?;
        }
        Ok(())
    }

    /// The answer to a request that must succeed.
    async fn call(
        &mut self,
        uri: &str,
        request: (request::Builder, Value),
    ) -> Result<Response<Value>, CommandError> {
        let answer = self.send(uri, request).await?;
        let status = answer.status();
        if status.is_success() || status == StatusCode::NOT_MODIFIED {
            return Ok(answer);
        }
        Err(CommandError(format!(
            "the examples of its parameters ({uri}) give {status}: {}",
            answer.body()
        )))
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
        let body = operation["requestBody"]["content"]["application/json"]["example"].clone();
        let request = Request::builder().method(method.to_ascii_uppercase().as_str());
        let media_types = media_types(operation);
        let answer = self.send_text(&uri, (request.header("accept", &media_types[0]), body));
        Ok((uri.clone(), answer.await?))
    }

    /// The answer to a request: shortened, and with random values replaced.
    async fn send(
        &mut self,
        uri: &str,
        request: (request::Builder, Value),
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
        uri: &str,
        (request, body): (request::Builder, Value),
    ) -> Result<Response<String>, CommandError> {
        // Newest first: the examples refer to the API key that was created last.
        let uri = self
            .replacements
            .iter()
            .rev()
            .fold(uri.to_owned(), |uri, (random, fixed)| uri.replace(fixed, random));
        let mut request = request
            .uri(uri)
            .header(header::AUTHORIZATION, format!("Bearer {}", self.key))
            .extension(ClientAddress(IpAddr::V4(Ipv4Addr::LOCALHOST)));
        let mut text = String::new();
        if !body.is_null() {
            request = request.header(header::CONTENT_TYPE, "application/json");
            text = body.to_string();
        }
        let request = request.body(Body::from(text)).map_err(failed)?;
        let Ok(answer) = self.router.clone().oneshot(request).await;
        let (parts, body) = answer.into_parts();
        let bytes = body.collect().await.map_err(failed)?.to_bytes();
        let mut text = String::from_utf8_lossy(&bytes).into_owned();
        if let Ok(body) = serde_json::from_str(&text) {
            self.add_key_replacements(&body);
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
                    self.replacements.push((random.to_owned(), fixed));
                }
            }
        }
    }
}

fn failed(cause: impl Into<Box<dyn Error>>) -> CommandError {
    CommandError::new("cannot create the examples", cause)
}

/// The media types in which an operation answers.
fn media_types(operation: &Value) -> Vec<String> {
    let responses = operation["responses"].as_object().into_iter().flatten();
    let mut successful = responses.filter(|(status, _)| status.starts_with('2'));
    let content = successful.find_map(|(_, it)| it["content"].as_object());
    content.map_or_else(|| vec!["*/*".to_owned()], |it| it.keys().cloned().collect())
}

/// Adds an example of the request body, from the examples of its members.
fn add_request_example(operation: &mut Value, schemas: &Value) {
    let Some(content) = operation.pointer_mut("/requestBody/content/application~1json") else {
        return;
    };
    let reference = content["schema"]["$ref"].as_str().unwrap_or_default();
    let schema = &schemas[reference.rsplit('/').next().unwrap_or_default()];
    let members = schema["properties"].as_object().into_iter().flatten();
    let examples =
        members.filter_map(|(name, it)| Some((name.clone(), it.get("example")?.clone())));
    content["example"] = examples.collect::<Map<String, Value>>().into();
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
