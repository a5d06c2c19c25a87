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

use std::path::Path;

use access::Environment;
use account::AllowedOrigins;
use auth::{Secret, TeamId};
use billing::PaymentProvider;
use http_service::Providers;
use local::functions::Site;
use network::{dns::Dns, outgoing::OutgoingHttp};
use outgoing::{
    mail::Budget,
    webhooks::{KeySecret, WebhookSender},
};
use store::TeamKey;
use tempfile::TempDir;
use text_model::TextModel;
use tokio::runtime::Runtime;

use crate::{Error, samples};

/// The address of the API.
const PUBLIC_URL: &str = "http://127.0.0.1/api";

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

/// The settings of functions and workers. Webhooks may be on this machine.
fn site(folder: &Path) -> Site {
    Site {
        public_url: PUBLIC_URL.to_owned(),
        session_secret: Secret::new("a secret of the measurement, of any length".to_owned()),
        sso_secret: Secret::new("the-secret-of-the-measurement-which-is-long".to_owned()),
        api_key_secret: Secret::new("the-secret-of-the-measurement-of-keys-is-long".to_owned()),
        outbox: folder.join("outbox"),
        mail_budget: Budget::default(),
        origins: AllowedOrigins::default(),
        webhooks: WebhookSender::new(
            KeySecret::given(Secret::new("another secret of the measurement".to_owned())),
            OutgoingHttp::with_loopback(),
        ),
        providers: Providers::public(),
        dns: Dns::system(),
        text_model: TextModel::Embedded,
        payments: PaymentProvider::none(),
    }
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
