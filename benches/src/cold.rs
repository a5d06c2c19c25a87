//! Cold starts: the first answer of a new process to each kind of request, and what it fetches, from a bucket that is as slow as
//! S3; and what the same process fetches of the next generation.
//!
//! A process of its own on one core has all functions and an empty temporary folder, as on Lambda. Its requests to the bucket
//! go through a proxy on the other core, which delays each by [`LATENCY`] and passes on [`BANDWIDTH`] bytes a second in all. The
//! tables are not slowed. The time starts with the process, so it includes the start of this program, but not what Lambda needs
//! to start a process and to load the function; see `cargo figures start`.

use std::{
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::{Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use axum::{Router, body::Body, extract::Request, response::Response, serve::ListenerExt};
use generations::Generations;
use http::header;
use http_body_util::BodyExt;
use hyper_util::{client::legacy::Client, rt::TokioExecutor};
use local::{
    cloud::{Cloud, Endpoints},
    functions,
    register::demo::DemoSettings,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tempfile::TempDir;
use tower::ServiceExt;

use crate::{
    Error, machine, process,
    samples::{self, row},
    server::{Http, Server},
};

/// Time from a request to the first byte of its answer.
const LATENCY: Duration = Duration::from_millis(15);
/// Bytes per second, over all connections.
const BANDWIDTH: f64 = 80e6;
/// The core of the process that is measured, and that of all others.
const CORES: [&str; 2] = ["0", "1"];

/// One process that answers one request.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ColdAnswer {
    /// Path of the request.
    #[arg(long)]
    path: String,
    #[arg(long)]
    key: String,
    /// Addresses of table, bucket and queues, as JSON.
    #[arg(long)]
    endpoints: String,
}

/// What an answer took.
#[derive(Serialize, Deserialize)]
struct Answered {
    seconds: f64,
    /// Peak memory in bytes.
    peak: f64,
    /// The same request again.
    again: f64,
}

pub(crate) fn measure(demo: DemoSettings, data: Option<&Path>) -> Result<(), Error> {
    let temporary = TempDir::new()?;
    let data = data.unwrap_or(temporary.path());
    eprintln!("cold: a server of {} companies …", demo.companies);
    let server = Server::start_in(&data.join("wide"), demo)?;
    machine::pin(server.process.id(), CORES[1])?;
    machine::pin(std::process::id(), CORES[1])?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (bucket, client) = runtime.block_on(async {
        let bucket = SlowBucket::before(&server.local.endpoints.s3).await?;
        Ok::<_, Error>((bucket, Http::for_new_team(&server.local).await?))
    })?;
    let paths = runtime.block_on(paths(&client))?;
    let endpoints = Endpoints { s3: bucket.address.clone(), ..server.local.endpoints.clone() };
    samples::header(&[
        &format!(
            "Cold process ({} companies{})",
            demo.companies,
            if demo.all_notices { ", all notices" } else { "" }
        ),
        "first answer",
        "fetched, requests",
        "peak memory",
        "again",
        "next generation: fetched, time",
    ]);
    let mut processes = Vec::new();
    for (label, path) in paths {
        let mut process = Command::new(std::env::current_exe()?)
            .args(["cold-answer", "--path", &path, "--key", client.key()])
            .args(["--endpoints", &serde_json::to_string(&endpoints)?])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut lines = BufReader::new(process.stdout.take().ok_or("no output")?);
        let mut line = String::new();
        lines.read_line(&mut line)?;
        let answered: Answered =
            serde_json::from_str(&line).map_err(|it| format!("{path}: {it}: {line}"))?;
        processes.push((label, answered, bucket.take(), process, lines));
    }
    runtime.block_on(server.publish())?;
    bucket.take();
    for (label, answered, first, mut process, mut lines) in processes {
        process.stdin.take().ok_or("no input")?.write_all(b"next\n")?;
        let mut line = String::new();
        lines.read_to_string(&mut line)?;
        process.wait()?;
        let (next, takeover) = (bucket.take(), line.trim().parse::<f64>()?);
        row([
            label.to_owned(),
            format!("{:.2} s", answered.seconds),
            format!("{:.1} MB, {}", first.bytes as f64 / 1e6, first.requests),
            format!("{:.0} MB", answered.peak / 1e6),
            format!("{:.1} ms", answered.again * 1e3),
            format!("{:.1} MB, {takeover:.2} s", next.bytes as f64 / 1e6),
        ]);
    }
    println!();
    Ok(())
}

/// A request of each kind.
async fn paths(client: &Http) -> Result<Vec<(&'static str, String)>, Error> {
    let most = "/v1/persons/search?sortBy=roleCount&sortDesc=true&pageSize=1&includeEntities=false";
    let found: Value = serde_json::from_slice(&client.get(most).await?)?;
    let person = found["items"][0]["id"].as_str().ok_or("nobody")?;
    let company = "CHE-812.460.660";
    Ok(vec![
        ("companies, a name", "/v1/companies?search=muster".to_owned()),
        ("– in a canton", "/v1/companies?canton=GR".to_owned()),
        ("– counted", "/v1/companies/count".to_owned()),
        ("– nearby", "/v1/companies/nearby?lat=46.85&lng=9.53&radiusKm=5".to_owned()),
        ("– with a board member", "/v1/companies?boardMemberSearch=meier".to_owned()),
        ("one company", format!("/v1/companies/{company}")),
        ("– in full", format!("/v1/companies/{company}/full")),
        ("– its relationships", format!("/v1/companies/{company}/relationships")),
        ("– its graph", format!("/v1/graph/{company}")),
        ("persons, a name", "/v1/persons/search?q=meier".to_owned()),
        ("one person", format!("/v1/persons/{person}")),
        ("– and network", format!("/v1/persons/{person}/network")),
        ("changes", "/v1/changes".to_owned()),
        ("– in a canton, page 20", "/v1/changes?canton=GR&page=20".to_owned()),
        ("– counted", "/v1/changes/statistics".to_owned()),
        ("– the feed", "/v1/changes/feed?limit=100".to_owned()),
        ("auditor tenures", "/v1/auditor-tenures".to_owned()),
        ("dashboard", "/v1/dashboard".to_owned()),
    ])
}

impl ColdAnswer {
    /// Answers the request twice, and takes over the next generation after a line of input.
    pub(crate) fn run(self, started: Instant) -> Result<(), Error> {
        machine::pin(std::process::id(), CORES[0])?;
        let endpoints: Endpoints = serde_json::from_str(&self.endpoints)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let (cloud, downloads) = (Cloud::of_server(&endpoints), TempDir::new()?);
            let components = process::components(&cloud, downloads.path());
            let router = functions::router(&components);
            self.answer(&router).await?;
            let seconds = started.elapsed().as_secs_f64();
            let peak = machine::memory("self")?.peak;
            let repeated = Instant::now();
            self.answer(&router).await?;
            let again = repeated.elapsed().as_secs_f64();
            println!("{}", serde_json::to_string(&Answered { seconds, peak, again })?);
            std::io::stdin().lock().read_line(&mut String::new())?;
            let began = Instant::now();
            components.get::<Generations>().refresh().await?;
            println!("{}", began.elapsed().as_secs_f64());
            Ok(())
        })
    }

    async fn answer(&self, router: &Router) -> Result<(), Error> {
        let request = Request::builder()
            .uri(&self.path)
            .header(header::AUTHORIZATION, format!("Bearer {}", self.key))
            .body(Body::empty())?;
        let response = router.clone().oneshot(request).await?;
        let status = response.status();
        let body = response.into_body().collect().await?.to_bytes();
        match status.is_success() {
            true => Ok(()),
            false => Err(format!("{status} {}", String::from_utf8_lossy(&body)).into()),
        }
    }
}

/// A proxy before the bucket that is as slow as S3, and counts what is fetched.
struct SlowBucket {
    address: String,
    fetched: Arc<Mutex<Fetched>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Fetched {
    bytes: u64,
    requests: u64,
    /// When the last byte of all requests before has passed.
    passed: Option<Instant>,
}

impl SlowBucket {
    async fn before(target: &str) -> Result<Self, Error> {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        let address = format!("http://{}", listener.local_addr()?);
        let fetched: Arc<Mutex<Fetched>> = Arc::default();
        let (target, counting) = (target.to_owned(), fetched.clone());
        let client = Client::builder(TokioExecutor::new()).build_http();
        let proxy = Router::new().fallback(async move |request: Request| {
            match pass(&client, &target, request, &counting).await {
                Ok(response) => response,
                Err(failure) => {
                    eprintln!("cold: {failure}");
                    let mut response = Response::new(Body::empty());
                    *response.status_mut() = http::StatusCode::BAD_GATEWAY;
                    response
                }
            }
        });
        let listener = listener.tap_io(|it| drop(it.set_nodelay(true)));
        tokio::spawn(async move { axum::serve(listener, proxy).await });
        Ok(Self { address, fetched })
    }

    /// What was fetched since the last call.
    fn take(&self) -> Fetched {
        std::mem::take(&mut self.fetched.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Passes a request on, and the answer when its last byte would have arrived.
async fn pass(
    client: &Client<hyper_util::client::legacy::connect::HttpConnector, Body>,
    target: &str,
    request: Request,
    fetched: &Mutex<Fetched>,
) -> Result<Response, Error> {
    let started = Instant::now();
    let (mut parts, body) = request.into_parts();
    let path = parts.uri.path_and_query().map_or("/", |it| it.as_str()).to_owned();
    parts.uri = format!("{target}{path}").parse()?;
    let answer = client.request(http::Request::from_parts(parts, body)).await?;
    let (parts, body) = answer.into_parts();
    let bytes = body.collect().await?.to_bytes();
    let passed = {
        let mut fetched = fetched.lock().unwrap_or_else(PoisonError::into_inner);
        fetched.requests += 1;
        fetched.bytes += bytes.len() as u64;
        let first = (started + LATENCY).max(fetched.passed.unwrap_or(started));
        *fetched.passed.insert(first + Duration::from_secs_f64(bytes.len() as f64 / BANDWIDTH))
    };
    tokio::time::sleep_until(passed.into()).await;
    Ok(Response::from_parts(parts, Body::from(bytes)))
}
