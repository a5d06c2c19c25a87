use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use problem_details::Problem;
use serde::de::DeserializeOwned;

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

/// The member that an error message of serde reports as missing, unknown or duplicate.
fn named_member(message: &str) -> Option<&str> {
    let starts = ["missing field `", "unknown field `", "duplicate field `"];
    let rest = starts.iter().find_map(|it| message.strip_prefix(it))?;
    rest.split('`').next()
}
