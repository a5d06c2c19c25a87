use std::{
    io::{IsTerminal, Write},
    process::ExitCode,
};

use clap::{Parser, error::ErrorKind};
use local::{CommandError, command::Command};
use tracing::Level;
use tracing_subscriber::{filter::Targets, layer::SubscriberExt, reload, util::SubscriberInitExt};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Exit code of every error.
const FAILURE: u8 = 2;

fn main() -> ExitCode {
    let command = match Command::try_parse() {
        Ok(command) => command,
        Err(error) => return print_help_or_usage_error(&error),
    };
    #[expect(clippy::disallowed_methods, reason = "the log is configured here")]
    let filter = std::env::var("RUST_LOG").ok().and_then(|it| it.parse::<Targets>().ok());
    // DynamoDB's emulator warns about every failed condition, but a failed condition is an expected result.
    let default_filter =
        || Targets::new().with_default(Level::WARN).with_target("dynoxide", Level::ERROR);
    let log = tracing_subscriber::fmt::layer()
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    let (filter, log_filter) = reload::Layer::new(filter.unwrap_or_else(default_filter));
    tracing_subscriber::registry().with(filter).with(log).init();
    // What the end of a server interrupts is not worth a message.
    let close_log = || drop(log_filter.reload(Targets::new()));
    match command.run(close_log) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

fn fail(error: &CommandError) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::from(FAILURE)
}

/// Prints help as it is, and a usage error as one line: without the usage text that clap adds.
fn print_help_or_usage_error(error: &clap::Error) -> ExitCode {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // Fails if the reader closed the pipe, as `head` does.
        let _ = write!(std::io::stdout(), "{error}");
        return ExitCode::SUCCESS;
    }
    let text = error.to_string();
    let is_usage = |it: &str| it.starts_with("Usage:") || it.starts_with("For more information");
    let lines = text.lines().map(str::trim).take_while(|it| !is_usage(it));
    let lines: Vec<_> = lines.filter(|it| !it.is_empty()).collect();
    eprintln!("{}", lines.join(" ").replace(" tip: ", "; tip: "));
    ExitCode::from(FAILURE)
}
