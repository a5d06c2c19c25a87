//! PDF files of companies over HTTP, one request after the other on one connection: rendered for the first time, with all
//! sections, the risk assessment and the upload to the bucket; and again, read from the bucket.
//!
//! The server has rendered other files before. Companies are those of the demo register with all their notices.

use demo_registry::Register;
use local::register::demo::DemoSettings;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::{
    Error,
    samples::{self, Samples, median_and_tail, row},
    server::{Http, Server},
};

/// Number of companies of the register. Rendering does not depend on it.
const COMPANIES: usize = 5_000;
/// Every so many companies one is rendered.
const STEP: usize = 16;
/// Number of files that are rendered before the measurement.
const WARM_UP: usize = 10;
/// The goal for the median of a file that is rendered, in milliseconds.
const GOAL: u32 = 60;

pub(crate) fn measure(demo: DemoSettings) -> Result<(), Error> {
    let folder = TempDir::new()?;
    let companies = demo.companies.min(COMPANIES);
    eprintln!("pdf: loading {companies} companies …");
    let server = Server::start(folder.path(), DemoSettings { companies, all_notices: true })?;
    let paths = (0..companies).step_by(STEP).map(|index| {
        let uid = Register::default().entry(index, false).company.uid;
        format!("/v1/companies/{uid}/profile.pdf")
    });
    let paths: Vec<String> = paths.collect();
    let (warm_up, paths) = paths.split_at(paths.len().min(WARM_UP));
    Runtime::new()?.block_on(async {
        let client = Http::for_new_team(&server.local).await?;
        for path in warm_up {
            client.get(path).await?;
        }
        let (mut rendered, mut bytes) = (Samples::default(), Vec::new());
        for path in paths {
            let started = std::time::Instant::now();
            bytes.push(client.get(path).await?.len());
            rendered.push(started.elapsed());
        }
        let stored = client.samples(paths).await?;
        print(&rendered, &stored, bytes);
        Ok(())
    })
}

fn print(rendered: &Samples, stored: &Samples, mut bytes: Vec<usize>) {
    bytes.sort_unstable();
    let kilobytes = |it: Option<&usize>| format!("{} kB", it.copied().unwrap_or_default() / 1_000);
    println!("### PDF files\n");
    samples::header(&["PDF file of a company", "p50 / p99 (ms)"]);
    let goal = format!("Rendered for the first time (goal: p50 ≤ {GOAL})");
    row([goal, median_and_tail(rendered)]);
    row(["Read from the bucket".to_owned(), median_and_tail(stored)]);
    let (median, largest) = (bytes.get(bytes.len() / 2), bytes.last());
    println!(
        "\n{} files; size: median {}, largest {}.\n",
        bytes.len(),
        kilobytes(median),
        kilobytes(largest)
    );
}
