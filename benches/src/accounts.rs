//! Watches, notifications, webhooks and sign-in.
//!
//! Matching is the rule alone, on one thread: the watchers of all companies are in memory. Delivery is the real worker over the
//! embedded emulators, which run on the same cores; the reads are counted where the SDK sends them. The latency is that of a local
//! server's workers, which look into the feed once a second. Webhooks are sent over the loopback interface to a receiver in this
//! process. Sign-in is the real router; its mails are written as files.

mod api_keys;
mod delivery;
mod matching;
mod sign_in;

use access::Environment;
use auth::TeamId;
use store::TeamKey;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::{Error, samples};

pub(crate) fn measure() -> Result<(), Error> {
    samples::header(&["Accounts", "Figure"]);
    eprintln!("accounts: matching …");
    matching::measure()?;
    let runtime = Runtime::new()?;
    runtime.block_on(delivery::measure())?;
    runtime.block_on(sign_in::measure())?;
    runtime.block_on(api_keys::measure())?;
    println!();
    Ok(())
}

/// The live partition of a team.
#[expect(clippy::disallowed_methods, reason = "no request is served here")]
fn operator(number: usize) -> TeamKey {
    let team = TeamId(format!("0199c0de-0000-7000-8000-{number:012}"));
    TeamKey::as_operator(team, Environment::Live)
}

fn folder() -> Result<TempDir, Error> {
    Ok(TempDir::new()?)
}
