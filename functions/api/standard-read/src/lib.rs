//! What is read of companies beyond their records. Rate group: `standard_read`.

mod similar;

use domain::access::RateGroup;
use generations::Generations;
use http_service::{Api, Routes};
use store::Registry;

/// What this function reads: company records, and the generation that compares them.
#[derive(Clone)]
pub struct State {
    pub registry: Registry,
    pub generations: Generations,
}

pub fn api(state: State) -> Api {
    Routes::new().merge(similar::routes()).into_api("standard-read", RateGroup::StandardRead, state)
}
