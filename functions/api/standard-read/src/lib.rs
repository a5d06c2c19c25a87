//! Changes, people, relationships, news and other data about companies. Rate group: `standard_read`.

mod change_feed;
mod changes;
mod classification;
mod comparison;
mod dashboard;
mod diff;
mod fingerprint;
mod freshness;
mod full_company;
mod graph;
mod media;
mod news;
mod persons;
mod relationships;
mod reports;
mod similar_companies;
mod source_status;
mod sync_status;
mod timeline;

use access::RateGroup;
use components::{Clock, Components, PublicUrl};
use generations::Generations;
use http_service::{Api, Description, Routes};
use objects::Objects;
use screening_results::CompanyScreenings;
use store::{Registry, Tenants};

components::component! {
    /// The data that this function reads: companies and their history, change reviews of teams, and the generation
    /// that is searched.
    pub struct State {
        pub registry: Registry,
        pub tenants: Tenants,
        pub generations: Generations,
        /// What the screening lists say about companies.
        pub screened: CompanyScreenings,
        /// Where the screening lists are.
        pub objects: Objects,
        pub clock: Clock,
        /// URL of the API for clients, ending in `/api`.
        pub public_url: PublicUrl,
    }
}

pub fn api<D: Description>(components: &Components) -> Api<D> {
    Routes::new()
        .merge(change_feed::routes())
        .merge(changes::routes())
        .merge(classification::routes())
        .merge(comparison::routes())
        .merge(diff::routes())
        .merge(fingerprint::routes())
        .merge(full_company::routes())
        .merge(graph::routes())
        .merge(media::routes())
        .merge(news::routes())
        .merge(persons::routes())
        .merge(relationships::routes())
        .merge(reports::routes())
        .merge(similar_companies::routes())
        .merge(timeline::routes())
        .merge(sync_status::routes())
        .merge(freshness::routes())
        .merge(dashboard::routes())
        .into_api("standard-read", RateGroup::StandardRead, components.get())
}
