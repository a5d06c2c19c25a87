//! What a request must be like, and its limits.

use std::{
    error::Error,
    fmt,
    net::IpAddr,
    sync::{Arc, LazyLock},
    time::Duration,
};

use crate::transport::Transport;
use bytes::{Bytes, BytesMut};
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use tokio::time::timeout;
use tower::{BoxError, Service, ServiceExt};
use url::{Host, Url};

use crate::outgoing::{Forbidden, is_public, transport};

/// Limits of one request.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// From the resolution of the name to the end of the body.
    pub timeout: Duration,
    /// Maximum size of the response's body in bytes.
    pub max_bytes: usize,
}

/// Why a request has no response.
#[derive(Debug, thiserror::Error)]
pub enum NotAnswered {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error("no response within {0} seconds")]
    TimedOut(u64),
    #[error("the response is larger than {0} bytes")]
    TooLarge(usize),
    /// No connection, no valid certificate, or the connection broke.
    #[error("the host cannot be reached")]
    Unreachable(#[source] BoxError),
}

/// Which hosts may be requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AllowedHosts {
    /// Those of the public internet, over TLS.
    Public,
    /// Also this machine, with or without TLS.
    PublicAndLoopback,
}

/// Sends requests to addresses that customers give. Clones share the connections.
#[derive(Clone)]
pub struct OutgoingHttp {
    allowed_hosts: AllowedHosts,
    /// Built with the first request: most processes send none, and reading the root certificates takes milliseconds.
    transport: Arc<LazyLock<Transport, Box<dyn FnOnce() -> Transport + Send>>>,
}

impl fmt::Debug for OutgoingHttp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OutgoingHttp({:?})", self.allowed_hosts)
    }
}

impl OutgoingHttp {
    /// Reaches the public internet only.
    pub fn public() -> Self {
        Self::new(AllowedHosts::Public, || transport::network(is_public))
    }

    /// Also reaches this machine, without TLS. Only for a developer's machine and for tests.
    pub fn with_loopback() -> Self {
        let is_allowed = |it: IpAddr| it.is_loopback() || is_public(it);
        Self::new(AllowedHosts::PublicAndLoopback, move || transport::network(is_allowed))
    }

    /// Sends every allowed request to a service instead of the network. Only for tests and examples.
    pub fn simulated<S, B>(service: S) -> Self
    where
        S: Service<Request<Full<Bytes>>, Response = Response<B>> + Clone + Send + Sync + 'static,
        S::Error: Into<BoxError>,
        S::Future: Send,
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<BoxError>,
    {
        Self::new(AllowedHosts::Public, || crate::transport::from_service(service))
    }

    fn new(
        allowed_hosts: AllowedHosts,
        transport: impl FnOnce() -> Transport + Send + 'static,
    ) -> Self {
        let transport: Box<dyn FnOnce() -> Transport + Send> = Box::new(transport);
        Self { allowed_hosts, transport: Arc::new(LazyLock::new(transport)) }
    }

    /// Checks what is known without a look-up: the scheme, the parts of the URL, and an address in place of a name.
    pub fn check(&self, url: &Url) -> Result<(), Forbidden> {
        let is_loopback = match url.host().ok_or(Forbidden::NoHost)? {
            Host::Domain(it) => it.trim_end_matches('.') == "localhost",
            Host::Ipv4(it) => it.is_loopback(),
            Host::Ipv6(it) => it.is_loopback(),
        };
        let may_be_local = self.allowed_hosts == AllowedHosts::PublicAndLoopback && is_loopback;
        if url.scheme() != "https" && !(url.scheme() == "http" && may_be_local) {
            return Err(Forbidden::NoTls);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Forbidden::Credentials);
        }
        if url.fragment().is_some() {
            return Err(Forbidden::Fragment);
        }
        let is_reachable = match url.host() {
            Some(Host::Ipv4(it)) => is_public(it.into()),
            Some(Host::Ipv6(it)) => is_public(it.into()),
            // The name is checked when it is resolved.
            _ => !is_loopback,
        };
        if is_reachable || may_be_local { Ok(()) } else { Err(Forbidden::NotPublic) }
    }

    /// Sends a request. A redirect is a response like others.
    pub async fn send(
        &self,
        url: &Url,
        request: http::request::Builder,
        body: Bytes,
        limits: Limits,
    ) -> Result<Response<Bytes>, NotAnswered> {
        self.check(url)?;
        let request = request.uri(url.as_str()).body(Full::new(body));
        let request = request.map_err(|it| NotAnswered::Unreachable(it.into()))?;
        let exchange = async {
            let transport = Transport::clone(&self.transport);
            let response = transport.oneshot(request).await.map_err(unreachable)?;
            let (head, mut body) = response.into_parts();
            // Not with `http_body_util::Limited`: the compiler could not prove that the future is `Send`.
            let mut bytes = BytesMut::new();
            while let Some(frame) = body.frame().await {
                let frame = frame.map_err(NotAnswered::Unreachable)?;
                let data = frame.into_data().unwrap_or_default();
                if bytes.len() + data.len() > limits.max_bytes {
                    return Err(NotAnswered::TooLarge(limits.max_bytes));
                }
                bytes.extend_from_slice(&data);
            }
            Ok(Response::from_parts(head, bytes.freeze()))
        };
        let timed_out = |_| NotAnswered::TimedOut(limits.timeout.as_secs());
        timeout(limits.timeout, exchange).await.map_err(timed_out)?
    }
}

/// The reason in the causes of a failed connection.
fn unreachable(failure: BoxError) -> NotAnswered {
    let mut cause: Option<&(dyn Error + 'static)> = Some(&*failure);
    while let Some(error) = cause {
        if let Some(forbidden) = forbidden(error) {
            return NotAnswered::Forbidden(forbidden);
        }
        cause = error.source();
    }
    NotAnswered::Unreachable(failure)
}

fn forbidden(error: &(dyn Error + 'static)) -> Option<Forbidden> {
    // The source of an `io::Error` is that of the error inside, not the error itself.
    let inside = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
    inside.and_then(|it| it.downcast_ref()).or(error.downcast_ref()).copied()
}

#[cfg(test)]
mod tests {
    use std::{
        convert::Infallible,
        sync::atomic::{AtomicUsize, Ordering},
    };

    use axum::{Router, body::Body, response::Redirect, routing::get};
    use tokio::net::TcpListener;

    use super::*;

    const LIMITS: Limits = Limits { timeout: Duration::from_secs(5), max_bytes: 1_000 };

    fn url(text: &str) -> Url {
        text.parse().expect(text)
    }

    #[test]
    fn only_urls_of_the_public_internet_with_tls_are_allowed() {
        let public = OutgoingHttp::public();
        for text in ["https://idp.example", "https://idp.example:8443/x?y=z", "https://1.1.1.1/"] {
            assert_eq!(public.check(&url(text)), Ok(()), "{text}");
        }
        for (text, reason) in [
            ("http://idp.example/", Forbidden::NoTls),
            ("ftp://idp.example/", Forbidden::NoTls),
            ("file:///etc/passwd", Forbidden::NoHost),
            ("https://user@idp.example/", Forbidden::Credentials),
            ("https://:secret@idp.example/", Forbidden::Credentials),
            ("https://idp.example/#x", Forbidden::Fragment),
            ("https://localhost/", Forbidden::NotPublic),
            ("https://LOCALHOST./", Forbidden::NotPublic),
            ("https://127.0.0.1/", Forbidden::NotPublic),
            // Other spellings of the same addresses.
            ("https://2130706433/", Forbidden::NotPublic),
            ("https://0x7f.1/", Forbidden::NotPublic),
            ("https://0177.0.0.1/", Forbidden::NotPublic),
            ("https://127。0。0。1/", Forbidden::NotPublic),
            ("https://169.254.169.254/latest/meta-data/", Forbidden::NotPublic),
            ("https://[::1]/", Forbidden::NotPublic),
            ("https://[::ffff:169.254.169.254]/", Forbidden::NotPublic),
            ("https://[fd00:ec2::254]/", Forbidden::NotPublic),
        ] {
            assert_eq!(public.check(&url(text)), Err(reason), "{text}");
        }
    }

    #[test]
    fn this_machine_is_reached_only_if_that_is_allowed() {
        let local = OutgoingHttp::with_loopback();
        for text in
            ["http://127.0.0.1:9/", "http://localhost:9/", "http://[::1]/", "https://x.example"]
        {
            assert_eq!(local.check(&url(text)), Ok(()), "{text}");
        }
        assert_eq!(local.check(&url("http://x.example/")), Err(Forbidden::NoTls));
        assert_eq!(local.check(&url("https://10.0.0.1/")), Err(Forbidden::NotPublic));
        assert_eq!(
            OutgoingHttp::public().check(&url("http://127.0.0.1:9/")),
            Err(Forbidden::NoTls)
        );
    }

    /// A server on this machine. Returns its port and the number of its connections.
    async fn server() -> (u16, Arc<AtomicUsize>) {
        let requests = Arc::new(AtomicUsize::new(0));
        let counted = requests.clone();
        let endless = || async {
            let chunk = || Ok::<_, Infallible>(Bytes::from_static(&[b'x'; 100]));
            Body::from_stream(endless_stream(chunk))
        };
        let router = Router::new()
            .route("/", get(|| async { "answer" }))
            .route("/redirect", get(|| async { Redirect::temporary("/") }))
            .route("/slow", get(|| tokio::time::sleep(Duration::from_secs(60))))
            .route("/endless", get(endless))
            .layer(axum::middleware::map_request(move |it: http::Request<Body>| {
                counted.fetch_add(1, Ordering::SeqCst);
                async { it }
            }));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        tokio::spawn(axum::serve(listener, router).into_future());
        (port, requests)
    }

    /// A stream that never ends.
    fn endless_stream<T: Send + 'static>(
        item: impl Fn() -> T + Send + 'static,
    ) -> impl futures_util::Stream<Item = T> + Send {
        futures_util::stream::repeat_with(item)
    }

    async fn get_from(
        client: &OutgoingHttp,
        text: &str,
        limits: Limits,
    ) -> Result<Response<Bytes>, NotAnswered> {
        client.send(&url(text), http::Request::builder(), Bytes::new(), limits).await
    }

    #[tokio::test]
    async fn a_name_that_leads_to_this_machine_is_not_connected_to() {
        let (port, requests) = server().await;
        // The connector itself, because `localhost` is refused before.
        for is_allowed in [is_public as fn(IpAddr) -> bool, |_| true] {
            let request = http::Request::get(format!("http://localhost:{port}/"));
            let request = request.body(Full::default()).expect("a request");
            let answer = transport::network(is_allowed).oneshot(request).await;
            match answer.map_err(unreachable) {
                Ok(_) => assert_eq!(requests.load(Ordering::SeqCst), 1),
                Err(refused) => {
                    let reason = NotAnswered::Forbidden(Forbidden::NotPublic);
                    assert_eq!(refused.to_string(), reason.to_string());
                    assert_eq!(requests.load(Ordering::SeqCst), 0);
                }
            }
        }
        assert_eq!(requests.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn redirects_are_not_followed_and_time_and_size_are_limited() {
        let (port, requests) = server().await;
        let (client, server) = (OutgoingHttp::with_loopback(), format!("http://127.0.0.1:{port}"));
        let answer = get_from(&client, &format!("{server}/"), LIMITS).await.expect("an answer");
        assert_eq!(answer.body().as_ref(), b"answer");
        let redirect = get_from(&client, &format!("{server}/redirect"), LIMITS).await;
        assert_eq!(redirect.expect("an answer").status(), 307);
        assert_eq!(requests.load(Ordering::SeqCst), 2);
        let large = get_from(&client, &format!("{server}/endless"), LIMITS).await;
        assert!(matches!(large, Err(NotAnswered::TooLarge(1_000))), "{large:?}");
        let short = Limits { timeout: Duration::from_millis(100), ..LIMITS };
        let slow = get_from(&client, &format!("{server}/slow"), short).await;
        assert!(matches!(slow, Err(NotAnswered::TimedOut(_))), "{slow:?}");
    }

    #[tokio::test]
    async fn a_simulated_server_is_reached_under_the_same_rules() {
        let client = OutgoingHttp::simulated(
            Router::new().route("/", get(|| async { "answer" })).into_service(),
        );
        let answer = get_from(&client, "https://idp.example/", LIMITS).await;
        assert_eq!(answer.expect("an answer").body().as_ref(), b"answer");
        let refused = get_from(&client, "https://10.0.0.1/", LIMITS).await;
        assert!(
            matches!(refused, Err(NotAnswered::Forbidden(Forbidden::NotPublic))),
            "{refused:?}"
        );
    }
}
