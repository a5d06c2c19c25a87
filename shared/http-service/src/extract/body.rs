use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use http::header;
use problem_details::Problem;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use url::form_urlencoded;

use crate::request_body;

/// A JSON body. An empty body is read as `{}`, because clients send either if no member is needed.
#[derive(Clone, Debug)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        // The middleware has read the body into memory already.
        let body = Bytes::from_request(request, state).await;
        let body = body.map_err(|_| request_body::ended_unexpectedly())?;
        let body: &[u8] = if body.is_empty() { b"{}" } else { &body };
        // Serde also reads a struct from an array of its members.
        if body.trim_ascii_start().first() != Some(&b'{') {
            return Err(Problem::invalid("body", "must be a JSON object"));
        }
        let mut reader = serde_json::Deserializer::from_slice(body);
        let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
            let (path, detail) = (error.path().to_string(), error.inner().to_string());
            match path.as_str() {
                "." | "?" => Problem::invalid(named_member(&detail).unwrap_or("body"), &detail),
                member => Problem::invalid(member, &detail),
            }
        })?;
        reader.end().map_err(|error| Problem::invalid("body", error))?;
        Ok(Self(value))
    }
}

/// A JSON body, or the same members as an HTML form sends them. For operations that declare
/// [`with_form`](crate::Access::with_form).
#[derive(Clone, Debug)]
pub struct JsonOrForm<T> {
    pub value: T,
    /// Whether a form was sent, so that a person sees the response.
    pub is_form: bool,
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonOrForm<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let media_type = request.headers().get(header::CONTENT_TYPE);
        let media_type = media_type.and_then(|it| it.to_str().ok()).unwrap_or_default();
        let essence = media_type.split(';').next().unwrap_or_default().trim();
        if !essence.eq_ignore_ascii_case(request_body::FORM) {
            let Json(value) = Json::from_request(request, state).await?;
            return Ok(Self { value, is_form: false });
        }
        let body = Bytes::from_request(request, state).await;
        let body = body.map_err(|_| request_body::ended_unexpectedly())?;
        let members = form_urlencoded::parse(&body);
        let members: Map<String, Value> =
            members.map(|(name, value)| (name.into_owned(), value.into())).collect();
        let value = serde_path_to_error::deserialize(Value::from(members)).map_err(|error| {
            let (path, detail) = (error.path().to_string(), error.inner().to_string());
            match path.as_str() {
                "." | "?" => Problem::invalid(named_member(&detail).unwrap_or("body"), &detail),
                member => Problem::invalid(member, &detail),
            }
        })?;
        Ok(Self { value, is_form: true })
    }
}

/// The member that an error message of serde reports as missing, unknown or duplicate.
fn named_member(message: &str) -> Option<&str> {
    let starts = ["missing field `", "unknown field `", "duplicate field `"];
    let rest = starts.iter().find_map(|it| message.strip_prefix(it))?;
    rest.split('`').next()
}
