//! The local server with a register of real size: time until ready, memory, and duration of queries in
//! process and over HTTP.
//!
//! The server of `cargo run` runs in its own process. "In process" measures the index alone, opened here from
//! that server's bucket as a function opens it. "Over HTTP" measures a whole request on the loopback
//! interface, including the read of the records from the embedded DynamoDB.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use domain::Company;
use generations::{Generation, Generations};
use local::{
    cloud::{BUCKET, clients},
    data_directory::ServerInfo,
    register::demo::DemoSettings,
};
use objects::Objects;
use tempfile::TempDir;
use text_index::companies::Companies;
use tokio::runtime::Runtime;

use crate::{
    Error,
    machine::{self, Memory},
    questions::{self, Answer, Kind},
    samples::{self, Samples, median_and_tail, row, seconds},
    server::{Http, Server},
};

/// Requests about one company, measured over HTTP only: label, path before and after its number.
const COMPANY_REQUESTS: [(&str, &str, &str); 4] = [
    ("full record", "/v1/companies/", "/full"),
    ("its timeline", "/v1/companies/", "/timeline"),
    ("its graph", "/v1/graph/", ""),
    ("its officers", "/v1/persons/board-members/", ""),
];

/// Number of times the generation is opened.
const OPENINGS: usize = 5;
/// Number of parallel clients while requests per second are counted.
const CLIENTS: usize = 8;
/// How long they send requests.
const LOAD_FOR: Duration = Duration::from_secs(10);

pub(crate) fn measure(
    demo: DemoSettings,
    questions: usize,
    data: Option<&Path>,
) -> Result<(), Error> {
    let (temporary, companies) = (TempDir::new()?, demo.companies);
    let data = data.unwrap_or(temporary.path());
    eprintln!("register: a server of {companies} companies …");
    let server = Server::start_in(&data.join("wide"), demo)?;
    Runtime::new()?.block_on(measure_server(&server, companies, questions))
}

async fn measure_server(server: &Server, companies: usize, questions: usize) -> Result<(), Error> {
    let ready = machine::memory(&server.process.id().to_string())?;
    let samples = questions::companies(companies, 2 * questions);
    let own_before = machine::memory("self")?;
    let downloads = TempDir::new()?;
    let (generation, opening) = open(&server.local, downloads.path()).await?;

    eprintln!("register: in process …");
    let index = generation.companies().await.map_err(generations::Error::from)?;
    let in_process = in_process(index, &samples, questions)?;
    let own_after = machine::memory("self")?;
    eprintln!("register: over HTTP …");
    let client = Http::for_new_team(&server.local).await?;
    let mut over_http = Vec::new();
    for kind in Kind::ALL {
        over_http.push(client.samples(&paths(kind, &samples, questions)).await?);
    }
    let mut company_samples = Vec::new();
    for (label, before, after) in COMPANY_REQUESTS {
        let one = |it: &Company| format!("{before}{}{after}", it.uid);
        let paths: Vec<String> = samples.iter().take(questions).map(one).collect();
        company_samples.push((label, client.samples(&paths).await?));
    }
    let process = server.process.id().to_string();
    let queried = machine::memory(&process)?;
    eprintln!("register: another generation from this one …");
    machine::reset_peak(&process)?;
    let updated = server.publish().await?;
    let updating = machine::memory(&process)?;
    eprintln!("register: rebuilding the generation from the table …");
    machine::reset_peak(&process)?;
    let rebuilt = server.rebuild().await?;
    let rebuilding = machine::memory(&process)?;

    let files = &generation.manifest.files;
    let bytes = |of: &str| -> u64 {
        let files = files.iter().filter(|it| it.path.starts_with(of));
        files.map(|it| it.size).sum::<u64>() / generation.manifest.companies.max(1)
    };
    let megabytes = |it: f64| format!("{:.0} MB", it / 1e6);
    let whole =
        |it: Memory| format!("{}, plus {} of mapped files", megabytes(it.own), megabytes(it.files));
    samples::header(&[&format!("{companies} companies"), "Figure"]);
    row(["loaded", &seconds(server.loaded)]);
    row(["generation built and published", &seconds(server.published)]);
    row(["the next generation, from this one", &seconds(updated)]);
    row(["– peak memory of the server meanwhile", &megabytes(updating.peak)]);
    row(["rebuilding the generation from the table", &seconds(rebuilt)]);
    row(["– peak memory of the server meanwhile", &megabytes(rebuilding.peak)]);
    row(["ready, since the start of the process", &seconds(server.ready)]);
    row(["company index", &format!("{} bytes per company", bytes("companies/"))]);
    row(["all indexes", &format!("{} bytes per company", bytes(""))]);
    row([
        "opening all indexes: download, verify, map",
        &format!("{} ms", samples::milliseconds(opening.median())),
    ]);
    row([
        "memory of an open generation after all queries",
        &format!(
            "{}, plus {} of mapped files",
            megabytes(own_after.own - own_before.own),
            megabytes(own_after.files - own_before.files)
        ),
    ]);
    row(["memory of the whole server, emulators included, when ready", &whole(ready)]);
    row([
        "the same after all queries",
        &format!("{}; peak {}", whole(queried), megabytes(queried.peak)),
    ]);
    println!();

    samples::header(&["Query", "In process, p50 / p99 ms", "Over HTTP, p50 / p99 ms"]);
    let [words, beginning, typo] =
        [Kind::Words, Kind::Beginning, Kind::OneTypo].map(|it| it as usize);
    let mixed = |of: &[Samples]| {
        let mut mixed = of[words].clone();
        mixed.extend_with_first(questions / 2, &of[beginning]);
        mixed.extend_with_first(questions / 2, &of[typo]);
        median_and_tail(&mixed)
    };
    row([
        "name search: half exact words, a quarter with an unfinished word, a quarter with one typo",
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
    for (label, samples) in company_samples {
        row([label, "–", &median_and_tail(&samples)]);
    }
    println!();

    eprintln!("register: requests per second …");
    throughput(server, &samples, questions).await
}

/// Opens the server's generation as a function does: download, verify, map.
async fn open(local: &ServerInfo, below: &Path) -> Result<(Arc<Generation>, Samples), Error> {
    let objects = Objects::named(clients::s3_client(&local.endpoints.s3), BUCKET);
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
        let searches = questions::questions(kind, companies, count);
        for it in searches.iter().take(count / 10) {
            Answer::of(index, &it.question)?;
        }
        let mut samples = Samples::default();
        for it in &searches {
            samples.time(|| Answer::of(index, &it.question))?;
        }
        all.push(samples);
    }
    Ok(all)
}

fn paths(kind: Kind, companies: &[Company], count: usize) -> Vec<String> {
    let searches = questions::questions(kind, companies, count);
    searches.iter().map(|it| it.question.path()).collect()
}

/// Requests per second on one core. The server runs on the first core, several clients on the others. The
/// number of answers is divided by the processor time of the server, which includes the embedded DynamoDB;
/// in the cloud that work is done by another machine.
async fn throughput(server: &Server, companies: &[Company], count: usize) -> Result<(), Error> {
    let cores = std::thread::available_parallelism()?.get();
    if cores == 1 {
        eprintln!("register: requests per second need at least two cores");
        return Ok(());
    }
    let (every, others) = (format!("0-{}", cores - 1), format!("1-{}", cores - 1));
    machine::pin(server.process.id(), "0")?;
    machine::pin(std::process::id(), &others)?;
    samples::header(&[
        "Requests per second on one core",
        "Per second of processor time",
        "Per second of wall time",
    ]);
    for kind in [Kind::Words, Kind::List, Kind::Statistics, Kind::One] {
        // A new team for each kind of request, because ten seconds can use up its hourly allowance.
        let client = Http::for_new_team(&server.local).await?;
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
    fn kinds_index_their_samples() {
        for (at, kind) in Kind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, at);
        }
    }
}
