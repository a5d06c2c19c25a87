//! What is read of companies beyond their records. Rate group: `standard_read`.

mod changes;
mod classification;
mod compare;
mod cursor;
mod fingerprint;
mod full_company;
mod graph;
mod media;
mod news;
mod persons;
mod relationships;
mod reports;
mod similar;
mod sync;
mod timeline;

use std::sync::Arc;

use access::RateGroup;
use generations::Generations;
use http_service::{Api, Clock, Description, Routes};
use store::{Registry, Tenants};

/// What this function reads: companies and what happened to them, and the generation that lists and
/// compares them.
#[derive(Clone)]
pub struct State {
    pub registry: Registry,
    /// What the team of a caller has looked at.
    pub tenants: Tenants,
    pub generations: Generations,
    pub clock: Clock,
    /// Where clients find the API, ending in `/api`.
    pub public_url: Arc<str>,
}

pub fn api<D: Description>(state: State) -> Api<D> {
    Routes::new()
        .merge(changes::routes())
        .merge(classification::routes())
        .merge(compare::routes())
        .merge(fingerprint::routes())
        .merge(full_company::routes())
        .merge(graph::routes())
        .merge(media::routes())
        .merge(news::routes())
        .merge(persons::routes())
        .merge(relationships::routes())
        .merge(reports::routes())
        .merge(similar::routes())
        .merge(sync::routes())
        .merge(timeline::routes())
        .into_api("standard-read", RateGroup::StandardRead, state)
}
