//! The overhead of a request before and after its handler.
//!
//! Included: everything that `http_service` does with a request whose API key is cached. That is request
//! id, tracing span and log line (as for a Lambda invocation), CORS, routing, authentication, the check of
//! the tier, the metering code, reading the body, spawning the handler's task, ETag and rate-limit headers.
//! The handler returns a constant.
//!
//! Not included: the call of the counter, the only I/O of a request. Here the real SDK makes the call and a
//! connector answers it at once. It is measured separately, alternating with whole requests, and
//! subtracted; so the work of the SDK (JSON, signature, retries, timeouts) is subtracted too. The connection
//! is not included either: on Lambda a request arrives as an event, locally from hyper.
//!
//! Everything runs on one thread, so that waking threads does not count.

use std::{
    net::{IpAddr, Ipv4Addr},
    time::{Duration, Instant},
};

use access::{Environment, RateGroup, Scope, Tier};
use aws_sdk_dynamodb::config::{
    BehaviorVersion, Credentials, HttpClient, Region, RuntimeComponents,
    http::{HttpRequest, HttpResponse},
};
use aws_smithy_runtime_api::client::http::{
    HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_types::body::SdkBody;
use axum::{Router, body::Body, routing};
use components::{Clock, PublicUrl};
use http::{Request, StatusCode, header};
use http_body_util::BodyExt;
use http_service::{Api, ApiKeySecret, ClientAddress, Middleware, Routes, handler, reads};
use local::{
    cloud::{self, Cloud, clients},
    teams,
};
use store::{Counters, Subject};
use tower::ServiceExt;
use tracing::{Instrument, Span, subscriber::NoSubscriber};

use crate::{
    Error, machine,
    samples::{self, Samples, microseconds, row},
};

/// The variants alternate in rounds, so that a disturbance affects all of them.
const ROUNDS: u32 = 200;
const REQUESTS_PER_ROUND: u32 = 100;

/// The request id of a Lambda invocation.
const INVOCATION: &str = "8476a536-e9f4-11e8-9739-2dfe598c3fcd";

const TRACE: &str = "Root=1-67891233-abcdef012345678912345678;Parent=53995c3f42cd8ad8;Sampled=1";

/// A body as long as a page of twenty companies.
const PAGE: &str = match str::from_utf8(&[b'x'; 32 * 1024]) {
    Ok(text) => text,
    Err(_) => "",
};

pub(crate) fn measure() -> Result<(), Error> {
    eprintln!("edge: {} requests of each variant …", ROUNDS * REQUESTS_PER_ROUND);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(measure_variants())
}

async fn measure_variants() -> Result<(), Error> {
    let cloud = Cloud::in_memory().await?;
    let counters = Counters::named(instant_tables(), cloud::TABLES[2]);
    let components = cloud
        .components()
        .with(counters.clone())
        .with(PublicUrl::new("http://127.0.0.1/api"))
        .with(ApiKeySecret::default());
    let middleware = Middleware::new(&components);
    let framed = http_service::service(middleware, [api()]);
    let bare =
        Router::new().route("/v1/small", routing::get(small)).route("/v1/page", routing::get(page));

    let team = teams::create_team(&cloud.tenants, Tier::Enterprise).await?;
    let now = machine::now();
    let key =
        teams::create_key(&cloud.tenants, &team, Environment::Live, &[Scope::Read], now).await?;
    let mut invocation = lambda_http::Context::default();
    invocation.request_id = INVOCATION.to_owned();
    let request = |path: &str| {
        let request = Request::get(path)
            .header(header::AUTHORIZATION, format!("Bearer {key}"))
            .header(header::ACCEPT, "application/json")
            // The gateway sends this header, and `lambda_http` sets it from the invocation.
            .header("x-amzn-trace-id", TRACE)
            .extension(ClientAddress(IpAddr::V4(Ipv4Addr::LOCALHOST)))
            .extension(invocation.clone());
        request.body(Body::empty()).map_err(Error::from)
    };
    // The first request verifies the key; later requests find it in the cache.
    send(&framed, request("/v1/small")?).await?;

    let subject = Subject::from(IpAddr::V4(Ipv4Addr::LOCALHOST));
    // One log for the whole process, as on Lambda. Its output is discarded.
    tracing::subscriber::set_global_default(telemetry::log("edge", std::io::sink))?;
    let [mut small, mut page, mut unlogged, mut bare_small, mut bare_page, mut counter] =
        [const { Samples::new() }; 6];
    for _ in 0..ROUNDS {
        small.push(round(&framed, || request("/v1/small")).await?);
        page.push(round(&framed, || request("/v1/page")).await?);
        let no_log = tracing::subscriber::set_default(NoSubscriber::new());
        unlogged.push(round(&framed, || request("/v1/small")).await?);
        bare_small.push(round(&bare, || request("/v1/small")).await?);
        bare_page.push(round(&bare, || request("/v1/page")).await?);
        drop(no_log);
        // Without this, tracing keeps asking the dropped subscriber, which slows down the next round.
        tracing::callsite::rebuild_interest_cache();
        let started = Instant::now();
        for _ in 0..REQUESTS_PER_ROUND {
            let now = Clock::system().now();
            counters.take(&subject, RateGroup::SearchRead, 60_000, now).await?;
        }
        counter.push(started.elapsed() / REQUESTS_PER_ROUND);
    }

    let [small, page, unlogged, bare_small, bare_page, counter] =
        [small, page, unlogged, bare_small, bare_page, counter].map(|it| it.median());
    samples::header(&["A request on one thread", "Figure"]);
    let own = |whole: Duration, bare: Duration| {
        microseconds(whole.saturating_sub(counter).saturating_sub(bare))
    };
    row(["request overhead, without handler and counter", &own(small, bare_small)]);
    row(["the same without the log line", &own(unlogged, bare_small)]);
    row(["the same with a page of 32 KiB, whose ETag is its SHA-256", &own(page, bare_page)]);
    row(["the SDK's call of the counter, answered at once", &microseconds(counter)]);
    row(["whole request: overhead, counter call and handler", &microseconds(small)]);
    row(["the handler with a router only", &microseconds(bare_small)]);
    println!();
    Ok(())
}

/// The average duration of one request in a round.
async fn round(
    router: &Router,
    request: impl Fn() -> Result<Request<Body>, Error>,
) -> Result<Duration, Error> {
    let requests: Vec<_> = (0..REQUESTS_PER_ROUND).map(|_| request()).collect::<Result<_, _>>()?;
    let started = Instant::now();
    for request in requests {
        send(router, request).instrument(invocation_span()).await?;
    }
    Ok(started.elapsed() / REQUESTS_PER_ROUND)
}

/// The span that `lambda_runtime` opens around every invocation.
fn invocation_span() -> Span {
    tracing::info_span!(
        target: "lambda_runtime::layers::trace",
        "Lambda runtime invoke",
        requestId = INVOCATION,
        xrayTraceId = TRACE,
    )
}

async fn send(router: &Router, request: Request<Body>) -> Result<(), Error> {
    let response = router.clone().oneshot(request).await?;
    let status = response.status();
    let body = response.into_body().collect().await?.to_bytes();
    match status {
        StatusCode::OK => Ok(()),
        _ => Err(format!("{status} {}", String::from_utf8_lossy(&body)).into()),
    }
}

fn api() -> Api {
    Routes::new().route(reads(1), handler!(small)).route(reads(1), handler!(page)).into_api(
        "edge",
        RateGroup::SearchRead,
        (),
    )
}

#[utoipa::path(get, path = "/v1/small", responses((status = OK)))]
async fn small() -> &'static str {
    "{}"
}

#[utoipa::path(get, path = "/v1/page", responses((status = OK)))]
async fn page() -> &'static str {
    PAGE
}

/// A DynamoDB client whose requests are answered at once, without a server.
#[expect(clippy::disallowed_methods, reason = "`store::client` takes no HTTP client")]
fn instant_tables() -> aws_sdk_dynamodb::Client {
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new(clients::REGION))
        .credentials_provider(Credentials::new(
            clients::ACCESS_KEY,
            clients::SECRET_KEY,
            None,
            None,
            "edge",
        ))
        .http_client(InstantAnswer);
    aws_sdk_dynamodb::Client::from_conf(config.build())
}

/// Answers every request with a count of one.
#[derive(Clone, Debug)]
struct InstantAnswer;

impl HttpConnector for InstantAnswer {
    fn call(&self, _: HttpRequest) -> HttpConnectorFuture {
        let counted = r#"{"Attributes":{"count":{"N":"1"},"expires":{"N":"1"}}}"#;
        let status = StatusCode::OK.into();
        HttpConnectorFuture::ready(Ok(HttpResponse::new(status, SdkBody::from(counted))))
    }
}

impl HttpClient for InstantAnswer {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}
