//! Which addresses are connected to.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    time::Duration,
};

use crate::transport::{GaiResolver, Name, Tls, Transport, from_service};
use tower::{ServiceExt, service_fn};

use crate::outgoing::Forbidden;

/// Maximum time to open a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// A client that connects to addresses for which `is_allowed` holds. Panics on a machine without root certificates.
pub(crate) fn network(is_allowed: fn(IpAddr) -> bool) -> Transport {
    let resolver = service_fn(move |name: Name| resolve(name, is_allowed));
    // `OutgoingHttp` requires TLS for every address that is not this machine.
    from_service(crate::transport::network(resolver, Tls::Optional, CONNECT_TIMEOUT))
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
