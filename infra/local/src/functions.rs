//! Every function that answers HTTP. To add a function, add it to the list in [`apis`].

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use account::{AllowedOrigins, SessionIssuer, SsoKeys};
use auth::Secret;
use aws::SecretSource;
use axum::Router;
use billing::PaymentProvider;
use company_pdf::Files;
use dossier_generation::Generator;
use generations::Generations;
use http_service::{Api, ApiKeySecret, Clock, Description, Middleware, Providers};
use mail::Mailer;
use network::dns::Dns;
use outgoing::{
    mail::{Budget, OutgoingMail},
    webhooks::WebhookSender,
};
use screening_lists::{Retention, ScreeningLists};
use screening_results::CompanyScreenings;
use store::Tenants;
use text_model::TextModel;

use crate::cloud::Cloud;

/// How long a version of a screening list is served before the bucket is asked for a newer one. In the cloud, a minute.
const LISTS_INTERVAL: Duration = Duration::from_millis(100);

/// The settings of the functions, which environment variables contain in a deployment.
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
    /// The directory into which mails are written.
    pub outbox: PathBuf,
    /// How many are written.
    pub mail_budget: Budget,
    /// Where users may be sent after signing in.
    pub origins: AllowedOrigins,
    /// Signs and sends what webhooks get.
    pub webhooks: WebhookSender,
    /// Asks the identity providers of teams.
    pub providers: Providers,
    /// Looks up the DNS records of teams.
    pub dns: Dns,
    /// Writes texts.
    pub text_model: TextModel,
    /// Where teams subscribe.
    pub payments: PaymentProvider,
}

impl Site {
    /// Writes dossiers.
    pub fn generator(&self, tenants: &Tenants) -> Generator {
        Generator { tenants: tenants.clone(), model: self.text_model.clone() }
    }

    /// Counts mails and writes them into the outbox.
    pub fn outgoing_mail(&self, cloud: &Cloud) -> OutgoingMail {
        let (tenants, counters) = (cloud.tenants.clone(), cloud.counters.clone());
        OutgoingMail::new(tenants, counters, Mailer::outbox(self.outbox.clone()), self.mail_budget)
    }

    /// Remembers verified API keys.
    pub fn api_key_secret(&self) -> ApiKeySecret {
        ApiKeySecret::new(SecretSource::Given(self.api_key_secret.clone()))
    }

    /// Issues the tokens of sessions.
    pub fn session_issuer(&self, tenants: &Tenants) -> SessionIssuer {
        SessionIssuer::new(self.session_secret.clone(), tenants.clone(), &self.public_url)
    }
}

/// Every function, with the state it needs.
pub fn apis<D: Description>(
    cloud: &Cloud,
    generations: &Generations,
    clock: &Clock,
    site: &Site,
) -> Vec<Api<D>> {
    let public_url = site.public_url.as_str();
    let registry = cloud.registry.clone();
    let generations = generations.clone();
    let lists = ScreeningLists::checked_every(cloud.objects.clone(), LISTS_INTERVAL);
    let screened = CompanyScreenings::checked_every(cloud.objects.clone(), LISTS_INTERVAL);
    vec![
        search_read::api(search_read::State {
            registry: registry.clone(),
            tenants: cloud.tenants.clone(),
            generations: generations.clone(),
            screened: screened.clone(),
            clock: clock.clone(),
            public_url: public_url.into(),
        }),
        standard_read::api(standard_read::State {
            registry: registry.clone(),
            tenants: cloud.tenants.clone(),
            generations: generations.clone(),
            screened: screened.clone(),
            objects: cloud.objects.clone(),
            clock: clock.clone(),
            public_url: public_url.into(),
        }),
        methodology_read::api(methodology_read::State {
            registry: registry.clone(),
            tenants: cloud.tenants.clone(),
            generations: generations.clone(),
            screened: screened.clone(),
            clock: clock.clone(),
            public_url: public_url.into(),
        }),
        expensive_ai::api(expensive_ai::State {
            registry: registry.clone(),
            generations: generations.clone(),
            screened: screened.clone(),
            generator: site.generator(&cloud.tenants),
            jobs: cloud.dossiers_queue.clone(),
            clock: clock.clone(),
        }),
        company_pdf::api(company_pdf::State {
            registry: registry.clone(),
            generations: generations.clone(),
            screened: screened.clone(),
            files: Files::new(cloud.objects.clone()),
            clock: clock.clone(),
        }),
        account::api(account::State {
            tenants: cloud.tenants.clone(),
            counters: cloud.counters.clone(),
            registry: registry.clone(),
            generations: generations.clone(),
            clock: clock.clone(),
            public_url: public_url.into(),
            sessions: site.session_issuer(&cloud.tenants),
            outgoing: site.outgoing_mail(cloud),
            mails: cloud.mails_queue.clone(),
            origins: site.origins.clone(),
            webhooks: site.webhooks.clone(),
            providers: site.providers.clone(),
            dns: site.dns.clone(),
            sso_keys: SsoKeys::new(site.sso_secret.clone()),
        }),
        bulk::api(bulk::State {
            registry: registry.clone(),
            tenants: cloud.tenants.clone(),
            counters: cloud.counters.clone(),
            generations: generations.clone(),
            screened: screened.clone(),
            objects: cloud.objects.clone(),
            exports: cloud.exports_queue.clone(),
            lists: lists.clone(),
            retention: Retention::default(),
            clock: clock.clone(),
        }),
        screenings::api(screenings::State {
            registry: registry.clone(),
            tenants: cloud.tenants.clone(),
            generations: generations.clone(),
            lists,
            retention: Retention::default(),
            clock: clock.clone(),
            public_url: public_url.into(),
        }),
        payments::api(payments::State {
            tenants: cloud.tenants.clone(),
            provider: site.payments.clone(),
            clock: clock.clone(),
        }),
        public::api(public::State {
            registry,
            generations,
            clock: clock.clone(),
            public_url: public_url.into(),
        }),
    ]
}

/// All functions as one service, and the generations it serves from. Opened generations are stored in the
/// directory `downloads`.
pub fn router(cloud: &Cloud, site: &Site, downloads: &Path, clock: Clock) -> (Router, Generations) {
    let generations = Generations::new(cloud.objects.clone(), downloads).with_copies();
    let middleware = Middleware::new(
        cloud.tenants.clone(),
        cloud.counters.clone(),
        site.providers.clone(),
        &site.public_url,
        clock.clone(),
    )
    .with_dns(site.dns.clone())
    .with_key_secret(site.api_key_secret());
    let apis = apis(cloud, &generations, &clock, site);
    (http_service::service(middleware, apis), generations)
}
