//! Everything readable without a credential. Rate group: `public`, counted by client address.
//!
//! Whatever no function serves is led here, so this one knows every operation.

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

/// What this function reads: companies and what happened to them.
#[derive(Clone)]
pub struct State {
    pub registry: Registry,
    pub generations: Generations,
    /// How old a tenure is depends on today.
    pub clock: Clock,
    /// Whom events name as their source.
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
        .knowing(openapi::operations())
}
