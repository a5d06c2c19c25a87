//! How connections are made, as a `tower` service.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    time::Duration,
};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Full, combinators::UnsyncBoxBody};
use hyper_rustls::HttpsConnectorBuilder;
use hyper_util::{
    client::legacy::{
        Client,
        connect::{
            HttpConnector,
            dns::{GaiResolver, Name},
        },
    },
    rt::{TokioExecutor, TokioTimer},
};
use rustls::crypto::aws_lc_rs;
use tower::{BoxError, Service, ServiceExt, service_fn, util::BoxCloneSyncService};

use crate::Forbidden;

/// Maximum time to open a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// How long an unused connection stays open.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

pub(crate) type Body = UnsyncBoxBody<Bytes, BoxError>;
pub(crate) type Transport = BoxCloneSyncService<Request<Full<Bytes>>, Response<Body>, BoxError>;

/// A client that connects to addresses for which `is_allowed` holds. Panics on a machine without root certificates,
/// because servers could not be authenticated.
pub(crate) fn network(is_allowed: fn(IpAddr) -> bool) -> Transport {
    let resolve = service_fn(move |name: Name| resolve(name, is_allowed));
    let mut connector = HttpConnector::new_with_resolver(resolve);
    connector.enforce_http(false);
    connector.set_connect_timeout(Some(CONNECT_TIMEOUT));
    let connector = HttpsConnectorBuilder::new()
        .with_provider_and_native_roots(aws_lc_rs::default_provider())
        .unwrap_or_else(|it| panic!("the machine's root certificates cannot be read: {it}"))
        // `OutgoingHttp` requires TLS for every address that is not this machine.
        .https_or_http()
        .enable_http1()
        .wrap_connector(connector);
    let client = Client::builder(TokioExecutor::new())
        .pool_idle_timeout(IDLE_TIMEOUT)
        .pool_timer(TokioTimer::new())
        .build(connector);
    from_service(client)
}

/// The addresses of a name. The connector connects to these, so no other answer of the name server is used later. It does
/// not resolve addresses that are written in the URL.
async fn resolve(
    name: Name,
    is_allowed: fn(IpAddr) -> bool,
) -> Result<std::vec::IntoIter<SocketAddr>, io::Error> {
    let found: Vec<SocketAddr> = GaiResolver::new().oneshot(name).await?.collect();
    // One address that is not allowed is enough: no honest server has both kinds.
    match found.iter().all(|it| is_allowed(it.ip())) {
        true => Ok(found.into_iter()),
        false => Err(io::Error::other(Forbidden::NotPublic)),
    }
}

/// Wraps a service, such as a client or a test router.
pub(crate) fn from_service<S, B>(service: S) -> Transport
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
