//! A POST that bears an `Idempotency-Key` happens once, however often it is sent.
//!
//! A process that dies between a handler's work and the note of its answer leaves the key locked for
//! the length of the lease; after that the request may run again. A handler that must not, writes its
//! own mark together with its work.

use axum::{
    body::Body,
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use http::{HeaderName, HeaderValue, Method, header};
use http_body_util::BodyExt;
use problem_details::{IDEMPOTENCY_CONFLICT, Problem};
use sha2::{Digest, Sha256};
use store::{Attempt, Claim, Outcome, TeamKey};

use crate::{Frame, Operation};

const KEY: HeaderName = HeaderName::from_static("idempotency-key");
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
/// The greatest answer that is kept, in bytes: an item holds 400 KB.
const KEPT_AT_MOST: usize = 300_000;

/// Put into an answer's extensions by a handler whose answer holds a secret: the answer is not
/// kept, and a replay names the id of what was made.
#[derive(Clone, Debug)]
pub struct HoldsSecret {
    pub id: String,
}

/// Runs the request, or gives the answer that it had before.
pub(crate) async fn once(
    frame: &Frame,
    operation: &Operation,
    team: &TeamKey,
    request: Request,
    body: &Bytes,
    next: Next,
) -> Response {
    let key = match key(&request) {
        Ok(Some(key)) => key,
        Ok(None) => return next.run(request).await,
        Err(problem) => return problem.into_response(),
    };
    // The path as it was asked: one key on two companies' notes is two requests. The query is part of
    // what is asked, as the body is.
    let route = format!("{} {}", operation.method, request.uri().path());
    let asked = [request.uri().query().unwrap_or_default().as_bytes(), b"\n", body].concat();
    let (route, key, asked) = (digest(route.as_bytes()), digest(key.as_bytes()), digest(&asked));
    let claim = frame.tenants.claim(team, &route, &key, &asked, frame.clock.now());
    match Box::pin(claim).await {
        Err(failure) => Problem::from(failure).into_response(),
        Ok(Claim::Granted(attempt)) => {
            let response = next.run(request).await;
            Box::pin(keep(frame, &attempt, response)).await
        }
        Ok(Claim::Running) => {
            let problem = conflict("a request with this key is still running", None);
            let mut response = problem.into_response();
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            response
        }
        Ok(Claim::OtherBody) => {
            conflict("a request with this key had another body", None).into_response()
        }
        Ok(Claim::Ran(Outcome::Withheld { id })) => {
            conflict("the answer is not kept; the request was carried out", id).into_response()
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
    Err(Problem::invalid("Idempotency-Key", "a key has 1 to 255 visible ASCII characters"))
}

/// Keeps an answer for replays; frees the key where nothing was done.
async fn keep(frame: &Frame, attempt: &Attempt, response: Response) -> Response {
    if !response.status().is_success() {
        if let Err(failure) = frame.tenants.release(attempt).await {
            tracing::warn!(
                failure = errors::chain(&failure),
                "an idempotency key was not freed; its lease will run out"
            );
        }
        return response;
    }
    let (parts, body) = response.into_parts();
    let Ok(body) = body.collect().await.map(http_body_util::Collected::to_bytes) else {
        return Response::from_parts(parts, Body::empty());
    };
    let outcome = match parts.extensions.get::<HoldsSecret>() {
        Some(HoldsSecret { id }) => Outcome::Withheld { id: Some(id.clone()) },
        None => match String::from_utf8(body.to_vec()) {
            Ok(text) if text.len() <= KEPT_AT_MOST => Outcome::Answer {
                status: parts.status.as_u16(),
                headers: kept_headers(&parts.headers),
                body: text,
            },
            _ => Outcome::Withheld { id: None },
        },
    };
    if let Err(failure) = frame.tenants.finish(attempt, outcome, frame.clock.now()).await {
        tracing::error!(
            failure = errors::chain(&failure),
            "the answer of an idempotent request was not kept"
        );
    }
    Response::from_parts(parts, Body::from(body))
}

fn kept_headers(headers: &http::HeaderMap) -> Vec<(String, String)> {
    let kept = [header::CONTENT_TYPE, header::CONTENT_DISPOSITION, header::LOCATION];
    let text =
        |name: &HeaderName| Some((name.to_string(), headers.get(name)?.to_str().ok()?.to_owned()));
    kept.iter().filter_map(text).collect()
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

fn conflict(why: &str, id: Option<String>) -> Problem {
    let problem = Problem::new(&IDEMPOTENCY_CONFLICT, format!("Idempotency-Key: {why}"));
    match id {
        Some(id) => problem.with("id", id),
        None => problem,
    }
}

fn digest(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}
