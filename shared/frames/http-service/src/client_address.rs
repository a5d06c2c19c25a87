//! The IP address of the client.

use std::{
    convert::Infallible,
    net::{IpAddr, Ipv4Addr, SocketAddr},
};

use axum::extract::{ConnectInfo, FromRequestParts};
use http::{Extensions, request::Parts};
use lambda_http::request::RequestContext;

/// The IP address that a request comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);

impl ClientAddress {
    /// The address that the API gateway states, or else the address of the connection. Headers are ignored,
    /// because clients can set them to any value; [`TrustedProxy`](crate::TrustedProxy) reads those of the
    /// operator's proxy.
    pub(crate) fn of(extensions: &Extensions) -> Self {
        if let Some(address) = extensions.get::<Self>() {
            return *address;
        }
        let gateway = extensions.get::<RequestContext>().and_then(|context| match context {
            RequestContext::ApiGatewayV1(context) => context.identity.source_ip.as_deref(),
            // Sent by `cargo lambda watch`.
            RequestContext::ApiGatewayV2(context) => context.http.source_ip.as_deref(),
            _ => None,
        });
        let connection = || extensions.get::<ConnectInfo<SocketAddr>>().map(|it| it.0.ip());
        let address = gateway.and_then(|it| it.parse().ok()).or_else(connection);
        // Clients without a known address share one allowance; none is unlimited.
        Self(address.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)))
    }
}

impl<S: Sync> FromRequestParts<S> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Self::of(&parts.extensions))
    }
}
