//! Operations on many items at once. Rate group: `bulk`. Answers are streamed.

mod company_spreadsheet;
mod export;
mod screening;

use access::RateGroup;
use generations::Generations;
use http_service::{Api, Clock, Description, Routes};
use screening_lists::{Retention, ScreeningLists};
use store::{Registry, Tenants};

/// What this function uses: companies, the generation with their records, the lists, and the team's screenings and tags.
#[derive(Clone)]
pub struct State {
    pub registry: Registry,
    pub tenants: Tenants,
    pub generations: Generations,
    pub lists: ScreeningLists,
    pub retention: Retention,
    pub clock: Clock,
}

pub fn api<D: Description>(state: State) -> Api<D> {
    Routes::new()
        .merge(company_spreadsheet::routes())
        .merge(export::routes())
        .merge(screening::routes())
        .into_api("bulk", RateGroup::Bulk, state)
        .streaming()
}
