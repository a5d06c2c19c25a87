//! Reading the sources: notices per second, and the time from a file in the bucket to the published
//! generation.
//!
//! Reading is [`sources::read`] alone, on one core. A day covers the whole path: a file is put into the
//! bucket of a running local server and a job into its queue, and the measurement ends when the generation
//! that includes them is published. The embedded DynamoDB runs on the same cores. The import of linked data does
//! what `ingest` does with each page of the graph, without network and queue.

use std::{
    ops::Range,
    path::Path,
    time::{Duration, Instant},
};

use demo_registry::Register;
use domain::{Source, statements::Statement};
use ingest::incoming;
use jiff::tz::TimeZone;
use jobs::IngestJob;
use local::{
    cloud::{BUCKET, TABLES, clients},
    register::demo::DemoSettings,
};
use objects::Objects;
use serde_json::{Value, json};
use sources::lindas::PAGE_SIZE;
use store::Registry;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::{
    Error, machine,
    samples::{self, milliseconds, row, seconds},
    server::Server,
};

/// Number of companies whose notices are read.
const COMPANIES_READ: usize = 20_000;
/// About the number of notices of a busy day.
const NOTICES_PER_DAY: usize = 2_000;
/// Length of the hostile texts in the first round, which finds the slowest, in bytes.
const FIRST_ROUND: usize = 64 * 1024;
/// Number of the slowest texts that are read at full length.
const SLOWEST: usize = 32;

pub(crate) fn measure(demo: DemoSettings) -> Result<(), Error> {
    eprintln!("ingest: notices …");
    let (notices, megabytes, duration) = read_notices()?;
    samples::header(&["Reading on one core", "Figure"]);
    let per_second = notices as f64 / duration.as_secs_f64();
    row(["notices per second, JSON and text", &format!("{per_second:.0}")]);
    row(["megabytes per second", &format!("{:.0}", megabytes / duration.as_secs_f64())]);
    println!();

    eprintln!("ingest: hostile texts …");
    hostile_texts();

    let runtime = Runtime::new()?;
    eprintln!("ingest: a server of {} companies …", demo.companies);
    let folder = TempDir::new()?;
    let server = Server::start(folder.path(), demo)?;
    runtime.block_on(one_day(&server, demo.companies))?;
    drop(server);

    eprintln!("ingest: an empty server …");
    let folder = TempDir::new()?;
    let server = Server::start(folder.path(), DemoSettings { companies: 0, all_notices: false })?;
    runtime.block_on(import_linked_data(&server, folder.path(), demo.companies))
}

/// The number of notices, their megabytes, and the time to read them.
fn read_notices() -> Result<(usize, f64, Duration), Error> {
    let notices: Vec<Value> =
        (0..COMPANIES_READ).flat_map(|it| Register::default().publications(it, true)).collect();
    let bytes = serde_json::to_vec(&notices)?;
    let started = Instant::now();
    let batch = sources::read(Source::Shab, &bytes)?;
    for it in &batch.statements {
        if let Statement::Shab(publication) = &it.statement {
            std::hint::black_box(gazette_notice::read(&publication.text));
        }
    }
    let duration = started.elapsed();
    match batch.statements.len() == notices.len() {
        true => Ok((notices.len(), bytes.len() as f64 / 1e6, duration)),
        false => {
            Err(format!("only {} of {} notices were read", batch.statements.len(), notices.len())
                .into())
        }
    }
}

/// Repeats every pair of words of notices, and reports the pair that takes longest to read.
fn hostile_texts() {
    #[rustfmt::skip]
    const WORDS: [&str; 60] = [
        "(", ")", "[", "]", "\"", "'", ",", ", ", ";", "; ", ":", ". ", "<", "<F>", "<E>", "<B>", "&",
        "[bisher: ", "[bisher: x]", "Eingetragene Personen neu: ", "Ausgeschiedene Personen: ",
        "Inscription de personnes: ", "Revisionsstelle: ", "Zweck neu: ", "Sitz neu: ", "Fusion: ",
        "Aktienkapital neu: ", "Muster ", "Muster Hans, ", "von Bern, ", "in Bern, ", "de ", "l'",
        " und ", " ist ", " est ", " sind nicht mehr ", "mit Einzelunterschrift, ", " signature ",
        "Mitglied", "Mitglied, ", "Mitglied; ", "mit einer Stammeinlage von ", "CHF 10'000.-- ", "1.",
        "(SHAB ", "(CHE-600.000.012)", "AG, ", "Treuhand ", "beide mit Einzelunterschrift, ",
        "alle Mitglieder, ", "deutscher Staatsangehöriger, ", "Konkurs ", "St. ", "X. ", "a", "A", "é",
        "La procuration de ", " démissionnaire",
    ];
    let read = |piece: &str, length: usize| {
        let text = piece.repeat(length.div_ceil(piece.len()));
        let started = Instant::now();
        std::hint::black_box(gazette_notice::read(&text));
        started.elapsed()
    };
    let pairs = WORDS.iter().flat_map(|one| WORDS.iter().map(move |other| format!("{one}{other}")));
    let mut pairs: Vec<(Duration, String)> = pairs.map(|it| (read(&it, FIRST_ROUND), it)).collect();
    pairs.sort_by(|one, other| other.cmp(one));
    pairs.truncate(SLOWEST);
    // The best of three runs, to leave out what else the machine did.
    let best = |piece: &str, length: usize| (0..3).map(|_| read(piece, length)).min();
    let slowest = |length: usize| {
        let timed = pairs.iter().map(|(_, it)| (best(it, length).unwrap_or_default(), it));
        timed.max().map(|(duration, it)| format!("{} ms: `{it}`", milliseconds(duration)))
    };
    samples::header(&["The slowest of 3,600 hostile texts", "Figure"]);
    row(["1 MB", &slowest(1_000_000).unwrap_or_default()]);
    row([
        "256 KiB, the longest text that is read",
        &slowest(gazette_notice::MAX_TEXT_LENGTH).unwrap_or_default(),
    ]);
    println!();
}

async fn one_day(server: &Server, companies: usize) -> Result<(), Error> {
    let process = server.process.id().to_string();
    // Loading the register is measured elsewhere.
    machine::reset_peak(&process)?;
    let day = from_bucket_to_generation(server, Source::Shab, &a_day(companies)).await?;
    let peak = machine::memory(&process)?.peak;
    samples::header(&[
        &format!("From the bucket to the generation, {companies} companies"),
        "Figure",
    ]);
    row(["a day of 2,000 notices, until its generation is published", &seconds(day)]);
    row(["peak memory of the server, emulators included", &megabytes(peak)]);
    row(["the first generation, when the server started", &seconds(server.published)]);
    println!();
    Ok(())
}

async fn import_linked_data(server: &Server, folder: &Path, companies: usize) -> Result<(), Error> {
    let process = server.process.id().to_string();
    machine::reset_peak("self")?;
    let first = import_pages(server, companies).await?;
    let memory = machine::memory(&process)?;
    let own = machine::memory("self")?;
    let generation = server.publish().await?;
    let indexing = machine::memory(&process)?;
    let second = import_pages(server, companies).await?;
    let per_second = |it: Duration| format!("{:.0}", companies as f64 / it.as_secs_f64());
    samples::header(&["Linked data into an empty register", "Figure"]);
    row([&format!("importing {companies} rows of linked data"), &seconds(first)]);
    row(["rows per second", &per_second(first)]);
    row(["the generation with these rows", &seconds(generation)]);
    row(["importing the same rows again, nothing new", &seconds(second)]);
    row(["rows per second", &per_second(second)]);
    row(["peak memory of the import", &megabytes(own.peak)]);
    row([
        "peak memory of the server, emulators included, while importing",
        &megabytes(memory.peak),
    ]);
    row([
        "peak memory of the server, emulators included, while indexing too",
        &megabytes(indexing.peak),
    ]);
    row(["data directory", &format!("{:.0} MB", folder_size(&folder.join("data"))? as f64 / 1e6)]);
    println!();
    Ok(())
}

fn megabytes(bytes: f64) -> String {
    format!("{:.0} MB", bytes / 1e6)
}

/// Puts a file into the bucket and a job into the queue, and waits for the generation that includes the file.
async fn from_bucket_to_generation(
    server: &Server,
    source: Source,
    file: &Value,
) -> Result<Duration, Error> {
    eprintln!("ingest: {source} …");
    let endpoints = &server.local.endpoints;
    let objects = Objects::named(clients::s3_client(&endpoints.s3), BUCKET);
    let key = format!("incoming/{source}.json");
    objects.put(&key, serde_json::to_vec(file)?).await?;
    let (requested_at, started) = (machine::now(), Instant::now());
    let job = IngestJob::ImportFile { source, key, offset: 0, accept_shrunk: false };
    endpoints.ingest_queue().send(&job).await?;
    server.wait_for_generation(requested_at).await?;
    Ok(started.elapsed())
}

/// The last notice of many companies, published again today under a new number.
fn a_day(companies: usize) -> Value {
    let today = machine::now().strftime("%Y-%m-%dT00:00:00.000Z").to_string();
    let step = (companies / (2 * NOTICES_PER_DAY)).max(1);
    let last = |index: usize| Register::default().publications(index, true).pop();
    let notices = (0..companies).step_by(step).filter_map(last).take(NOTICES_PER_DAY);
    let renewed = notices.enumerate().map(|(at, mut notice)| {
        notice["meta"]["id"] = json!(format!("00000000-0000-4000-9000-{at:012}"));
        notice["meta"]["publicationNumber"] = json!(format!("HR02-{:010}", 2_000_000_000 + at));
        notice["meta"]["publicationDate"] = json!(today);
        notice
    });
    renewed.collect()
}

/// Imports a row of linked data for every company, in pages as the fetcher gets them. Each page is saved in
/// the bucket, read and ingested.
async fn import_pages(server: &Server, companies: usize) -> Result<Duration, Error> {
    eprintln!("ingest: {companies} rows of linked data …");
    let endpoints = &server.local.endpoints;
    let registry =
        Registry::named(clients::embedded_dynamodb_client(&endpoints.dynamodb), TABLES[0]);
    let objects = Objects::named(clients::s3_client(&endpoints.s3), BUCKET);
    let today = machine::now().to_zoned(TimeZone::UTC).date();
    let mut duration = Duration::ZERO;
    let mut stored = 0;
    for from in (0..companies).step_by(PAGE_SIZE) {
        let page = serde_json::to_vec(&linked_data(from..companies.min(from + PAGE_SIZE)))?;
        // Building the page is not measured.
        let started = Instant::now();
        let key = incoming::key(Source::Lindas, today, &page);
        objects.put(&key, page.clone()).await?;
        let batch = sources::read(Source::Lindas, &page)?.dated(Some(today));
        let file =
            ingest::File { source: Source::Lindas, batch, key: Some(key), accept_shrunk: false };
        let report = ingest::ingest_file(&registry, &objects, file, machine::now()).await?;
        duration += started.elapsed();
        stored += report.new + report.changed + report.unchanged;
    }
    match stored == companies as u64 {
        true => Ok(duration),
        false => Err(format!("only {stored} of {companies} rows were stored").into()),
    }
}

/// A page of the graph as the endpoint returns it, with one row for each of these companies.
fn linked_data(companies: Range<usize>) -> Value {
    let binding = |index: usize| {
        let company = Register::default().entry(index, false).company;
        let ehraid = 10_000_000 + index;
        let literal = |it: String| json!({ "type": "literal", "value": it });
        let uri = |it: String| json!({ "type": "uri", "value": it });
        let mut row = json!({
            "entity": uri(format!("https://register.ld.admin.ch/zefix/company/{ehraid}")),
            "legalName": literal(company.name.clone()),
            "name": literal(company.name),
            "uid": literal(company.uid.to_string().replace(['-', '.'], "")),
            "ehraid": literal(ehraid.to_string()),
        });
        let form =
            company.legal_form_code.map(|it| format!("https://ld.admin.ch/ech/97/legalforms/{it}"));
        let commune =
            company.legal_seat_id.map(|it| format!("https://ld.admin.ch/municipality/{it}"));
        let street = [company.address_street, company.address_house_number];
        let street = street.into_iter().flatten().collect::<Vec<_>>().join(" ");
        let optional = [
            ("legalForm", form.map(uri)),
            ("municipality", commune.map(uri)),
            ("municipalityName", company.municipality.map(literal)),
            ("purpose", company.purpose.map(literal)),
            ("street", Some(street).filter(|it| !it.is_empty()).map(literal)),
            ("zip", company.address_zip_code.map(literal)),
            ("locality", company.address_city.map(literal)),
            ("region", company.canton.map(|it| literal(it.code().to_owned()))),
        ];
        for (name, value) in optional {
            if let Some(value) = value {
                row[name] = value;
            }
        }
        row
    };
    let bindings: Vec<Value> = companies.map(binding).collect();
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
