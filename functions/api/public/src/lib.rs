//! Operations that need no API key. Rate group: `public`, counted by client address.
//!
//! The gateway sends every unknown path to this function, so it also knows the operations of the others.

mod auditors;
mod errors;
mod events;
mod health;
mod openapi;

use std::sync::Arc;

use access::RateGroup;
use generations::Generations;
use http_service::{Api, Clock, Description, Routes};
use store::Registry;

/// The data that this function reads: companies and their history.
#[derive(Clone)]
pub struct State {
    pub registry: Registry,
    pub generations: Generations,
    pub clock: Clock,
    /// URL of the API, the `source` of CloudEvents.
    pub public_url: Arc<str>,
}

pub fn api<D: Description>(state: State) -> Api<D> {
    Routes::new()
        .merge(health::routes())
        .merge(events::routes())
        .merge(auditors::routes())
        .merge(errors::routes())
        .merge(openapi::routes())
        .into_api("public", RateGroup::Public, state)
        .with_other_operations(openapi::operations())
}
