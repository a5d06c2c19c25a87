//! Size and start time of every function as it is deployed, compared with a minimal function.
//!
//! The start time ends with the first poll of the Lambda runtime API, `GET
//! /2018-06-01/runtime/invocation/next`, for which Lambda waits. The binaries are in the page cache, and the
//! runtime is a stub on the loopback interface that never returns an event. Root certificates are read from
//! one file, as on Amazon Linux; Debian's 150 single files are left out.

use std::{
    io::{BufRead, BufReader},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use local::{cloud::Endpoints, data_directory::DataDirectory};

use crate::{
    Error,
    samples::{self, Samples, milliseconds, row},
};

/// The minimal function comes first; the others are compared with it.
const BINARIES: [&str; 10] = [
    "hello",
    "search-read",
    "analytics-read",
    "standard-read",
    "account",
    "public",
    "ingest",
    "indexer",
    "scheduler",
    "saved-searches",
];

/// Debian's file with all root certificates.
const CERTIFICATES: &str = "/etc/ssl/certs/ca-certificates.crt";

/// Number of starts of each binary.
const STARTS: usize = 15;

/// A function must poll within this time.
const TIMEOUT: Duration = Duration::from_secs(10);

pub(crate) fn measure() -> Result<(), Error> {
    eprintln!("start: building with --profile ship …");
    let built = build()?;
    eprintln!("start: starting each {STARTS} times …");
    let mut starts: [Samples; BINARIES.len()] = Default::default();
    let no_certificates = tempfile::tempdir()?;
    // The binaries alternate, so that a disturbance affects all of them.
    for _ in 0..STARTS {
        for (binary, samples) in BINARIES.iter().zip(&mut starts) {
            samples.push(first_poll(&built.join(binary), no_certificates.path())?);
        }
    }
    samples::header(&["Binary (`ship`)", "Size", "Start", "Relative to `hello`"]);
    let hello = starts[0].median();
    for (binary, samples) in BINARIES.iter().zip(&starts) {
        let size = std::fs::metadata(built.join(binary))?.len() as f64 / 1e6;
        let start = samples.median();
        row([
            format!("`{binary}`"),
            format!("{size:.1} MB"),
            format!("{} ms", milliseconds(start)),
            format!("{:.1}×", start.as_secs_f64() / hello.as_secs_f64()),
        ]);
    }
    println!();
    Ok(())
}

/// Builds all binaries in one run, so that they share one set of features, and returns their folder.
fn build() -> Result<PathBuf, Error> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let packages = BINARIES.iter().flat_map(|it| ["--package", it]);
    let built = Command::new(cargo)
        .args(["build", "--profile", "ship"])
        .args(packages)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()?;
    if !built.success() {
        return Err("the functions were not built".into());
    }
    // This program is in the folder `release` of the same target folder.
    let this = std::env::current_exe()?;
    let target = this.parent().and_then(Path::parent);
    Ok(target.ok_or("this program is not in a target folder")?.join("ship"))
}

fn first_poll(binary: &Path, no_certificates: &Path) -> Result<Duration, Error> {
    let runtime = TcpListener::bind("127.0.0.1:0")?;
    let address = runtime.local_addr()?.to_string();
    // No service is called before the first event, so none needs to run.
    let unused = || "http://127.0.0.1:9".to_owned();
    let endpoints = Endpoints { dynamodb: unused(), s3: unused(), sqs: unused() };
    let mut command = Command::new(binary);
    command
        .envs(endpoints.environment("http://127.0.0.1:9/api"))
        .envs(DataDirectory::environment(Path::new("unused")))
        .env("AWS_LAMBDA_RUNTIME_API", &address)
        .env("AWS_LAMBDA_FUNCTION_NAME", "figures")
        .env("AWS_LAMBDA_FUNCTION_VERSION", "1")
        .env("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "1769")
        .stdout(Stdio::null())
        .stderr(Stdio::null());

    if Path::new(CERTIFICATES).exists() {
        command.env("SSL_CERT_FILE", CERTIFICATES).env("SSL_CERT_DIR", no_certificates);
    }

    let (polled, poll) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        // Only the first connection is accepted; the function is stopped after it.
        let first = runtime.accept().map(|(socket, _)| {
            let mut line = String::new();
            let read = BufReader::new(&socket).read_line(&mut line);
            let at = Instant::now();
            // Keep the connection open until the receiver has the result.
            let _ = polled.send((read.map(|_| line), at));
            socket
        });
        std::thread::sleep(Duration::from_millis(50));
        drop(first);
    });
    let started = Instant::now();
    let mut process = command.spawn()?;
    let first = poll.recv_timeout(TIMEOUT);
    process.kill()?;
    process.wait()?;
    let (line, at) = first.map_err(|_| format!("{} did not poll", binary.display()))?;
    let line = line?;
    if !line.starts_with("GET /2018-06-01/runtime/invocation/next ") {
        return Err(format!("{} requested {line}", binary.display()).into());
    }
    Ok(at - started)
}
