//! A POST with an `Idempotency-Key` is executed once, no matter how often it is sent. The key belongs to the user or API key
//! that sends it: others of the team may use the same one. If the operation ends the session, it belongs to the session.
//!
//! If a process stops after the handler has finished but before the response is stored, the key stays
//! locked until its lease ends. After that the request may run again. A handler that must never run twice
//! has to write its own marker in the same transaction as its changes.

use std::convert::Infallible;

use auth::{Caller, Principal};
use axum::{
    body::Body,
    extract::Request,
    response::{IntoResponse, IntoResponseParts, Response, ResponseParts},
};
use bytes::Bytes;
use http::{HeaderName, HeaderValue, Method, header, header::CACHE_CONTROL};
use http_body_util::BodyExt;
use problem_details::{IDEMPOTENCY_CONFLICT, Problem};
use sha2::{Digest, Sha256};
use store::{Attempt, Claim, Outcome, TeamKey};

use crate::{Middleware, Operation, audit::Recording};

const KEY: HeaderName = HeaderName::from_static("idempotency-key");
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
/// Maximum size in bytes of a stored response. A DynamoDB item has at most 400 KB.
const MAX_STORED_SIZE: usize = 300_000;

/// Marks a response that contains a secret, as a part of it. Neither this service nor a cache then stores the response, and a
/// repeated request gets 409 with this id.
#[derive(Clone, Debug)]
pub struct ContainsSecret {
    /// Id of the created resource.
    pub id: String,
}

impl IntoResponseParts for ContainsSecret {
    type Error = Infallible;

    fn into_response_parts(self, mut parts: ResponseParts) -> Result<ResponseParts, Infallible> {
        parts.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        parts.extensions_mut().insert(self);
        Ok(parts)
    }
}

/// Who sends a request, and what a key of the request belongs to.
pub(crate) struct Sender {
    team: TeamKey,
    principal: Principal,
    /// The session or ID token of the caller, if the operation ends it.
    session: Option<String>,
}

impl Sender {
    pub(crate) fn of(caller: &Caller, operation: &Operation) -> Self {
        let id_token = caller.id_token().map(ToString::to_string);
        let session = caller.session().map(str::to_owned).or(id_token);
        Self {
            team: TeamKey::of(caller),
            principal: caller.principal().clone(),
            session: session.filter(|_| operation.ends_session),
        }
    }
}

/// Runs the request, or returns the response of the first request with the same key.
pub(crate) async fn once(
    handler: Recording<'_>,
    Sender { team, principal, session }: &Sender,
    request: Request,
    body: &Bytes,
) -> Response {
    let (middleware, operation) = (handler.middleware, handler.operation);
    let key = match key(&request) {
        Ok(Some(key)) => key,
        Ok(None) => return handler.run(request).await,
        Err(problem) => return problem.into_response(),
    };
    // The actual path, not its template: the same key for two resources means two requests. The query is
    // compared together with the body.
    let route = format!("{} {}", operation.method, request.uri().path());
    let route = session.iter().fold(route, |route, session| format!("{route} {session}"));
    let content = [request.uri().query().unwrap_or_default().as_bytes(), b"\n", body].concat();
    let (route, key, content) =
        (digest(route.as_bytes()), digest(key.as_bytes()), digest(&content));
    let claim =
        middleware.tenants.claim((team, principal), &route, &key, &content, middleware.clock.now());
    match Box::pin(claim).await {
        Err(failure) => Problem::from(failure).into_response(),
        Ok(Claim::Granted(attempt)) => {
            let response = handler.run(request).await;
            Box::pin(store_response(middleware, &attempt, response)).await
        }
        Ok(Claim::Running) => {
            let detail = "the first request with this `Idempotency-Key` is still running";
            let problem = conflict(detail, None);
            let mut response = problem.into_response();
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            response
        }
        Ok(Claim::OtherBody) => {
            let detail = "this `Idempotency-Key` was used for a request with another query or body";
            conflict(detail, None).into_response()
        }
        Ok(Claim::Ran(Outcome::Withheld { id })) => {
            let detail =
                "the request with this `Idempotency-Key` succeeded, but its response is not stored";
            conflict(detail, id).into_response()
        }
        Ok(Claim::Ran(Outcome::Answer { status, headers, body })) => replay(status, headers, body),
    }
}

fn key(request: &Request) -> Result<Option<String>, Problem> {
    if request.method() != Method::POST {
        return Ok(None);
    }
    let Some(value) = request.headers().get(KEY) else { return Ok(None) };
    let text = value.to_str().unwrap_or_default();
    if (1..=255).contains(&text.len()) {
        return Ok(Some(text.to_owned()));
    }
    Err(Problem::invalid("Idempotency-Key", "must have 1 to 255 visible ASCII characters"))
}

/// Stores a successful response for repeated requests; otherwise releases the key.
async fn store_response(
    middleware: &Middleware,
    attempt: &Attempt,
    response: Response,
) -> Response {
    if !response.status().is_success() {
        if let Err(failure) = middleware.tenants.release(attempt).await {
            tracing::warn!(
                failure = errors::chain(&failure),
                "idempotency key not released; it stays locked until its lease ends"
            );
        }
        return response;
    }
    let (parts, body) = response.into_parts();
    let Ok(body) = body.collect().await.map(http_body_util::Collected::to_bytes) else {
        return Response::from_parts(parts, Body::empty());
    };
    let outcome = match parts.extensions.get::<ContainsSecret>() {
        Some(ContainsSecret { id }) => Outcome::Withheld { id: Some(id.clone()) },
        None => match String::from_utf8(body.to_vec()) {
            Ok(text) if text.len() <= MAX_STORED_SIZE => Outcome::Answer {
                status: parts.status.as_u16(),
                headers: stored_headers(&parts.headers),
                body: text,
            },
            _ => Outcome::Withheld { id: None },
        },
    };
    if let Err(failure) = middleware.tenants.finish(attempt, outcome, middleware.clock.now()).await
    {
        tracing::error!(
            failure = errors::chain(&failure),
            "response of an idempotent request not stored"
        );
    }
    Response::from_parts(parts, Body::from(body))
}

fn stored_headers(headers: &http::HeaderMap) -> Vec<(String, String)> {
    let names = [header::CONTENT_TYPE, header::CONTENT_DISPOSITION, header::LOCATION];
    let text =
        |name: &HeaderName| Some((name.to_string(), headers.get(name)?.to_str().ok()?.to_owned()));
    names.iter().filter_map(text).collect()
}

fn replay(status: u16, headers: Vec<(String, String)>, body: String) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status.try_into().unwrap_or_default();
    for (name, value) in headers {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            response.headers_mut().insert(name, value);
        }
    }
    response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    response
}

fn conflict(detail: &str, id: Option<String>) -> Problem {
    let problem = Problem::new(&IDEMPOTENCY_CONFLICT, detail);
    match id {
        Some(id) => problem.with("id", id),
        None => problem,
    }
}

fn digest(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}
