//! How an answer that an operation gave becomes the example of its description.

use http::{Response, header};
use serde_json::{Value, json};

use super::headers::{self, UndescribedHeader};

/// Why an answer cannot be shown: the description says nothing of it.
#[derive(Debug, thiserror::Error)]
pub enum CannotShow {
    #[error("the answer {0} is not described")]
    Status(u16),
    #[error("the answer's media type `{0}` is not described")]
    MediaType(String),
    #[error(transparent)]
    Header(#[from] UndescribedHeader),
}

/// Adds to an operation's description what it answered: the headers that the answer bears, and its
/// body as the example, where the handler gives none.
pub fn show(operation: &mut Value, answer: &Response<Value>) -> Result<(), CannotShow> {
    let status = answer.status();
    let described = operation["responses"].get_mut(status.as_str());
    let described = described.ok_or(CannotShow::Status(status.as_u16()))?;
    for header in answer.headers().keys() {
        if let Some(name) = headers::described_name(header)? {
            described["headers"][&name] = json!({ "$ref": format!("#/components/headers/{name}") });
        }
    }
    let Some(media_type) = answer.headers().get(header::CONTENT_TYPE) else { return Ok(()) };
    let media_type = String::from_utf8_lossy(media_type.as_bytes());
    let essence = media_type.split(';').next().unwrap_or_default();
    let content = described.get_mut("content").and_then(|it| it.get_mut(essence));
    let content = content.ok_or_else(|| CannotShow::MediaType(essence.to_owned()))?;
    if content.get("example").is_none() {
        content["example"] = answer.body().clone();
    }
    Ok(())
}
