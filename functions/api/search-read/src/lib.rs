//! Company search, company records, and reference data. Rate group: `search_read`.

mod companies;
mod company_statistics;
mod nearby_companies;
mod reference;
mod saved_search_runs;

use access::RateGroup;
use components::{Clock, Components, PublicUrl};
use generations::Generations;
use http_service::{Api, Description, Routes};
use screening_results::CompanyScreenings;
use store::{Registry, Tenants};

components::component! {
    /// The data that this function reads: company records, tags and saved searches of teams, and the generation that is
    /// searched. It writes the last runs of saved searches.
    pub struct State {
        pub registry: Registry,
        pub tenants: Tenants,
        pub generations: Generations,
        /// What the screening lists say about companies.
        pub screened: CompanyScreenings,
        pub clock: Clock,
        /// Address of the API, for links to next pages.
        pub public_url: PublicUrl,
    }
}

pub fn api<D: Description>(components: &Components) -> Api<D> {
    Routes::new()
        .merge(companies::routes())
        .merge(company_statistics::routes())
        .merge(nearby_companies::routes())
        .merge(reference::routes())
        .merge(saved_search_runs::routes())
        .into_api("search-read", RateGroup::SearchRead, components.get())
}
