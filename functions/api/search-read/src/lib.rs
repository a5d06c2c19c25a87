//! Company search, company records, and reference data. Rate group: `search_read`.

mod companies;
mod company_statistics;
mod nearby_companies;
mod reference;

use access::RateGroup;
use generations::Generations;
use http_service::{Api, Clock, Description, Routes};
use store::Registry;

/// The data that this function reads: company records, and the generation that is searched.
#[derive(Clone)]
pub struct State {
    pub registry: Registry,
    pub generations: Generations,
    pub clock: Clock,
}

pub fn api<D: Description>(state: State) -> Api<D> {
    Routes::new()
        .merge(companies::routes())
        .merge(company_statistics::routes())
        .merge(nearby_companies::routes())
        .merge(reference::routes())
        .into_api("search-read", RateGroup::SearchRead, state)
}
