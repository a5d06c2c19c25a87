//! `fetch` and `env`: commands for a server that is running on a data directory.

use std::path::PathBuf;

use clap::Args;
use domain::Source;
use jobs::IngestJob;

use super::arguments;
use crate::{CommandError, Context, data_directory::DataDirectory};

/// Fetch new data of the sources through a running server
///
/// In the cloud, schedules do this. The server must have been started with FETCH_CONTACT set, and with
/// the other variables that a source needs (see `cargo run -- --help`).
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  FETCH_CONTACT=me@example.com cargo run -- --data register
  cargo run -- fetch shab finma --data register       (in another terminal)")]
pub(super) struct FetchSources {
    /// Sources to fetch
    #[arg(required = true, value_name = "SOURCE", value_parser = arguments::source())]
    sources: Vec<Source>,
    /// Data directory of the running server
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
}

impl FetchSources {
    pub(super) async fn run(self) -> Result<(), CommandError> {
        let server = DataDirectory::running_server(&self.data)?;
        let job = IngestJob::FetchSources { sources: self.sources };
        let sent = server.endpoints.ingest_queue().send(&job).await;
        sent.context("cannot send the job to the server")
    }
}

/// Print environment variables that connect AWS tools to a running server
///
/// With them, `cargo lambda watch` runs the Lambda binaries on the server's tables and bucket.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  eval \"$(cargo run -q -- print-env --data register)\" && cargo lambda watch -P 9100")]
pub(super) struct PrintEnvironment {
    /// Data directory of the running server
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Address at which clients will reach the functions
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:9100/api")]
    public_url: String,
}

impl PrintEnvironment {
    pub(super) fn run(self) -> Result<(), CommandError> {
        let server = DataDirectory::running_server(&self.data)?;
        let of_directory = DataDirectory::environment(&self.data);
        for (name, value) in
            server.endpoints.environment(&self.public_url).into_iter().chain(of_directory)
        {
            println!("export {name}={value}");
        }
        Ok(())
    }
}
