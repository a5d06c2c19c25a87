//! Owners, risk, duties and dossiers of random companies: requests to the functions in this process, with the tables in another
//! one. Each company is asked for once, so that nothing is remembered. The dossiers are written by the writer that is built in,
//! with the write of the text.

use std::time::Instant;

use access::{Environment, Scope, Tier};
use axum::{Router, body::Body};
use http::{Request, header};
use http_body_util::BodyExt;
use local::{cloud::Cloud, register::demo::DemoSettings, teams};
use ownership::analytics::{Measures, Network};
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use tempfile::TempDir;
use tower::ServiceExt;

use crate::{
    Error, machine, process,
    samples::{self, Samples, median_and_tail, row},
    server::Server,
};

/// Maximum number of companies for each figure: their requests are a part of what a team may do in a window.
const MAX_COMPANIES: usize = 1_000;
/// Requests with one key: fewer than an Enterprise team may have written in a day.
const REQUESTS_OF_A_KEY: usize = 150;
/// Companies of a page.
const PAGE: usize = 100;

/// Size of the networks that are measured alone, and their number.
const NODES: usize = 500;
const NETWORKS: u64 = 100;

/// Operations, each with the goal for its 99th percentile in milliseconds.
const FIGURES: [(&str, u32); 7] = [
    ("GET /v1/companies/{uid}/ubo", 20),
    ("GET /v1/ownership/{uid}/analytics", 100),
    ("GET /v1/risk/v2/{uid}", 20),
    ("GET /v1/compliance/scope/{uid}", 10),
    ("POST /v1/dossiers summary", 100),
    ("POST /v1/dossiers standard", 100),
    ("POST /v1/dossiers detailed", 100),
];

pub(crate) fn measure(demo: DemoSettings, questions: usize) -> Result<(), Error> {
    // As on Lambda.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let folder = TempDir::new()?;
    eprintln!("methodology: a server of {} companies …", demo.companies);
    let server = Server::start_in(folder.path(), demo)?;
    let figures =
        runtime.block_on(figures(&server, questions.min(MAX_COMPANIES), demo.companies))?;
    let heading = format!("Operation ({} companies in the register)", demo.companies);
    samples::header(&[&heading, "Companies", "p50 / p99, ms", "Goal for p99, ms"]);
    for ((operation, goal), samples) in FIGURES.iter().zip(figures) {
        let (count, goal) = (samples.count().to_string(), goal.to_string());
        row([*operation, &count, &median_and_tail(&samples), &goal]);
    }
    let networks = analytics();
    let label = format!("measures of a network of {NODES} nodes, alone");
    row([&label, "–", &median_and_tail(&networks), "100"]);
    println!();
    Ok(())
}

/// PageRank, betweenness and communities of networks as large as a request may cover. A node has a link to one of those before it,
/// more probably to one that has many (Barabási and Albert 1999), and some have a second one.
fn analytics() -> Samples {
    let mut random = StdRng::seed_from_u64(19);
    let mut samples = Samples::default();
    for seed in 0..NETWORKS {
        let mut edges = vec![(1, 0, 1.0)];
        for node in 2..NODES {
            for _ in 0..random.random_range(1..=2) {
                let (one, other, _): (usize, usize, f64) =
                    edges[random.random_range(0..edges.len())];
                let target = if random.random_bool(0.5) { one } else { other };
                if target != node {
                    edges.push((node, target, random.random_range(0.01..=1.0)));
                }
            }
        }
        let started = Instant::now();
        let measures = Measures::of(&Network::new(NODES, edges), seed);
        samples.push(started.elapsed());
        std::hint::black_box(measures);
    }
    samples
}

async fn figures(server: &Server, count: usize, companies: usize) -> Result<Vec<Samples>, Error> {
    let (cloud, downloads) = (Cloud::of_server(&server.local.endpoints), TempDir::new()?);
    let (router, generations) = process::functions(&cloud, downloads.path());
    generations.refresh().await?.open_all().await?;
    let mut caller = Caller { cloud, router, key: String::new(), left: 0 };
    let mut figures = Vec::new();
    for (at, (operation, _)) in FIGURES.iter().enumerate() {
        eprintln!("methodology: {operation} …");
        let uids = caller.uids(at, count, companies).await?;
        let mut samples = Samples::default();
        // The first tenth warms up.
        for (number, uid) in uids.iter().enumerate() {
            let (method, rest) = operation.split_once(' ').unwrap_or(("GET", operation));
            let (path, level) = rest.split_once(' ').unwrap_or((rest, ""));
            let body = match method {
                "POST" => json!({ "uid": uid, "level": level, "language": "de" }).to_string(),
                _ => String::new(),
            };
            caller.renew().await?;
            let started = Instant::now();
            caller.send(method, &path.replace("{uid}", uid), body).await?;
            if number >= uids.len() / 10 {
                samples.push(started.elapsed());
            }
        }
        figures.push(samples);
    }
    Ok(figures)
}

/// Sends requests with keys of ever new teams.
struct Caller {
    cloud: Cloud,
    router: Router,
    key: String,
    left: usize,
}

impl Caller {
    /// The companies of one figure: pages spread over the register, of which each figure has others.
    async fn uids(
        &mut self,
        figure: usize,
        count: usize,
        companies: usize,
    ) -> Result<Vec<String>, Error> {
        let pages = companies / PAGE;
        let wanted = count.div_ceil(PAGE);
        let step = (pages / (wanted * FIGURES.len())).max(1);
        let mut uids = Vec::new();
        for at in 0..wanted {
            let page = (at * FIGURES.len() + figure) * step % pages.max(1) + 1;
            self.renew().await?;
            let path = format!("/v1/companies?pageSize={PAGE}&page={page}&sortBy=registrationDate");
            let found = self.send("GET", &path, String::new()).await?;
            let items = found["items"].as_array().into_iter().flatten();
            uids.extend(items.filter_map(|it| it["uid"].as_str().map(str::to_owned)));
        }
        uids.truncate(count);
        Ok(uids)
    }

    /// Uses the key of a new team after some requests. Its first request verifies it, which takes 36 ms.
    async fn renew(&mut self) -> Result<(), Error> {
        if self.left == 0 {
            let team = teams::create_team(&self.cloud.tenants, Tier::Enterprise).await?;
            let (tenants, live) = (&self.cloud.tenants, Environment::Live);
            self.key = teams::create_key(tenants, &team, live, &Scope::ALL, machine::now()).await?;
            self.left = REQUESTS_OF_A_KEY;
            self.send("GET", "/v1/usage/current", String::new()).await?;
        }
        self.left -= 1;
        Ok(())
    }

    async fn send(&self, method: &str, path: &str, body: String) -> Result<Value, Error> {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::AUTHORIZATION, format!("Bearer {}", self.key))
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(body))?;
        let Ok(response) = self.router.clone().oneshot(request).await;
        let status = response.status();
        let body = response.into_body().collect().await?.to_bytes();
        match status.is_success() {
            true => Ok(serde_json::from_slice(&body)?),
            false => Err(format!("{path}: {status} {}", String::from_utf8_lossy(&body)).into()),
        }
    }
}
