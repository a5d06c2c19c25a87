//! Reads a request body into memory, and rejects bodies that no operation accepts.

use axum::{body::Body, extract::Request};
use bytes::Bytes;
use http::{HeaderMap, Method, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use problem_details::{BAD_REQUEST, PAYLOAD_TOO_LARGE, Problem, UNSUPPORTED_MEDIA_TYPE};

use crate::operation::BodyType;

/// Maximum size of a request body in bytes.
pub(crate) const MAX_BODY_SIZE: usize = 1024 * 1024;

/// The media type of HTML forms.
pub(crate) const FORM: &str = "application/x-www-form-urlencoded";

/// Returns the request with its body in memory, and a copy of the body.
///
/// # Errors
/// 413 for a larger body than [`MAX_BODY_SIZE`], 415 for a compressed body or one of another media type.
pub(crate) async fn read(
    request: Request,
    accepted: BodyType,
) -> Result<(Request, Bytes), Problem> {
    let (parts, body) = request.into_parts();
    let body = match Limited::new(body, MAX_BODY_SIZE).collect().await {
        Ok(body) => body.to_bytes(),
        Err(error) if error.is::<LengthLimitError>() => {
            let detail = format!("the request body must not be larger than {MAX_BODY_SIZE} bytes");
            return Err(Problem::new(&PAYLOAD_TOO_LARGE, detail));
        }
        Err(_) => return Err(ended_unexpectedly()),
    };
    if !body.is_empty() && parts.method != Method::GET && parts.method != Method::DELETE {
        let encoding = parts.headers.get(header::CONTENT_ENCODING);
        let encoding = encoding.and_then(|it| it.to_str().ok());
        if let Some(encoding) = encoding.filter(|it| *it != "identity") {
            let detail = format!(
                "the request body must not be compressed; got `Content-Encoding: {encoding}`"
            );
            return Err(Problem::new(&UNSUPPORTED_MEDIA_TYPE, detail));
        }
        let media_type = media_type(&parts.headers);
        let essence = essence(media_type);
        let is_json = essence.eq_ignore_ascii_case("application/json")
            || (essence.starts_with("application/") && essence.ends_with("+json"));
        let is_accepted = match accepted {
            BodyType::Json => is_json,
            BodyType::JsonOrForm => is_json || is_form(media_type),
            BodyType::File => essence.eq_ignore_ascii_case("multipart/form-data"),
            BodyType::Any => true,
        };
        if !is_accepted {
            let expected = match accepted {
                BodyType::File => "multipart/form-data",
                _ => "application/json",
            };
            let detail = format!("`Content-Type` must be `{expected}`; got `{media_type}`");
            return Err(Problem::new(&UNSUPPORTED_MEDIA_TYPE, detail));
        }
    }
    Ok((Request::from_parts(parts, Body::from(body.clone())), body))
}

/// The media type of a body, with its parameters. Empty if there is none.
pub(crate) fn media_type(headers: &HeaderMap) -> &str {
    headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok()).unwrap_or_default()
}

/// Whether an HTML form sends bodies of this media type.
pub(crate) fn is_form(media_type: &str) -> bool {
    essence(media_type).eq_ignore_ascii_case(FORM)
}

/// A media type without its parameters.
fn essence(media_type: &str) -> &str {
    media_type.split(';').next().unwrap_or_default().trim()
}

pub(crate) fn ended_unexpectedly() -> Problem {
    Problem::new(&BAD_REQUEST, "the request body ended unexpectedly")
}
