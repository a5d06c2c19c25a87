//! The local server with a register of real size: how long it takes to be ready, what it keeps, and how
//! long its answers take in process and over HTTP.
//!
//! One server runs, as its own process: the very one that `cargo run` runs. What is measured "in
//! process" is the index alone, opened here from that server's bucket as a function opens it;
//! "over HTTP" is a whole request on the loopback, the read of the records from the embedded
//! DynamoDB included.

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
    cloud::{self, BUCKET},
    directory::Local,
    register::Demo,
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

/// What is read of one company with its history, over HTTP only.
const OF_ONE: [(&str, &str, &str); 4] = [
    ("one record with all around it", "/v1/companies/", "/full"),
    ("its timeline", "/v1/companies/", "/timeline"),
    ("its graph", "/v1/graph/", ""),
    ("its officers", "/v1/persons/board-members/", ""),
];

/// How often the generation is opened.
const OPENINGS: usize = 5;
/// How many clients ask at the same time where requests a second are counted, and for how long.
const CLIENTS: usize = 8;
const LOAD_FOR: Duration = Duration::from_secs(10);

pub(crate) fn measure(demo: Demo, questions: usize) -> Result<(), Error> {
    let (folder, companies) = (TempDir::new()?, demo.companies);
    eprintln!("register: a server of {companies} companies …");
    let server = Server::start(folder.path(), demo)?;
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
        over_http.push(client.samples(&paths(kind, &samples, questions)).await?);
    }
    let mut of_one = Vec::new();
    for (label, before, behind) in OF_ONE {
        let one = |it: &Company| format!("{before}{}{behind}", it.uid);
        let paths: Vec<String> = samples.iter().take(questions).map(one).collect();
        of_one.push((label, client.samples(&paths).await?));
    }
    let process = server.process.id().to_string();
    let asked = machine::memory(&process)?;
    eprintln!("register: a generation of the table …");
    machine::forget_peak(&process)?;
    let rebuilt = server.publish().await?;
    let rebuilding = machine::memory(&process)?;

    let files = &generation.manifest.files;
    let bytes = |of: &str| -> u64 {
        let files = files.iter().filter(|it| it.path.starts_with(of));
        files.map(|it| it.size).sum::<u64>() / generation.manifest.companies.max(1)
    };
    let megabytes = |it: f64| format!("{:.0} MB", it / 1e6);
    let whole =
        |it: Memory| format!("{} and {} of mapped files", megabytes(it.own), megabytes(it.files));
    samples::header(&[&format!("{companies} companies"), "Figure"]);
    row(["loaded", &seconds(server.loaded)]);
    row(["generation built and published", &seconds(server.published)]);
    row(["a generation of all that is in the table then", &seconds(rebuilt)]);
    row(["memory of the server at most, while that is built", &megabytes(rebuilding.peak)]);
    row(["ready, from the start of the process", &seconds(server.ready)]);
    row(["index of companies", &format!("{} bytes a company", bytes("companies/"))]);
    row(["all indexes", &format!("{} bytes a company", bytes(""))]);
    row([
        "all of them opened: downloaded, checked, mapped",
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
    for (label, samples) in of_one {
        row([label, "–", &median_and_tail(&samples)]);
    }
    println!();

    eprintln!("register: requests a second …");
    throughput(server, &samples, questions).await
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
