//! Who owns and controls a company, how risky it is, which obligations apply to it, and the dossiers about it. Rate
//! group: `methodology_read`.
//!
//! A new noun is one module and one line in [`api`].

mod audit;
mod citation;
mod compliance;
mod dossiers;
mod network;
mod obligations;
mod ownership;
mod risk;

use access::RateGroup;
use company_reader::Sources;
use components::{Clock, Components, PublicUrl};
use generations::Generations;
use http_service::{Api, Description, Routes};
use screening_results::CompanyScreenings;
use store::{Registry, Tenants};

components::component! {
    /// The data that this function uses: companies with their history and facts, the generation that is searched, and the team's
    /// dossiers.
    pub struct State {
        pub registry: Registry,
        pub tenants: Tenants,
        pub generations: Generations,
        /// What the screening lists say about companies.
        pub screened: CompanyScreenings,
        pub clock: Clock,
        /// URL of the API for clients, ending in `/api`.
        pub public_url: PublicUrl,
    }
}

impl State {
    fn sources(&self) -> Sources {
        let (registry, screened) = (self.registry.clone(), self.screened.clone());
        Sources { registry, screened, clock: self.clock.clone() }
    }
}

pub fn api<D: Description>(components: &Components) -> Api<D> {
    Routes::new()
        .merge(ownership::routes())
        .merge(risk::routes())
        .merge(obligations::routes())
        .merge(compliance::routes())
        .merge(audit::routes())
        .merge(network::routes())
        .merge(dossiers::routes())
        .into_api("methodology-read", RateGroup::MethodologyRead, components.get())
}
