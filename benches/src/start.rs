//! Size and start of every function, as it goes live, beside the least function there is.
//!
//! The start is the time from the process to its first poll of the runtime, `GET
//! /2018-06-01/runtime/invocation/next`: what Lambda waits for. The binaries lie in the page cache, and
//! the runtime is a stub on the loopback that never hands out an event. The root certificates are one
//! file, as on Amazon Linux: Debian keeps them in 150 files besides, which are left out.

use std::{
    io::{BufRead, BufReader},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use local::{cloud, directory::Endpoints};

use crate::{
    Error,
    samples::{self, Samples, milliseconds, row},
};

/// The least function first: the others are held against it.
const BINARIES: [&str; 7] =
    ["hello", "search-read", "standard-read", "account", "public", "ingest", "indexer"];

/// Where Debian keeps all root certificates in one file.
const CERTIFICATES: &str = "/etc/ssl/certs/ca-certificates.crt";

/// How often each is started.
const STARTS: usize = 15;

/// After which a function that has not polled is given up.
const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) fn measure() -> Result<(), Error> {
    eprintln!("start: building with --profile ship …");
    let built = build()?;
    eprintln!("start: starting each {STARTS} times …");
    let mut starts: [Samples; BINARIES.len()] = Default::default();
    let no_certificates = tempfile::tempdir()?;
    // In turns, so that what disturbs one disturbs all.
    for _ in 0..STARTS {
        for (binary, samples) in BINARIES.iter().zip(&mut starts) {
            samples.push(first_poll(&built.join(binary), no_certificates.path())?);
        }
    }
    samples::header(&["Binary (`ship`)", "Size", "First poll", "To hello-world's"]);
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

/// Builds all in one run, so that they share one set of features. Answers the folder they lie in.
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
    // This program lies in `release` of the same folder.
    let this = std::env::current_exe()?;
    let target = this.parent().and_then(Path::parent);
    Ok(target.ok_or("this program lies in no target folder")?.join("ship"))
}

fn first_poll(binary: &Path, no_certificates: &Path) -> Result<Duration, Error> {
    let runtime = TcpListener::bind("127.0.0.1:0")?;
    let address = runtime.local_addr()?.to_string();
    // Nobody is asked anything before the first event, so nobody needs to be there.
    let nobody = || "http://127.0.0.1:9".to_owned();
    let endpoints = Endpoints { dynamodb: nobody(), s3: nobody(), sqs: nobody() };
    let mut command = Command::new(binary);
    command
        .envs(cloud::environment(&endpoints, "http://127.0.0.1:9/api"))
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
        // Whoever connects after the first is not heard; the function is stopped by then.
        let first = runtime.accept().map(|(socket, _)| {
            let mut line = String::new();
            let read = BufReader::new(&socket).read_line(&mut line);
            let at = Instant::now();
            // The connection stays open until the answer has been taken.
            let _ = polled.send((read.map(|_| line), at));
            socket
        });
        std::thread::sleep(Duration::from_millis(50));
        drop(first);
    });
    let started = Instant::now();
    let mut process = command.spawn()?;
    let heard = poll.recv_timeout(PATIENCE);
    process.kill()?;
    process.wait()?;
    let (line, at) = heard.map_err(|_| format!("{} did not poll", binary.display()))?;
    let line = line?;
    if !line.starts_with("GET /2018-06-01/runtime/invocation/next ") {
        return Err(format!("{} asked for {line}", binary.display()).into());
    }
    Ok(at - started)
}
