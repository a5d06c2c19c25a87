//! Exports of the whole register, from the generation to the object: rows per second on one core, and peak memory, beside
//! `DuckDB`, which writes files with the same rows from the same compressed lines.
//!
//! Each file is written by a process of its own on one core, so that its peak memory is known; table and bucket are in another
//! process, on the other core. What the measured process spends on HTTP and checksums counts. Every export is written twice, with
//! a tenth of the rows and with all: memory that grows with the rows is seen. A workbook, which only `companies/export/excel`
//! writes, with at most 50,000 rows, is kept in memory as there.
//!
//! `DuckDB` (`pip install duckdb`) runs in Python, on one core and with one thread, and writes to a local file. It compares and
//! converts nothing, and infers the types of the columns. Without it, its rows are left out.

use std::{
    path::Path,
    process::{Command, Stdio},
    time::Instant,
};

use access::{Environment, Role};
use auth::{Delegation, Member, Principal, TeamId};
use bulk_export::Worker;
use futures_util::TryStreamExt;
use generations::Generations;
use jiff::Timestamp;
use jobs::ExportJob;
use local::{
    cloud::{Cloud, Endpoints},
    register::demo::DemoSettings,
};
use serde::{Deserialize, Serialize};
use spreadsheet::{Selection, XlsxTable};
use store::{Denied, NotChanged, TeamKey, Tenants};
use teams::{Export, ExportFormat, ExportRows, SearchParams, export::RETENTION};
use tempfile::TempDir;

use crate::{
    Error, machine,
    samples::{self, row, seconds},
    server::Server,
};

/// Id of the user who has requested the exports.
const REQUESTED_BY: &str = "measurement";

/// The formats, by the endings of their files.
const FORMATS: [&str; 4] = ["ndjson", "csv", "parquet", "xlsx"];

/// The core of the process that is measured, and that of table and bucket.
const CORES: [&str; 2] = ["0", "1"];

/// Reads the compressed lines and writes a file. Prints the time in seconds and the peak memory in bytes.
const DUCKDB: &str = r#"
import resource, sys, time
import duckdb
lines, target, options = sys.argv[1:]
database = duckdb.connect()
database.execute("SET threads = 1")
started = time.time()
rows = f"SELECT * FROM read_json('{lines}', format = 'newline_delimited')"
database.execute(f"COPY ({rows}) TO '{target}' ({options})")
print(time.time() - started, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"#;

/// One file to be written by a process of its own.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct WriteExport {
    /// Ending of the file's name.
    #[arg(long)]
    format: String,
    /// Number of rows.
    #[arg(long)]
    rows: u64,
    /// Addresses of table, bucket and queues, as JSON.
    #[arg(long)]
    endpoints: String,
}

/// What it took to write a file.
#[derive(Serialize, Deserialize)]
struct Written {
    rows: u64,
    bytes: u64,
    seconds: f64,
    /// Time on the processor.
    processor: f64,
    /// Peak memory in bytes.
    peak: f64,
}

pub(crate) fn measure(demo: DemoSettings) -> Result<(), Error> {
    let folder = TempDir::new()?;
    let server = Server::start(folder.path(), demo)?;
    machine::pin(server.process.id(), CORES[1])?;
    let rows = demo.companies as u64;
    samples::header(&[
        &format!("Export of {rows} companies, all columns, one core"),
        "rows per second",
        "time, of that processor",
        "size",
        "peak memory: a tenth of the rows / all",
    ]);
    for format in FORMATS {
        let tenth = write(&server, format, rows / 10)?;
        let whole = write(&server, format, rows)?;
        row([
            format.to_owned(),
            format!("{:.0}", whole.rows as f64 / whole.seconds),
            format!("{:.1} s, {:.1} s", whole.seconds, whole.processor),
            format!("{:.0} MB", whole.bytes as f64 / 1e6),
            format!("{:.0} / {:.0} MB", tenth.peak / 1e6, whole.peak / 1e6),
        ]);
    }
    let lines = folder.path().join("data/s3/gotthard/generations/*/*/records/*.ndjson.zst");
    for (format, options) in [
        ("ndjson", "FORMAT JSON"),
        ("csv", "FORMAT CSV, HEADER"),
        ("parquet", "FORMAT PARQUET, COMPRESSION SNAPPY, ROW_GROUP_SIZE 100000"),
    ] {
        let target = folder.path().join(format!("duckdb.{format}"));
        let Some([time, peak]) = duckdb(&lines, &target, options)? else {
            eprintln!("DuckDB is not installed: `pip install duckdb`");
            break;
        };
        row([
            format!("DuckDB, {format}"),
            format!("{:.0}", rows as f64 / time),
            format!("{time:.1} s"),
            format!("{:.0} MB", std::fs::metadata(&target)?.len() as f64 / 1e6),
            format!("{:.0} MB", peak / 1e6),
        ]);
    }
    println!();
    Ok(())
}

/// Lets a process of its own write a file.
fn write(server: &Server, format: &str, rows: u64) -> Result<Written, Error> {
    let started = Instant::now();
    let written = Command::new(std::env::current_exe()?)
        .args(["write-export", "--format", format, "--rows", &rows.to_string(), "--endpoints"])
        .arg(serde_json::to_string(&server.local.endpoints)?)
        .stderr(Stdio::inherit())
        .output()?;
    if !written.status.success() {
        return Err(format!("the export as {format} ended: {}", written.status).into());
    }
    eprintln!("{rows} rows as {format}: {}", seconds(started.elapsed()));
    Ok(serde_json::from_slice(&written.stdout)?)
}

/// The time and the peak memory of `DuckDB`. `None` if it is not installed.
fn duckdb(lines: &Path, target: &Path, options: &str) -> Result<Option<[f64; 2]>, Error> {
    let python = |arguments: &[&str]| {
        let mut command = Command::new("taskset");
        command.args(["--cpu-list", CORES[0], "python3", "-c"]).args(arguments);
        command
    };
    let is_installed = python(&["import duckdb"]).stderr(Stdio::null()).status()?.success();
    if !is_installed {
        return Ok(None);
    }
    let (lines, target) = (lines.to_string_lossy(), target.to_string_lossy());
    let output = python(&[DUCKDB, &lines, &target, options]).stderr(Stdio::inherit()).output()?;
    let printed = String::from_utf8(output.stdout)?;
    // Some versions print a banner before.
    let figures = printed
        .lines()
        .last()
        .unwrap_or_default()
        .split_whitespace()
        .map(str::parse)
        .collect::<Result<Vec<f64>, _>>()?;
    figures.try_into().map(Some).map_err(|_| "DuckDB has failed".into())
}

impl WriteExport {
    /// Writes the file, and prints what it took as JSON.
    pub(crate) fn run(self) -> Result<(), Error> {
        machine::pin(std::process::id(), CORES[0])?;
        let endpoints: Endpoints = serde_json::from_str(&self.endpoints)?;
        // As on Lambda: a part is uploaded while the next one is written.
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.worker_threads(2).enable_all().build()?;
        let written = runtime.block_on(async {
            let (cloud, folder) = (Cloud::of_server(&endpoints), TempDir::new()?);
            let generations = Generations::new(cloud.objects.clone(), folder.path());
            match self.format.as_str() {
                "ndjson" => export(cloud, generations, ExportFormat::Ndjson, self.rows).await,
                "csv" => export(cloud, generations, ExportFormat::Csv, self.rows).await,
                "parquet" => export(cloud, generations, ExportFormat::Parquet, self.rows).await,
                _ => workbook(&generations, self.rows).await,
            }
        })?;
        println!("{}", serde_json::to_string(&written)?);
        Ok(())
    }
}

/// Makes the user a member who has requested the exports, if an earlier export has not.
#[expect(clippy::disallowed_methods, reason = "no request is served here")]
async fn requested_by_a_member(
    tenants: &Tenants,
    team: &TeamId,
    now: Timestamp,
) -> Result<(), Error> {
    let user = REQUESTED_BY.to_owned();
    let member = Member { team: team.clone(), user, role: Role::Member, since: now };
    match tenants.add_member(&member).await {
        Err(NotChanged::Denied(Denied::IsMember)) => Ok(()),
        done => Ok(done?),
    }
}

/// Lets the worker write an export.
#[expect(clippy::disallowed_methods, reason = "no request is served here")]
async fn export(
    cloud: Cloud,
    generations: Generations,
    format: ExportFormat,
    rows: u64,
) -> Result<Written, Error> {
    let generation = generations.refresh().await?.manifest.id.clone();
    let filter = SearchParams::default();
    let rows = ExportRows::Companies { filter, tagged: None, columns: None, max_rows: Some(rows) };
    let now = machine::now();
    let export = Export::new(
        uuid::Uuid::now_v7(),
        rows,
        format,
        generation,
        Delegation::new(Principal::user(REQUESTED_BY), now),
    );
    let (team, environment) = (TeamId("measurement".to_owned()), Environment::Live);
    let key = TeamKey::as_operator(team.clone(), environment);
    requested_by_a_member(&cloud.tenants, &team, now).await?;
    // Never due: the server must not write it, too.
    cloud.tenants.create_export(&key, &export, now + RETENTION).await?;
    let worker = Worker {
        tenants: cloud.tenants.clone(),
        objects: cloud.objects,
        generations,
        jobs: cloud.exports_queue,
        part: bulk_export::PART,
        rows_per_group: bulk_export::ROWS_PER_GROUP,
    };
    let job = ExportJob::Run { team, environment, export: export.id.to_string(), again: None };
    let (processor, started) = (machine::own_cpu_time()?, Instant::now());
    worker.handle(job, now).await?;
    let (elapsed, processor) = (started.elapsed(), machine::own_cpu_time()? - processor);
    let ended = cloud.tenants.export(&key, export.id).await?.ok_or("the export is missing")?;
    let file = ended.file.ok_or_else(|| format!("no file: {:?}", ended.error_message))?;
    Ok(Written {
        rows: file.rows,
        bytes: file.size,
        seconds: elapsed.as_secs_f64(),
        processor: processor.as_secs_f64(),
        peak: machine::memory("self")?.peak,
    })
}

/// Writes a workbook into memory.
async fn workbook(generations: &Generations, rows: u64) -> Result<Written, Error> {
    let generation = generations.refresh().await?;
    let (processor, started) = (machine::own_cpu_time()?, Instant::now());
    let mut table = XlsxTable::new(Selection::all(), generation.manifest.built_at)?;
    let records = generation.records().await.map_err(generations::Error::from)?.all();
    let mut records = std::pin::pin!(records);
    let mut written = 0;
    while written < rows
        && let Some(batch) = records.try_next().await?
    {
        for record in batch.records().take(usize::try_from(rows - written)?) {
            table.push(&record?.company()?)?;
            written += 1;
        }
    }
    let file = table.finish(&[])?;
    Ok(Written {
        rows: written,
        bytes: file.len() as u64,
        seconds: started.elapsed().as_secs_f64(),
        processor: (machine::own_cpu_time()? - processor).as_secs_f64(),
        peak: machine::memory("self")?.peak,
    })
}
