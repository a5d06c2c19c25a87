//! Everything readable without a credential. Rate group: `public`, counted by client address.
//!
//! Whatever no function serves is led here, so this one knows every operation.

mod errors;
mod health;
mod openapi;

use domain::access::RateGroup;
use http_service::{Api, Routes};
use store::Registry;

/// What this function reads: the registry, to say whether it answers.
#[derive(Clone)]
pub struct State {
    pub registry: Registry,
}

pub fn api(state: State) -> Api {
    Routes::new()
        .merge(health::routes())
        .merge(errors::routes())
        .merge(openapi::routes())
        .into_api("public", RateGroup::Public, state)
        .knowing(openapi::operations())
}
