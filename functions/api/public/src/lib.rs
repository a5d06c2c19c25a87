//! Operations that need no API key. Rate group: `public`, counted by client address.
//!
//! The gateway sends every unknown path to this function, so it also knows the operations of the others.

mod auditors;
mod errors;
mod events;
mod health;
mod openapi;

use access::RateGroup;
use components::{Clock, Components, PublicUrl};
use generations::Generations;
use http_service::{Api, Description, Routes};
use store::Registry;

components::component! {
    /// The data that this function reads: companies and their history.
    pub struct State {
        pub registry: Registry,
        pub generations: Generations,
        pub clock: Clock,
        /// URL of the API, the `source` of CloudEvents.
        pub public_url: PublicUrl,
    }
}

pub fn api<D: Description>(components: &Components) -> Api<D> {
    Routes::new()
        .merge(health::routes())
        .merge(events::routes())
        .merge(auditors::routes())
        .merge(errors::routes())
        .merge(openapi::routes())
        .into_api("public", RateGroup::Public, components.get())
        .with_other_operations(openapi::operations())
}
