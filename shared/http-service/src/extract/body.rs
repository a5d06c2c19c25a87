use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use problem_details::Problem;
use serde::{Deserializer, de::DeserializeOwned};
use serde_json::{Map, Value};
use url::form_urlencoded;

use crate::request_body;

/// A JSON body. An empty body is read as `{}`, because clients send either if no member is needed.
#[derive(Clone, Debug)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let body = bytes(request, state).await?;
        let body: &[u8] = if body.is_empty() { b"{}" } else { &body };
        // Serde also reads a struct from an array of its members.
        if body.trim_ascii_start().first() != Some(&b'{') {
            return Err(Problem::invalid("body", "must be a JSON object"));
        }
        let mut reader = serde_json::Deserializer::from_slice(body);
        let value = read(&mut reader)?;
        reader.end().map_err(|error| Problem::invalid("body", error))?;
        Ok(Self(value))
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
        let members: Map<String, Value> =
            members.map(|(name, value)| (name.into_owned(), value.into())).collect();
        Ok(Self(read(Value::from(members))?))
    }
}

/// The bytes of a body. The middleware has read them into memory already.
async fn bytes<S: Send + Sync>(request: Request, state: &S) -> Result<Bytes, Problem> {
    Bytes::from_request(request, state).await.map_err(|_| request_body::ended_unexpectedly())
}

/// Reads a value. The problem names the member that is wrong.
fn read<'de, T: DeserializeOwned>(body: impl Deserializer<'de>) -> Result<T, Problem> {
    serde_path_to_error::deserialize(body).map_err(|error| {
        let (path, detail) = (error.path().to_string(), error.inner().to_string());
        match path.as_str() {
            "." | "?" => Problem::invalid(named_member(&detail).unwrap_or("body"), &detail),
            member => Problem::invalid(member, without_place(&detail)),
        }
    })
}

/// The message without `at line 1 column 67`, which says nothing to those who know the member.
fn without_place(message: &str) -> &str {
    let place = message.rsplit_once(" at line ").filter(|(_, place)| {
        place.split(" column ").all(|it| it.chars().all(|it| it.is_ascii_digit()))
    });
    place.map_or(message, |it| it.0)
}

/// The member that an error message of serde reports as missing, unknown or duplicate.
fn named_member(message: &str) -> Option<&str> {
    let starts = ["missing field `", "unknown field `", "duplicate field `"];
    let rest = starts.iter().find_map(|it| message.strip_prefix(it))?;
    rest.split('`').next()
}
