//! The HTTP client, as a `tower` service that decompresses responses.

use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use network::transport::{GaiResolver, Tls, Transport};
use tower::{BoxError, Service};
use tower_http::decompression::Decompression;

/// Maximum time to open a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// A client for HTTPS. Panics on a machine without root certificates.
pub(crate) fn network() -> Transport {
    from_service(network::transport::network(GaiResolver::new(), Tls::Required, CONNECT_TIMEOUT))
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
    network::transport::from_service(Decompression::new(service))
}
