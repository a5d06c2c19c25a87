//! Sign-in, and operations on the data of a team. Rate group: `account`.

mod alerts;
mod api_keys;
mod audit_log;
mod billing_summary;
mod change_reviews;
mod credits;
mod erasures;
mod invitations;
mod magic_links;
mod mail_limits;
mod mail_links;
mod members;
mod notes;
mod notifications;
mod origins;
mod pages;
mod pipelines;
mod problems;
mod saved_searches;
mod session_issuer;
mod sessions;
mod settings;
mod single_sign_on;
mod sso_keys;
mod sso_sign_in;
mod tags;
mod teams;
mod usage;
mod watches;
mod watchlists;
mod webhooks;

use access::RateGroup;
use components::{Clock, Components, PublicUrl};
use generations::Generations;
use http_service::{Api, Description, Providers, Routes};
use jobs::{MailJob, Queue};
use network::dns::Dns;
use outgoing::{mail::OutgoingMail, webhooks::WebhookSender};
use store::{Counters, Registry, Tenants};

pub use origins::{AllowedOrigins, InvalidOrigin};
pub use session_issuer::{NotIssued, SessionIssuer};
pub use sso_keys::{NoSsoKeys, SsoKeys};

components::component! {
    /// The data that this function reads and writes: users, teams and their counters. It sends mails and tests of webhooks, and
    /// asks identity providers and name servers. It also reads companies, the generation and the change feed.
    pub struct State {
        pub tenants: Tenants,
        pub counters: Counters,
        pub registry: Registry,
        pub generations: Generations,
        pub clock: Clock,
        /// URL of the API: the `source` of CloudEvents, and for links in mails.
        pub public_url: PublicUrl,
        pub sessions: SessionIssuer,
        pub outgoing: OutgoingMail,
        /// Jobs that send notifications by e-mail.
        pub mails: Queue<MailJob>,
        pub webhooks: WebhookSender,
        /// Where users may be sent after signing in.
        pub origins: AllowedOrigins,
        /// The identity providers of teams.
        pub providers: Providers,
        /// Where teams publish the records that verify their domains.
        pub dns: Dns,
        /// Encrypt the client secrets of single sign-on.
        pub sso_keys: SsoKeys,
    }
}

pub fn api<D: Description>(components: &Components) -> Api<D> {
    Routes::new()
        .merge(alerts::routes())
        .merge(api_keys::routes())
        .merge(audit_log::routes())
        .merge(billing_summary::routes())
        .merge(change_reviews::routes())
        .merge(credits::routes())
        .merge(erasures::routes())
        .merge(invitations::routes())
        .merge(magic_links::routes())
        .merge(mail_links::routes())
        .merge(members::routes())
        .merge(notes::routes())
        .merge(notifications::routes())
        .merge(pipelines::routes())
        .merge(saved_searches::routes())
        .merge(sessions::routes())
        .merge(settings::routes())
        .merge(single_sign_on::routes())
        .merge(sso_sign_in::routes())
        .merge(tags::routes())
        .merge(teams::routes())
        .merge(usage::routes())
        .merge(watches::routes())
        .merge(watchlists::routes())
        .merge(webhooks::routes())
        .into_api("account", RateGroup::Account, components.get())
}
