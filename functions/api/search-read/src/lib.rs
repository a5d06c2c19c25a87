//! Company search, company records, and reference data. Rate group: `search_read`.

mod companies;
mod company_statistics;
mod nearby_companies;
mod reference;
mod saved_search_runs;

use std::sync::Arc;

use access::RateGroup;
use generations::Generations;
use http_service::{Api, Clock, Description, Routes};
use screening_results::CompanyScreenings;
use store::{Registry, Tenants};

/// The data that this function reads: company records, tags and saved searches of teams, and the generation that is
/// searched. It writes the last runs of saved searches.
#[derive(Clone)]
pub struct State {
    pub registry: Registry,
    pub tenants: Tenants,
    pub generations: Generations,
    /// What the screening lists say about companies.
    pub screened: CompanyScreenings,
    pub clock: Clock,
    /// Address of the API, for links to next pages.
    pub public_url: Arc<str>,
}

pub fn api<D: Description>(state: State) -> Api<D> {
    Routes::new()
        .merge(companies::routes())
        .merge(company_statistics::routes())
        .merge(nearby_companies::routes())
        .merge(reference::routes())
        .merge(saved_search_runs::routes())
        .into_api("search-read", RateGroup::SearchRead, state)
}
