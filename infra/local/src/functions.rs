//! Every function that answers HTTP. To add a function, add it to the list in [`apis`].

use std::{path::PathBuf, time::Duration};

use account::{SessionIssuer, SsoKeys};
use auth::Secret;
use aws::SecretSource;
use axum::Router;
use components::{Clock, Components, PublicUrl};
use generations::Generations;
use http_service::{Api, ApiKeySecret, Description, Middleware};
use mail::Mailer;
use outgoing::webhooks::WebhookSender;
use screening_lists::ScreeningLists;
use screening_results::CompanyScreenings;

use crate::cloud::Cloud;

/// How long a version of a screening list is served before the bucket is asked for a newer one. In the cloud, a minute.
const LISTS_INTERVAL: Duration = Duration::from_millis(100);

/// What functions on this machine need beside the emulators. In a deployment, it is in environment variables.
#[derive(Clone, Debug)]
pub struct Site {
    /// The address of the API, ending in `/api`.
    pub public_url: String,
    /// The secret from which the key of session tokens is derived.
    pub session_secret: Secret,
    /// The secret that encrypts the client secrets of single sign-on.
    pub sso_secret: Secret,
    /// The secret with which verified API keys are remembered.
    pub api_key_secret: Secret,
    /// Signs and sends what webhooks get.
    pub webhooks: WebhookSender,
    /// The directory into which mails are written.
    pub outbox: PathBuf,
}

impl Site {
    /// What functions and workers use. Anything may be replaced: other services of others, another text model.
    pub fn components(
        &self,
        cloud: &Cloud,
        generations: &Generations,
        clock: &Clock,
    ) -> Components {
        let session_secret = self.session_secret.clone();
        let sessions = SessionIssuer::new(session_secret, cloud.tenants.clone(), &self.public_url);
        let api_key_secret = SecretSource::Given(self.api_key_secret.clone());
        cloud
            .components()
            .with(generations.clone())
            .with(ScreeningLists::checked_every(cloud.objects.clone(), LISTS_INTERVAL))
            .with(CompanyScreenings::checked_every(cloud.objects.clone(), LISTS_INTERVAL))
            .with(clock.clone())
            .with(PublicUrl::new(&self.public_url))
            .with(sessions)
            .with(SsoKeys::new(self.sso_secret.clone()))
            .with(ApiKeySecret::new(api_key_secret))
            .with(self.webhooks.clone())
            .with(Mailer::outbox(self.outbox.clone()))
    }
}

/// Every function.
pub fn apis<D: Description>(components: &Components) -> Vec<Api<D>> {
    vec![
        analytics_read::api(components),
        search_read::api(components),
        standard_read::api(components),
        methodology_read::api(components),
        expensive_ai::api(components),
        company_pdf::api(components),
        account::api(components),
        bulk::api(components),
        screenings::api(components),
        payments::api(components),
        public::api(components),
    ]
}

/// All functions as one service.
pub fn router(components: &Components) -> Router {
    http_service::service(Middleware::new(components), apis(components))
}
