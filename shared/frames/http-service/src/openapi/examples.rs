//! Adds responses to the OpenAPI document as examples.

use http::{Response, header};
use serde_json::{Value, json};

use super::headers::{self, UndocumentedHeader};

/// The response has a status, media type or header that the document does not contain.
#[derive(Debug, thiserror::Error)]
pub enum ExampleError {
    #[error("the status {0} is not documented")]
    Status(u16),
    #[error("the media type `{0}` is not documented")]
    MediaType(String),
    #[error(transparent)]
    Header(#[from] UndocumentedHeader),
}

/// Adds a response to its operation: its headers, and its body as the example unless the handler has one.
pub fn add_example(operation: &mut Value, response: &Response<Value>) -> Result<(), ExampleError> {
    let status = response.status();
    let documented = operation["responses"].get_mut(status.as_str());
    let documented = documented.ok_or(ExampleError::Status(status.as_u16()))?;
    for header in response.headers().keys() {
        if let Some(name) = headers::documented_header(header)? {
            documented["headers"][&name] =
                json!({ "$ref": format!("#/components/headers/{name}") });
        }
    }
    let Some(media_type) = response.headers().get(header::CONTENT_TYPE) else { return Ok(()) };
    let media_type = String::from_utf8_lossy(media_type.as_bytes());
    let essence = media_type.split(';').next().unwrap_or_default();
    let content = documented.get_mut("content").and_then(|it| it.get_mut(essence));
    let content = content.ok_or_else(|| ExampleError::MediaType(essence.to_owned()))?;
    // Bytes cannot be shown.
    let is_text = content["schema"]["format"] != "binary";
    if is_text && content.get("example").is_none() {
        content["example"] = response.body().clone();
    }
    Ok(())
}
