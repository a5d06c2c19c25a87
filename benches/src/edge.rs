//! What a request costs besides its handler.
//!
//! In the figure: everything that `http_service` does to a request whose key it remembers. Request id,
//! span and log line (as for an invocation of Lambda's), CORS, routing, finding the
//! caller, unlock, the meter's own work, reading the body, the task of its own, the ETag, the rate
//! headers. The handler in the middle answers a constant.
//!
//! Not in the figure: the call of the counter, which is the one input and output on this way. It goes
//! through the real SDK to a connector that answers at once, so what is taken off is what the SDK
//! itself does (JSON, signature, retries, timeouts); how long the network takes comes on top of either.
//! That call is measured alone, as the meter makes it, in turns with the whole request.
//! Neither is the connection: on Lambda the request comes as an event, locally from hyper.
//!
//! All on one thread, so that what is measured is work, not the waking of threads.

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
use http::{Request, StatusCode, header};
use http_body_util::BodyExt;
use http_service::{Api, ClientAddress, Clock, Frame, Routes, handler, reads};
use jiff::Timestamp;
use local::{
    cloud::{self, Cloud},
    teams,
};
use store::{Counters, Subject};
use tower::ServiceExt;
use tracing::{Instrument, Span, subscriber::NoSubscriber};

use crate::{
    Error,
    samples::{self, Samples, microseconds, row},
};

/// The ways are measured in turns, so that what disturbs one disturbs all.
const ROUNDS: u32 = 200;
const REQUESTS_A_ROUND: u32 = 100;

/// What Lambda calls an invocation.
const INVOCATION: &str = "8476a536-e9f4-11e8-9739-2dfe598c3fcd";

const TRACE: &str = "Root=1-67891233-abcdef012345678912345678;Parent=53995c3f42cd8ad8;Sampled=1";

/// As long as a page of twenty companies.
const PAGE: &str = match str::from_utf8(&[b'x'; 32 * 1024]) {
    Ok(text) => text,
    Err(_) => "",
};

pub(crate) fn measure() -> Result<(), Error> {
    eprintln!("edge: {} requests each way …", ROUNDS * REQUESTS_A_ROUND);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(ways())
}

async fn ways() -> Result<(), Error> {
    let cloud = Cloud::in_memory().await?;
    let counters = Counters::named(tables_that_answer_at_once(), cloud::TABLES[2]);
    let frame = Frame::new(
        cloud.tenants.clone(),
        counters.clone(),
        "http://127.0.0.1/api",
        Clock::system(),
    );
    let framed = http_service::service(frame, [api()]);
    let bare =
        Router::new().route("/v1/small", routing::get(small)).route("/v1/page", routing::get(page));

    let team = teams::create_team(&cloud.tenants, Tier::Enterprise).await?;
    let now = Timestamp::now();
    let key =
        teams::create_key(&cloud.tenants, &team, Environment::Live, &[Scope::Read], now).await?;
    let mut invocation = lambda_http::Context::default();
    invocation.request_id = INVOCATION.to_owned();
    let request = |path: &str| {
        let request = Request::get(path)
            .header(header::AUTHORIZATION, format!("Bearer {key}"))
            .header(header::ACCEPT, "application/json")
            // As the gateway sends it, and `lambda_http` from the invocation.
            .header("x-amzn-trace-id", TRACE)
            .extension(ClientAddress(IpAddr::V4(Ipv4Addr::LOCALHOST)))
            .extension(invocation.clone());
        request.body(Body::empty()).map_err(Error::from)
    };
    // The first request verifies the key; from now on it is remembered.
    answered(&framed, request("/v1/small")?).await?;

    let subject = Subject::Address(IpAddr::V4(Ipv4Addr::LOCALHOST));
    // For the whole process, as on Lambda, but for the writing.
    tracing::subscriber::set_global_default(telemetry::log("edge", std::io::sink))?;
    let [mut small, mut page, mut unlogged, mut bare_small, mut bare_page, mut counter] =
        [const { Samples::new() }; 6];
    for _ in 0..ROUNDS {
        small.push(round(&framed, || request("/v1/small")).await?);
        page.push(round(&framed, || request("/v1/page")).await?);
        let unheard = tracing::subscriber::set_default(NoSubscriber::new());
        unlogged.push(round(&framed, || request("/v1/small")).await?);
        bare_small.push(round(&bare, || request("/v1/small")).await?);
        bare_page.push(round(&bare, || request("/v1/page")).await?);
        drop(unheard);
        // What nobody heard is heard by everybody again, and asked of nobody, as where there is one log.
        tracing::callsite::rebuild_interest_cache();
        let started = Instant::now();
        for _ in 0..REQUESTS_A_ROUND {
            let now = Clock::system().now();
            counters.take(&subject, RateGroup::SearchRead, 60_000, now).await?;
        }
        counter.push(started.elapsed() / REQUESTS_A_ROUND);
    }

    let [small, page, unlogged, bare_small, bare_page, counter] =
        [small, page, unlogged, bare_small, bare_page, counter].map(|it| it.median());
    samples::header(&["A request on one thread", "Figure"]);
    let own = |whole: Duration, bare: Duration| {
        microseconds(whole.saturating_sub(counter).saturating_sub(bare))
    };
    row(["the edge itself, without handler and counter", &own(small, bare_small)]);
    row(["the same, without the log line", &own(unlogged, bare_small)]);
    row(["the same, with a page of 32 KiB, whose ETag is its SHA-256", &own(page, bare_page)]);
    row(["the call of the counter in the SDK, answered at once", &microseconds(counter)]);
    row(["all of it: edge, counter's call, handler", &microseconds(small)]);
    row(["the handler behind a bare router", &microseconds(bare_small)]);
    println!();
    Ok(())
}

/// How long one request of a round takes.
async fn round(
    router: &Router,
    request: impl Fn() -> Result<Request<Body>, Error>,
) -> Result<Duration, Error> {
    let requests: Vec<_> = (0..REQUESTS_A_ROUND).map(|_| request()).collect::<Result<_, _>>()?;
    let started = Instant::now();
    for request in requests {
        answered(router, request).instrument(runtimes_own()).await?;
    }
    Ok(started.elapsed() / REQUESTS_A_ROUND)
}

/// What `lambda_runtime` opens around every invocation.
fn runtimes_own() -> Span {
    tracing::info_span!(
        target: "lambda_runtime::layers::trace",
        "Lambda runtime invoke",
        requestId = INVOCATION,
        xrayTraceId = TRACE,
    )
}

async fn answered(router: &Router, request: Request<Body>) -> Result<(), Error> {
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

/// A client of tables that count without being there.
fn tables_that_answer_at_once() -> aws_sdk_dynamodb::Client {
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new(cloud::REGION))
        .credentials_provider(Credentials::new(
            cloud::ACCESS_KEY,
            cloud::SECRET_KEY,
            None,
            None,
            "edge",
        ))
        .http_client(AtOnce);
    aws_sdk_dynamodb::Client::from_conf(config.build())
}

/// Answers everything with a count of one.
#[derive(Clone, Debug)]
struct AtOnce;

impl HttpConnector for AtOnce {
    fn call(&self, _: HttpRequest) -> HttpConnectorFuture {
        let counted = r#"{"Attributes":{"count":{"N":"1"},"expires":{"N":"1"}}}"#;
        let status = StatusCode::OK.into();
        HttpConnectorFuture::ready(Ok(HttpResponse::new(status, SdkBody::from(counted))))
    }
}

impl HttpClient for AtOnce {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}
