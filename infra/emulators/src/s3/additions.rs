//! What the S3 emulator lacks: the list of unfinished uploads (`ListMultipartUploads`), and that of several conditional writes of an
//! object at the same time, one at most succeeds.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
};

use bytes::Bytes;
use futures_util::{FutureExt, future::BoxFuture};
use http::{
    HeaderMap, Method, Request, Response,
    header::{CONTENT_TYPE, IF_MATCH, IF_NONE_MATCH},
};
use http_body_util::BodyExt;
use percent_encoding::percent_decode_str;
use s3s::{Body, HttpError, service::S3Service};
use tower::Service;

/// Remembers the uploads that are started, and answers which of them are unfinished. Those of an earlier process are not listed.
/// Passes on conditional writes one after another.
#[derive(Clone)]
pub(super) struct Additions {
    service: S3Service,
    /// The folder of the emulator, in which each unfinished upload has a file.
    root: PathBuf,
    started: Arc<Mutex<Vec<Upload>>>,
    /// Held while a conditional write is running.
    conditional: Arc<tokio::sync::Mutex<()>>,
}

struct Upload {
    bucket: String,
    key: String,
    id: String,
}

impl Additions {
    pub(super) fn new(service: S3Service, root: &Path) -> Self {
        Self {
            service,
            root: root.to_owned(),
            started: Arc::default(),
            conditional: Arc::default(),
        }
    }

    async fn answer(&self, request: Request<Body>) -> Result<Response<Body>, HttpError> {
        let query = request.uri().query().unwrap_or_default();
        let names_uploads = query.split('&').any(|it| it == "uploads" || it == "uploads=");
        let path = percent_decode_str(request.uri().path()).decode_utf8_lossy().into_owned();
        let path = path.trim_start_matches('/');
        let (bucket, key) = path.split_once('/').unwrap_or((path, ""));
        match *request.method() {
            Method::GET if names_uploads => {
                let prefix = query.split('&').find_map(|it| it.strip_prefix("prefix="));
                let prefix = percent_decode_str(prefix.unwrap_or_default()).decode_utf8_lossy();
                Ok(self.list(bucket, &prefix))
            }
            Method::POST if names_uploads => {
                let (bucket, key) = (bucket.to_owned(), key.to_owned());
                let (parts, body) = self.service.call(request).await?.into_parts();
                let body = body.collect().await.map(|it| it.to_bytes()).unwrap_or_default();
                if let Some(id) = upload_id(&body) {
                    self.started().push(Upload { bucket, key, id });
                }
                Ok(Response::from_parts(parts, Body::from(body)))
            }
            Method::PUT if has_condition(request.headers()) => {
                let _turn = self.conditional.lock().await;
                self.service.call(request).await
            }
            _ => self.service.call(request).await,
        }
    }

    fn started(&self) -> std::sync::MutexGuard<'_, Vec<Upload>> {
        self.started.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn list(&self, bucket: &str, prefix: &str) -> Response<Body> {
        let mut started = self.started();
        started.retain(|it| self.root.join(format!(".upload-{}.json", it.id)).exists());
        let mut list =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ListMultipartUploadsResult>".to_owned();
        list.push_str("<IsTruncated>false</IsTruncated>");
        for upload in started.iter() {
            if upload.bucket == bucket && upload.key.starts_with(prefix) {
                // No key of this service has a character with a meaning in XML.
                let Upload { key, id, .. } = upload;
                list.push_str(&format!(
                    "<Upload><Key>{key}</Key><UploadId>{id}</UploadId></Upload>"
                ));
            }
        }
        list.push_str("</ListMultipartUploadsResult>");
        let mut response = Response::new(Body::from(list));
        let xml = http::HeaderValue::from_static("application/xml");
        response.headers_mut().insert(CONTENT_TYPE, xml);
        response
    }
}

impl<B> Service<Request<B>> for Additions
where
    Body: From<B>,
{
    type Response = Response<Body>;
    type Error = HttpError;
    type Future = BoxFuture<'static, Result<Response<Body>, HttpError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), HttpError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let (additions, request) = (self.clone(), request.map(Body::from));
        async move { additions.answer(request).await }.boxed()
    }
}

fn has_condition(headers: &HeaderMap) -> bool {
    headers.contains_key(IF_MATCH) || headers.contains_key(IF_NONE_MATCH)
}

/// The id in the answer to the start of an upload.
fn upload_id(answer: &Bytes) -> Option<String> {
    let answer = std::str::from_utf8(answer).ok()?;
    let (_, rest) = answer.split_once("<UploadId>")?;
    Some(rest.split_once("</UploadId>")?.0.to_owned())
}
