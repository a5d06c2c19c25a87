//! What is read of companies beyond their records. Rate group: `standard_read`.

mod changes;
mod cursor;
mod graph;
mod persons;
mod relationships;
mod similar;
mod sync;
mod timeline;

use domain::access::RateGroup;
use generations::{Generation, Generations};
use http_service::{Api, Clock, Routes};
use store::Registry;

/// What this function reads: companies and what happened to them, and the generation that lists and
/// compares them.
#[derive(Clone)]
pub struct State {
    pub registry: Registry,
    pub generations: Generations,
    pub clock: Clock,
}

pub fn api(state: State) -> Api {
    Routes::new()
        .merge(changes::routes())
        .merge(graph::routes())
        .merge(persons::routes())
        .merge(relationships::routes())
        .merge(similar::routes())
        .merge(timeline::routes())
        .merge(sync::routes())
        .into_api("standard-read", RateGroup::StandardRead, state)
}

/// The header that names the generation behind an answer.
fn found_in(generation: &Generation) -> [(&'static str, String); 1] {
    [("x-data-generation", generation.manifest.id.clone())]
}
