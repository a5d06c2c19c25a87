use std::{
    io::{IsTerminal, Write},
    process::ExitCode,
};

use clap::{Parser, error::ErrorKind};
use local::{Stop, command::Command};
use tracing::Level;
use tracing_subscriber::{filter::Targets, layer::SubscriberExt, util::SubscriberInitExt};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Exit code of everything that the command line or its files are to blame for.
const REFUSED: u8 = 2;

fn main() -> ExitCode {
    let command = match Command::try_parse() {
        Ok(command) => command,
        Err(error) => return refuse(&error),
    };
    #[expect(clippy::disallowed_methods, reason = "the log is configured here")]
    let wanted = std::env::var("RUST_LOG").ok().and_then(|it| it.parse::<Targets>().ok());
    // The emulator warns of every condition that does not hold: that is what they are for.
    let quiet = || Targets::new().with_default(Level::WARN).with_target("dynoxide", Level::ERROR);
    let lines = tracing_subscriber::fmt::layer()
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    tracing_subscriber::registry().with(wanted.unwrap_or_else(quiet)).with(lines).init();
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => return stopped(&Stop::because("the runtime", error)),
    };
    let ended = runtime.block_on(command.run());
    // A load that was interrupted is not waited for.
    runtime.shutdown_background();
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(stop) => stopped(&stop),
    }
}

fn stopped(stop: &Stop) -> ExitCode {
    eprintln!("error: {stop}");
    ExitCode::from(REFUSED)
}

/// Help is printed whole; a mistake is one line.
fn refuse(error: &clap::Error) -> ExitCode {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // Whoever stops reading has read enough.
        let _ = write!(std::io::stdout(), "{error}");
        return ExitCode::SUCCESS;
    }
    let text = error.to_string();
    let lines = text.lines().take_while(|it| !it.trim().is_empty());
    eprintln!("{}", lines.map(str::trim).collect::<Vec<_>>().join(" "));
    ExitCode::from(REFUSED)
}
