//! Operations on the data of a team. Rate group: `account`.

mod api_keys;
mod change_reviews;
mod usage;

use access::RateGroup;
use generations::Generations;
use http_service::{Api, Clock, Description, Routes};
use store::{Counters, Registry, Tenants};

/// The data that this function reads and writes: teams and their counters. It also reads the generation and
/// the change feed, to check that a change exists.
#[derive(Clone)]
pub struct State {
    pub tenants: Tenants,
    pub counters: Counters,
    pub registry: Registry,
    pub generations: Generations,
    pub clock: Clock,
}

pub fn api<D: Description>(state: State) -> Api<D> {
    Routes::new()
        .merge(api_keys::routes())
        .merge(change_reviews::routes())
        .merge(usage::routes())
        .into_api("account", RateGroup::Account, state)
}
