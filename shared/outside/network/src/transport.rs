//! Connections to hosts other than AWS: HTTP/1.1 over TCP and TLS, with the root certificates of the machine.
//!
//! Who may be asked, retries, and limits of time and size are rules of those that use this module.

use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Full, combinators::UnsyncBoxBody};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
pub use hyper_util::client::legacy::connect::dns::{GaiResolver, Name};
use hyper_util::{
    client::legacy::{
        Client,
        connect::{Connect, HttpConnector},
    },
    rt::{TokioExecutor, TokioTimer},
};
use rustls::crypto::aws_lc_rs;
use tower::{BoxError, Service, ServiceExt, util::BoxCloneSyncService};

/// How long an unused connection stays open.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// Sends requests to the network. `R` resolves names. Clones share the connections.
pub type NetworkClient<R = GaiResolver> = Client<HttpsConnector<HttpConnector<R>>, Full<Bytes>>;

/// The body of a response of a [`Transport`].
pub type Body = UnsyncBoxBody<Bytes, BoxError>;

/// Sends requests: a [`NetworkClient`], or in tests a service in its place.
pub type Transport = BoxCloneSyncService<Request<Full<Bytes>>, Response<Body>, BoxError>;

/// Whether a connection must be encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tls {
    /// Requests to `http://` addresses fail.
    Required,
    /// Only for callers that decide by themselves which hosts they ask without TLS.
    Optional,
}

/// A client that opens each connection within `connect_timeout`. Panics on a machine without root certificates, because
/// servers could not be authenticated.
pub fn network<R>(resolver: R, tls: Tls, connect_timeout: Duration) -> NetworkClient<R>
where
    HttpsConnector<HttpConnector<R>>: Connect + Clone,
{
    let mut connector = HttpConnector::new_with_resolver(resolver);
    // TLS is added around it.
    connector.enforce_http(false);
    connector.set_connect_timeout(Some(connect_timeout));
    let builder = HttpsConnectorBuilder::new()
        .with_provider_and_native_roots(aws_lc_rs::default_provider())
        .unwrap_or_else(|it| panic!("the machine's root certificates cannot be read: {it}"));
    let builder = match tls {
        Tls::Required => builder.https_only(),
        Tls::Optional => builder.https_or_http(),
    };
    Client::builder(TokioExecutor::new())
        .pool_idle_timeout(IDLE_TIMEOUT)
        .pool_timer(TokioTimer::new())
        .build(builder.enable_http1().wrap_connector(connector))
}

/// Wraps a service, such as a [`NetworkClient`] or a test router.
pub fn from_service<S, B>(service: S) -> Transport
where
    S: Service<Request<Full<Bytes>>, Response = Response<B>> + Clone + Send + Sync + 'static,
    S::Error: Into<BoxError>,
    S::Future: Send,
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    let boxed = |response: Response<B>| response.map(|it| it.map_err(Into::into).boxed_unsync());
    BoxCloneSyncService::new(service.map_response(boxed).map_err(Into::into))
}
