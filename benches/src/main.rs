//! `cargo figures`: measures performance and prints Markdown tables.
//!
//! Random choices use fixed seeds, so that two runs ask the same queries. Nothing here is a test: a result
//! is valid for this machine and this run.
//!
//! | Module | Content |
//! |---|---|
//! | [`questions`] | the queries: names with and without typos, lists, places |
//! | [`register`] | a local server with a full register: loading, indexes, memory, queries in process and over HTTP |
//! | [`ingest`] | reading notices; a day of notices and an import, from the bucket to the published generation |
//! | [`cold`] | first answer of a new process to reads or analyses, and what it fetches from a bucket as slow as S3 |
//! | [`cost`] | processor time of the most expensive request of every operation |
//! | [`exports`] | the whole register as a file in each format, from the generation to the object, beside `DuckDB` |
//! | [`accounts`] | matching of watches, delivery of notifications and webhooks, sign-in |
//! | [`screening`] | a pair of names beside another matcher; names and the register against a list of 300,000 names |
//! | [`risk`] | scores one year before a bankruptcy or deletion, compared with matched survivors; base rates |
//! | [`methodology`] | owners, risk, duties and dossiers of random companies |
//! | [`pdf`] | PDF files of companies, rendered and stored |
//! | [`edge`] | overhead of a request before and after its handler, without I/O |
//! | [`start`] | size and start time of every function's binary, compared with a minimal function |
//! | [`rivals`] | the same queries to `SQLite` and PostgreSQL |
//! | [`watchlists`] | a watchlist of a team that is measured |
//! | [`server`], [`samples`], [`machine`] | the server and its client; percentiles; processor, memory, processes |

mod accounts;
mod cold;
mod cost;
mod edge;
mod exports;
mod ingest;
mod machine;
mod methodology;
mod pdf;
mod process;
mod questions;
mod register;
mod risk;
mod rivals;
mod samples;
mod screening;
mod server;
mod start;
mod watchlists;

use std::{path::PathBuf, time::Instant};

use clap::{Parser, Subcommand};
use local::register::demo::DemoSettings;

use crate::cold::Requests;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// An error, printed to the user of the command.
type Error = Box<dyn std::error::Error + Send + Sync>;

/// Measure performance and print Markdown tables; without a command, measure everything
#[derive(Parser)]
#[command(name = "cargo figures")]
struct Figures {
    #[command(subcommand)]
    only: Option<Only>,
    /// Number of companies in the demo register
    #[arg(long, global = true, default_value_t = 790_000, value_name = "N")]
    companies: usize,
    /// Number of queries of each kind, after a tenth of them to warm up
    #[arg(long, global = true, default_value_t = 2_000, value_name = "N")]
    questions: usize,
    /// Load every notice of each company instead of the newest only
    #[arg(long, global = true)]
    all_notices: bool,
    /// Keep the register of `register`, `cost` and `cold` in this directory, and use the one that is there
    #[arg(long, global = true, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Labelled pairs of names for `screening`, a CSV file below the workspace; its first columns are kind, name, name
    #[arg(long, global = true, value_name = "FILE")]
    pairs: Option<PathBuf>,
    /// Files of the gazette for `risk`, instead of the notices of the demo register
    #[arg(long, global = true, value_name = "DIR")]
    notices: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Only {
    /// Local server: loading, indexes, memory, queries in process and over HTTP
    Register,
    /// Reading notices; a day of notices and an import, from the bucket to the generation
    Ingest,
    /// First answer of a new process to each kind of request, with a bucket as slow as S3
    Cold,
    /// First answer of a new process to each analysis of the whole register, with a bucket as slow as S3
    Analytics,
    /// Processor time of the most expensive request of every operation
    Cost,
    /// Owners, risk, duties and dossiers of random companies
    Methodology,
    /// Overhead of a request, without handler and counter
    Edge,
    /// The whole register as a file in each format, beside `DuckDB`
    Exports,
    /// Matching of watches, delivery of notifications and webhooks, sign-in
    Accounts,
    /// Names against a long list, the register against a list, a pair of names beside another matcher
    Screening,
    /// Names of persons that are written differently, beside another matcher
    Disturbed,
    /// Scores one year before a bankruptcy or deletion, compared with matched survivors; base rates
    Risk,
    /// PDF files of companies, rendered for the first time and read from the bucket
    Pdf,
    /// Size and start time of the functions' binaries
    Start,
    /// The same queries to other databases
    Rivals,
    /// The local server itself, started by the other commands
    #[command(hide = true)]
    Serve(local::command::Command),
    /// Writes one file, started by `exports`
    #[command(hide = true)]
    WriteExport(exports::WriteExport),
    /// Answers one request, started by `cold`
    #[command(hide = true)]
    ColdAnswer(cold::ColdAnswer),
}

fn main() -> Result<(), Error> {
    let started = Instant::now();
    let Figures { only, companies, questions, all_notices, data, pairs, notices } =
        Figures::parse();
    if let Some(Only::Serve(server)) = only {
        return Ok(server.run(|| ())?);
    }
    if let Some(Only::WriteExport(export)) = only {
        return export.run();
    }
    if let Some(Only::ColdAnswer(answer)) = only {
        return answer.run(started);
    }
    let demo = DemoSettings { companies, all_notices };
    let selected = |it: &str| match &only {
        None => true,
        Some(only) => it == only.name(),
    };
    println!("{}\n", machine::heading()?);
    if selected("register") {
        register::measure(demo, questions, data.as_deref())?;
    }
    if selected("ingest") {
        ingest::measure(demo)?;
    }
    if selected("cold") {
        cold::measure(demo, data.as_deref(), Requests::Reads)?;
    }
    if selected("analytics") {
        cold::measure(demo, data.as_deref(), Requests::Analyses)?;
    }
    if selected("cost") {
        cost::measure(demo, data.as_deref())?;
    }
    if selected("methodology") {
        methodology::measure(demo, questions)?;
    }
    if selected("edge") {
        edge::measure()?;
    }
    if selected("exports") {
        exports::measure(demo)?;
    }
    if selected("accounts") {
        accounts::measure()?;
    }
    if selected("screening") {
        screening::measure(companies, pairs.as_deref())?;
    }
    if selected("disturbed") {
        screening::measure_disturbed()?;
    }
    if selected("risk") {
        risk::measure(companies, notices.as_deref())?;
    }
    if selected("pdf") {
        pdf::measure(demo)?;
    }
    if selected("start") {
        start::measure()?;
    }
    if selected("rivals") {
        rivals::measure(companies, questions)?;
    }
    Ok(())
}

impl Only {
    fn name(&self) -> &'static str {
        match self {
            Self::Register => "register",
            Self::Ingest => "ingest",
            Self::Cold => "cold",
            Self::Analytics => "analytics",
            Self::Cost => "cost",
            Self::Methodology => "methodology",
            Self::Edge => "edge",
            Self::Exports => "exports",
            Self::Accounts => "accounts",
            Self::Screening => "screening",
            Self::Disturbed => "disturbed",
            Self::Risk => "risk",
            Self::Pdf => "pdf",
            Self::Start => "start",
            Self::Rivals => "rivals",
            Self::Serve(_) => "serve",
            Self::WriteExport(_) => "write-export",
            Self::ColdAnswer(_) => "cold-answer",
        }
    }
}
