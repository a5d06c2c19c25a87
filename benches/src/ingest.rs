//! The sources: how fast notices are read, and how long what they say takes from the bucket to the answer.
//!
//! Reading is [`sources::read`] alone, on one core. A day goes the whole way: a file is put into the
//! bucket of a running local server, a job into its queue, and the clock stops when the generation with it
//! is published. In that is the embedded DynamoDB, on the same cores. The import of linked data is what
//! `ingest` does with page after page of the graph, without the network and the queue between them.

use std::{
    ops::Range,
    path::Path,
    time::{Duration, Instant},
};

use ingest::incoming;
use jiff::{Timestamp, tz::TimeZone};
use jobs::IngestJob;
use local::{
    cloud::{self, BUCKET, TABLES},
    register::Demo,
};
use objects::Objects;
use serde_json::{Value, json};
use sources::{Source, Statement, gazette::notice, lindas::PAGE_SIZE};
use store::Registry;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::{
    Error, machine,
    samples::{self, milliseconds, row, seconds},
    server::Server,
};

/// How many companies' notices are read.
const COMPANIES_READ: usize = 20_000;
/// About as many notices as a busy day has.
const NOTICES_A_DAY: usize = 2_000;
/// How much of a hostile text is read while the slowest is sought.
const TRIED: usize = 64 * 1024;
/// How many of the slowest are read at full length.
const SLOWEST: usize = 32;

pub(crate) fn measure(demo: Demo) -> Result<(), Error> {
    eprintln!("ingest: notices …");
    let (notices, megabytes, read) = notices_read()?;
    samples::header(&["Reading on one core", "Figure"]);
    let per_second = notices as f64 / read.as_secs_f64();
    row(["notices a second, JSON and text", &format!("{per_second:.0}")]);
    row(["megabytes a second", &format!("{:.0}", megabytes / read.as_secs_f64())]);
    println!();

    eprintln!("ingest: hostile texts …");
    hostile();

    let runtime = Runtime::new()?;
    eprintln!("ingest: a server of {} companies …", demo.companies);
    let folder = TempDir::new()?;
    let server = Server::start(folder.path(), demo)?;
    runtime.block_on(one_day(&server, demo.companies))?;
    drop(server);

    eprintln!("ingest: an empty server …");
    let folder = TempDir::new()?;
    let server = Server::start(folder.path(), Demo { companies: 0, all_notices: false })?;
    runtime.block_on(linked_data_imported(&server, folder.path(), demo.companies))
}

/// How many notices, how many megabytes, and how long they took.
fn notices_read() -> Result<(usize, f64, Duration), Error> {
    let notices: Vec<Value> =
        (0..COMPANIES_READ).flat_map(|it| demo_registry::publications(it, true)).collect();
    let bytes = serde_json::to_vec(&notices)?;
    let started = Instant::now();
    let batch = sources::read(Source::Shab, &bytes)?;
    for fact in &batch.facts {
        if let Statement::Shab(publication) = &fact.statement {
            std::hint::black_box(publication.notice());
        }
    }
    let took = started.elapsed();
    match batch.facts.len() == notices.len() {
        true => Ok((notices.len(), bytes.len() as f64 / 1e6, took)),
        false => Err(format!("{} of {} were read", batch.facts.len(), notices.len()).into()),
    }
}

/// Texts of the words of notices, two of them over and over: which pair takes longest.
fn hostile() {
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
        std::hint::black_box(notice::read(&text));
        started.elapsed()
    };
    let pairs = WORDS.iter().flat_map(|one| WORDS.iter().map(move |other| format!("{one}{other}")));
    let mut pairs: Vec<(Duration, String)> = pairs.map(|it| (read(&it, TRIED), it)).collect();
    pairs.sort_by(|one, other| other.cmp(one));
    pairs.truncate(SLOWEST);
    // What else the machine did counts for nothing: the quickest of three.
    let best = |piece: &str, length: usize| (0..3).map(|_| read(piece, length)).min();
    let slowest = |length: usize| {
        let timed = pairs.iter().map(|(_, it)| (best(it, length).unwrap_or_default(), it));
        timed.max().map(|(took, it)| format!("{} ms: `{it}`", milliseconds(took)))
    };
    samples::header(&["The slowest of 3,600 hostile texts", "Figure"]);
    row(["1 MB", &slowest(1_000_000).unwrap_or_default()]);
    row(["256 KiB, as much as is read of any", &slowest(notice::LONGEST).unwrap_or_default()]);
    println!();
}

async fn one_day(server: &Server, companies: usize) -> Result<(), Error> {
    let process = server.process.id().to_string();
    // What loading the register took is another figure.
    machine::forget_peak(&process)?;
    let day = the_whole_way(server, Source::Shab, &a_day(companies)).await?;
    let peak = machine::memory(&process)?.peak;
    samples::header(&[&format!("From the bucket to the answer, {companies} companies"), "Figure"]);
    row(["a day of 2,000 notices, generation included", &seconds(day)]);
    row(["memory of the server at most, emulators included", &megabytes(peak)]);
    row(["the first generation, when the server started", &seconds(server.published)]);
    println!();
    Ok(())
}

async fn linked_data_imported(
    server: &Server,
    folder: &Path,
    companies: usize,
) -> Result<(), Error> {
    let process = server.process.id().to_string();
    machine::forget_peak("self")?;
    let rows = imported(server, companies).await?;
    let memory = machine::memory(&process)?;
    let own = machine::memory("self")?;
    let generation = server.publish().await?;
    let indexing = machine::memory(&process)?;
    let again = imported(server, companies).await?;
    let per_second = |took: Duration| format!("{:.0}", companies as f64 / took.as_secs_f64());
    samples::header(&["Linked data into an empty register", "Figure"]);
    row([&format!("{companies} rows of linked data imported"), &seconds(rows)]);
    row(["rows a second", &per_second(rows)]);
    row(["the generation with them", &seconds(generation)]);
    row(["the same rows once more, nothing new in them", &seconds(again)]);
    row(["rows a second", &per_second(again)]);
    row(["memory of the import at most", &megabytes(own.peak)]);
    row(["memory of the server at most, emulators included: importing", &megabytes(memory.peak)]);
    row(["importing and indexing", &megabytes(indexing.peak)]);
    row(["data directory", &format!("{:.0} MB", folder_size(&folder.join("data"))? as f64 / 1e6)]);
    println!();
    Ok(())
}

fn megabytes(bytes: f64) -> String {
    format!("{:.0} MB", bytes / 1e6)
}

/// Puts a file into the bucket and its job into the queue, and waits for the generation with it.
async fn the_whole_way(server: &Server, source: Source, file: &Value) -> Result<Duration, Error> {
    eprintln!("ingest: {source} …");
    let endpoints = &server.local.endpoints;
    let objects = Objects::named(cloud::s3_client(&endpoints.s3), BUCKET);
    let key = format!("incoming/{source}.json");
    objects.put(&key, serde_json::to_vec(file)?).await?;
    let (asked_at, started) = (Timestamp::now(), Instant::now());
    let job = IngestJob::ImportFile { source, key, offset: 0, accept_shrunk: false };
    cloud::ingest_queue(endpoints).send(&job).await?;
    server.wait_for_generation(asked_at).await?;
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

/// Imports a row of linked data of every company, page after page as the fetcher gets them: each is kept
/// in the bucket, read and stored.
async fn imported(server: &Server, companies: usize) -> Result<Duration, Error> {
    eprintln!("ingest: {companies} rows of linked data …");
    let endpoints = &server.local.endpoints;
    let registry = Registry::named(cloud::embedded_dynamodb_client(&endpoints.dynamodb), TABLES[0]);
    let objects = Objects::named(cloud::s3_client(&endpoints.s3), BUCKET);
    let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
    let mut took = Duration::ZERO;
    let mut stored = 0;
    for from in (0..companies).step_by(PAGE_SIZE) {
        let page = serde_json::to_vec(&linked_data(from..companies.min(from + PAGE_SIZE)))?;
        // To invent the page is no part of reading it.
        let started = Instant::now();
        let key = incoming::key(Source::Lindas, today, &page);
        objects.put(&key, page.clone()).await?;
        let batch = sources::read(Source::Lindas, &page)?.dated(Some(today));
        let file =
            ingest::File { source: Source::Lindas, batch, key: Some(key), accept_shrunk: false };
        let report = ingest::ingest_file(&registry, &objects, file, Timestamp::now()).await?;
        took += started.elapsed();
        stored += report.new + report.changed + report.unchanged;
    }
    match stored == companies as u64 {
        true => Ok(took),
        false => Err(format!("{stored} of {companies} rows were stored").into()),
    }
}

/// A page of the graph, as the endpoint answers it: a row of each of these companies.
fn linked_data(companies: Range<usize>) -> Value {
    let binding = |index: usize| {
        let company = demo_registry::company_with_publications(index, false).0;
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
