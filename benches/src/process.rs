//! The functions in this process, with settings of their own.

use std::path::{Path, PathBuf};

use auth::Secret;
use axum::Router;
use components::{Clock, Components};
use generations::Generations;
use local::{
    cloud::Cloud,
    functions::{self, Site},
};
use network::outgoing::OutgoingHttp;
use outgoing::webhooks::{KeySecret, WebhookSender};

/// The address of the API.
pub(crate) const PUBLIC_URL: &str = "http://127.0.0.1/api";

/// The directory of the mails that were sent.
pub(crate) fn outbox(folder: &Path) -> PathBuf {
    folder.join("outbox")
}

/// What functions and workers use that open generations in a folder. Webhooks may be on this machine.
pub(crate) fn components(cloud: &Cloud, folder: &Path) -> Components {
    let secret =
        |of: &str| Secret::new(format!("the-secret-of-{of}-in-measurements-which-is-long"));
    let site = Site {
        public_url: PUBLIC_URL.to_owned(),
        session_secret: secret("sessions"),
        sso_secret: secret("single-sign-on"),
        api_key_secret: secret("keys"),
        webhooks: WebhookSender::new(
            KeySecret::given(secret("webhooks")),
            OutgoingHttp::with_loopback(),
        ),
        outbox: outbox(folder),
    };
    let generations = Generations::new(cloud.objects.clone(), folder);
    site.components(cloud, &generations, &Clock::system())
}

/// All functions as one service, and the generations that they read, with copies of records.
pub(crate) fn functions(cloud: &Cloud, folder: &Path) -> (Router, Generations) {
    let generations = Generations::new(cloud.objects.clone(), folder).with_copies();
    let components = components(cloud, folder).with(generations.clone());
    (functions::router(&components), generations)
}
