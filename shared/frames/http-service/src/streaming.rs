//! Answers that may be larger than a buffered answer of Lambda (6 MB): they are sent while they are read, and compressed here,
//! because the gateway compresses no streams.

use std::convert::Infallible;

use axum::{Router, body::Body, response::Response};
use http::{HeaderMap, HeaderName, HeaderValue, header};
use http_body_util::BodyExt;
use lambda_http::{Request, Service};
use tower::ServiceExt;
use tower_http::{
    CompressionLevel,
    compression::{
        CompressionLayer, Predicate,
        predicate::{DefaultPredicate, NotForContentType},
    },
};

/// Media types of files that are compressed already.
const COMPRESSED: [&str; 3] =
    ["application/pdf", "application/vnd.apache.parquet", "application/vnd.openxmlformats"];

/// Compresses answers with gzip for callers that accept it.
pub(crate) fn compression() -> CompressionLayer<impl Predicate> {
    let [pdf, parquet, workbook] = COMPRESSED.map(NotForContentType::const_new);
    CompressionLayer::new()
        .quality(CompressionLevel::Fastest)
        .compress_when(DefaultPredicate::new().and(pdf).and(parquet).and(workbook))
}

/// A service for Lambda's streaming runtime.
///
/// If a body breaks off, the process ends: the runtime would end the answer as if it were whole.
pub fn streamed(
    service: Router,
) -> impl Service<Request, Response = Response, Error = Infallible, Future: Send> + Clone {
    ServiceExt::<Request>::map_response(service, |response: Response| {
        let (mut parts, body) = response.into_parts();
        join_repeated(&mut parts.headers);
        let body = body.map_err(|failure| -> axum::Error {
            tracing::error!(failure = errors::chain(&failure), "a response ended early");
            std::process::exit(1)
        });
        Response::from_parts(parts, Body::new(body))
    })
}

/// Runs a service in Lambda's streaming runtime.
pub(crate) async fn run(service: Router) -> Result<(), lambda_http::Error> {
    lambda_http::run_with_streaming_response(streamed(service)).await
}

/// Joins the values of each repeated header with commas: the prelude of a stream has one value for each header. Cookies, which
/// cannot be joined, have a place of their own there.
fn join_repeated(headers: &mut HeaderMap) {
    let repeated: Vec<HeaderName> = headers
        .keys()
        .filter(|it| **it != header::SET_COOKIE && headers.get_all(*it).iter().count() > 1)
        .cloned()
        .collect();
    for name in repeated {
        let values: Vec<&[u8]> = headers.get_all(&name).iter().map(HeaderValue::as_bytes).collect();
        if let Ok(joined) = HeaderValue::from_bytes(&values.join(&b", "[..])) {
            headers.insert(name, joined);
        }
    }
}
