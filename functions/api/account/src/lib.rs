//! What a team manages itself. Rate group: `account`.

mod api_keys;
mod changes;
mod usage;

use access::RateGroup;
use generations::Generations;
use http_service::{Api, Clock, Description, Routes};
use store::{Counters, Registry, Tenants};

/// What this function reads and writes: the team's own data, and its counters. Of the generation, and of
/// the feed behind it, it reads which changes there are.
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
        .merge(changes::routes())
        .merge(usage::routes())
        .into_api("account", RateGroup::Account, state)
}
