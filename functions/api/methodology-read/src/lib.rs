//! Who owns and controls a company, and how risky it is. Rate group: `methodology_read`.
//!
//! A new noun is one module and one line in [`api`].

mod citation;
mod ownership;
mod risk;

use std::sync::Arc;

use access::RateGroup;
use generations::Generations;
use http_service::{Api, Clock, Description, Routes};
use store::Registry;

/// The data that this function reads: companies with their history and facts, and the generation that is searched.
#[derive(Clone)]
pub struct State {
    pub registry: Registry,
    pub generations: Generations,
    pub clock: Clock,
    /// URL of the API for clients, ending in `/api`.
    pub public_url: Arc<str>,
}

pub fn api<D: Description>(state: State) -> Api<D> {
    Routes::new().merge(ownership::routes()).merge(risk::routes()).into_api(
        "methodology-read",
        RateGroup::MethodologyRead,
        state,
    )
}
