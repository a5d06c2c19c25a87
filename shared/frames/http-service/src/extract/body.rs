use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use domain::invalid_input::InvalidInput;
use problem_details::Problem;
use serde::de::DeserializeOwned;
use url::form_urlencoded;

use super::members::Given;
use crate::request_body;

/// A JSON body. An empty body is read as `{}`, because clients send either if no member is needed.
#[derive(Clone, Debug)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let body = bytes(request, state).await?;
        let body: &[u8] = if body.is_empty() { b"{}" } else { &body };
        read(serde_json::from_slice(body).map_err(|it| malformed(&it))?).map(Self)
    }
}

/// A JSON body, or the same members as an HTML form sends them. For operations that declare
/// [`with_form`](crate::Access::with_form).
#[derive(Clone, Debug)]
pub struct JsonOrForm<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonOrForm<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        if !request_body::is_form(request_body::media_type(request.headers())) {
            let Json(value) = Json::from_request(request, state).await?;
            return Ok(Self(value));
        }
        let body = bytes(request, state).await?;
        let members = form_urlencoded::parse(&body);
        let members = members.map(|(name, it)| (name.into_owned(), Given::Text(it.into_owned())));
        read(Given::Object(members.collect())).map(Self)
    }
}

/// The bytes of a body. The middleware has read them into memory already.
async fn bytes<S: Send + Sync>(request: Request, state: &S) -> Result<Bytes, Problem> {
    Bytes::from_request(request, state).await.map_err(|_| request_body::ended_unexpectedly())
}

/// Reads a value. The problem names the members that are wrong.
fn read<T: DeserializeOwned>(body: Given) -> Result<T, Problem> {
    if !matches!(body, Given::Object(_)) {
        return Err(Problem::invalid("body", "must be a JSON object"));
    }
    body.read().map_err(|it: InvalidInput| Problem::all_invalid(it.errors("body")))
}

/// The problem of a body that is not JSON.
fn malformed(error: &serde_json::Error) -> Problem {
    let detail = match (error.is_eof(), error.line(), error.column()) {
        (true, ..) => "must be a JSON object; it ends before it is complete".to_owned(),
        (false, line, column) => {
            format!("must be a JSON object; it is malformed in line {line}, near byte {column}")
        }
    };
    Problem::invalid("body", detail)
}
