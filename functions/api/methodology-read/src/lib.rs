//! Who owns and controls a company, how risky it is, and which duties apply to it. Rate group: `methodology_read`.
//!
//! A new noun is one module and one line in [`api`].

mod audit;
mod citation;
mod compliance;
mod listings;
mod network;
mod obligations;
mod ownership;
mod risk;
mod subject;

use std::sync::Arc;

use access::RateGroup;
use generations::Generations;
use http_service::{Api, Clock, Description, Routes};
use screened_companies::CompanyScreenings;
use store::Registry;

/// The data that this function reads: companies with their history and facts, and the generation that is searched.
#[derive(Clone)]
pub struct State {
    pub registry: Registry,
    pub generations: Generations,
    /// What the screening lists say about companies.
    pub screened: CompanyScreenings,
    pub clock: Clock,
    /// URL of the API for clients, ending in `/api`.
    pub public_url: Arc<str>,
}

pub fn api<D: Description>(state: State) -> Api<D> {
    Routes::new()
        .merge(ownership::routes())
        .merge(risk::routes())
        .merge(obligations::routes())
        .merge(compliance::routes())
        .merge(audit::routes())
        .merge(network::routes())
        .into_api("methodology-read", RateGroup::MethodologyRead, state)
}
