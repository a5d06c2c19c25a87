//! Answers that take long are kept in the bucket: for the same request, generation and day, they are the same.
//!
//! Invariant: an answer that is kept contains nothing of a team, because it is computed without the caller. An answer about the tags
//! of a team is not kept: tags change at any time.

use auth::Caller;
use axum::{
    body::{Body, to_bytes},
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use http::{HeaderName, HeaderValue, StatusCode};
use kept_results::Failure;
use problem_details::Problem;
use serde_json::Value;
use sha2::{Digest, Sha256};
use url::form_urlencoded;

/// Answers with the kept answer, or keeps the answer of the handler.
pub(crate) async fn keep(
    State(state): State<crate::State>,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let (mut parts, body) = request.into_parts();
    // The frame has limited and read it before.
    let body = to_bytes(body, usize::MAX).await?;
    let query = parts.uri.query().unwrap_or_default();
    if names_a_tag(query, &body) {
        return Ok(next.run(Request::from_parts(parts, Body::from(body))).await);
    }
    parts.extensions.remove::<Caller>();
    let generation = state.generations.serving().await?.manifest.id.clone();
    let digest = digest(parts.uri.path(), query, &body);
    let key = state.results.key(&generation, state.clock.today(), &digest);
    let request = Request::from_parts(parts, Body::from(body));
    let answer = async {
        let response = next.run(request).await;
        if response.status() == StatusCode::OK && is_of(&response, &generation) {
            written(response).await.map_err(IntoResponse::into_response)
        } else {
            Err(response)
        }
    };
    match state.results.of(&key, answer).await {
        Ok(kept) => Ok(read(&kept)?),
        Err(Failure::Computing(response)) => Ok(response),
        Err(Failure::Busy) => Err(Failure::<Problem>::Busy.into()),
    }
}

/// Whether a request selects companies by tags.
fn names_a_tag(query: &str, body: &[u8]) -> bool {
    let in_query = form_urlencoded::parse(query.as_bytes()).any(|(name, _)| name == "tag");
    let body: Option<Value> = serde_json::from_slice(body).ok();
    in_query || body.is_some_and(|it| it["filter"].get("tag").is_some())
}

/// What is asked: path, body and query. The order of the parameters does not matter.
fn digest(path: &str, query: &str, body: &[u8]) -> String {
    let mut parameters: Vec<&str> = query.split('&').collect();
    parameters.sort_unstable();
    let mut digest = Sha256::new();
    for part in [path.as_bytes(), body].into_iter().chain(parameters.into_iter().map(str::as_bytes))
    {
        digest.update((part.len() as u64).to_be_bytes());
        digest.update(part);
    }
    hex::encode(digest.finalize())
}

/// Whether a response comes from a generation: a newer one may have been opened since the key was made.
fn is_of(response: &Response, generation: &str) -> bool {
    response.headers().get("x-data-generation").is_some_and(|it| it == generation)
}

/// An answer as it is kept: its headers as a line of JSON, then its body.
async fn written(response: Response) -> Result<Bytes, Problem> {
    let (parts, body) = response.into_parts();
    let headers = parts.headers.iter().map(|(name, value)| Ok((name.as_str(), value.to_str()?)));
    let headers: Vec<(&str, &str)> = headers.collect::<Result<_, Problem>>()?;
    let mut kept = serde_json::to_vec(&headers)?;
    kept.push(b'\n');
    kept.extend_from_slice(&to_bytes(body, usize::MAX).await?);
    Ok(kept.into())
}

/// The answer that is kept.
fn read(kept: &Bytes) -> Result<Response, Problem> {
    let end = kept.iter().position(|it| *it == b'\n').unwrap_or(kept.len());
    let given: Vec<(String, String)> = serde_json::from_slice(&kept[..end])?;
    let mut response = Response::new(Body::from(kept.slice((end + 1).min(kept.len())..)));
    for (name, value) in given {
        response.headers_mut().append(name.parse::<HeaderName>()?, value.parse::<HeaderValue>()?);
    }
    Ok(response)
}
