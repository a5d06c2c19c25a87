//! The sources: how fast notices are read, and how long what they say takes from the bucket to the answer.
//!
//! Reading is [`sources::read`] alone, on one core. A day and an import go the whole way: a file is put
//! into the bucket of a running local server, a job into its queue, and the clock stops when the
//! generation with it is published. In that is the embedded DynamoDB, on the same cores.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use generations::Manifest;
use jiff::Timestamp;
use jobs::IngestJob;
use local::cloud::{self, BUCKET};
use objects::Objects;
use serde_json::{Value, json};
use sources::Source;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::{
    Error, machine,
    samples::{self, row, seconds},
    server::Server,
};

/// How many companies' notices are read.
const COMPANIES_READ: usize = 20_000;
/// About as many notices as a busy day has.
const NOTICES_A_DAY: usize = 2_000;
/// How many rows of linked data are imported. The figure of all follows from that of these: a company is
/// one transaction, however many there are.
const ROWS: usize = 20_000;

pub(crate) fn measure(companies: usize) -> Result<(), Error> {
    eprintln!("ingest: notices …");
    let (notices, megabytes, read) = notices_read()?;
    samples::header(&["Reading on one core", "Figure"]);
    let per_second = notices as f64 / read.as_secs_f64();
    row(["notices a second, JSON and text", &format!("{per_second:.0}")]);
    row(["megabytes a second", &format!("{:.0}", megabytes / read.as_secs_f64())]);
    println!();

    eprintln!("ingest: a server of {companies} companies …");
    let folder = TempDir::new()?;
    let server = Server::start(folder.path(), companies)?;
    Runtime::new()?.block_on(ingested(&server, folder.path(), companies))
}

/// How many notices, how many megabytes, and how long they took.
fn notices_read() -> Result<(usize, f64, Duration), Error> {
    let notices: Vec<Value> =
        (0..COMPANIES_READ).flat_map(|it| demo_registry::publications(it, true)).collect();
    let bytes = serde_json::to_vec(&notices)?;
    let started = Instant::now();
    let batch = sources::read(Source::Shab, &bytes)?;
    let took = started.elapsed();
    match batch.facts.len() == notices.len() {
        true => Ok((notices.len(), bytes.len() as f64 / 1e6, took)),
        false => Err(format!("{} of {} were read", batch.facts.len(), notices.len()).into()),
    }
}

async fn ingested(server: &Server, folder: &Path, companies: usize) -> Result<(), Error> {
    let day = the_whole_way(server, Source::Shab, &a_day(companies)).await?;
    let rows = the_whole_way(server, Source::Lindas, &linked_data(companies)).await?;
    let again = the_whole_way(server, Source::Lindas, &linked_data(companies)).await?;
    let memory = machine::memory(&server.process.id().to_string())?;
    let generation = server.published;
    samples::header(&[&format!("From the bucket to the answer, {companies} companies"), "Figure"]);
    row(["a day of 2,000 notices, generation included", &seconds(day)]);
    row(["20,000 rows of linked data, generation included", &seconds(rows)]);
    row(["the same once more, nothing new in them", &seconds(again)]);
    row(["the generation alone", &seconds(generation)]);
    row(["memory of the whole server at most", &format!("{:.0} MB", memory.peak / 1e6)]);
    row(["data directory", &format!("{:.0} MB", folder_size(&folder.join("data"))? as f64 / 1e6)]);
    println!();
    Ok(())
}

/// Puts a file into the bucket and its job into the queue, and waits for the generation with it.
async fn the_whole_way(server: &Server, source: Source, file: &Value) -> Result<Duration, Error> {
    eprintln!("ingest: {source} …");
    let endpoints = &server.local.endpoints;
    let objects = Objects::named(cloud::s3_client(&endpoints.s3), BUCKET);
    let key = format!("incoming/{source}.json");
    objects.put(&key, serde_json::to_vec(file)?).await?;
    let (asked_at, started) = (Timestamp::now(), Instant::now());
    let job = IngestJob::File { source, key, from: 0, accept_shrunk: false };
    cloud::ingest_queue(endpoints).send(&job).await?;
    let is_new = |it: &Manifest| it.built_at > asked_at;
    while !generations::published(&objects).await?.as_ref().is_some_and(is_new) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(started.elapsed())
}

/// A notice of each of many companies, published today: their last ones once more, under new numbers.
fn a_day(companies: usize) -> Value {
    let today = Timestamp::now().strftime("%Y-%m-%dT00:00:00.000Z").to_string();
    let step = (companies / (2 * NOTICES_A_DAY)).max(1);
    let last = |index: usize| demo_registry::publications(index, true).pop();
    let notices = (0..companies).step_by(step).filter_map(last).take(NOTICES_A_DAY);
    let renewed = notices.enumerate().map(|(at, mut notice)| {
        notice["meta"]["id"] = json!(format!("00000000-0000-4000-9000-{at:012}"));
        notice["meta"]["publicationNumber"] = json!(format!("HR02-{:010}", 2_000_000_000 + at));
        notice["meta"]["publicationDate"] = json!(today);
        notice
    });
    renewed.collect()
}

/// As the graph answers it, of companies of the register.
fn linked_data(companies: usize) -> Value {
    let binding = |index: usize| {
        let company = demo_registry::company_with_publications(index, false).0;
        let value = |it: String| json!({ "type": "literal", "value": it });
        let entity = format!("https://register.ld.admin.ch/zefix/company/{}", 10_000_000 + index);
        json!({
            "entity": { "type": "uri", "value": entity },
            "legalName": value(company.name),
            "uid": value(company.uid.to_string().replace(['-', '.'], "")),
            "purpose": value(company.purpose.unwrap_or_default()),
        })
    };
    let step = (companies / ROWS).max(1);
    let bindings: Vec<Value> = (0..companies).step_by(step).take(ROWS).map(binding).collect();
    json!({ "head": { "vars": [] }, "results": { "bindings": bindings } })
}

fn folder_size(folder: &Path) -> Result<u64, Error> {
    let mut size = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        size += if metadata.is_dir() { folder_size(&entry.path())? } else { metadata.len() };
    }
    Ok(size)
}
