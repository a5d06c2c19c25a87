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
use http::{Method, header};
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
    /// Body of a POST, as JSON.
    #[arg(long)]
    body: Option<String>,
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

/// Which requests are measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Requests {
    /// A read of each kind.
    Reads,
    /// Each analysis of the whole register. What earlier runs have kept of their answers is deleted.
    Analyses,
}

pub(crate) fn measure(
    demo: DemoSettings,
    data: Option<&Path>,
    requests: Requests,
) -> Result<(), Error> {
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
    let asked = runtime.block_on(async {
        match requests {
            Requests::Reads => reads(&client).await,
            Requests::Analyses => {
                let objects = Cloud::of_server(&server.local.endpoints).objects;
                for key in objects.keys("analyses/").await? {
                    objects.delete(&key).await?;
                }
                Ok(analyses())
            }
        }
    })?;
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
    for Asked { label, path, body } in asked {
        let mut process = Command::new(std::env::current_exe()?)
            .args(["cold-answer", "--path", &path, "--key", client.key()])
            .args(["--endpoints", &serde_json::to_string(&endpoints)?])
            .args(body.into_iter().flat_map(|it| ["--body", it]))
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

/// A request.
struct Asked {
    label: &'static str,
    path: String,
    /// JSON, of a POST.
    body: Option<&'static str>,
}

impl Asked {
    fn get(label: &'static str, path: impl Into<String>) -> Self {
        Self { label, path: path.into(), body: None }
    }

    fn post(label: &'static str, path: &str, body: &'static str) -> Self {
        Self { body: Some(body), ..Self::get(label, path) }
    }
}

/// A read of each kind.
async fn reads(client: &Http) -> Result<Vec<Asked>, Error> {
    let most = "/v1/persons/search?sortBy=roleCount&sortDesc=true&pageSize=1&includeEntities=false";
    let found: Value = serde_json::from_slice(&client.get(most).await?)?;
    let person = found["items"][0]["id"].as_str().ok_or("nobody")?;
    let company = "CHE-812.460.660";
    Ok(vec![
        Asked::get("companies, a name", "/v1/companies?search=muster"),
        Asked::get("– in a canton", "/v1/companies?canton=GR"),
        Asked::get("– counted", "/v1/companies/count"),
        Asked::get("– nearby", "/v1/companies/nearby?lat=46.85&lng=9.53&radiusKm=5"),
        Asked::get("– with a board member", "/v1/companies?boardMemberSearch=meier"),
        Asked::get("one company", format!("/v1/companies/{company}")),
        Asked::get("– in full", format!("/v1/companies/{company}/full")),
        Asked::get("– its relationships", format!("/v1/companies/{company}/relationships")),
        Asked::get("– its graph", format!("/v1/graph/{company}")),
        Asked::get("persons, a name", "/v1/persons/search?q=meier"),
        Asked::get("one person", format!("/v1/persons/{person}")),
        Asked::get("– and network", format!("/v1/persons/{person}/network")),
        Asked::get("changes", "/v1/changes"),
        Asked::get("– in a canton, page 20", "/v1/changes?canton=GR&page=20"),
        Asked::get("– counted", "/v1/changes/statistics"),
        Asked::get("– the feed", "/v1/changes/feed?limit=100"),
        Asked::get("auditor tenures", "/v1/auditor-tenures"),
        Asked::get("dashboard", "/v1/dashboard"),
    ])
}

/// Each analysis, of the whole register.
fn analyses() -> Vec<Asked> {
    const CLUSTER: &str = "/v1/analytics/cluster";
    const ANOMALIES: &str = "/v1/analytics/anomalies";
    vec![
        Asked::get("cantons", "/v1/analytics/cantons"),
        Asked::get("auditors", "/v1/analytics/auditors"),
        Asked::get("cohorts, counted", "/v1/analytics/cohorts"),
        Asked::get("– survival", "/v1/analytics/cohorts?metric=survival"),
        Asked::get(
            "– median capital by industry",
            "/v1/analytics/cohorts?groupBy=industry&metric=medianCapital",
        ),
        Asked::get("– of one canton", "/v1/analytics/cohorts?groupBy=legalForm&canton=ZH"),
        Asked::get("flows", "/v1/analytics/flows"),
        Asked::get("migrations", "/v1/analytics/migrations"),
        Asked::get("RFM segments", "/v1/analytics/rfm-segments"),
        Asked::get("candidates", "/v1/analytics/candidates"),
        Asked::get("prospects", "/v1/analytics/prospects"),
        Asked::get("benchmark", "/v1/analytics/benchmark?uid=CHE-812.460.660"),
        Asked::post("clusters, k = 8", CLUSTER, r#"{"algorithm":"kmeans","k":8}"#),
        Asked::post("– k chosen", CLUSTER, r#"{"algorithm":"kmeans"}"#),
        Asked::post(
            "anomalies, robust z-score",
            ANOMALIES,
            r#"{"algorithm":"zscore","threshold":3.5}"#,
        ),
        Asked::post(
            "– isolation forest",
            ANOMALIES,
            r#"{"algorithm":"isolation_forest","threshold":0.99}"#,
        ),
        Asked::get("industries", "/v1/reports/industries"),
        Asked::get("report of an industry", "/v1/reports/industry/G"),
    ]
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
            .header(header::AUTHORIZATION, format!("Bearer {}", self.key));
        let request = match &self.body {
            Some(body) => request
                .method(Method::POST)
                .header(header::CONTENT_TYPE, "application/json")
                .body(Body::from(body.clone()))?,
            None => request.body(Body::empty())?,
        };
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
