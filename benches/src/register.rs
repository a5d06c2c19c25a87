//! The local server with a register of real size: how long it takes to be ready, what it keeps, and how
//! long its answers take in process and over HTTP.
//!
//! One server runs, as its own process: the very one that `cargo run` runs. What is measured "in
//! process" is the index alone, opened here from that server's bucket as a function opens it;
//! "over HTTP" is a whole request on the loopback, the read of the records from the embedded
//! DynamoDB included.

use std::{
    path::Path,
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use bytes::Bytes;
use domain::{
    Company,
    access::{Environment, Scope, Tier},
};
use generations::{Generation, Generations};
use http::{Request, StatusCode, header};
use http_body_util::{BodyExt, Empty};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use jiff::Timestamp;
use local::{
    cloud::{self, BUCKET, TABLES},
    directory::{Directory, Local, RegistryMarker},
    teams,
};
use objects::Objects;
use store::Tenants;
use tempfile::TempDir;
use text_index::companies::Companies;
use tokio::runtime::Runtime;

use crate::{
    Error,
    machine::{self, Memory},
    questions::{self, Answer, Kind},
    samples::{self, Samples, median_and_tail, row, seconds},
};

/// How often the generation is opened.
const OPENINGS: usize = 5;
/// How many clients ask at the same time where requests a second are counted, and for how long.
const CLIENTS: usize = 8;
const LOAD_FOR: Duration = Duration::from_secs(10);

pub(crate) fn measure(companies: usize, questions: usize) -> Result<(), Error> {
    let folder = TempDir::new()?;
    eprintln!("register: a server of {companies} companies …");
    let server = Server::start(folder.path(), companies)?;
    Runtime::new()?.block_on(ask(&server, companies, questions))
}

async fn ask(server: &Server, companies: usize, questions: usize) -> Result<(), Error> {
    let ready = machine::memory(&server.process.id().to_string())?;
    let samples = questions::companies(companies, 2 * questions);
    let ours_before = machine::memory("self")?;
    let downloads = TempDir::new()?;
    let (generation, opening) = open(&server.local, downloads.path()).await?;

    eprintln!("register: in process …");
    let index = generation.companies().await.map_err(generations::Error::from)?;
    let in_process = in_process(index, &samples, questions)?;
    let ours_after = machine::memory("self")?;
    eprintln!("register: over HTTP …");
    let client = Http::of_new_team(&server.local).await?;
    let mut over_http = Vec::new();
    for kind in Kind::ALL {
        over_http.push(client.samples(kind, &samples, questions).await?);
    }
    let asked = machine::memory(&server.process.id().to_string())?;

    let bytes: u64 = generation.manifest.files.iter().map(|it| it.size).sum();
    let megabytes = |it: f64| format!("{:.0} MB", it / 1e6);
    let whole =
        |it: Memory| format!("{} and {} of mapped files", megabytes(it.own), megabytes(it.files));
    samples::header(&[&format!("{companies} companies"), "Figure"]);
    row(["loaded", &seconds(server.loaded)]);
    row(["generation built and published", &seconds(server.published)]);
    row(["ready, from the start of the process", &seconds(server.ready)]);
    row([
        "index of companies",
        &format!("{} bytes a company", bytes / generation.manifest.companies.max(1)),
    ]);
    row([
        "generation opened by a function: downloaded, checked, mapped",
        &format!("{} ms", samples::milliseconds(opening.median())),
    ]);
    row([
        "memory that an open generation takes there, all questions asked",
        &format!(
            "{} and {} of mapped files",
            megabytes(ours_after.own - ours_before.own),
            megabytes(ours_after.files - ours_before.files)
        ),
    ]);
    row(["memory of the whole server, emulators included, ready", &whole(ready)]);
    row([
        "the same, all questions asked",
        &format!("{}; at most {}", whole(asked), megabytes(asked.peak)),
    ]);
    println!();

    samples::header(&["Question", "In process, p50 / p99 ms", "Over HTTP, p50 / p99 ms"]);
    let [words, beginning, typo] =
        [Kind::Words, Kind::Beginning, Kind::OneTypo].map(|it| it as usize);
    let mixed = |of: &[Samples]| {
        let mut mixed = of[words].clone();
        mixed.extend_with_first(questions / 2, &of[beginning]);
        mixed.extend_with_first(questions / 2, &of[typo]);
        median_and_tail(&mixed)
    };
    row([
        "name search: half exact words, a quarter unfinished, a quarter with one typo",
        &mixed(&in_process),
        &mixed(&over_http),
    ]);
    for kind in Kind::ALL {
        let within = match kind {
            Kind::One => "–".to_owned(),
            _ => median_and_tail(&in_process[kind as usize]),
        };
        row([kind.label(), &within, &median_and_tail(&over_http[kind as usize])]);
    }
    println!();

    eprintln!("register: requests a second …");
    throughput(server, &samples, questions).await
}

/// A server of its own process, gone when it is dropped.
struct Server {
    process: Child,
    local: Local,
    loaded: Duration,
    published: Duration,
    ready: Duration,
}

impl Server {
    /// Starts one and looks at its folder until it is ready: the marks that it leaves there say how far
    /// it is.
    fn start(folder: &Path, companies: usize) -> Result<Self, Error> {
        let (data, companies) = (folder.join("data"), companies.to_string());
        let started = Instant::now();
        let mut process = Command::new(std::env::current_exe()?)
            .args(["serve", "--port", "0", "--companies", &companies, "--data"])
            .arg(&data)
            .stdout(Stdio::null())
            .spawn()?;
        let mut marked = [None; 2];
        let local = loop {
            std::thread::sleep(Duration::from_millis(2));
            if let Some(ended) = process.try_wait()? {
                return Err(format!("the server ended: {ended}").into());
            }
            let marker = std::fs::read(data.join("registry.json")).ok();
            let marker: Option<RegistryMarker> =
                marker.and_then(|it| serde_json::from_slice(&it).ok());
            if let Some(RegistryMarker { published, .. }) = marker {
                marked[usize::from(published)].get_or_insert_with(|| started.elapsed());
            }
            if let Some(local) = Directory::local(&data)? {
                break local;
            }
        };
        let ready = started.elapsed();
        // A register so small that a mark was missed has no phases worth telling apart.
        let published = marked[1].unwrap_or(ready);
        let loaded = marked[0].unwrap_or(published);
        Ok(Self { process, local, loaded, published: published - loaded, ready })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Its folder goes with it, so it need not end tidily.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Opens the server's generation as a function does: downloads, checks, maps.
async fn open(local: &Local, below: &Path) -> Result<(Arc<Generation>, Samples), Error> {
    let objects = Objects::named(cloud::s3_client(&local.endpoints.s3), BUCKET);
    let mut samples = Samples::default();
    loop {
        let reader = Generations::new(objects.clone(), below);
        let started = Instant::now();
        let generation = reader.refresh().await?;
        generation.open_all().await?;
        samples.push(started.elapsed());
        if samples.count() == OPENINGS {
            return Ok((generation, samples));
        }
    }
}

fn in_process(
    index: &Companies,
    companies: &[Company],
    count: usize,
) -> Result<Vec<Samples>, Error> {
    let mut all = Vec::new();
    for kind in Kind::ALL {
        let asked = questions::questions(kind, companies, count);
        for it in asked.iter().take(count / 10) {
            Answer::of(index, &it.question)?;
        }
        let mut samples = Samples::default();
        for it in &asked {
            samples.time(|| Answer::of(index, &it.question))?;
        }
        all.push(samples);
    }
    Ok(all)
}

/// A client of the server, with the key of a team of its own, so that it stays within its allowance.
#[derive(Clone)]
struct Http {
    client: Client<HttpConnector, Empty<Bytes>>,
    url: String,
    key: String,
}

impl Http {
    async fn of_new_team(local: &Local) -> Result<Self, Error> {
        let tables = cloud::dynamodb_client(&local.endpoints.dynamodb);
        let tenants = Tenants::named(tables, TABLES[1]);
        let team = teams::create_team(&tenants, Tier::Enterprise).await?;
        let now = Timestamp::now();
        let key =
            teams::create_key(&tenants, &team, Environment::Live, &[Scope::Read], now).await?;
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        let client = Client::builder(TokioExecutor::new()).build(connector);
        Ok(Self { client, url: local.url.clone(), key })
    }

    /// Asks and reads the answer whole.
    async fn get(&self, path: &str) -> Result<Bytes, Error> {
        let request = Request::get(format!("{}{path}", self.url))
            .header(header::AUTHORIZATION, format!("Bearer {}", self.key))
            .body(Empty::new())?;
        let response = self.client.request(request).await?;
        let status = response.status();
        let body = response.into_body().collect().await?.to_bytes();
        match status {
            StatusCode::OK => Ok(body),
            _ => Err(format!("{path}: {status} {}", String::from_utf8_lossy(&body)).into()),
        }
    }

    /// One client asks one question after the other on one connection.
    async fn samples(
        &self,
        kind: Kind,
        companies: &[Company],
        count: usize,
    ) -> Result<Samples, Error> {
        let paths = paths(kind, companies, count);
        for path in paths.iter().take(count / 10) {
            self.get(path).await?;
        }
        let mut samples = Samples::default();
        for path in &paths {
            let started = Instant::now();
            self.get(path).await?;
            samples.push(started.elapsed());
        }
        Ok(samples)
    }
}

fn paths(kind: Kind, companies: &[Company], count: usize) -> Vec<String> {
    let asked = questions::questions(kind, companies, count);
    asked.iter().map(|it| it.question.path()).collect()
}

/// Requests a second on one core. The server is kept on the first core and asked by several clients on
/// the others at once; what was answered is divided by the seconds that the server's process was busy.
/// In them is the work of the embedded DynamoDB, which in the cloud is another machine's.
async fn throughput(server: &Server, companies: &[Company], count: usize) -> Result<(), Error> {
    let cores = std::thread::available_parallelism()?.get();
    if cores == 1 {
        eprintln!("register: one core is too few to tell the server's from the clients'");
        return Ok(());
    }
    let (every, others) = (format!("0-{}", cores - 1), format!("1-{}", cores - 1));
    machine::pin(server.process.id(), "0")?;
    machine::pin(std::process::id(), &others)?;
    samples::header(&[
        "Requests a second on one core",
        "By the second of its processor",
        "By the clock",
    ]);
    for kind in [Kind::Words, Kind::List, Kind::Statistics, Kind::One] {
        // A new team each: a tenth of a minute uses up more than a fraction of its hour.
        let client = Http::of_new_team(&server.local).await?;
        let paths: Arc<[String]> = paths(kind, companies, count).into();
        client.get(&paths[0]).await?;
        let (busy, started) = (machine::cpu_time(server.process.id())?, Instant::now());
        let next = Arc::new(AtomicU64::new(0));
        let clients: Vec<_> = (0..CLIENTS)
            .map(|_| {
                let (client, paths, next) = (client.clone(), paths.clone(), next.clone());
                tokio::spawn(async move {
                    while started.elapsed() < LOAD_FOR {
                        let at = next.fetch_add(1, Ordering::Relaxed) as usize;
                        client.get(&paths[at % paths.len()]).await?;
                    }
                    Ok::<_, Error>(())
                })
            })
            .collect();
        for client in clients {
            client.await??;
        }
        let answered = next.load(Ordering::Relaxed) as f64;
        let busy = machine::cpu_time(server.process.id())? - busy;
        row([
            kind.label(),
            &format!("{:.0}", answered / busy.as_secs_f64()),
            &format!("{:.0}", answered / started.elapsed().as_secs_f64()),
        ]);
    }
    println!();
    machine::pin(std::process::id(), &every)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_kinds() {
        for (at, kind) in Kind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, at);
        }
    }
}
