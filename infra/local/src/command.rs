//! The command line. Each subcommand is a module: its arguments, and what it does.

mod arguments;
mod coverage;
mod erase;
mod import;
mod mail_address;
mod noga;
mod openapi;
mod register_erasures;
mod running_server;
mod serve;
mod start_screen;
mod team;
mod teams;

use std::{path::Path, time::Duration};

use clap::{Parser, Subcommand};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::{CommandError, Context};

/// How long the end waits for what still runs in the background.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(500);

const HELP: &str = "\
Examples:
  cargo run                                       Serve 5,000 invented companies on port 9000
  cargo run -- --companies 50000                  Serve a larger register
  cargo run -- --data register                    Keep register and API keys in ./register
  cargo run -- --import shab=FILE                 Add publications of the official gazette
  cargo run -- import zefix FILE --data register  Add companies to a register in a directory

Environment variables:
  FETCH_CONTACT               E-mail address or URL that is sent to data sources in the User-Agent
                              header. Without it, nothing is fetched.
  ZEFIX_USER, ZEFIX_PASSWORD  Account for the Zefix API
  NEWS_FEEDS                  URLs of news feeds, separated by spaces
  OPENSANCTIONS_FILE          URL of a file of OpenSanctions for which you have a licence
  REPORT_FILES                URLs of files with annual figures, separated by spaces
  STRIPE_SECRET_FILE          File with the keys of Stripe, as JSON with `apiKey` and `webhookSecret`.
                              Without it, the billing endpoints answer 503. Needs STRIPE_PRICES and
                              BILLING_PAGE (see DEPLOYING.md).
  RUST_LOG                    Log filter such as `info` or `ingest=debug` [default: warn]

Exit codes:
  0  Success
  2  Error: one line on standard error says what is wrong";

/// Serve the Gotthard API on this machine, with a register of invented companies
#[derive(Debug, Parser)]
#[command(
    name = "gotthard",
    bin_name = "cargo run --",
    version,
    args_conflicts_with_subcommands = true,
    after_help = HELP
)]
pub struct Command {
    #[command(subcommand)]
    task: Option<Task>,
    #[command(flatten)]
    serve: serve::Serve,
}

#[derive(Debug, Subcommand)]
enum Task {
    Import(import::ImportFiles),
    Reprocess(import::Reprocess),
    Coverage(coverage::ReportCoverage),
    ImportLocalities(import::ImportLocalities),
    Fetch(running_server::FetchSources),
    PrintEnv(running_server::PrintEnvironment),
    EraseCompany(register_erasures::EraseCompany),
    ErasePerson(register_erasures::ErasePerson),
    CreateTeams(teams::CreateTeams),
    ChangeTeam(team::ChangeTeam),
    ClearAddress(mail_address::ClearAddress),
    EraseUser(erase::EraseUser),
    EraseTeam(erase::EraseTeam),
    ApplyErasures(register_erasures::ApplyErasures),
    CheckNoga(noga::CheckCodes),
    Openapi(openapi::WriteFiles),
}

impl Command {
    /// Runs the command until it has finished or, for a server, until it is stopped, and calls `ended`. What a server started in
    /// the background is stopped after that, and temporary files are deleted when nothing can use them any more.
    pub fn run(self, ended: impl FnOnce()) -> Result<(), CommandError> {
        let runtime = Runtime::new().context("cannot start the async runtime")?;
        let temporary = TempDir::new().context("cannot create a temporary directory")?;
        let result = runtime.block_on(self.run_in(temporary.path()));
        ended();
        // A load that was interrupted may take long, and is not waited for.
        runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
        result
    }

    async fn run_in(self, temporary: &Path) -> Result<(), CommandError> {
        match self.task {
            None => self.serve.run(temporary).await,
            Some(Task::Import(task)) => task.run().await,
            Some(Task::Reprocess(task)) => task.run().await,
            Some(Task::Coverage(task)) => task.run(),
            Some(Task::ImportLocalities(task)) => task.run().await,
            Some(Task::Fetch(task)) => task.run().await,
            Some(Task::PrintEnv(task)) => task.run(),
            Some(Task::EraseCompany(task)) => task.run().await,
            Some(Task::ErasePerson(task)) => task.run().await,
            Some(Task::CreateTeams(task)) => task.run().await,
            Some(Task::ChangeTeam(task)) => task.run().await,
            Some(Task::ClearAddress(task)) => task.run().await,
            Some(Task::EraseUser(task)) => task.run().await,
            Some(Task::EraseTeam(task)) => task.run().await,
            Some(Task::ApplyErasures(task)) => task.run().await,
            Some(Task::CheckNoga(task)) => task.run().await,
            Some(Task::Openapi(task)) => task.run().await,
        }
    }
}
