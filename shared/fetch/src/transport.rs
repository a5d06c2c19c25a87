//! The HTTP client, as a `tower` service.

use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Full, combinators::UnsyncBoxBody};
use hyper_rustls::HttpsConnectorBuilder;
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::{TokioExecutor, TokioTimer},
};
use rustls::crypto::aws_lc_rs;
use tower::{BoxError, Service, ServiceExt, util::BoxCloneSyncService};
use tower_http::decompression::{Decompression, DecompressionBody};

/// Maximum time to open a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long an unused connection stays open.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

pub(crate) type Body = UnsyncBoxBody<Bytes, BoxError>;
pub(crate) type Transport = BoxCloneSyncService<Request<Full<Bytes>>, Response<Body>, BoxError>;

/// A client for HTTPS. Panics on a machine without root certificates, because servers could not be
/// authenticated.
pub(crate) fn network() -> Transport {
    let mut connector = HttpConnector::new();
    connector.enforce_http(false);
    connector.set_connect_timeout(Some(CONNECT_TIMEOUT));
    let connector = HttpsConnectorBuilder::new()
        .with_provider_and_native_roots(aws_lc_rs::default_provider())
        .unwrap_or_else(|it| panic!("the machine's root certificates cannot be read: {it}"))
        .https_only()
        .enable_http1()
        .wrap_connector(connector);
    let client = Client::builder(TokioExecutor::new())
        .pool_idle_timeout(IDLE_TIMEOUT)
        .pool_timer(TokioTimer::new())
        .build(connector);
    from_service(client)
}

/// Wraps a service, such as a client or a test router, and decompresses its responses.
pub(crate) fn from_service<S, B>(service: S) -> Transport
where
    S: Service<Request<Full<Bytes>>, Response = Response<B>> + Clone + Send + Sync + 'static,
    S::Error: Into<BoxError>,
    S::Future: Send,
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError> + Send,
{
    let service = Decompression::new(service)
        .map_response(|response: Response<DecompressionBody<B>>| response.map(boxed))
        .map_err(Into::into);
    BoxCloneSyncService::new(service)
}

fn boxed<B>(body: B) -> Body
where
    B: http_body::Body<Data = Bytes, Error: Into<BoxError>> + Send + 'static,
{
    body.map_err(Into::into).boxed_unsync()
}
