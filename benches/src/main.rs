//! `cargo figures`: how fast it is, as tables for the README.
//!
//! Invariant: whatever is drawn at random is drawn from one seed, so that two runs ask the same.
//! Nothing here is a test; a figure is what this machine did in this run.
//!
//! | Read this | To learn |
//! |---|---|
//! | [`questions`] | what is asked: names with and without typos, lists, places |
//! | [`register`] | the local server at its real size: load, index, memory, in process, over HTTP |
//! | [`ingest`] | how fast notices are read; a day and an import, from the bucket to the answer |
//! | [`edge`] | what a request costs before and after its handler, without I/O |
//! | [`start`] | size and start of every function's binary, beside a hello-world |
//! | [`rivals`] | the same questions to `SQLite` and PostgreSQL |
//! | [`server`], [`samples`], [`machine`] | the server and its client; percentiles; processor, memory, processes |

mod edge;
mod ingest;
mod machine;
mod questions;
mod register;
mod rivals;
mod samples;
mod server;

mod start;

use clap::{Parser, Subcommand};
use local::register::Demo;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What went wrong, for whoever ran the command.
type Error = Box<dyn std::error::Error + Send + Sync>;

/// Measures how fast it is and prints tables for the README; everything where nothing is named.
#[derive(Parser)]
#[command(name = "cargo figures")]
struct Figures {
    #[command(subcommand)]
    only: Option<Only>,
    /// How many companies the demonstration register has.
    #[arg(long, global = true, default_value_t = 790_000, value_name = "N")]
    companies: usize,
    /// How many questions of each kind are asked, after a tenth of them to warm up.
    #[arg(long, global = true, default_value_t = 2_000, value_name = "N")]
    questions: usize,
    /// Whether every notice of its companies is read, not the newest alone.
    #[arg(long, global = true)]
    all_notices: bool,
}

#[derive(Subcommand)]
enum Only {
    /// The local server: load, index, memory, questions in process and over HTTP.
    Register,
    /// Reading notices; a day of them and an import, from the bucket to the answer.
    Ingest,
    /// What a request costs besides its handler and the counter.
    Edge,
    /// Size and start of the functions' binaries.
    Start,
    /// Other databases beside our index, with the same questions.
    Rivals,
    /// The local server itself, for `register` to ask.
    #[command(hide = true)]
    Serve(local::command::Command),
}

fn main() -> Result<(), Error> {
    let Figures { only, companies, questions, all_notices } = Figures::parse();
    if let Some(Only::Serve(server)) = only {
        return Ok(tokio::runtime::Runtime::new()?.block_on(server.run())?);
    }
    let demo = Demo { companies, all_notices };
    let wanted = |it: &str| match &only {
        None => true,
        Some(only) => it == only.name(),
    };
    println!("{}\n", machine::heading()?);
    if wanted("register") {
        register::measure(demo, questions)?;
    }
    if wanted("ingest") {
        ingest::measure(demo)?;
    }
    if wanted("edge") {
        edge::measure()?;
    }
    if wanted("start") {
        start::measure()?;
    }
    if wanted("rivals") {
        rivals::measure(companies, questions)?;
    }
    Ok(())
}

impl Only {
    fn name(&self) -> &'static str {
        match self {
            Self::Register => "register",
            Self::Ingest => "ingest",
            Self::Edge => "edge",
            Self::Start => "start",
            Self::Rivals => "rivals",
            Self::Serve(_) => "serve",
        }
    }
}
