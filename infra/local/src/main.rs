use std::process::ExitCode;

use clap::{Parser, error::ErrorKind};
use local::command::Command;

/// Exit code of everything that the command line or its files are to blame for.
const REFUSED: u8 = 2;

#[tokio::main]
async fn main() -> ExitCode {
    let command = match Command::try_parse() {
        Ok(command) => command,
        Err(error) => return refuse(&error),
    };
    tracing_subscriber::fmt()
        .with_env_filter(
            tracing_subscriber::EnvFilter::builder()
                .with_default_directive(tracing_subscriber::filter::LevelFilter::WARN.into())
                .from_env_lossy(),
        )
        .with_writer(std::io::stderr)
        .init();
    match command.run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(stop) => {
            eprintln!("error: {stop}");
            ExitCode::from(REFUSED)
        }
    }
}

/// Help is printed whole; a mistake is one line.
fn refuse(error: &clap::Error) -> ExitCode {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        print!("{error}");
        return ExitCode::SUCCESS;
    }
    let text = error.to_string();
    let lines = text.lines().take_while(|it| !it.trim().is_empty());
    eprintln!("{}", lines.map(str::trim).collect::<Vec<_>>().join(" "));
    ExitCode::from(REFUSED)
}
